import { sameName } from '../../routing/language/rule.js';

/** The carrier that we have set on a shipment in the IMS, or were about to. */
export interface CarrierSetting {
  /** As it stands in the IMS. */
  readonly carrierName: string;
  readonly account: string;
  readonly rule: string | null;
  /** It is chosen again when the transport is booked. */
  readonly provisional: boolean;
  /** What the shipment had when this was decided. */
  readonly insteadOf: string | null;
  /** The IMS has confirmed it; without that nobody knows whether the change arrived. */
  readonly confirmed: boolean;
  /** Why the IMS did not take it; `null`: it did, or has not answered yet. */
  readonly refused: string | null;
  /** When it was decided. */
  readonly setAt: Date;
}

/** Whose the carrier of a shipment is. */
export type CarrierAssignment =
  | { readonly kind: 'none' }
  /** Somebody took ours away: it is not set again before a booking asks for one. */
  | { readonly kind: 'removed'; readonly setting: CarrierSetting }
  /** Somebody else chose it, or changed ours: it is kept. */
  | { readonly kind: 'theirs'; readonly carrierName: string }
  /** We chose it for good. */
  | { readonly kind: 'ours'; readonly carrierName: string; readonly setting: CarrierSetting }
  /** It is what we have set for the time being, and is chosen again as though there were none. */
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

/** Whoever wrote it down died before the IMS knew of it: the shipment is as it was then. */
function isUntouched(carrierName: string | null, { confirmed, insteadOf }: CarrierSetting): boolean {
  return !confirmed && (carrierName ?? '') === (insteadOf ?? '');
}
