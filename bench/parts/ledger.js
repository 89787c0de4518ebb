// What it costs that there are a million consignments: the same work with as many rows and with 1,000, on a Postgres server,
// and the plan of every statement that the service runs there. Rows are made in SQL of what was really booked.
//
// BENCH_CONSIGNMENTS=100000 makes fewer than a million.
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../frame/postgres.js';
import { startSandboxProcess } from '../frame/sandbox.js';

const MANY = Number(process.env.BENCH_CONSIGNMENTS ?? 1_000_000);
const FEW = 1_000;

export const needsPostgres = true;
export const name = 'ledger';
/** Most of it, making the rows, once for all runs. */
export const seconds = 60 + Math.ceil(MANY / 15_000);

const GOAL = 1.5;
const BOOKINGS = 30;
const WARM_UP = 5;
const PAGES = 21;
const LARGE_TABLE = 10_000;
/** A node that looks at more rows than that only to leave them out, or that takes them all, has no use of its index. */
const MAX_LOOKED_AT = 5_000;
const SETTLED_MS = 6_000;
const MULTIPLY = readFileSync(new URL('./many-consignments.sql', import.meta.url), 'utf8');
const SETTINGS = {
  ...{ shared_preload_libraries: 'auto_explain,pg_stat_statements', 'auto_explain.log_analyze': 'on' },
  ...{
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_nested_statements': 'on',
  },
  ...{ logging_collector: 'on', log_destination: 'jsonlog', max_wal_size: '8GB', shared_buffers: '512MB' },
};
const LISTS = {
  'first page': 'limit=50',
  // Pages as long as 1,000 consignments can fill them.
  'a state': 'limit=5&state=incomplete',
  'an area': 'limit=5&area=7',
  'an area and a state': 'limit=5&area=21&state=incomplete',
  'several states': 'limit=5&state=incomplete,refused',
  'what needs an operator': 'limit=5&needsOperator=true',
  'an account and several states, oldest first': 'limit=5&account=pretend&state=incomplete,refused&sort=oldest',
  'a shipment': 'q=M1000500',
  'a document': 'q=50000500',
  'a tracking number': 'q=MT100000500',
  'a number that nobody has': 'q=nothing',
};

/** The server, its databases and the sandbox that their events come from are made once, for all runs. */
let made = null;

export async function run(frame) {
  made ??= {
    postgres: await startPostgres(SETTINGS),
    sandbox: await startSandboxProcess(),
    databases: new Map(),
  };
  const { postgres, sandbox } = made;
  const few = await measured(frame, { postgres, sandbox }, FEW);
  const many = await measured(frame, { postgres, sandbox }, MANY);
  report(frame, 'database work of one booking', { few: few.bookingMs, many: many.bookingMs });
  for (const list of Object.keys(LISTS))
    report(frame, `list: ${list}`, { few: few.lists[list], many: many.lists[list] });
  const plans = await plansOf(frame, many);
  for (const each of plans.offenders) process.stdout.write(`  ${each}\n`);
  frame.measure(`statements without use of an index, at ${MANY}`, {
    ...{ value: plans.offenders.length, unit: 'statements', goal: { atMost: 0 } },
    control: { what: 'statements seen', value: plans.statements, unit: '' },
  });
}

/** After the last run. */
export async function end() {
  await made?.sandbox.end();
  await made?.postgres.end();
}

function report(frame, what, { few, many }) {
  frame.measure(what, {
    ...{ value: many / few, unit: `× with ${FEW}`, goal: { atMost: GOAL } },
    control: [
      { what: `with ${FEW}`, value: few, unit: 'ms' },
      { what: `with ${MANY}`, value: many, unit: 'ms' },
    ],
  });
}

/** What work takes in a database with so many consignments. */
async function measured(frame, { postgres, sandbox }, count) {
  const known = made.databases.get(count);
  const databaseUrl = known ?? (await postgres.database());
  const sql = new pg.Client({ connectionString: databaseUrl });
  await sql.connect();
  frame.atEnd(() => sql.end());
  const stage = { frame, sandbox, client: await frame.client(), sql, databaseUrl, logs: join(postgres.folder, 'log') };
  if (known === undefined) await fill(stage, count);
  made.databases.set(count, databaseUrl);
  const service = await frame.service(sandbox, { databaseUrl });
  await book({ ...stage, service }, WARM_UP);
  await sql.query('select pg_stat_statements_reset()');
  await book({ ...stage, service }, BOOKINGS);
  const { rows } = await sql.query(
    `select sum(total_exec_time) as ms from pg_stat_statements s join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and query not like '%pg_stat_statements%'`,
  );
  const lists = {};
  for (const [list, query] of Object.entries(LISTS)) lists[list] = await pageMs({ ...stage, service }, query);
  await service.end();
  return { ...stage, bookingMs: rows[0].ms / BOOKINGS, lists };
}

async function fill(stage, count) {
  const { sql } = stage;
  await sql.query('create extension pg_stat_statements');
  await models(stage);
  for (const statement of MULTIPLY.replaceAll(':count', String(count)).split(/;\s*$/m))
    if (statement.trim() !== '') await sql.query(statement);
  await sql.query('vacuum analyze');
}

