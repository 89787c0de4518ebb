import type { BookingRequest } from '../../../carriers/contract/model.js';
import type { Choice } from '../../routing/choose-carrier.js';
import type { OfferedQuote } from '../../routing/pick-quote.js';
import type { Planner } from '../planner.js';
import { type Account, accountOf } from '../../accounts/account.js';
import { bestQuote } from './fetch-quotes.js';
import { type Order, requestFor, requestsBeforePacking, requestsFor } from '../requests.js';
import { settledAccount } from '../settled-account.js';
import type { Sources } from '../sources.js';
import { knownOptions, selectService } from '../service.js';

export type Quoted = Extract<Choice, { kind: 'quotes' }>;

/** The part of prices in the choice. */
export interface Quotes {
  readonly by: Quoted['by'];
  readonly accounts: readonly string[];
  /** The account without a quote: the first one that would not refuse the shipment. */
  readonly preferred: string | null;
  /** `null`: no account was asked, or none made a quote in time. */
  readonly best: OfferedQuote | null;
  readonly asked: boolean;
}

export interface QuoteComparison {
  /** The id in bulkheads and logs. */
  readonly id: string;
  readonly choice: Quoted;
  readonly common: Omit<Order, 'account' | 'service' | 'options' | 'senders'>;
  readonly sources: Sources;
  /** `never`: prices are asked for at the booking. */
  readonly quoting: 'ask' | 'never';
}

/** Asks accounts for quotes, except those that would certainly refuse the shipment; those are not chosen either. */
export async function quotesFor(
  planner: Pick<Planner, 'accounts' | 'log'>,
  comparison: QuoteComparison,
): Promise<Quotes> {
  const { id, choice, common, quoting } = comparison;
  const { by, accounts } = choice;
  const all = await Promise.all(accounts.map((name) => eligibilityOf(accountOf(planner, name), comparison)));
  const eligible = all.filter(({ isIneligible }) => !isIneligible);
  const [preferred = accounts[0] ?? null] = eligible.map(({ account }) => account.name);
  const asked = quoting === 'ask' && common.shipment.shippingContainers.length > 0;
  const candidates = eligible.flatMap(({ account, request }) => (request === null ? [] : [{ account, request }]));
  const best = asked ? await bestQuote(candidates, { by, id, log: planner.log }) : null;
  return { by, accounts, preferred, best, asked };
}

interface Eligibility {
  readonly account: Account;
  /** The request for all containers; `null` where there are none. */
  readonly request: BookingRequest | null;
  readonly isIneligible: boolean;
}

async function eligibilityOf(
  unsettled: Account,
  { id, choice, common, sources }: QuoteComparison,
): Promise<Eligibility> {
  const { service } = choice;
  const { shipment } = common;
  const { kind, account } = await settledAccount(unsettled, sources.settings);
  const options = knownOptions(account, choice);
  const containerIds = shipment.shippingContainers.map((container) => container.id);
  const selection = await selectService(account, { service, options }, { fields: shipment.fields, sources });
  const senders = await sources.senders(account.carrier.sender);
  const order: Order = { ...common, account, senders, service: selection.service, options: selection.options };
  const isPacked = containerIds.length > 0;
  const found = isPacked ? requestsFor(order, { containerIds, reference: id, first: 1 }) : requestsBeforePacking(order);
  const whole = isPacked ? requestFor(order, id, containerIds) : null;
  const isIneligible =
    kind === 'unusable' || selection.kind === 'nothing-fits' || found.unusable.length > 0 || found.refused.length > 0;
  return { account, request: whole?.kind === 'request' ? whole.request : null, isIneligible };
}
