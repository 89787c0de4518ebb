import { isAnswered } from '../ims/errors.js';
import { type Consignment, carrierName, shipmentName } from './consignment.js';
import { say } from '../messages/message.js';
import { type DueConsignment, dueConsignments, markWaitingTold, takeWaiting } from './ledger/due-rows.js';
import { sendMessage } from '../areas/send-message.js';
import type { BreakerState } from '../accounts/account-circuit.js';
import type { BookingContext } from './context.js';
import { waitingInDoubt } from './machine/doubts.js';
import { AWAITED_MESSAGES, traitsOf } from './states.js';
import { whileKept } from './requests/request-recording.js';

const MAX_AT_ONCE = 200;
/** After this time a worker is told why the label takes longer. */
const MESSAGE_AFTER_MS = 15_000;
/** Messages in one sweep: thousands at once would take the IMS from bookings. */
const MAX_TOLD = 15;

export interface Wakers {
  readonly consignments: (due: readonly DueConsignment[]) => void;
  readonly tasks: (ids: readonly string[]) => void;
  /** Whether a consignment of this area would start at once. @param behind how many of the area are woken before it */
  readonly startsAtOnce: (area: string, behind: number) => boolean;
}

/**
 * Finds due rows that no wake-up announced: postponed work, and work of a process that died or is overloaded. Tells
 * workers who wait too long.
 */
export async function sweep(context: BookingContext, wake: Wakers['consignments']): Promise<void> {
  const now = context.clock.now();
  wake(
    await dueConsignments(context.database, {
      now,
      limit: MAX_AT_ONCE,
      owner: context.lease.owner,
      ...outages(context),
    }),
  );
  const since = new Date(now.getTime() - MESSAGE_AFTER_MS);
  const areas = [...context.areas.keys()];
  const waiting = await takeWaiting(context.database, { now, since, areas, limit: MAX_TOLD });
  // Not awaited: an IMS that hangs would delay the search for all other work.
  for (const consignment of waiting) {
    tellWaiting(context, consignment).catch((error: unknown) => {
      context.log.warn('not noted that a worker was told', { consignment: consignment.id, error });
    });
  }
}

/** Leaves out parked rows of carriers that do not answer: the bulkhead would reject them. */
function outages(context: BookingContext) {
  const accounts = [...context.accounts.values()].map(({ name, bulkhead }) => ({
    name,
    circuitState: bulkhead.circuitState(),
  }));
  const those = (wanted: BreakerState) =>
    accounts.filter(({ circuitState }) => circuitState === wanted).map(({ name }) => name);
  return { open: those('open'), halfOpen: those('half-open') };
}

function keyFor(consignment: Consignment) {
  return waitingInDoubt(consignment) ?? keyByState(consignment);
}

function keyByState(consignment: Consignment) {
  const { state, waitingFor } = consignment;
  if (waitingFor === 'ims-key' || waitingFor === 'ims-client' || waitingFor === 'account')
    return `waiting-${waitingFor}` as const;
  if (!traitsOf(state).isPrepared && waitingFor === 'sibling') return 'waiting-sibling';
  const awaited = awaitedBy(consignment);
  return awaited === null ? null : AWAITED_MESSAGES[awaited];
}

function awaitedBy({ state, parkedUntil, parts }: Consignment) {
  const { awaits } = traitsOf(state);
  if (awaits === 'limit' && parkedUntil !== null) return 'carrier';
  // A row with all labels is being written to the IMS; that state is stored only with the numbers.
  const lacksLabel = parts.some((part) => part.state === 'booked' && part.labels !== 'stored');
  return awaits === 'label' && !lacksLabel ? 'ims' : awaits;
}

/**
 * Tells the worker what the booking waits for. A message that failed, or whose answer was lost, is sent again: twice is
 * better than never. A message that the IMS refuses is not. This needs no lease: only the process that marked the row
 * comes here, and telling changes nothing.
 */
async function tellWaiting(context: BookingContext, consignment: Consignment): Promise<void> {
  const area = context.areas.get(consignment.area);
  const usual = keyFor(consignment);
  if (!area || usual === null || consignment.needsOperator) return;
  const usedUp = usual === 'waiting-ims' && area.ims.requestsLeft() === 'nothing';
  const key = usedUp || consignment.runStartedAt > context.clock.now() ? 'waiting-new-day' : usual;
  const { area: contextId, bookedOn } = consignment;
  const about = { shipmentNumber: shipmentName(consignment), carrier: carrierName(consignment), area: contextId };
  const message = say(key, about);
  try {
    // Uses the background queue: bookings go first.
    await whileKept(context.requests, consignment.id, () =>
      sendMessage(context, { ...area, ims: area.imsBackground }, { to: consignment.addressee, message, bookedOn }),
    );
    context.log.info('told to wait', { consignment: consignment.id, state: consignment.state });
    await markWaitingTold(context.database, consignment, context.clock.now());
  } catch (error) {
    context.log.warn('could not tell to wait', { consignment: consignment.id, error });
    if (isAnswered(error)) await markWaitingTold(context.database, consignment, context.clock.now());
  }
}
