// Memory of the service after 2,000 bookings, and after 20,000: what it keeps of each would show. With the embedded
// database, which has its memory in the same process; the heap counts after a collection. IMS and carrier answer at once,
// in so many areas that the limit of requests does not hold them back.
//
// BENCH_BOOKINGS=4000 takes fewer than 20,000, for a first look: a tenth of them is compared with all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const BOOKINGS = Number(process.env.BENCH_BOOKINGS ?? 20_000);

export const name = 'memory';
/** At about 45 bookings a second; the machine decides. */
export const seconds = Math.ceil((BOOKINGS * 1.1) / 45);

const AREAS = 20;
const AT_ONCE = 100;
const GOAL = 1.15;
const WITHIN_MS = 120_000;
const LOOKS_EVERY_MS = 200;
/** Registering the parcels goes on behind the last booking. */
const REST_MS = 5_000;

export async function run(frame) {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  frame.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const told = join(folder, 'memory.json');
  const sandbox = await frame.sandbox({ areas: AREAS });
  const service = await frame.service(sandbox, { environment: { NODE_OPTIONS: collector(folder, told) } });
  const client = await frame.client();
  const stage = { frame, sandbox, service, client };
  const beganAt = Date.now();
  await book(stage, { from: 0, to: BOOKINGS / 10 });
  const before = await memoryOf(stage, told);
  await book(stage, { from: BOOKINGS / 10, to: BOOKINGS });
  const after = await memoryOf(stage, told);
  const took = Math.round((Date.now() - beganAt) / 1_000);
  for (const [what, key] of [
    ['whole process', 'rss'],
    ['heap after a collection', 'heapUsed'],
  ])
    frame.measure(`${what}, after ${BOOKINGS} bookings`, {
      ...{ value: after[key] / before[key], unit: `× after ${BOOKINGS / 10}`, goal: { atMost: GOAL } },
      control: [
        { what: `after ${BOOKINGS / 10}`, value: before[key] / 1e6, unit: 'MB' },
        { what: `after ${BOOKINGS}`, value: after[key] / 1e6, unit: 'MB' },
      ],
      note: `it took ${took} s`,
    });
}

/** Bookings of all areas, so many under way. */
async function book({ frame, sandbox, service, client }, { from, to }) {
  const done = (count) => async () => (await sandbox.control.done()) >= count;
  const waiting = { withinMs: WITHIN_MS, everyMs: LOOKS_EVERY_MS };
  for (let made = from; made < to; made += AT_ONCE) {
    const bookings = await sandbox.control.addBookings({ areas: AREAS, count: AT_ONCE / AREAS });
    const body = bookings.map(({ event }) => event);
    const { status } = await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body });
    if (status !== 202) throw new Error(`the service answered ${status}`);
    await frame.until('bookings are done', done(made), waiting);
  }
  await frame.until('all are done', done(to), waiting);
}

/** A signal has the service write down its memory after a collection. */
function collector(folder, told) {
  const script = join(folder, 'collector.mjs');
  writeFileSync(
    script,
    `import { renameSync, writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => {
  for (let time = 0; time < 3; time += 1) globalThis.gc();
  writeFileSync(${JSON.stringify(`${told}.new`)}, JSON.stringify({ at: Date.now(), ...process.memoryUsage() }));
  renameSync(${JSON.stringify(`${told}.new`)}, ${JSON.stringify(told)});
});
`,
  );
  return `--expose-gc --import ${pathToFileURL(script).href}`;
}

async function memoryOf({ frame, service }, told) {
  await pause(REST_MS);
  const askedAt = Date.now();
  process.kill(service.pid, 'SIGUSR2');
  let memory = null;
  await frame.until('the service tells its memory', () => {
    try {
      memory = JSON.parse(readFileSync(told, 'utf8'));
    } catch {
      return false;
    }
    return memory.at >= askedAt;
  });
  return memory;
}
