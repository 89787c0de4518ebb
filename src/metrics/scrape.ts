import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Account } from '../accounts/account.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import { type CallingCarrier, callingAccounts } from '../tracking/callbacks/missing.js';
import { withTimeout } from '../worker/with-timeout.js';
import { type Figures, readFigures } from './figures.js';
import type { Metrics } from './metrics.js';

/** However often it is scraped, the database is asked at most once in this time. */
const FRESH_FOR_MS = 10_000;
/** A scrape shows the figures of before when the database takes longer. */
const DATABASE_ANSWERS_WITHIN_MS = 3_000;
const NANOSECONDS = 1e9;

export interface ScrapeTools {
  readonly metrics: Metrics;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: ReadonlyMap<string, Account>;
  /** The accounts whose carriers call us. */
  readonly calling: readonly CallingCarrier[];
  /** Each area with the short hash of its key, and what the IMS takes in a day. */
  readonly budget: { readonly keyIds: ReadonlyMap<string, string>; readonly perDay: number };
  /** Measures the disk of the embedded database; `null`: the database is on a server. */
  readonly disk: (() => Promise<DiskSpace>) | null;
}

export interface DiskSpace {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** The measures as Prometheus reads them. */
export interface Scrape {
  readonly contentType: string;
  text(): Promise<string>;
  stop(): Promise<void>;
}

export function createScrape(tools: ScrapeTools): Scrape {
  const { metrics, clock } = tools;
  const delay = monitorEventLoopDelay();
  delay.enable();
  let sampledMs = -Infinity;
  let sampling: Promise<void> | null = null;
  /** Scrapes at the same time share one sample. */
  const sampleOnce = () => {
    const nowMs = clock.now().getTime();
    if (sampling === null && nowMs - sampledMs >= FRESH_FOR_MS) {
      sampledMs = nowMs;
      sampling = sampleDatabase(tools).finally(() => (sampling = null));
    }
    return sampling;
  };
  showStart(tools);
  return {
    contentType: metrics.registry.contentType,
    text: async () => {
      await withTimeout(sampleOnce() ?? Promise.resolve(), DATABASE_ANSWERS_WITHIN_MS, () =>
        metrics.gauges.databaseUp.set(0),
      );
      showCircuits(tools);
      await showDisk(tools);
      showProcess(metrics, delay);
      return metrics.registry.metrics();
    },
    stop: async () => void delay.disable(),
  };
}

async function sampleDatabase(tools: ScrapeTools): Promise<void> {
  const { metrics, database, clock, log, accounts, calling, budget } = tools;
  const { gauges } = metrics;
  try {
    const now = clock.now();
    showFigures(metrics, await readFigures(database, now), now);
    for (const { account, silent } of await callingAccounts(database, calling, now))
      gauges.callbacksMissing.set({ account }, silent ? 1 : 0);
    gauges.databaseUp.set(1);
  } catch (error) {
    gauges.databaseUp.set(0);
    log.warn('figures not read', { error });
    return;
  }
  gauges.dailyLimit.set(budget.perDay);

  function showFigures(to: Metrics, figures: Figures, now: Date): void {
    const { queue, oldestAt, usage, refusedLogins, ...counts } = figures;
    to.gauges.queue.reset();
    for (const [state, count] of Object.entries(queue)) to.gauges.queue.set({ state }, count);
    to.gauges.oldest.set(oldestAt === null ? 0 : Math.max(0, (now.getTime() - new Date(oldestAt).getTime()) / 1_000));
    for (const [area, keyId] of budget.keyIds) to.gauges.dailyRequests.set({ area }, usage[keyId] ?? 0);
    for (const { name, carrier } of accounts.values())
      if (carrier.track ?? carrier.trackChanges)
        to.gauges.trackingLoginRefused.set({ account: name }, refusedLogins.includes(name) ? 1 : 0);
    showCounts(to, counts);
  }
}

function showCounts(
  { gauges }: Metrics,
  counts: Omit<Figures, 'queue' | 'oldestAt' | 'usage' | 'refusedLogins'>,
): void {
  gauges.inDoubt.set(counts.inDoubt);
  gauges.needsOperator.set(counts.needsOperator);
  gauges.tasks.set(counts.tasks);
  gauges.updates.set(counts.updates);
  for (const kind of ['webhooks', 'messages', 'handovers', 'callbacks', 'alerts'] as const)
    gauges.undelivered.set({ kind }, counts[kind]);
  gauges.undelivered.set({ kind: 'tasks' }, counts.givenUpTasks);
  gauges.returnsInDoubt.set(counts.returnsInDoubt);
}

function showCircuits({ metrics, accounts }: ScrapeTools): void {
  for (const { name, bulkhead } of accounts.values())
    metrics.gauges.circuit.set({ account: name }, bulkhead.circuit.seemsDown() ? 1 : 0);
}

async function showDisk({ metrics, disk, log }: ScrapeTools): Promise<void> {
  if (disk === null) return;
  try {
    const { freeBytes, sizeBytes } = await disk();
    metrics.gauges.diskFree.set(freeBytes);
    metrics.gauges.diskSize.set(sizeBytes);
  } catch (error) {
    log.warn('figures not read', { error });
  }
}

function showProcess({ gauges }: Metrics, delay: ReturnType<typeof monitorEventLoopDelay>): void {
  for (const quantile of [0.5, 0.99])
    gauges.loopDelay.set({ quantile }, (delay.percentile(quantile * 100) || 0) / NANOSECONDS);
  delay.reset();
  gauges.memory.set(process.memoryUsage.rss());
  const { user, system } = process.cpuUsage();
  gauges.cpu.reset();
  gauges.cpu.inc((user + system) / 1e6);
}

function showStart({ metrics, clock }: ScrapeTools): void {
  metrics.gauges.started.set(clock.now().getTime() / 1_000 - process.uptime());
}
