import { isValueError } from '../db/data-error.js';
import { DatabaseUnavailable } from '../db/database.js';
import { type Arrival, areasWithWork, arrivalsIn } from './arrivals.js';
import { type Receipt, takeIn } from './intake.js';
import { createBatcher } from '../worker/batcher.js';
import type { Wakers } from '../consignment/sweeper.js';
import type { BookingContext } from '../consignment/context.js';

/** The limit of one transaction: with the embedded database all other work waits for it. */
const MAX_TOGETHER = 500;
const MAX_BYTES_TOGETHER = 4_000_000;

type Arriving = Omit<Arrival, 'now'>;

export interface EventBatcher {
  /**
   * Stores posted events and wakes what works on them. After a crash in between, the sweeper finds the due rows.
   * @throws when not all of them are stored; when sent again, the stored ones are duplicates
   */
  takeInBody(body: Uint8Array): Promise<readonly Receipt[]>;
  /** As `takeInBody`, for parsed events. */
  takeInAll(arrivals: readonly Arriving[]): Promise<readonly Receipt[]>;
}

interface BatchDeps {
  readonly context: BookingContext;
  readonly wakers: Wakers;
}

/**
 * Events that arrive during a transaction share the next one: a commit costs the same for one as for many, and a single
 * event does not wait.
 */
export function createEventBatcher(context: BookingContext, wakers: Wakers): EventBatcher {
  const deps = { context, wakers };
  const { add: takeInAll } = createBatcher<readonly Arriving[], readonly Receipt[]>({
    sizeOf: (arrivals) => ({ count: arrivals.length, bytes: arrivals.reduce((sum, { body }) => sum + body.length, 0) }),
    limit: { count: MAX_TOGETHER, bytes: MAX_BYTES_TOGETHER },
    storeAll: (bodies) => storeTogether(deps, bodies),
    // One event that cannot be stored does not block the others.
    storeAlone: async (arrivals, error) => {
      if (error instanceof DatabaseUnavailable) throw error;
      return takeInOneByOne(deps, arrivals);
    },
    gatherMs: 0,
  });
  return {
    takeInAll,
    takeInBody: async (body) => {
      const arrivals = arrivalsIn(body);
      for (const area of areasWithWork(arrivals, context.areas)) context.ahead.event(area);
      const receipts: Receipt[] = [];
      for (let from = 0; from < arrivals.length; from += MAX_TOGETHER)
        receipts.push(...(await takeInAll(arrivals.slice(from, from + MAX_TOGETHER))));
      return receipts;
    },
  };
}

/** @returns the receipts of each body */
async function storeTogether(
  deps: BatchDeps,
  bodies: readonly (readonly Arriving[])[],
): Promise<readonly (readonly Receipt[])[]> {
  try {
    const receipts = await takeInTogether(deps, bodies.flat());
    let from = 0;
    return bodies.map((arrivals) => receipts.slice(from, (from += arrivals.length)));
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) deps.context.log.error('events not stored together', { error });
    throw error;
  }
}

async function takeInOneByOne(deps: BatchDeps, arrivals: readonly Arriving[]): Promise<readonly Receipt[]> {
  const receipts: Receipt[] = [];
  for (const arrival of arrivals) receipts.push(...(await takeInAlone(deps, arrival)));
  return receipts;
}

async function takeInAlone(deps: BatchDeps, arrival: Arriving): Promise<readonly Receipt[]> {
  try {
    return await takeInTogether(deps, [arrival]);
  } catch (error) {
    // Any other error may be temporary: the sender keeps the event and sends it again.
    if (!isValueError(error) || arrival.event.kind === 'unreadable') throw error;
    const event = { kind: 'unreadable', eventId: arrival.event.eventId, problems: ['it cannot be stored'] } as const;
    return takeInTogether(deps, [{ ...arrival, event }]);
  }
}

async function takeInTogether(
  { context, wakers }: BatchDeps,
  arrivals: readonly Arriving[],
): Promise<readonly Receipt[]> {
  const now = context.clock.now();
  const { owner, lengthMs } = context.lease;
  const lease = { owner, now, until: new Date(now.getTime() + lengthMs) };
  const taken = await context.database.transaction((sql) => {
    const leased = new Map<string, number>();
    // Other instances leave a leased row to this one, so a row that would wait here gets no lease.
    const leaseFor = (area: string) => {
      const behind = leased.get(area) ?? 0;
      leased.set(area, behind + 1);
      return wakers.startsAtOnce(area, behind) ? lease : null;
    };
    const all = arrivals.map((arrival) => ({ ...arrival, now, leaseFor }));
    return takeIn(sql, all, context.areas);
  });
  for (const { due } of taken) for (const claimed of due.claimed ?? []) context.claimed.add(claimed, now);
  wakers.consignments(taken.flatMap(({ due }) => due.consignments));
  wakers.tasks(taken.flatMap(({ due }) => due.tasks));
  for (const { receipt } of taken) {
    const { eventId: event, outcome, problems } = receipt;
    const level = problems === undefined ? 'info' : 'warn';
    context.log[level]('event', { event, outcome, ...(problems && { problems }) });
  }
  return taken.map((one) => one.receipt);
}
