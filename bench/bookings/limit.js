// How much of what the IMS takes in a second one area uses, when there is more to do than that.
import { setTimeout as pause } from 'node:timers/promises';
import { mostWithin } from './sliding.js';

export const name = 'limit';
export const seconds = 85;

const IMS_MS = 20;
const LIMIT = 50;
const AREA = 1;
/** Before that connections are opened and code is compiled. */
const WARM_UP_MS = 5_000;
const MEASURED_MS = 60_000;
/** A booking takes seven: there is work for the whole time and some more. */
const BOOKINGS = Math.ceil((((WARM_UP_MS + MEASURED_MS) / 1_000) * LIMIT) / 7) + 60;
/** Enough waiting at any time, and not so many that those at the end are late. */
const PER_SECOND = 9;

export async function run(frame) {
  const sandbox = await frame.sandbox({ imsMs: IMS_MS });
  const service = await frame.service(sandbox);
  const client = await frame.client();
  const bookings = await sandbox.control.addBookings({ area: AREA, count: BOOKINGS });
  const beganAt = Date.now();
  const first = bookings.slice(0, 40);
  const post = ({ event }) =>
    client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body: event });
  await Promise.all(first.map(post));
  await frame.openLoop({
    ...{ perSecond: PER_SECOND, count: bookings.length - first.length },
    send: (n) => post(bookings[first.length + n]),
  });
  await pause(Math.max(0, beganAt + WARM_UP_MS + MEASURED_MS - Date.now()));
  // Each area has a key, and so a limit, of its own.
  const requests = (await sandbox.control.arrivals()).filter(({ area }) => Number(area) === AREA);
  const from = beganAt + WARM_UP_MS;
  const during = requests.filter(({ at }) => at >= from && at < from + MEASURED_MS);
  frame.measure('of the limit used', {
    value: (during.length / ((LIMIT * MEASURED_MS) / 1_000)) * 100,
    ...{ unit: '%', goal: { atLeast: 95 } },
  });
  frame.measure('most requests in any second', {
    value: mostWithin(
      requests.map(({ at }) => at),
      1_000,
    ),
    ...{ unit: 'requests', goal: { atMost: LIMIT } },
  });
  frame.measure('refused with 429', {
    value: requests.filter(({ status }) => status === 429).length,
    ...{ unit: 'requests', goal: { atMost: 0 } },
  });
}
