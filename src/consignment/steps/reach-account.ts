import type { Problem } from '../../../carriers/contract/model.js';
import type { ImsArea } from '../../ims/calls/area.js';
import type { Consignment } from '../consignment.js';
import type { Postponed } from '../machine/facts.js';
import { settledAccount, settingsDocuments } from '../../planning/account-settings.js';
import type { BookingContext } from '../context.js';
import { type Account, accountOf } from '../../accounts/account.js';
import { areaOf } from '../../areas/area.js';
import { postponedByIms } from './ims-failure.js';

/** The account of a consignment, with the settings of its shipment's seller as they are now. */
export type Reached =
  | { readonly kind: 'reached'; readonly account: Account; readonly customer: string | null }
  /** They cannot be read now. */
  | { readonly kind: 'not-now'; readonly postponed: Postponed }
  /**
   * They are not there any more, or they are another customer's than what was planned and booked: what that customer can
   * see and change at the carrier is not ours.
   */
  | { readonly kind: 'gone'; readonly problem: Problem };

/** Costs the IMS a request only where the area's cache has not the seller and the carriers. */
export async function reachAccount(world: BookingContext, consignment: Consignment): Promise<Reached> {
  const { plan, area, shipmentId } = consignment;
  const account = accountOf(world, plan?.account);
  const reached: Reached = account.settle
    ? await accountOfSeller(account, areaOf(world, area).ims, { sellerId: plan?.seller, shipmentId })
    : { kind: 'reached', account, customer: null };
  if (reached.kind !== 'reached' || plan?.customer === undefined || plan.customer === reached.customer) return reached;
  return gone(`the settings in the IMS are those of another customer of ${plan.carrierName} by now`);
}

export interface BookedFor {
  /** `undefined`: it was planned while the settings were in the configuration; the shipment tells. */
  readonly sellerId: string | null | undefined;
  readonly shipmentId: string | null;
}

/** The account with the settings of the seller that something was booked for. */
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
