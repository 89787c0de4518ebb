import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { Problem } from '../../carriers/contract/model.js';
import type { ImsCarrier, ImsSeller } from '../ims/resources.js';
import { type InstructionChoice, type InstructionSource, chooseInstruction } from '../routing/instructions.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import { sameName } from '../routing/language/rule.js';
import type { Account } from '../accounts/account.js';
import type { Sources } from './sources.js';

type Options = Readonly<Record<string, unknown>>;

/** The instructions in the IMS, and the one that applies. */
export interface InstructionReport extends InstructionChoice {
  /** The key of the carrier's settings. */
  readonly key: string;
}

/** The product that is booked. */
export interface ServiceSelection {
  /**
   * `selected`: a rule or an instruction names the service, or, where `service` is null, the adapter chooses it.
   * `nothing-fits`: the IMS has instructions for the carrier, but none fits this shipment.
   */
  readonly kind: 'selected' | 'nothing-fits';
  readonly service: string | null;
  readonly options: Options;
  /** `null`: the configuration names the service, or the carrier has no instructions. */
  readonly instructions: InstructionReport | null;
}

interface Wanted {
  readonly service: string | null;
  readonly options: Options;
}

/**
 * The options of a rule that the account's carrier knows. A rule for several accounts may hold options of each of their carriers;
 * one that no carrier of the rule knows is found at the start.
 */
export function knownOptions({ adapter }: Account, { service, options }: Wanted): Options {
  const isUnknown = (name: string, value: unknown) =>
    problemsOf(adapter, { service, options: { [name]: value } }).some(
      ({ code, values }) => code === 'unknown-option' && values?.['option'] === name,
    );
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => !isUnknown(name, value)));
}

/** A carrier from outside may throw; then `check` decides. */
function problemsOf(adapter: CarrierAdapter, product: Wanted): readonly Problem[] {
  try {
    return adapter.checkRule?.(product) ?? [];
  } catch {
    return [];
  }
}

/**
 * Selects the service: from the configuration; where it names none, from the instructions in the IMS, the seller's
 * before the carrier's. Options of the configuration are kept.
 */
export async function selectService(
  account: Account,
  { service, options }: Wanted,
  { fields, sources }: { readonly fields: JsonObject; readonly sources: Sources },
): Promise<ServiceSelection> {
  const { settingsInIms } = account.adapter;
  if (!settingsInIms?.instruction || service !== null)
    return { kind: 'selected', service, options, instructions: null };
  const [seller, carriers] = await Promise.all([sources.seller(), sources.carriers()]);
  const found = chooseInstruction(settingsInIms.key, documents(account, seller, carriers), fields);
  const instructions = { ...found, key: settingsInIms.key };
  const read = found.instruction === null ? null : settingsInIms.instruction(found.instruction);
  if (read !== null)
    return { kind: 'selected', service: read.service, options: { ...read.options, ...options }, instructions };
  const exist = found.instruction !== null || found.tried.length > 0;
  return { kind: exist ? 'nothing-fits' : 'selected', service, options, instructions };
}

function documents(
  { imsCarrierName }: Account,
  seller: ImsSeller | null,
  carriers: readonly ImsCarrier[],
): readonly InstructionSource[] {
  const carrier = carriers.find(({ carrierName }) => carrierName !== null && sameName(carrierName, imsCarrierName));
  return [
    { from: 'seller', dataDocument: seller?.dataDocument ?? null },
    { from: 'carrier', dataDocument: carrier?.dataDocument ?? null },
  ];
}
