import type { JsonObject } from '../ims/json-fields.js';
import { type Choice, withoutQuotes } from '../routing/choose-carrier.js';
import type { Planner } from './context.js';
import { type SettledAccount, accountOf } from '../accounts/account.js';
import { type Quotes, type Quoted, quotesFor } from './quotes/choose-quote.js';
import { type Decision, type Subject, decide } from './decide.js';
import type { Order } from './requests.js';
import { settledAccount } from './account-settings.js';
import type { Sources } from './sources.js';
import { type ServiceSelection, selectService } from './service.js';

type Chosen = Extract<Choice, { kind: 'chosen' }>;

export interface Planning extends Subject {
  /** For whom, in queues and logs. */
  readonly id: string;
  readonly sources: Sources;
  /** IANA. */
  readonly timeZone: string;
  /** What is packed is read for its UN numbers, whether or not a rule asks for them. */
  readonly checksDangerousGoods: boolean;
  /** `ask`: where prices decide and something is packed, accounts are asked for them. */
  readonly quoting: 'ask' | 'never';
  /** What was begun with is gone on with, whatever the shipment says meanwhile. */
  readonly begun?: Chosen | null;
}

export interface ShipmentPlan {
  readonly decision: Decision;
  readonly choice: Exclude<Choice, Quoted>;
  /** It may come out otherwise when more is known. */
  readonly provisional: boolean;
  readonly bids: Quotes | null;
  /** `null`: no carrier is chosen. */
  readonly wishes: ServiceSelection | null;
  /** `null` where `wishes` is. */
  readonly order: Order | null;
  /** The account with the settings of the shipment's seller; `null` where `wishes` is. */
  readonly settled: SettledAccount | null;
}

/**
 * Decides who carries a shipment, and how: by the rules, by prices where they are to decide, and by the instructions in
 * the IMS. The same for a new shipment, for a booking and for explaining either; sends nothing but questions.
 * @throws ImsUnavailable | ImsCredentials | ImsProblem what it depends on cannot be read now
 */
export async function planShipment(planner: Planner, planning: Planning): Promise<ShipmentPlan> {
  const { shipment, sources, begun = null } = planning;
  const packedItems = await packedItemsFor(planner, planning);
  const now = planner.clock.now();
  const senderCountry = await senderCountryFor(planner, planning);
  const around = { timeZone: planning.timeZone, now, senderCountry, packedItems };
  const decision = decide(planner.rules, planning, around);
  const choice = begun ?? decision.choice;
  if (choice.kind === 'none' || choice.kind === 'unknown-carrier') {
    return { decision, choice, provisional: false, bids: null, wishes: null, order: null, settled: null };
  }
  const common = { shipment, packedItems, shipDate: now.toISOString().slice(0, 10) };
  const bids = choice.kind === 'quotes' ? await quotesFor(planner, { ...planning, choice, common }) : null;
  const chosen = choice.kind === 'quotes' ? withBest(choice, bids) : choice;
  const settled = await settledAccount(accountOf(planner, chosen.account), sources.settings);
  const { account } = settled;
  const wanted = { service: chosen.service, options: chosen.options };
  // What was begun with has its product.
  const wishes = begun ? asBegun(begun) : await selectService(account, wanted, { fields: shipment.fields, sources });
  const senders = await sources.senders(account.carrier.sender);
  const order: Order = { ...common, account, senders, service: wishes.service, options: wishes.options };
  const provisional = choice.undecided.length > 0 || (bids !== null && !bids.asked);
  return { decision, choice: chosen, provisional, bids, wishes, order, settled };
}

function asBegun({ service, options }: Chosen): ServiceSelection {
  return { kind: 'wishes', service, options, instructions: null };
}

/** They cost a call, and nothing else of a shipment hints at dangerous goods. */
async function packedItemsFor(
  { rules }: Planner,
  { shipment, sources, checksDangerousGoods }: Planning,
): Promise<readonly JsonObject[] | null> {
  const isAsked = checksDangerousGoods || rules.asked.has('hasDangerousGoods');
  return isAsked && shipment.shippingContainers.length > 0 ? sources.packedItems() : null;
}

async function senderCountryFor({ rules }: Planner, { shipment, sources }: Planning): Promise<string | null> {
  if (!rules.asked.has('isDomestic') || (shipment.sellerAddress?.countryCode ?? null) !== null) return null;
  return (await sources.context())?.address?.countryCode ?? null;
}

function withBest(choice: Quoted, bids: Quotes | null): Chosen {
  const first = withoutQuotes(choice);
  if (first.kind !== 'chosen') throw new Error(`rule ${choice.rule} leads to no account`);
  return { ...first, account: bids?.best?.account ?? bids?.preferred ?? first.account };
}
