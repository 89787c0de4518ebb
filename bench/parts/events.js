// How many events are accepted in a second, one by one from 50 connections, against a bare route that inserts one row in
// the same kind of database. Twice: each event is a different booking, and the service works on those it has while more
// arrive, as fast as the IMS lets it (the shipments do not exist, which it finds out); and none asks for anything, which is
// the cost of storing alone. The bare route books nothing in either case.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import pg from 'pg';

export const name = 'events';
export const seconds = 105;

const BOOKED = 'TRANSPORT_BOOKING';
const CONNECTIONS = 50;
const WARM_SECONDS = 2;
const SECONDS = 8;
const GOAL = 0.8;
/** What the events are about: a document that asks for a booking, and one that asks for nothing. */
const KINDS = [
  ['accepted', BOOKED],
  ['accepted, with nothing to do', 'PICK_LIST'],
];
const BARE = fileURLToPath(new URL('../controls/bare-route.js', import.meta.url));

export async function run(frame) {
  await compare(frame, 'embedded', () => null);
  if (frame.findPostgres() === null) return void process.stdout.write('  no Postgres server here: without that half\n');
  const postgres = await frame.postgres();
  await compare(frame, 'server', () => postgres.database());
}

async function compare(frame, kind, database) {
  const ours = [];
  const before = await acceptedByBareRoute(frame, await database());
  for (const [, documentType] of KINDS)
    ours.push(await acceptedByService(frame, { databaseUrl: await database(), documentType }));
  // Before and after: how long the disk takes to sync changes within a minute.
  const bare = (before + (await acceptedByBareRoute(frame, await database()))) / 2;
  for (const [place, [what]] of KINDS.entries()) {
    frame.measure(`${what}, ${kind} database`, {
      ...{ value: ours[place] / bare, unit: '× the bare route', goal: { atLeast: GOAL } },
      control: [
        { what: 'service', value: ours[place], unit: '/s' },
        { what: 'bare route', value: bare, unit: '/s' },
      ],
    });
  }
}

async function acceptedByBareRoute(frame, databaseUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  frame.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const port = await frame.freePort();
  const child = fork(BARE, [port, databaseUrl ?? folder], { execArgv: [] });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  frame.atEnd(killed);
  try {
    await once(child, 'message');
    return await acceptedInASecond(`http://127.0.0.1:${port}/events`, { documentType: BOOKED, headers: {} });
  } finally {
    const gone = once(child, 'exit');
    killed();
    await gone;
    process.off('exit', killed);
  }
}

async function acceptedByService(frame, { databaseUrl, documentType }) {
  const sandbox = await frame.sandbox();
  const service = await frame.service(sandbox, databaseUrl === null ? {} : { databaseUrl });
  const accepted = await acceptedInASecond(`${service.url}/events`, {
    documentType,
    headers: service.eventHeaders,
  });
  if (databaseUrl !== null && documentType === BOOKED) await requireRows(databaseUrl);
  await service.end();
  await sandbox.end();
  return accepted;
}

/** @throws Error when not every event has its consignment */
async function requireRows(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    'select (select count(*) from event) as events, (select count(*) from consignment) as rows',
  );
  await client.end();
  if (rows[0].events !== rows[0].rows) throw new Error(`${rows[0].events} events, ${rows[0].rows} consignments`);
}

async function acceptedInASecond(url, events) {
  await cannonade(url, events, WARM_SECONDS);
  const { requests, non2xx, errors, statusCodeStats } = await cannonade(url, events, SECONDS);
  const accepted = statusCodeStats['202']?.count ?? 0;
  if (non2xx + errors > 0 || accepted < requests.total)
    throw new Error(`not accepted: ${non2xx} refused, ${errors} failed`);
  return accepted / SECONDS;
}

let count = 0;

function cannonade(url, { documentType, headers }, duration) {
  const setupRequest = (request) => ({ ...request, body: JSON.stringify(nextEvent(documentType)) });
  const requests = [{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, setupRequest }];
  return autocannon({ url, connections: CONNECTIONS, duration, requests });
}

function nextEvent(documentType) {
  count += 1;
  const documentId = 500_000_000 + count;
  return {
    'detail-type': 'documentCreated',
    time: new Date().toISOString(),
    detail: {
      ...{ eventId: `bench-${process.pid}-${count}`, contextId: 1, documentType, documentId },
      ...{ shipmentId: documentId, carrierName: 'Pretend', userId: 7, deviceName: 'packing-1' },
    },
  };
}
