import { applyEvents, lockTracking } from './apply-events.js';
import { askNow } from './ask-rows.js';
import { type StoredCallback, markApplied, storedCallbacks } from './callback-rows.js';
import { type NewEvent, parcelKey } from './event-rows.js';
import type { TrackingWorld } from './surroundings.js';

/** In one transaction; few enough that callbacks which arrive meanwhile do not wait for long. */
const MOST_AT_ONCE = 100;

/**
 * Applies some of the callbacks that are stored and not applied. It is all or nothing, and the row says which: who dies
 * half way has done nothing.
 * @returns how many; 0: none waits
 */
export async function applyStored({ world, wishes }: TrackingWorld): Promise<number> {
  const now = world.clock.now();
  const { applied, fresh } = await world.database.transaction(async (sql) => {
    await lockTracking(sql);
    const stored = await storedCallbacks(sql, MOST_AT_ONCE);
    if (stored.length === 0) return { applied: 0, fresh: [] };
    const events = stored.flatMap(({ account, outcome }) => outcome.events.map((event) => ({ account, event })));
    const asks = stored.flatMap(asked);
    const found = await applyEvents(sql, events, { wishes, now, asked: new Set(asks.map(parcelKey)) });
    await askNow(sql, asks, now);
    await markApplied(
      sql,
      stored.map((callback) => callback.id),
    );
    return { applied: stored.length, fresh: found };
  });
  if (applied > 0) world.log.debug('callbacks applied', { callbacks: applied, events: fresh.length });
  logUnrecognised({ world, fresh });
  return applied;
}

function asked({ account, outcome }: StoredCallback) {
  return outcome.ask.map((trackingNumber) => ({ account, trackingNumber }));
}

/** Somebody ought to add them to the adapter's table. */
export function logUnrecognised({
  world,
  fresh,
}: Pick<TrackingWorld, 'world'> & { readonly fresh: readonly NewEvent[] }) {
  const unrecognised = fresh.filter((event) => event.status === 'unrecognised');
  const codes = new Set(unrecognised.map(({ account, code }) => `${account}: ${code ?? '-'}`));
  if (codes.size > 0)
    world.log.warn('tracking codes not recognised', { codes: [...codes], events: unrecognised.length });
}
