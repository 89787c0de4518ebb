// Many areas at once in one process, against a bare loop that makes the same HTTP requests with the same client and keeps
// no ledger.
import { recordedBooking, startBareLoop } from './bare-bookings.js';
import { drain } from './drain.js';

export const name = 'areas';
export const seconds = 90;

const AREAS = 40;
const EACH = 10;
const WARM_UP_EACH = 2;
const IMS_MS = 20;
/** Bookings under way, of both: enough that the processor, not the waiting, is what limits them. */
const AT_ONCE = 80;

export async function run(frame) {
  // The bare loop keeps no limit of an area, and can be faster than the IMS takes.
  const sandbox = await frame.sandbox({ imsMs: IMS_MS, areas: AREAS, limits: { requestsPerSecond: null } });
  const service = await frame.service(sandbox);
  const around = { frame, sandbox, client: await frame.client(), services: [service] };
  const recorded = await recordedBooking(around);
  const perSecond = async (each) =>
    drain(around, { bookings: await sandbox.control.addBookings({ areas: AREAS, count: each }), atOnce: AT_ONCE });
  await perSecond(WARM_UP_EACH);
  const ours = await perSecond(EACH);
  await service.end();
  const bareLoop = await startBareLoop({ frame, sandbox }, { recorded, areas: AREAS, atOnce: AT_ONCE });
  await bareLoop.book(WARM_UP_EACH);
  const bare = await bareLoop.book(EACH);
  frame.measure(`${AREAS} areas at once, of a bare loop's bookings a second`, {
    ...{ value: (ours / bare) * 100, unit: '%', goal: { atLeast: 60 } },
    control: [
      { what: 'ours', value: ours, unit: 'bookings/s' },
      { what: 'bare loop', value: bare, unit: 'bookings/s' },
    ],
  });
}
