import { areaOf } from '../areas/area.js';
import { rememberTold } from '../areas/send-once.js';
import type { BookingContext } from '../consignment/context.js';
import type { ImsShipment } from '../ims/resources.js';
import { setNewCarrier } from '../planning/assignment/assign-carrier.js';
import { loadCarrierSetting } from '../planning/assignment/assignment-rows.js';
import { logInstructions, logUnusableSettings } from '../planning/instruction-notices.js';
import { type ShipmentPlan, planShipment } from '../planning/plan-shipment.js';
import { warningsBeforePacking } from '../planning/problems.js';
import { sourcesOf } from '../planning/sources.js';
import type { Task } from './task-rows.js';
import { type Done, warn } from './task.js';

/** Before packing: sets a carrier where there is none, and warns of what that carrier would refuse. */
export async function chooseForShipment(world: BookingContext, errand: Task): Promise<Done> {
  const area = areaOf(world, errand.area);
  const ims = area.imsBackground;
  const readAt = world.clock.now();
  const read = await ims.loadShipment(errand.shipmentId ?? '');
  if (read.cancelled === true) return { note: 'cancelled', wake: [] };
  let shipment = read;
  let plan = await planBeforePacking(world, errand, shipment);
  const set = await setNewCarrier(world, { ims, shipment, readAt, plan });
  if (set.kind === 'changed') {
    // A person has set a carrier meanwhile; the worker is still told what that carrier would refuse.
    ({ shipment } = set);
    plan = await planBeforePacking(world, errand, shipment);
  }
  await logInstructions(world, errand.area, plan);
  logUnusableSettings(world, errand.area, plan);
  const refused = set.kind === 'settled' ? set.messages : [];
  const messages = [...refused, ...warningsBeforePacking(world, area, { plan, shipment })];
  await warn(world, { area, errand }, messages);
  await rememberTold(world, { area: errand.area, shipmentId: shipment.id }, messages);
  return { note: noteOn(plan, messages.length), wake: [] };
}

async function planBeforePacking(world: BookingContext, errand: Task, shipment: ImsShipment): Promise<ShipmentPlan> {
  const { timeZone, checksDangerousGoods, imsBackground } = areaOf(world, errand.area);
  return planShipment(world, {
    ...{ id: errand.id, shipment, carrierName: shipment.carrierName, timeZone, checksDangerousGoods, quoting: 'never' },
    setting: await loadCarrierSetting(world.database, { area: errand.area, shipmentId: shipment.id }),
    sources: sourcesOf(imsBackground, shipment),
  });
}

function noteOn({ choice, provisional }: ShipmentPlan, problems: number): string {
  if (choice.kind === 'none') return 'no rule matched';
  // A carrier without an account of ours is left to its own integration until a booking is asked for.
  if (choice.kind === 'unknown-carrier') return `carrier ${choice.carrierName} is not ours`;
  return [
    choice.account,
    ...(provisional ? ['provisional'] : []),
    ...(problems > 0 ? [`${problems} problems`] : []),
  ].join(', ');
}
