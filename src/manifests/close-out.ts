import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { Booking } from '../../carriers/contract/model.js';
import { BulkheadRejected } from '../accounts/bulkhead.js';
import { type Consignment, partsIn, shipmentName } from '../consignment/consignment.js';
import { reachAccount } from '../consignment/steps/reach-account.js';
import type { BookingContext } from '../consignment/context.js';
import type { Account } from '../accounts/account.js';

/** Bookings in one call; a consignment is never divided. */
const CLOSED_OUT_AT_ONCE = 500;
/** Shipments named in a note; the others are counted. */
const MAX_NAMED = 10;

/** The result of a close-out, which has one call for each customer at the carrier. */
export interface ClosedOut {
  /** The carrier's numbers of what it accepted. */
  readonly numbers: readonly string[];
  readonly refused: readonly CloseOutTrouble[];
  /** May succeed later. */
  readonly failed: readonly (CloseOutTrouble & { readonly error: Error })[];
}

/** `from`: `us` when our settings or limits prevented the call. */
export interface CloseOutTrouble {
  readonly text: string;
  readonly from: 'carrier' | 'us';
}

interface Leaving {
  readonly taskId: string;
  readonly consignments: readonly Consignment[];
}

/** Bookings with the same settings. `account`: or why there are none. */
interface Group {
  readonly account: Account | Error;
  readonly consignments: readonly Consignment[];
}

/**
 * Closes out with the carrier, separately for each of its customers where settings differ by seller, so that one
 * call's error does not stop the others. The account's carrier is not told of bookings of another one.
 */
export async function closeOutEach(context: BookingContext, { taskId, consignments }: Leaving): Promise<ClosedOut> {
  const groups = (await bySettings(context, consignments)).flatMap(inCalls);
  const numbers: string[] = [];
  const refused: CloseOutTrouble[] = [];
  const failed: (CloseOutTrouble & { readonly error: Error })[] = [];
  for (const group of groups) {
    const whose = groups.length > 1 ? ` (${named(group.consignments)})` : '';
    try {
      numbers.push(...(await closeAll(group, taskId)));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isOurs =
        group.account instanceof Error || (error instanceof BulkheadRejected && error.waitingFor === 'limit');
      const from = isOurs ? 'us' : 'carrier';
      if (!(error instanceof CarrierRejected)) failed.push({ error, text: `${error.message}${whose}`, from });
      else refused.push(...error.problems.map(({ text }) => ({ text: `${text}${whose}`, from }) as const));
    }
  }
  return { numbers, refused, failed };
}

async function bySettings(context: BookingContext, consignments: readonly Consignment[]): Promise<readonly Group[]> {
  const reached = new Map<string, Account | Error>();
  const groups = new Map<Account | string, Group & { readonly consignments: Consignment[] }>();
  for (const consignment of consignments) {
    const { plan, id } = consignment;
    const customer = plan?.seller === undefined ? id : `${plan.seller} ${plan.customer}`;
    const account = reached.get(customer) ?? (await settingsOf(context, consignment));
    reached.set(customer, account);
    const key = account instanceof Error ? account.message : account;
    const group = groups.get(key) ?? { account, consignments: [] };
    group.consignments.push(consignment);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function settingsOf(context: BookingContext, consignment: Consignment): Promise<Account | Error> {
  const name = consignment.plan?.account;
  const reached = await reachAccount(context, consignment);
  const isThere = name !== undefined && context.accounts.has(name);
  if (reached.kind === 'gone')
    return isThere ? new CarrierRejected([reached.problem], 'credentials') : missing(name ?? '-');
  return reached.kind === 'not-now' ? new CarrierUnavailable(reached.postponed.because) : reached.account;
}

function missing(account: string): CarrierRejected {
  const text = `account "${account}" is not in the configuration any more: put it back into waybridge.yaml`;
  return new CarrierRejected([{ code: null, text, parcelId: null }], 'credentials');
}

/** The groups of one call each. */
function inCalls({ account, consignments }: Group): readonly Group[] {
  if (account instanceof Error) return [{ account, consignments }];
  const calls: Consignment[][] = [];
  let count = Infinity;
  for (const consignment of consignments) {
    const own = bookingsOf(consignment).length;
    count += own;
    if (count > CLOSED_OUT_AT_ONCE) {
      calls.push([]);
      count = own;
    }
    calls.at(-1)?.push(consignment);
  }
  return calls.map((each) => ({ account, consignments: each }));
}

/** @returns the carrier's number of it; none where it gives none */
async function closeAll({ account, consignments }: Group, taskId: string): Promise<readonly string[]> {
  if (account instanceof Error) throw account;
  const bookings = consignments.flatMap(bookingsOf);
  if (bookings.length === 0) return [];
  const closed = await account.bulkhead.run(taskId, (call) => call(async () => account.carrier.closeOut?.(bookings)));
  return closed && closed.number !== null ? [closed.number] : [];
}

function bookingsOf(consignment: Consignment): readonly Booking[] {
  return partsIn(consignment, 'booked').flatMap((part) => part.booking ?? []);
}

function named(consignments: readonly Consignment[]): string {
  const numbers = [...new Set(consignments.map(shipmentName))];
  const rest = numbers.length > MAX_NAMED ? ` … (+${numbers.length - MAX_NAMED})` : '';
  return `${numbers.slice(0, MAX_NAMED).join(', ')}${rest}`;
}
