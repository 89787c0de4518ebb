import { areaNotOurs, areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { say } from '../messages/message.js';
import { isOneOfOurs } from '../planning/assignment/assigned-carrier.js';
import type { Task } from './task-rows.js';
import { type Done, warn } from './task.js';

/** Warns of containers that have no tracking number when the delivery note is made. */
export async function checkDeliveryNote(context: BookingContext, task: Task): Promise<Done> {
  const area = areaOf(context, task.area);
  if (task.shipmentId === null) return { note: 'names no shipment', wake: [] };
  const shipment = await area.imsBackground.loadShipment(task.shipmentId);
  const otherArea = areaNotOurs(context, shipment);
  if (otherArea !== null)
    return { note: `the shipment belongs to area ${otherArea}, which is not configured`, wake: [] };
  const ours = isOneOfOurs(shipment.carrierName, context.accounts.values());
  const without = shipment.shippingContainers.filter((container) => !container.trackingNumber);
  if (!ours || without.length === 0) return { note: null, wake: [] };
  const containers = without.map((container) => container.id).join(', ');
  await warn(context, { area, task }, [
    say('no-tracking-number', { shipmentNumber: shipment.shipmentNumber, containers }),
  ]);
  return { note: `${without.length} containers without number`, wake: [] };
}
