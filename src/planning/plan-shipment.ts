import { toAddress } from '../ims/booking-request/parties.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import { type Choice, withoutQuotes } from '../routing/choose-carrier.js';
import { localDay } from '../routing/facts/local-time.js';
import type { Planner } from './planner.js';
import { type SettledAccount, accountOf } from '../accounts/account.js';
import { type Quotes, type Quoted, quotesFor } from './quotes/choose-quote.js';
import { type Decision, type Subject, decide } from './decide.js';
import type { Order } from './requests.js';
import { settledAccount } from './settled-account.js';
import type { Sources } from './sources.js';
import { type ServiceSelection, knownOptions, selectService } from './service.js';

type Chosen = Extract<Choice, { kind: 'chosen' }>;

export interface Planning extends Subject {
  /** The id in bulkheads and logs. */
  readonly id: string;
  readonly sources: Sources;
  /** IANA. */
  readonly timeZone: string;
  /** Whether the packed items are read for their UN numbers, even if no rule asks for them. */
  readonly checksDangerousGoods: boolean;
  /** `ask`: accounts are asked for prices where prices decide and the shipment is packed. */
  readonly quoting: 'ask' | 'never';
  /** The choice of an earlier run, which is kept even if the shipment has changed. */
  readonly earlierChoice?: Chosen | null;
}

export interface ShipmentPlan {
  readonly decision: Decision;
  readonly choice: Exclude<Choice, Quoted>;
  /** The choice may change when more is known. */
  readonly provisional: boolean;
  readonly quotes: Quotes | null;
  /** `null`: no carrier is chosen. */
  readonly selection: ServiceSelection | null;
  /** `null` where `selection` is. */
  readonly order: Order | null;
  /** The account with the settings of the shipment's seller; `null` where no carrier is chosen. */
  readonly settled: SettledAccount | null;
}

/**
 * Chooses carrier, service and options of a shipment, by the rules, by prices where they decide, and by the
 * instructions in the IMS. The same code for a new shipment, a booking, and `explain`; it only reads, and asks for
 * quotes.
 * @throws ImsUnavailable | ImsCredentials | ImsProblem needed data cannot be read now
 */
export async function planShipment(planner: Planner, planning: Planning): Promise<ShipmentPlan> {
  const { shipment, sources, earlierChoice = null } = planning;
  const packedItems = await packedItemsFor(planner, planning);
  const now = planner.clock.now();
  const senderCountry = await senderCountryFor(planner, planning);
  const around = { timeZone: planning.timeZone, now, senderCountry, packedItems };
  const decision = decide(planner.rules, planning, around);
  const choice = earlierChoice ?? decision.choice;
  if (choice.kind === 'none' || choice.kind === 'unknown-carrier') {
    return { decision, choice, provisional: false, quotes: null, selection: null, order: null, settled: null };
  }
  const common = { shipment, packedItems, shipDate: localDay(now, planning.timeZone) };
  const quotes = choice.kind === 'quotes' ? await quotesFor(planner, { ...planning, choice, common }) : null;
  const chosen = choice.kind === 'quotes' ? withBest(choice, quotes) : choice;
  const settled = await settledAccount(accountOf(planner, chosen.account), sources.settings);
  const { account } = settled;
  const wanted = { service: chosen.service, options: knownOptions(account, chosen) };
  const selection = earlierChoice
    ? selectionOf(earlierChoice)
    : await selectService(account, wanted, { fields: shipment.fields, sources });
  const senders = await sources.senders(account.carrier.sender);
  const order: Order = { ...common, account, senders, service: selection.service, options: selection.options };
  const provisional = choice.undecided.length > 0 || (quotes !== null && !quotes.asked);
  return { decision, choice: chosen, provisional, quotes, selection, order, settled };
}

/** A choice of an earlier run has its service already. */
function selectionOf({ service, options }: Chosen): ServiceSelection {
  return { kind: 'selected', service, options, instructions: null };
}

/** Reads the packed items, which costs a call: nothing else in a shipment shows dangerous goods. */
async function packedItemsFor(
  { rules }: Planner,
  { shipment, sources, checksDangerousGoods }: Planning,
): Promise<readonly JsonObject[] | null> {
  const isAsked = checksDangerousGoods || rules.asked.has('hasDangerousGoods');
  return isAsked && shipment.shippingContainers.length > 0 ? sources.packedItems() : null;
}

/** The sender's country, where the shipment does not tell it; `UNDEFINED`, which the IMS writes for none, is none. */
async function senderCountryFor({ rules }: Planner, { shipment, sources }: Planning): Promise<string | null> {
  if (!rules.asked.has('isDomestic') || toAddress(shipment.sellerAddress).countryCode !== null) return null;
  return toAddress((await sources.context())?.address).countryCode;
}

function withBest(choice: Quoted, quotes: Quotes | null): Chosen {
  const first = withoutQuotes(choice);
  if (first.kind !== 'chosen') throw new Error(`rule ${choice.rule} leads to no account`);
  return { ...first, account: quotes?.best?.account ?? quotes?.preferred ?? first.account };
}
