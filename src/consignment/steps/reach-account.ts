import type { Problem } from '../../../carriers/contract/model.js';
import type { ImsArea } from '../../ims/calls/ims-area.js';
import { type Consignment, type Plan, isOfCustomer } from '../consignment.js';
import type { Postponed } from '../machine/facts.js';
import { settledAccount, settingsDocuments } from '../../planning/settled-account.js';
import type { BookingContext } from '../context.js';
import type { Account } from '../../accounts/account.js';
import { areaOf } from '../../areas/area.js';
import { postponedByIms } from './ims-failure.js';

/**
 * How long the instances of an installation may have different configurations, while a new one is rolled out. The message
 * `waiting-account` names a minute more, since the last attempt may come half a minute later.
 */
const ROLLED_OUT_WITHIN_MS = 5 * 60_000;

/** The account of a consignment, with the settings of its shipment's seller as they are now. */
export type Reached =
  | { readonly kind: 'reached'; readonly account: Account; readonly customer: string | null }
  /** The settings cannot be read now, or another instance may have a newer configuration than this one. */
  | { readonly kind: 'not-now'; readonly postponed: Postponed }
  /**
   * The account or its settings are gone, or belong to another carrier or customer than the one it was planned and booked
   * for: that one must not see or change the booking.
   */
  | { readonly kind: 'gone'; readonly problem: Problem };

/** Costs a request to the IMS only where the area's cache lacks the seller or the carriers. */
export async function reachAccount(context: BookingContext, consignment: Consignment): Promise<Reached> {
  const { plan } = consignment;
  const name = plan?.account ?? '-';
  const account = context.accounts.get(name);
  const change = configuredOtherwise(plan, account);
  if (account === undefined || change !== null) return goneHere(context, consignment, `account "${name}" ${change}`);
  return account.settle
    ? reachInIms(context, consignment, account)
    : { kind: 'reached', account, customer: account.customer ?? null };
}

async function reachInIms(context: BookingContext, consignment: Consignment, account: Account): Promise<Reached> {
  const { plan, area, shipmentId } = consignment;
  const reached = await accountOfSeller(account, areaOf(context, area).ims, { sellerId: plan?.seller, shipmentId });
  if (reached.kind !== 'reached' || isOfCustomer(plan, reached.customer)) return reached;
  return gone(`the settings in the IMS are those of another customer of ${plan?.carrierName ?? '-'} by now`);
}

/** What the configuration of this process has in place of the account of a plan; `null`: the same account. */
export function configuredOtherwise(plan: Plan | null, account: Account | undefined): string | null {
  if (account === undefined) return 'is not in the configuration any more';
  const { id, name } = account.adapter;
  if (plan && plan.carrierId !== id) return `is one of ${name} by now`;
  const isSame = account.settle !== undefined || isOfCustomer(plan, account.customer ?? null);
  return isSame ? null : `is one of another customer of ${name} by now`;
}

/**
 * A booking that is younger than the configuration of this process was planned by an instance with another one, maybe a
 * newer one, and that instance goes on with it. The wait is no longer than the worker's.
 */
function goneHere({ clock, configuredAt, areas }: BookingContext, consignment: Consignment, text: string): Reached {
  const { runStartedAt, area } = consignment;
  const waitedMs = clock.now().getTime() - runStartedAt.getTime();
  const longestMs = Math.min(ROLLED_OUT_WITHIN_MS, areas.get(area)?.giveUpAfterMs ?? Infinity);
  const isYounger = runStartedAt > configuredAt && waitedMs < longestMs;
  if (!isYounger) return gone(text);
  const because = `${text} in this instance; another one may have a newer configuration`;
  const waits = { waitingFor: 'account', because, retryAfterMs: null, claimed: false } as const;
  return { kind: 'not-now', postponed: { kind: 'postponed', ...waits } };
}

export interface BookedFor {
  /** `undefined`: it was planned while the settings were in the configuration, so the shipment names the seller. */
  readonly sellerId: string | null | undefined;
  readonly shipmentId: string | null;
}

/** The account with the settings of the seller that the booking was made for. */
export async function accountOfSeller(
  account: Account,
  ims: ImsArea,
  { sellerId: known, shipmentId }: BookedFor,
): Promise<Reached> {
  if (!account.settle) return { kind: 'reached', account, customer: null };
  try {
    const asked = known === undefined && shipmentId !== null ? (await ims.loadShipment(shipmentId)).sellerId : known;
    const sellerId = asked ?? null;
    const settled = await settledAccount(account, (carrierName) => settingsDocuments(ims, { sellerId, carrierName }));
    if (settled.kind === 'settled') return { ...settled, kind: 'reached' };
    const paths = settled.troubles.map(({ path }) => path).join(', ');
    return gone(`settings of ${settled.of.kind} ${settled.of.name} in the IMS are missing or wrong: ${paths}`);
  } catch (error) {
    return { kind: 'not-now', postponed: postponedByIms(error, false) };
  }
}

function gone(text: string): Reached {
  return { kind: 'gone', problem: { code: null, text, parcelId: null } };
}
