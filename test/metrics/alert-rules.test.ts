import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { silentLog } from '../../src/log.js';
import { type Metrics, createMetrics } from '../../src/metrics/metrics.js';
import { type ScrapeTools, createScrape } from '../../src/metrics/scrape.js';
import { AlertTrial, GONE, alertRules } from '../support/alert-rules.js';
import { bookingContext } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { evaluate, namesIn, parse, readSamples } from '../support/promql.js';

const NOW = new Date('2026-03-04T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const HALF_AN_HOUR = 1_800;

let database: Database;
let metrics: Metrics;

beforeAll(async () => {
  database = await openEmptyDatabase();
});
beforeEach(async () => {
  await database.script(
    'truncate consignment, tracked_parcel, ims_usage, tracking_outbox, callback, task, return_label, tracking_login_refused cascade',
  );
  metrics = createMetrics();
});
afterAll(() => database.close());

const unused = () => Promise.reject(new Error('not in this test'));

/** What the service shows now. */
async function measures(changes: Partial<ScrapeTools> = {}): Promise<string> {
  const scrape = createScrape({
    ...{ metrics, database, clock: { now: () => NOW }, log: silentLog, accounts: new Map() },
    calling: [{ account: 'bring', carrierId: 'bring', carrierName: 'Bring' }],
    budget: { keyIds: new Map([['550', 'key-of-550']]), perDay: 100_000 },
    disk: async () => ({ freeBytes: 40e9, sizeBytes: 100e9 }),
    ...changes,
  });
  const text = await scrape.text();
  await scrape.stop();
  return text;
}

/** The alerts that fire after half an hour in which nothing changes. */
async function firing(changes: Partial<ScrapeTools> = {}): Promise<readonly string[]> {
  const trial = new AlertTrial();
  trial.scraped(await measures(changes), HALF_AN_HOUR);
  return trial.firing();
}

async function consignment(change: string): Promise<void> {
  const addressee = { eventId: 'e-1', userId: null, deviceName: null };
  const now = new Date(NOW.getTime() - 20 * 60_000);
  const of = { area: '550', bookedOn: 'transport-booking', documentId: change, shipmentId: null } as const;
  const id = await insertConsignment(database, { ...of, addressee, now });
  await database.query(`update consignment set ${change} where id = $1`, [id]);
}

it('is silent in a service that has nothing to do', async () => {
  expect(await firing()).toEqual([]);
});

it('WaybridgeDown fires when a process does not answer, and not for one lost scrape', () => {
  const trial = new AlertTrial();
  trial.scraped(null);
  expect(trial.firing()).toEqual([]);
  trial.scraped(null, 180);
  expect(trial.firing()).toEqual(['WaybridgeDown']);
});

it('WaybridgeDown fires where every process is gone, so that Prometheus knows none', async () => {
  const trial = new AlertTrial();
  trial.scraped(await measures());
  trial.scraped(GONE, 180);
  expect(trial.firing()).toEqual(['WaybridgeDown']);
});

it('WaybridgeDatabaseAway fires when the database does not answer', async () => {
  const away = { ...database, query: () => Promise.reject(new Error('away')) } as Database;
  expect(await firing({ database: away })).toEqual(['WaybridgeDatabaseAway']);
});

it('WaybridgeDiskNearlyFull fires when less than a tenth is free', async () => {
  const disk = (freeBytes: number) => async () => ({ freeBytes, sizeBytes: 100e9 });
  expect(await firing({ disk: disk(9e9) })).toEqual(['WaybridgeDiskNearlyFull']);
  expect(await firing({ disk: disk(11e9) })).toEqual([]);
});

it('WaybridgeDailyBudget fires for the area whose key has used 80 % of the day', async () => {
  await database.query('insert into ims_usage (key_id, day, calls) values ($1, $2, 85000)', ['key-of-550', NOW]);
  expect(await firing()).toEqual(['WaybridgeDailyBudget']);
});

it('WaybridgeNoCallbacks fires when a carrier has not called for a day', async () => {
  await database.query(
    `insert into tracked_parcel (account, tracking_number, consignment_id, area, container_id, shipment_number,
                                 carrier_name, event_id, status, registered_at)
     values ('bring', '370', 'c', '550', '1', '1', 'Bring', 'e', 'registered', $1)`,
    [new Date(NOW.getTime() - 2 * DAY_MS)],
  );
  expect(await firing()).toEqual(['WaybridgeNoCallbacks']);
});

it('WaybridgeTrackingRefused fires when a carrier refuses the login of polls, and not for one that is not asked', async () => {
  const clock = { now: () => NOW };
  await database.query("insert into tracking_login_refused values ('main', $1)", [new Date(NOW.getTime() + DAY_MS)]);
  expect(await firing({ accounts: bookingContext({ book: unused, track: unused }, {}, clock).accounts })).toEqual([
    'WaybridgeTrackingRefused',
  ]);
  metrics = createMetrics();
  expect(await firing({ accounts: bookingContext({ book: unused }, {}, clock).accounts })).toEqual([]);
});

it('WaybridgeGivenUp fires when something was given up', async () => {
  await database.query(
    `insert into callback (account, hash, body, state, received_at) values ('bring', 'h', '', 'failed', $1)`,
    [NOW],
  );
  expect(await firing()).toEqual(['WaybridgeGivenUp']);
});

it('WaybridgeGivenUp fires for a task that was given up', async () => {
  await database.query(
    `insert into task (id, kind, area, state, note, created_at) values ('t', 'choose-carrier', '550', 'given-up', 'closed', $1)`,
    [NOW],
  );
  expect(await firing()).toEqual(['WaybridgeGivenUp']);
});

it('WaybridgeReturnLabelsInDoubt fires for one whose process ended, and not while the carrier may still answer', async () => {
  await database.query(
    `insert into return_label (account, booked_reference, parcel_id, attempt, consignment_id, reference, state, asked_at,
                               quiet_from, updated_at)
     values ('gls', 'b', '1', '1', 'c', 'R-1', 'asking', $1, $2, $1)`,
    [NOW, new Date(NOW.getTime() + 1_000)],
  );
  expect(await firing()).toEqual([]);
  await database.query('update return_label set quiet_from = asked_at');
  expect(await firing()).toEqual(['WaybridgeReturnLabelsInDoubt']);
});

it('WaybridgeBookingsInDoubt fires for a booking that only a person can continue', async () => {
  await consignment("state = 'in-doubt', waits_for_person = true, due_at = null");
  expect(await firing()).toEqual(['WaybridgeBookingsInDoubt']);
});

it('WaybridgeBookingsWait fires for a booking that waits for more than a quarter of an hour', async () => {
  await consignment("state = 'planned'");
  expect(await firing()).toEqual(['WaybridgeBookingsWait']);
});

describe('counters', () => {
  /** Scrapes before and after something happened. */
  async function after(happened: () => void): Promise<readonly string[]> {
    const trial = new AlertTrial();
    metrics.bookings.ended({ area: '550', carrier: 'gls-dk', account: 'gls', outcome: 'refused', tookMs: 1 });
    for (const status of [200, 503, 401]) metrics.ims({ status, tookMs: 1 });
    trial.scraped(await measures(), 60);
    for (let minute = 0; minute < 10; minute += 1) {
      happened();
      trial.scraped(await measures(), 60);
    }
    return trial.firing();
  }

  const times = (count: number, what: () => void) => () => Array.from({ length: count }).forEach(what);

  it('WaybridgeImsDown fires when most requests get no usable answer, and not for a few among many', async () => {
    const down = times(4, () => metrics.ims({ status: 503, tookMs: 5 }));
    expect(await after(down)).toEqual(['WaybridgeImsDown']);
    metrics = createMetrics();
    const ordinary = times(40, () => metrics.ims({ status: 200, tookMs: 5 }));
    expect(await after(() => [down(), ordinary()])).toEqual([]);
  });

  it('WaybridgeImsRefusesUs fires when the IMS does not accept the key', async () => {
    expect(await after(times(2, () => metrics.ims({ status: 401, tookMs: 5 })))).toEqual(['WaybridgeImsRefusesUs']);
  });

  it('WaybridgeManyRefused fires when an account refuses many, and not for some of many bookings', async () => {
    const end = (outcome: string) => () =>
      metrics.bookings.ended({ area: '550', carrier: 'gls-dk', account: 'gls', outcome, tookMs: 900 });
    expect(await after(times(4, end('refused')))).toEqual(['WaybridgeManyRefused']);
    metrics = createMetrics();
    expect(await after(() => [times(4, end('refused'))(), times(20, end('closed'))()])).toEqual([]);
  });
});

describe('each rule', () => {
  it.each(alertRules.map(({ alert, ...rule }) => [alert, rule] as const))('%s has a page', (alert, rule) => {
    expect(rule.labels.severity).toMatch(/^(critical|warning)$/);
    expect(rule.annotations.summary.length).toBeGreaterThan(20);
    expect(existsSync(rule.annotations.runbook)).toBe(true);
    expect(readFileSync(rule.annotations.runbook, 'utf8')).toContain(`\`${alert}\``);
  });

  it('fires in a unit test for promtool', () => {
    const unitTests = readFileSync('deploy/prometheus/alerts.test.yaml', 'utf8');
    expect(alertRules.map(({ alert }) => alert).filter((alert) => !unitTests.includes(alert))).toEqual([]);
  });

  it('reads only measures that there are, as the dashboard does', async () => {
    for (const { expr } of alertRules) parse(expr);
    const text = await measures();
    const known = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name, type]) => namesOf(name, type)));
    const dashboard = readFileSync('deploy/grafana/waybridge.json', 'utf8');
    const read = [...alertRules.flatMap(({ expr }) => namesIn(expr)), ...namesIn(dashboard)];
    expect(read.length).toBeGreaterThan(20);
    expect(read.filter((name) => name !== 'up' && !known.has(name))).toEqual([]);
  });
});