/** What the made rows are made of: some bookings with one parcel each, and a subscriber. */
async function models(stage) {
  const service = await stage.frame.service(stage.sandbox, { databaseUrl: stage.databaseUrl });
  await operator({ ...stage, service }, 'POST', '/subscribers', { url: 'http://127.0.0.1:9/hook' });
  await book({ ...stage, service }, 3);
  await stage.frame.until('the parcels are followed', async () => {
    const { rows } = await stage.sql.query('select count(*)::int as count from tracked_parcel');
    return rows[0].count >= 3;
  });
  await service.end();
}

/** One after the other. */
async function book({ frame, sandbox, service, client }, count) {
  const bookings = await sandbox.control.addBookings({ count });
  for (const { event } of bookings) {
    const done = (await sandbox.control.done()) + 1;
    await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body: event });
    await frame.until('the booking is done', async () => (await sandbox.control.done()) >= done, { everyMs: 5 });
  }
}

async function pageMs(stage, query) {
  const times = [];
  for (let page = 0; page < PAGES; page += 1) {
    const beganAt = performance.now();
    await operator(stage, 'GET', `/consignments?${query}`);
    times.push(performance.now() - beganAt);
  }
  return stage.frame.median(times);
}

async function operator({ client, service }, method, path, body) {
  const headers = { ...service.operatorHeaders, 'content-type': 'application/json' };
  const answer = await client.send(method, `${service.url}/api/v1${path}`, { headers, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.text === '' ? null : JSON.parse(answer.text);
}

/** Everything the service does, once, with the plan of every statement in the server's log. */
async function plansOf(frame, stage) {
  const { sql, sandbox, databaseUrl } = stage;
  const database = new URL(databaseUrl).pathname.slice(1);
  const hook = http.createServer((request, response) => request.resume().once('end', () => response.end()));
  await new Promise((done) => hook.listen(0, '127.0.0.1', done));
  frame.atEnd(() => hook.close());
  await sql.query(`alter database ${database} set auto_explain.log_min_duration = 0`);
  try {
    const service = await frame.service(sandbox, { databaseUrl });
    const all = { ...stage, service };
    const { id } = await operator(all, 'POST', '/subscribers', { url: `http://127.0.0.1:${hook.address().port}/` });
    await everything(all);
    // The next run shall find as much as this one.
    await operator(all, 'DELETE', `/subscribers/${id}`);
    await service.end();
  } finally {
    await sandbox.control.setEventTargets([]);
    await sql.query(`alter database ${database} reset auto_explain.log_min_duration`);
  }
  return readPlans(stage);
}

async function everything(all) {
  const { sandbox, service } = all;
  await book(all, 3);
  for (const query of Object.values(LISTS)) await operator(all, 'GET', `/consignments?${query}`);
  const { consignments, cursor } = await operator(all, 'GET', '/consignments?limit=3');
  await operator(all, 'GET', `/consignments?limit=3&cursor=${cursor}`);
  const [{ id, shipmentId }, { documentId }] = consignments;
  for (const path of [`/consignments/${id}`, '/parcels/MT100000500', '/tracking/unrecognised'])
    await operator(all, 'GET', path);
  await operator(all, 'GET', `/shipments/${shipmentId}/explain?area=1`);
  await sandbox.control.setEventTargets([{ url: `${service.url}/events`, headers: service.eventHeaders }]);
  const shipmentIds = [Number(shipmentId)];
  await sandbox.control.createDocument({ area: 1, documentType: 'DELIVERY_NOTE', shipmentIds });
  await sandbox.control.handOver(1, shipmentIds);
  await sandbox.control.cancelDocument(Number(documentId));
  await operator(all, 'POST', '/replay', { area: '1', since: new Date(Date.now() - 3_600_000).toISOString() });
  // The sweeper, the parcels, what subscribers are told.
  await pause(SETTLED_MS);
}

async function readPlans({ sql, logs }) {
  const { rows } = await sql.query("select relname from pg_class where relkind = 'r' and reltuples > $1", [
    LARGE_TABLE,
  ]);
  const large = new Set(rows.map(({ relname }) => relname));
  const lines = readdirSync(logs)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'));
  const seen = new Set();
  const offenders = new Set();
  for (const { message, application_name: by } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    const at = message?.indexOf('plan:\n') ?? -1;
    if (at === -1 || by !== 'waybridge') continue;
    const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(at + 'plan:\n'.length));
    const query = text.replace(/\s+/g, ' ');
    seen.add(query);
    for (const node of nodesOf(plan)) if (isOffender(node, large)) offenders.add(`${place(node)}: ${query}`);
  }
  return { statements: seen.size, offenders: [...offenders] };
}

function nodesOf(node) {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function isOffender(node, large) {
  if (!large.has(node['Relation Name'])) return false;
  const loops = node['Actual Loops'] ?? 1;
  const looked = ((node['Rows Removed by Filter'] ?? 0) + (node['Actual Rows'] ?? 0)) * loops;
  return node['Node Type'] === 'Seq Scan' || looked > MAX_LOOKED_AT;
}

function place(node) {
  return `${node['Node Type']} ${node['Index Name'] ?? ''} on ${node['Relation Name']}`;
}
