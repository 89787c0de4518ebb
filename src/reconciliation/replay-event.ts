import type { BookingContext } from '../consignment/context.js';
import type { Arrival } from '../intake/arrivals.js';
import { areaOfEvent, classifyEvent } from '../intake/classify-event.js';
import { type EventWithBody, type StoredEvent, consequencesOf, findEvent } from '../intake/event-list.js';
import type { Receipt } from '../intake/intake.js';
import { readStoredEvent } from '../intake/read-stored-event.js';
import { reviveTasks } from '../tasks/task-rows.js';
import type { Replay, ReplayRequest, Replayed } from './replay.js';

/** The result of replaying one event. */
export interface ReplayedEvent {
  /** The id under which it is stored now: a body that could not be read has none of its own. */
  readonly eventId: string;
  /**
   * `accepted`: what it asks for had not been done, and is done now; `retried`: its task had been given up, and is tried
   * again; `nothing`: it asks for nothing; `unreadable`: it still cannot be read; the others as of a replay.
   */
  readonly outcome: Replayed['outcome'] | 'accepted' | 'retried' | 'nothing' | 'unreadable';
  readonly because: string | null;
}

/**
 * Does what one stored event asks for, if that has not been done. Repeating it does no harm.
 * @returns `null`: there is no such event
 * @throws what the IMS client throws: an event that was accepted is compared with the IMS
 */
export type ReplayEvent = (eventId: string, mode: ReplayRequest['mode']) => Promise<ReplayedEvent | null>;

interface ReplayDeps {
  readonly context: BookingContext;
  readonly replay: Replay;
  /** Stores events like posted ones. */
  readonly takeIn: (arrivals: readonly Omit<Arrival, 'now'>[]) => Promise<readonly Receipt[]>;
}

export function createReplayEvent(deps: ReplayDeps): ReplayEvent {
  return async (eventId, mode) => {
    const { context } = deps;
    const stored = await findEvent(context.database, eventId);
    if (stored === null) return null;
    const accepted = stored.event.outcome === 'accepted';
    const result = accepted ? await replayAccepted(deps, stored.event, mode) : await takeInAgain(deps, stored, mode);
    context.log.info('event replayed by operator', { event: eventId, mode, outcome: result.outcome });
    return result;
  };
}

/** Today's settings and code may read an event that they could not use when it came. */
async function takeInAgain(
  { context, takeIn }: ReplayDeps,
  stored: EventWithBody,
  mode: ReplayRequest['mode'],
): Promise<ReplayedEvent> {
  const { understood } = readStoredEvent(stored);
  const { id } = stored.event;
  if (understood.kind === 'unreadable') {
    return { eventId: id, outcome: 'unreadable', because: understood.problems.join('; ') };
  }
  const { eventId } = understood;
  const action = classifyEvent(understood, areaOfEvent(understood, context.areas), context.areas);
  if (action.kind === 'nothing')
    return { eventId, outcome: 'nothing', because: action.problems?.join('; ') ?? 'its type asks for nothing' };
  if (mode === 'tell') return { eventId, outcome: 'accepted', because: null };
  const [receipt] = await takeIn([{ event: understood, body: stored.body ?? '' }]);
  if (receipt?.outcome === 'accepted') return { eventId, outcome: 'accepted', because: null };
  return { eventId, outcome: 'known', because: 'it was taken in this moment' };
}

async function replayAccepted(
  { context, replay }: ReplayDeps,
  event: StoredEvent,
  mode: ReplayRequest['mode'],
): Promise<ReplayedEvent> {
  const { id: eventId, area } = event;
  const tasks = (await consequencesOf(context.database, [event])).get(eventId)?.tasks ?? [];
  const givenUp = tasks.filter(({ state }) => state === 'given-up');
  if (givenUp.length > 0) {
    const ids = givenUp.map(({ id }) => id);
    if (mode === 'do') await reviveTasks(context.database, ids, context.clock.now());
    return {
      eventId,
      outcome: 'retried',
      because: givenUp.map(({ kind, note }) => `${kind}: ${note ?? '-'}`).join('; '),
    };
  }
  const open = tasks.find(({ state }) => state === 'open');
  if (open) return { eventId, outcome: 'known', because: `its task ${open.kind} is being done` };
  if (area === null || !context.areas.has(area))
    return { eventId, outcome: 'nothing', because: `area ${area ?? '-'} is not configured` };
  const what = namedBy(event);
  if (what === null) return { eventId, outcome: 'nothing', because: 'it names neither a document nor a shipment' };
  return replayedIn(eventId, await replay({ area, what, mode }));
}

function namedBy({ documentId, shipmentId }: StoredEvent): ReplayRequest['what'] | null {
  if (documentId !== null) return { kind: 'document', id: documentId };
  return shipmentId === null ? null : { kind: 'shipment', id: shipmentId };
}

/** Takes the document that something was done about, of several of a shipment. */
function replayedIn(eventId: string, { results }: Awaited<ReturnType<Replay>>): ReplayedEvent {
  const changed = results.find(({ outcome }) => outcome === 'recovered' || outcome === 'in-doubt');
  const [first] = results;
  const { outcome, because } = changed ?? first ?? { outcome: 'known' as const, because: 'nothing is open' };
  return { eventId, outcome, because };
}
