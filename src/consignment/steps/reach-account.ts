import type { Problem } from '../../../carriers/contract/model.js';
import type { Consignment } from '../consignment.js';
import type { Postponed } from '../machine/fact.js';
import { settledAccount, settingsDocuments } from '../planning/settled-account.js';
import { type Account, type World, accountOf, areaOf } from '../world.js';
import { postponedByIms } from './ims-trouble.js';

/** The account of a consignment, with the settings of its shipment's seller as they are now. */
export type Reached =
  | { readonly kind: 'reached'; readonly account: Account }
  /** They cannot be read now. */
  | { readonly kind: 'not-now'; readonly postponed: Postponed }
  /**
   * They are not there any more, or they are another customer's than what was planned and booked: what that customer can
   * see and change at the carrier is not ours.
   */
  | { readonly kind: 'gone'; readonly problem: Problem };

/** Costs the IMS a request only where the area's cache has not the seller and the carriers. */
export async function reachAccount(world: World, consignment: Consignment): Promise<Reached> {
  const { plan } = consignment;
  const account = accountOf(world, plan?.account);
  if (!account.settle) return { kind: 'reached', account };
  const { ims } = areaOf(world, consignment.area);
  try {
    const sellerId = await sellerOf(world, consignment);
    const settled = await settledAccount(account, (carrierName) => settingsDocuments(ims, { sellerId, carrierName }));
    if (settled.kind === 'unusable') {
      const paths = settled.troubles.map(({ path }) => path).join(', ');
      return gone(`settings of ${settled.of.kind} ${settled.of.name} in the IMS are missing or wrong: ${paths}`);
    }
    const isAnother = plan?.customer !== undefined && plan.customer !== settled.customer;
    if (isAnother) return gone(`the settings in the IMS are those of another customer of ${plan.carrierName} by now`);
    return { kind: 'reached', account: settled.account };
  } catch (error) {
    return { kind: 'not-now', postponed: postponedByIms(error, false) };
  }
}

/** What was planned while the settings were in the configuration does not say whose they are. */
async function sellerOf(world: World, { area, plan, shipmentId }: Consignment): Promise<string | null> {
  if (plan?.seller !== undefined) return plan.seller;
  return shipmentId === null ? null : (await areaOf(world, area).ims.loadShipment(shipmentId)).sellerId;
}

function gone(text: string): Reached {
  return { kind: 'gone', problem: { code: null, text, parcelId: null } };
}
