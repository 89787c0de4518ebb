import type { Problem } from '../../../carriers/contract/model.js';
import type { ImsArea } from '../../ims/calls/area.js';
import type { Consignment } from '../consignment.js';
import type { Postponed } from '../machine/facts.js';
import { settledAccount, settingsDocuments } from '../../planning/account-settings.js';
import type { BookingContext } from '../context.js';
import type { Account } from '../../accounts/account.js';
import { areaOf } from '../../areas/area.js';
import { postponedByIms } from './ims-failure.js';

/** The account of a consignment, with the settings of its shipment's seller as they are now. */
export type Reached =
  | { readonly kind: 'reached'; readonly account: Account; readonly customer: string | null }
  /** The settings cannot be read now. */
  | { readonly kind: 'not-now'; readonly postponed: Postponed }
  /**
   * The account or its settings are gone, or belong to another carrier or customer than the one it was planned and booked
   * for: that one must not see or change the booking.
   */
  | { readonly kind: 'gone'; readonly problem: Problem };

/** Costs a request to the IMS only where the area's cache lacks the seller or the carriers. */
export async function reachAccount(context: BookingContext, consignment: Consignment): Promise<Reached> {
  const name = consignment.plan?.account ?? '-';
  const account = context.accounts.get(name);
  if (account === undefined) return gone(`account "${name}" is not in the configuration any more`);
  return reachKnown(context, consignment, account);
}

async function reachKnown(context: BookingContext, consignment: Consignment, account: Account): Promise<Reached> {
  const { plan, area, shipmentId } = consignment;
  const { id, name } = account.adapter;
  if (plan && plan.carrierId !== id) return gone(`account "${account.name}" is one of ${name} by now`);
  const reached: Reached = account.settle
    ? await accountOfSeller(account, areaOf(context, area).ims, { sellerId: plan?.seller, shipmentId })
    : { kind: 'reached', account, customer: account.customer ?? null };
  if (reached.kind !== 'reached' || plan?.customer === undefined || plan.customer === reached.customer) return reached;
  return gone(ofAnotherCustomer(account, plan.carrierName));
}

function ofAnotherCustomer({ name, settle }: Account, carrier: string): string {
  return settle
    ? `the settings in the IMS are those of another customer of ${carrier} by now`
    : `account "${name}" is one of another customer of ${carrier} by now`;
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
