import { expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics/metrics.js';
import { createScrape } from '../../src/metrics/scrape.js';

const FIGURES = {
  ...{ queue: { booking: 2 }, oldestAt: new Date('2026-03-04T11:59:00Z'), inDoubt: 1, needsOperator: 1, tasks: 0 },
  ...{ updates: 0, webhooks: 3, messages: 0, handovers: 0, callbacks: 0, alerts: 0, usage: {} },
  ...{ givenUpTasks: 2, returnsInDoubt: 1, refusedLogins: [] },
};

function scraping(query: () => Promise<readonly unknown[]>) {
  let nowMs = new Date('2026-03-04T12:00:00Z').getTime();
  const scrape = createScrape({
    metrics: createMetrics(),
    database: { kind: 'server', query } as unknown as Database,
    clock: { now: () => new Date(nowMs) },
    log: silentLog,
    accounts: new Map(),
    calling: [],
    budget: { keyIds: new Map([['550', 'abc']]), perDay: 100_000 },
    disk: null,
  });
  return { scrape, later: (ms: number) => (nowMs += ms) };
}

it('asks the database once in ten seconds, however often it is scraped', async () => {
  let asked = 0;
  const { scrape, later } = scraping(async () => {
    asked += 1;
    return [FIGURES];
  });
  await Promise.all([scrape.text(), scrape.text(), scrape.text()]);
  later(9_000);
  await scrape.text();
  expect(asked).toBe(1);
  later(2_000);
  await scrape.text();
  expect(asked).toBe(2);
  await scrape.stop();
});

it('shows the age of the oldest booking, what is in doubt and what was given up', async () => {
  const { scrape } = scraping(async () => [FIGURES]);
  const text = await scrape.text();
  expect(text).toContain('waybridge_queue_consignments{state="booking"} 2');
  expect(text).toContain('waybridge_queue_oldest_age_seconds 60');
  expect(text).toContain('waybridge_consignments_in_doubt 1');
  expect(text).toContain('waybridge_undelivered{kind="webhooks"} 3');
  expect(text).toContain('waybridge_undelivered{kind="tasks"} 2');
  expect(text).toContain('waybridge_return_labels_in_doubt 1');
  await scrape.stop();
});

it.each([
  ['is away', () => Promise.reject(new Error('away'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('answers, and says that the database %s', async (_case, query) => {
  const { scrape } = scraping(query);
  expect(await scrape.text()).toContain('waybridge_database_up 0');
  await scrape.stop();
});
