// What bookings notice of old data being deleted: five bookings a second, first alone, then while 100,000 consignments that
// ended more than 400 days ago are deleted; on the embedded database, where every batch has the only connection.
//
// BENCH_OLD=20000 makes fewer.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fillFolder } from '../frame/embedded-rows.js';

export const name = 'retention';
export const seconds = 175;

const OLD = Number(process.env.BENCH_OLD ?? 100_000);
const DAYS_OLD = 401;
const IMS_MS = 20;
const CARRIER_MS = 100;
const PER_SECOND = 5;
const WARM_UP = 10;
const ALONE = 150;
const BESIDE = 200;
const GOAL = 1.1;
/** The first round comes a minute after the start. */
const BEGINS_WITHIN_MS = 90_000;

export async function run(frame) {
  const sandbox = await frame.sandbox({ imsMs: IMS_MS, carrierMs: CARRIER_MS });
  const dataDir = await fillFolder(frame, sandbox, { count: OLD, daysOld: DAYS_OLD });
  const service = await frame.service(sandbox, { dataDir });
  const stage = { frame, sandbox, service, client: await frame.client() };
  const alone = (await book(stage, WARM_UP + ALONE)).slice(WARM_UP);
  const before = await deleted(stage);
  if (before > 0) throw new Error('deleting began before it was measured without');
  await frame.until('deleting has begun', async () => (await deleted(stage)) > 0, { withinMs: BEGINS_WITHIN_MS });
  const [from, beganAt] = [await deleted(stage), Date.now()];
  const beside = await book(stage, BESIDE);
  const perSecond = ((await deleted(stage)) - from) / ((Date.now() - beganAt) / 1_000);
  const control = { what: 'alone', value: frame.percentile(alone, 95), unit: 'ms' };
  frame.measure('event to DONE, p95, while old data is deleted', {
    ...{ value: frame.percentile(beside, 95) / control.value, unit: '× alone', goal: { atMost: GOAL } },
    control: [control, { what: 'beside', value: frame.percentile(beside, 95), unit: 'ms' }],
  });
  frame.measure('consignments deleted a second', {
    ...{ value: perSecond, unit: 'a second' },
    control: { what: `minutes for ${OLD}`, value: OLD / perSecond / 60, unit: 'min' },
  });
}

/** @returns how long each took, from when its event was due to DONE in the IMS */
async function book({ frame, sandbox, service, client }, count) {
  const bookings = await sandbox.control.addBookings({ count });
  const done = (await sandbox.control.done()) + count;
  const dueAt = [];
  await frame.openLoop({
    ...{ perSecond: PER_SECOND, count },
    send: async (n, at) => {
      dueAt[n] = at;
      await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body: bookings[n].event });
    },
  });
  await frame.until('the bookings are done', async () => (await sandbox.control.done()) >= done);
  await pause(0);
  const doneAt = await sandbox.control.lastAnswers(bookings.map(({ documentId }) => documentId));
  return doneAt.map((at, n) => at - dueAt[n]);
}

async function deleted({ client, service }) {
  const { text } = await client.send('GET', `${service.url}/metrics`);
  return Number(/^waybridge_retention_rows_total\{kind="consignments"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
