import { ImsForbidden, ImsProblem, ImsRefused } from '../ims/errors.js';
import type { ImsArea } from '../ims/area.js';
import type { ImsShipment } from '../ims/wire.js';
import { sameName } from '../routing/rule.js';
import { type ShipmentKey, confirmCarrierSetting, keepCarrierSetting } from './carrier-setting-rows.js';
import type { ShipmentPlan } from './planning/plan-shipment.js';
import { type World, accountOf } from './world.js';

interface Setting {
  readonly ims: ImsArea;
  readonly shipment: ImsShipment;
  readonly plan: ShipmentPlan;
}

/**
 * Before anyone packs: sets the carrier on a shipment that has none, for the time being where more will be known later.
 * What is about to be set is written down first: whoever dies in between is followed by one that sets it.
 * @throws ImsUnavailable | ImsCredentials
 */
export async function setNewCarrier(world: World, { ims, shipment, plan }: Setting): Promise<void> {
  const { choice, provisional, decision } = plan;
  if (choice.kind !== 'chosen') return;
  const key = { area: ims.contextId, shipmentId: shipment.id };
  const { standing } = decision;
  if (shipment.carrierName !== null) {
    // Tried before, and the answer was lost.
    const set = standing.kind === 'open' || standing.kind === 'ours' ? standing.setting : null;
    if (set !== null && !set.landed && sameName(shipment.carrierName, set.carrierName))
      await confirmCarrierSetting(world.database, key, set.carrierName);
    return;
  }
  const { name, imsCarrierName } = accountOf(world, choice.account);
  const kept = await keepCarrierSetting(world.database, key, {
    ...{ carrierName: imsCarrierName, account: name, rule: choice.rule, provisional },
    ...{ insteadOf: null, decidedAt: 'creation', now: world.clock.now() },
  });
  if (kept === 'decided-later') return;
  await setInIms(world, { ims, key, name: imsCarrierName });
}

/**
 * At the booking: what was chosen for the time being, or not at all, is settled as far as all is known, and set where that is another carrier
 * than the shipment has.
 * @throws ImsUnavailable | ImsCredentials
 */
export async function settleCarrier(world: World, { ims, shipment, plan }: Setting): Promise<void> {
  const { choice, provisional, decision } = plan;
  const { standing } = decision;
  if (choice.kind !== 'chosen' || standing.kind === 'theirs' || standing.kind === 'ours') return;
  const key = { area: ims.contextId, shipmentId: shipment.id };
  const { name, imsCarrierName } = accountOf(world, choice.account);
  await keepCarrierSetting(world.database, key, {
    ...{ carrierName: imsCarrierName, account: name, rule: choice.rule, provisional },
    ...{ insteadOf: shipment.carrierName, decidedAt: 'booking', now: world.clock.now() },
  });
  const isThere = shipment.carrierName !== null && sameName(shipment.carrierName, imsCarrierName);
  if (isThere) await confirmCarrierSetting(world.database, key, imsCarrierName);
  else await setInIms(world, { ims, key, name: imsCarrierName });
}

/** What the IMS refuses or does not allow stays as it is: nobody is kept from working by it. */
async function setInIms(
  { database, log }: World,
  { ims, key, name }: { readonly ims: ImsArea; readonly key: ShipmentKey; readonly name: string },
): Promise<void> {
  try {
    await ims.patchShipment(key.shipmentId, { carrierName: name });
  } catch (error) {
    const saysNo = [ImsForbidden, ImsRefused, ImsProblem].some((kind) => error instanceof kind);
    if (!saysNo) throw error;
    log.warn('carrier not set', { area: key.area, shipment: key.shipmentId, error });
    return;
  }
  await confirmCarrierSetting(database, key, name);
}
