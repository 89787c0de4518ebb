// Processor time that the service takes for a booking while a server keeps its database: what limits the bookings a second of a core.
// Of a service that has been at work: in the first 2,000 bookings the compiler takes 1.5 to 2 ms more of each.
import process from 'node:process';
import { processorMs, tellsProcessorTime } from '../frame/processor-time.js';
import { recordedBooking, startBareLoop } from './bare-bookings.js';
import { drain } from './drain.js';

export const needsPostgres = true;
export const name = 'processor';
export const seconds = 100;

const AREAS = 40;
const EACH = Number(process.env.BENCH_EACH ?? 20);
const WARM_UP_EACH = 50;
const IMS_MS = 20;
const AT_ONCE = 80;

export async function run(frame) {
  if (!tellsProcessorTime) throw new Error('only Linux tells the processor time of another process');
  // The bare loop keeps no limit of an area, and can be faster than the IMS takes.
  const sandbox = await frame.sandbox({ imsMs: IMS_MS, areas: AREAS, limits: { requestsPerSecond: null } });
  const postgres = await frame.postgres();
  const service = await frame.service(sandbox, { databaseUrl: await postgres.database() });
  const around = { frame, sandbox, client: await frame.client(), services: [service] };
  const recorded = await recordedBooking(around);
  const book = async (each) =>
    drain(around, { bookings: await sandbox.control.addBookings({ areas: AREAS, count: each }), atOnce: AT_ONCE });
  await book(WARM_UP_EACH);
  const { eachMs, perSecond } = await processorOf(service, () => book(EACH));
  await service.end();
  const bareLoop = await startBareLoop({ frame, sandbox }, { recorded, areas: AREAS, atOnce: AT_ONCE });
  await bareLoop.book(WARM_UP_EACH);
  const bare = await processorOf(bareLoop, () => bareLoop.book(EACH));
  frame.measure('for a booking, outside the database', {
    ...{ value: eachMs, unit: 'ms of the processor', goal: { atMost: 9 } },
    control: [
      { what: 'at', value: perSecond, unit: 'bookings/s' },
      { what: 'a core could do', value: 1_000 / eachMs, unit: 'bookings/s' },
      { what: 'a bare loop', value: bare.eachMs, unit: 'ms of the processor' },
    ],
  });
}

async function processorOf({ pid }, book) {
  const before = processorMs(pid);
  const perSecond = await book();
  return { perSecond, eachMs: (processorMs(pid) - before) / (AREAS * EACH) };
}
