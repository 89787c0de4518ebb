// From an event to DONE in the IMS, at one booking a second, against the round trips that have to be.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

export const name = 'latency';
export const seconds = 120;

const IMS_MS = 20;
const CARRIER_MS = 100;
const LEAST_MS = 3 * IMS_MS + CARRIER_MS;
const WARM_UP = 5;
/** Of so many the p99 is not simply the slowest. */
const BOOKINGS = 110;
const PER_SECOND = 1;
/** When the control leaves, so that it does not meet a booking. */
const BESIDE_MS = 500;

export async function run(frame) {
  const sandbox = await frame.sandbox({ imsMs: IMS_MS, carrierMs: CARRIER_MS });
  const service = await frame.service(sandbox);
  const client = await frame.client();
  const bookings = await sandbox.control.addBookings({ count: WARM_UP + BOOKINGS });
  const bare = await bareRoundTrips({ sandbox, client });
  const dueAt = new Map();
  const controls = [];
  await frame.openLoop({
    ...{ perSecond: PER_SECOND, count: bookings.length },
    send: async (n, at) => {
      const { event } = bookings[n];
      dueAt.set(n, at);
      const beside = pause(BESIDE_MS).then(async () => void controls.push(await bare()));
      await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body: event });
      await beside;
    },
  });
  await frame.until('the bookings are done', async () => (await sandbox.control.done()) === bookings.length);
  const doneAt = await sandbox.control.lastAnswers(bookings.map(({ documentId }) => documentId));
  const times = doneAt.map((at, n) => at - dueAt.get(n)).slice(WARM_UP);
  for (const [per, over] of [
    [50, 25],
    [99, 80],
  ]) {
    frame.measure(`event to DONE, p${per}`, {
      ...{ value: frame.percentile(times, per), unit: 'ms', goal: { atMost: LEAST_MS + over } },
      control: {
        what: 'the same round trips and nothing else',
        value: frame.percentile(controls.slice(WARM_UP), per),
        unit: 'ms',
      },
    });
  }
}

/** @returns makes as many round trips as a booking and tells how many milliseconds they took: what the stand-ins add */
async function bareRoundTrips({ sandbox, client }) {
  const headers = await sandbox.control.credentials(1);
  const ims = () => client.send('GET', `${sandbox.imsBaseUrl}/contexts`, { headers });
  // Nothing there, and the latency is that of every answer.
  const carrier = () => client.send('GET', sandbox.carrierUrl('gls-dk'));
  return async () => {
    const beganAt = performance.now();
    for (const trip of [ims, carrier, ims, ims]) await trip();
    return performance.now() - beganAt;
  };
}
