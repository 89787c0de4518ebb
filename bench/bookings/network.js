// From an event to DONE where IMS and carrier are reached over TLS from a distance, against the round trips that have to be and
// against a handler that asks one thing after the other.
import https from 'node:https';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

export const name = 'network';
export const seconds = 500;

const IMS_MS = 10;
const CARRIER_MS = 100;
const CONTAINERS = 2;
const IMS_TRIPS = 3;
/** Of a handler that asks one thing after the other: one of them is the carrier's. */
const CALLS_ONE_BY_ONE = CONTAINERS + 7;
/** IMS and carrier. */
const HOSTS = 2;
const ROUND_TRIPS_MS = (process.env.BENCH_ROUND_TRIPS ?? '0,20,40,80').split(',').map(Number);
const GOAL_AT_MS = 40;

const WARM_UP = 2;
const CALM = { what: 'one booking in 6 s', everyMs: 6_000, count: WARM_UP + Number(process.env.BENCH_CALM ?? 12) };
const BUSY = { what: '5 a second', everyMs: 200, count: WARM_UP + 75 };
/** Longer than anything is kept open for: as good as an hour. */
const IDLE_MS = Number(process.env.BENCH_IDLE_MS ?? 75_000);

export async function run(frame) {
  const sandbox = await frame.sandbox({ imsMs: IMS_MS, carrierMs: CARRIER_MS });
  const network = await frame.network(sandbox);
  const service = await frame.service(network.far, { environment: { NODE_EXTRA_CA_CERTS: network.certificate } });
  const client = await frame.client();
  const world = { frame, sandbox, network, service, client };
  for (const roundTripMs of ROUND_TRIPS_MS) await atDistance(roundTripMs, world);
}

async function atDistance(roundTripMs, world) {
  const { frame, network } = world;
  await network.control.setRoundTrip(roundTripMs);
  const leastMs = IMS_TRIPS * (roundTripMs + IMS_MS) + roundTripMs + CARRIER_MS;
  const oneByOne = await handlerOneByOne(world);
  const report = (what, value, more = {}) =>
    frame.measure(`${roundTripMs} ms away, ${what}`, { value, unit: 'ms', ...more });
  const reportConnections = (what, { opened, waits }, more = {}) => {
    const each = { unit: 'a booking' };
    frame.measure(`${roundTripMs} ms away, ${what}, connections opened`, { ...each, value: opened });
    frame.measure(`${roundTripMs} ms away, ${what}, waits for connections`, { ...each, value: waits, ...more });
  };
  const goal = (overMs) => (roundTripMs === GOAL_AT_MS ? { goal: { atMost: overMs } } : {});

  const calm = await bookings(CALM, { ...world, roundTripMs, beside: oneByOne });
  const control = { what: 'one call after the other', value: frame.median(oneByOne.times()), unit: 'ms' };
  report(`${CALM.what}, over the least of ${leastMs} ms, p50`, frame.percentile(calm.times, 50) - leastMs, {
    ...goal(60),
    control,
  });
  report(`${CALM.what}, over the least, p95`, frame.percentile(calm.times, 95) - leastMs, goal(120));
  frame.measure(`${roundTripMs} ms away, ${CALM.what}, of one call after the other`, {
    ...{ value: frame.median(calm.times) / control.value, unit: '×', control },
    ...(roundTripMs === GOAL_AT_MS ? { goal: { atMost: 0.5 } } : {}),
  });
  reportConnections(CALM.what, calm, roundTripMs === GOAL_AT_MS ? { goal: { atMost: 0 } } : {});
  const busy = await bookings(BUSY, { ...world, roundTripMs });
  report(`${BUSY.what}, over the least, p50`, frame.percentile(busy.times, 50) - leastMs, goal(60));
  report(`${BUSY.what}, over the least, p95`, frame.percentile(busy.times, 95) - leastMs);
  reportConnections(BUSY.what, busy);
  if (roundTripMs !== GOAL_AT_MS) return;
  await pause(IDLE_MS);
  const idle = await bookings({ everyMs: 1, count: 1 }, { ...world, roundTripMs, warmUp: 0 });
  report(`the first after idling for ${IDLE_MS / 1_000} s, over the least`, idle.times[0] - leastMs, {
    ...goal(60 + 2 * roundTripMs),
    control: { what: 'connections that stand open then', value: idle.openBefore, unit: '' },
  });
  reportConnections('the first after idling', idle, { goal: { atMost: 1 } });
}

/** @returns how long each booking took, and what it took of new connections */
async function bookings({ everyMs, count }, { frame, sandbox, network, service, client, ...plan }) {
  const { roundTripMs, warmUp = WARM_UP, beside = { once: async () => undefined, connections: () => 0 } } = plan;
  let before;
  let besideBefore;
  const doneBefore = await sandbox.control.done();
  const booked = await sandbox.control.addBookings({ count, containers: CONTAINERS });
  const dueAt = [];
  await frame.openLoop({
    ...{ perSecond: 1_000 / everyMs, count },
    send: async (n, at) => {
      dueAt[n] = at;
      if (n === warmUp) [before, besideBefore] = [await network.control.counts(), beside.connections()];
      const meanwhile = pause(everyMs / 2).then(beside.once);
      await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body: booked[n].event });
      await meanwhile;
    },
  });
  await frame.until('the bookings are done', async () => (await sandbox.control.done()) === doneBefore + count);
  const doneAt = await sandbox.control.lastAnswers(booked.map(({ documentId }) => documentId));
  const after = await network.control.counts();
  // Those beside are waited for, one after the other.
  const ofBookings = (name) => after[name] - before[name] - (beside.connections() - besideBefore);
  return {
    // The answer was given there, and has half of the way before it.
    times: doneAt.map((at, n) => at + roundTripMs / 2 - dueAt[n]).slice(warmUp),
    opened: ofBookings('connections') / (count - warmUp),
    waits: ofBookings('waits') / (count - warmUp),
    openBefore: before.open,
  };
}

/**
 * Makes as many calls as a handler that waits for each before the next. It keeps a connection to each host alive for as long as one
 * booking takes; in between the servers would close them.
 */
async function handlerOneByOne({ sandbox, network }) {
  const headers = await sandbox.control.credentials(1);
  const ca = readFileSync(network.certificate);
  const times = [];
  let connections = 0;
  const once = async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca });
    const beganAt = performance.now();
    for (let call = 1; call < CALLS_ONE_BY_ONE; call += 1)
      await get(`${network.far.imsBaseUrl}/contexts`, agent, headers);
    await get(network.far.carrierUrl('gls-dk'), agent, headers);
    times.push(performance.now() - beganAt);
    connections += HOSTS;
    agent.destroy();
  };
  return { once, connections: () => connections, times: () => times.slice(WARM_UP) };
}

function get(url, agent, headers) {
  return new Promise((resolve, reject) => {
    const request = https.request(url, { agent, headers }, (answer) => answer.resume().once('end', resolve));
    request.once('error', reject).end();
  });
}
