import { isValueError } from '../db/data-error.js';
import { DatabaseUnavailable } from '../db/database.js';
import { type Arrival, type Receipt, arrivalsIn, takeIn } from './intake.js';
import type { Wakers } from '../consignment/sweeper.js';
import type { BookingContext } from '../consignment/context.js';

/** The limit of one transaction; a body may have more. */
const MAX_TOGETHER = 500;
const MAX_BYTES_TOGETHER = 4_000_000;

type Arriving = Omit<Arrival, 'now'>;

export interface EventBatcher {
  /**
   * Stores posted events and wakes their workers. After a crash in between, the sweeper finds the due rows.
   * @throws when not all of them are stored; when sent again, the stored ones are duplicates
   */
  takeInBody(body: Uint8Array): Promise<readonly Receipt[]>;
  /** As `takeInBody`, for parsed events. */
  takeInAll(arrivals: readonly Arriving[]): Promise<readonly Receipt[]>;
}

interface Waiting {
  readonly arrivals: readonly Arriving[];
  readonly stored: (receipts: readonly Receipt[]) => void;
  readonly failed: (error: unknown) => void;
}

interface Rooms {
  readonly context: BookingContext;
  readonly wakers: Wakers;
}

/**
 * Events that arrive during a transaction share the next one: a commit costs the same for one as for many, and a single
 * event does not wait.
 */
export function createEventBatcher(context: BookingContext, wakers: Wakers): EventBatcher {
  const rooms = { context, wakers };
  const waiting: Waiting[] = [];
  let storing = false;

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) await storeTogether(rooms, waiting.splice(0, countOfFirst(waiting)));
    storing = false;
  }

  function takeInAll(arrivals: readonly Arriving[]): Promise<readonly Receipt[]> {
    return new Promise((stored, failed) => {
      waiting.push({ arrivals, stored, failed });
      if (storing) return;
      storing = true;
      // After everything else that arrived in this turn of the event loop.
      setImmediate(() => void storeAll());
    });
  }

  return { takeInAll, takeInBody: async (body) => takeInAll(arrivalsIn(body)) };
}

/** The number of bodies in the next transaction; at least one. */
function countOfFirst(waiting: readonly Waiting[]): number {
  let events = 0;
  let bytes = 0;
  const end = waiting.findIndex(({ arrivals }, place) => {
    events += arrivals.length;
    bytes += arrivals.reduce((sum, { body }) => sum + body.length, 0);
    return place > 0 && (events > MAX_TOGETHER || bytes > MAX_BYTES_TOGETHER);
  });
  return end === -1 ? waiting.length : end;
}

/** Resolves or rejects every waiting body. */
async function storeTogether(rooms: Rooms, several: readonly Waiting[]): Promise<void> {
  try {
    const receipts = await takeInTogether(
      rooms,
      several.flatMap(({ arrivals }) => arrivals),
    );
    let from = 0;
    for (const { arrivals, stored } of several) stored(receipts.slice(from, (from += arrivals.length)));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return several.forEach(({ failed }) => failed(error));
    // Stores each by itself, so that one event that cannot be stored does not block the others.
    rooms.context.log.error('events not stored together', { error });
    for (const { arrivals, stored, failed } of several) await takeInOneByOne(rooms, arrivals).then(stored, failed);
  }
}

async function takeInOneByOne(rooms: Rooms, arrivals: readonly Arriving[]): Promise<readonly Receipt[]> {
  const receipts: Receipt[] = [];
  for (const arrival of arrivals) receipts.push(...(await takeInAlone(rooms, arrival)));
  return receipts;
}

async function takeInAlone(rooms: Rooms, arrival: Arriving): Promise<readonly Receipt[]> {
  try {
    return await takeInTogether(rooms, [arrival]);
  } catch (error) {
    // Any other error may be temporary: the sender keeps the event and sends it again.
    if (!isValueError(error) || arrival.event.kind === 'unreadable') throw error;
    const event = { kind: 'unreadable', eventId: arrival.event.eventId, problems: ['it cannot be stored'] } as const;
    return takeInTogether(rooms, [{ ...arrival, event }]);
  }
}

async function takeInTogether({ context, wakers }: Rooms, arrivals: readonly Arriving[]): Promise<readonly Receipt[]> {
  const now = context.clock.now();
  const all = arrivals.map((arrival) => ({ ...arrival, now }));
  const taken = await context.database.transaction((sql) => takeIn(sql, all, context.areas));
  wakers.consignments(taken.flatMap(({ due }) => due.consignments));
  wakers.tasks(taken.flatMap(({ due }) => due.tasks));
  for (const { receipt } of taken) {
    const { eventId: event, outcome, problems } = receipt;
    const level = problems === undefined ? 'info' : 'warn';
    context.log[level]('event', { event, outcome, ...(problems && { problems }) });
  }
  return taken.map((one) => one.receipt);
}
