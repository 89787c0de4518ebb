import { DatabaseUnavailable } from '../db/database.js';
import type { WakeUps } from '../queue/wake-ups.js';
import { type Arrival, type Receipt, arrivalsIn, takeIn } from './intake.js';
import type { World } from './world.js';

/** Stores what a sender posted and wakes whoever is to work on it: all of it in one transaction, or nothing. */
export async function takeInBody(world: World, wakeUps: WakeUps, body: Uint8Array): Promise<readonly Receipt[]> {
  return takeInAll(world, wakeUps, arrivalsIn(body));
}

/** As `takeInBody`, for events that are read already. */
export async function takeInAll(
  world: World,
  wakeUps: WakeUps,
  arrivals: readonly Arriving[],
): Promise<readonly Receipt[]> {
  try {
    return await takeInTogether(world, wakeUps, arrivals);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    // One event that cannot be stored shall not hold back the others, nor all that come after it.
    world.log.error('events not stored together', { error });
    const receipts: Receipt[] = [];
    for (const arrival of arrivals) receipts.push(...(await takeInAlone(world, wakeUps, arrival)));
    return receipts;
  }
}

async function takeInAlone(world: World, wakeUps: WakeUps, arrival: Arriving): Promise<readonly Receipt[]> {
  try {
    return await takeInTogether(world, wakeUps, [arrival]);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || arrival.event.kind === 'unreadable') throw error;
    const event = { kind: 'unreadable', eventId: arrival.event.eventId, problems: ['it cannot be stored'] } as const;
    return takeInTogether(world, wakeUps, [{ ...arrival, event }]);
  }
}

type Arriving = Omit<Arrival, 'now'>;

async function takeInTogether(
  world: World,
  wakeUps: WakeUps,
  arrivals: readonly Arriving[],
): Promise<readonly Receipt[]> {
  const now = world.clock.now();
  const taken = await world.database.transaction(async (sql) => {
    const all = [];
    for (const arrival of arrivals) all.push(await takeIn(sql, { ...arrival, now }, world.areas));
    await wakeUps.send(
      sql,
      all.flatMap((one) => one.wake),
    );
    return all;
  });
  wakeUps.deliverNow();
  for (const { receipt } of taken) {
    const { eventId: event, outcome, problems } = receipt;
    const level = problems === undefined ? 'info' : 'warn';
    world.log[level]('event', { event, outcome, ...(problems && { problems }) });
  }
  return taken.map((one) => one.receipt);
}
