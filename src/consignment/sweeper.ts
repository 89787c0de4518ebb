import { isAnswered } from '../ims/errors.js';
import { type Consignment, carrierName, shipmentName } from './consignment.js';
import { say } from '../messages/message.js';
import { type DueConsignment, dueConsignments, markWaitingTold, takeWaiting } from './ledger/due-rows.js';
import { post } from '../areas/send-message.js';
import type { Admission } from '../accounts/account-circuit.js';
import type { BookingContext } from './context.js';

const MOST_AT_ONCE = 200;
/** Nobody waits in silence for longer. */
const TOLD_AFTER_MS = 15_000;
/** Told in one sweep: telling thousands must not take the IMS from those whose labels it is about. */
const MOST_TOLD = 15;

export interface Wakers {
  readonly consignments: (due: readonly DueConsignment[]) => void;
  readonly errands: (ids: readonly string[]) => void;
}

/**
 * Finds what is due and that nobody was woken for: postponed work, work of a process that died, or has too much. Tells
 * workers who wait too long.
 */
export async function sweep(world: BookingContext, wake: Wakers['consignments']): Promise<void> {
  const now = world.clock.now();
  wake(
    await dueConsignments(world.database, { now, limit: MOST_AT_ONCE, owner: world.lease.owner, ...outages(world) }),
  );
  const since = new Date(now.getTime() - TOLD_AFTER_MS);
  const waiting = await takeWaiting(world.database, { now, since, limit: MOST_TOLD });
  // Not waited for: an IMS that hangs would keep everybody else's work from being found.
  for (const consignment of waiting) {
    tellWaiting(world, consignment).catch((error: unknown) => {
      world.log.warn('not noted that a worker was told', { consignment: consignment.id, error });
    });
  }
}

/** What is held for a carrier that does not answer is left alone: it would only be turned away. */
function outages(world: BookingContext) {
  const accounts = [...world.accounts.values()].map(({ name, bulkhead: queue }) => ({ name, admits: queue.admits() }));
  const those = (wanted: Admission) => accounts.filter(({ admits }) => admits === wanted).map(({ name }) => name);
  return { silent: those('nobody'), uncertain: those('one') };
}

const KEY = {
  received: 'waiting-ims',
  planned: 'waiting-limit',
  booking: 'waiting-carrier',
  'in-doubt': 'waiting-in-doubt',
  booked: 'waiting-label',
  labelled: 'waiting-ims',
} as const;

function keyFor({ state, heldUntil, waitingFor, parts }: Consignment) {
  if (state === 'received' && waitingFor === 'sibling') return 'waiting-sibling';
  if (state === 'planned' && heldUntil !== null) return 'waiting-carrier';
  // With all of its labels it is on its way to the IMS, which is not stored before the numbers are.
  const lacksLabel = parts.some((part) => part.state === 'booked' && part.labels !== 'stored');
  if (state === 'booked' && !lacksLabel) return KEY.labelled;
  return state in KEY ? KEY[state as keyof typeof KEY] : null;
}

/**
 * Says what it waits for. What was not taken is said again, and so is what nobody knows the fate of: the same words twice
 * are better than none. What the IMS refuses is not said again. Under no lease: only whoever marked it as told comes here, once,
 * and telling changes nothing.
 */
async function tellWaiting(world: BookingContext, consignment: Consignment): Promise<void> {
  const area = world.areas.get(consignment.area);
  const usual = keyFor(consignment);
  if (!area || usual === null || consignment.waitsForPerson) return;
  const usedUp = usual === 'waiting-ims' && area.ims.requestsLeft() === 'nothing';
  const key = usedUp || consignment.runStartedAt > world.clock.now() ? 'waiting-new-day' : usual;
  const message = say(key, { shipmentNumber: shipmentName(consignment), carrier: carrierName(consignment) });
  try {
    // Labels go before talk about them.
    await post(world, { ...area, ims: area.imsBackground }, { to: consignment.addressee, message });
    world.log.info('told to wait', { consignment: consignment.id, state: consignment.state });
    await markWaitingTold(world.database, consignment, world.clock.now());
  } catch (error) {
    world.log.warn('could not tell to wait', { consignment: consignment.id, error });
    if (isAnswered(error)) await markWaitingTold(world.database, consignment, world.clock.now());
  }
}