function namesOf(name = '', type = ''): readonly string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

describe('the evaluator of the tests', () => {
  const at = (seconds: number, text: string) => ({ seconds, samples: readSamples(text) });
  const history = [at(0, 'a{x="1"} 2\na{x="2"} 6\nb 10'), at(60, 'a{x="1"} 5\na{x="2"} 1\nb 10')];

  it.each([
    ['a selector', 'a{x="1"}', [5]],
    ['a regular expression', 'a{x=~"1|2"}', [5, 1]],
    ['a sum', 'sum(a)', [6]],
    ['a maximum by label', 'max by (x) (a)', [5, 1]],
    ['an increase over a restart', 'increase(a[5m])', [3, 1]],
    ['arithmetic before a comparison', 'sum(a) > 0.5 * sum(b)', [6]],
    ['a comparison that does not hold', 'sum(a) > 6', []],
    ['and', 'a > 0 and a < 2', [1]],
    ['or', 'a < 0 or sum(a)', [6]],
    ['what is there', 'absent(a)', []],
    ['what is not there', 'absent(c)', [1]],
    ['a scalar', 'a / scalar(b)', [0.5, 0.1]],
  ])('reads %s', (_case, expression, values) => {
    expect(evaluate(expression, history, 60).map(({ value }) => value)).toEqual(values);
  });

  it.each(['rate(a[5m])', 'a offset 5m', 'a unless b', 'a{x="1"', 'sum without (x) (a)', 'a ^ 2'])(
    'refuses what it does not know: %s',
    (expression) => {
      expect(() => evaluate(expression, history, 60)).toThrow();
    },
  );
});
