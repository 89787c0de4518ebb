import { type KnownAccount, sameName } from '../../routing/language/rule.js';

/** The carrier that we have set on a shipment in the IMS, or intended to set. */
export interface CarrierSetting {
  /** The carrier's name in the IMS. */
  readonly carrierName: string;
  readonly account: string;
  readonly rule: string | null;
  /** Chosen again at the booking. */
  readonly provisional: boolean;
  /** The shipment's carrier when this was decided. */
  readonly insteadOf: string | null;
  /** The IMS has confirmed it; else it is unknown whether the change arrived. */
  readonly confirmed: boolean;
  /** The refusal of the IMS; `null`: it accepted, or has not answered. */
  readonly refused: string | null;
  /** When it was decided. */
  readonly setAt: Date;
}

/** Who has set the carrier of a shipment. */
export type CarrierAssignment =
  | { readonly kind: 'none' }
  /** A person has removed ours: it is not set again before a booking asks for one. */
  | { readonly kind: 'removed'; readonly setting: CarrierSetting }
  /** A person or another program has set it, or has changed ours: it is kept. */
  | { readonly kind: 'theirs'; readonly carrierName: string }
  /** We chose it for good. */
  | { readonly kind: 'ours'; readonly carrierName: string; readonly setting: CarrierSetting }
  /** We have set it provisionally; it is chosen again as if there were none. */
  | { readonly kind: 'open'; readonly carrierName: string | null; readonly setting: CarrierSetting };

/** Pure. @param carrierName of the shipment now */
export function assignmentOf(carrierName: string | null, setting: CarrierSetting | null): CarrierAssignment {
  if (setting !== null) {
    if (carrierName !== null && sameName(carrierName, setting.carrierName))
      return { kind: setting.provisional ? 'open' : 'ours', carrierName, setting };
    if (isUntouched(carrierName, setting)) return { kind: 'open', carrierName, setting };
    if (!carrierName && setting.confirmed) return { kind: 'removed', setting };
  }
  return carrierName === null ? { kind: 'none' } : { kind: 'theirs', carrierName };
}

/** The intent was stored, and the process died before the IMS got the change: the shipment is unchanged. */
function isUntouched(carrierName: string | null, { confirmed, insteadOf }: CarrierSetting): boolean {
  return !confirmed && (carrierName ?? '') === (insteadOf ?? '');
}

/** Whether one of the accounts books at this carrier of a shipment. */
export function isOneOfOurs(carrierName: string | null, accounts: Iterable<KnownAccount>): boolean {
  return carrierName !== null && [...accounts].some(({ imsCarrierName }) => sameName(imsCarrierName, carrierName));
}
