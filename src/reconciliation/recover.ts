import { ImsCredentials, ImsUnavailable } from '../ims/errors.js';
import { whilePermitted } from '../transport/send-guard.js';
import type { Consignment } from '../consignment/consignment.js';
import type { Arrival } from '../intake/arrivals.js';
import type { Receipt } from '../intake/intake.js';
import { addToJournal, giveBack, seize } from '../consignment/ledger/consignment-rows.js';
import type { MissedEvent } from './verdict.js';
import { markSent, wasSent } from '../areas/sent-rows.js';
import { isImsError } from '../consignment/steps/ims-failure.js';
import type { BookingContext } from '../consignment/context.js';
import type { Area } from '../areas/area.js';

/**
 * Stores missed events, through the same transaction as received ones.
 * @returns the new ones; the event of another one has come meanwhile
 */
export type Recover = (missed: readonly MissedEvent[]) => Promise<readonly MissedEvent[]>;

/** Events in one transaction; with the embedded database all other work waits for it. */
const AT_ONCE = 20;

export function createRecover(
  store: (arrivals: readonly Omit<Arrival, 'now'>[]) => Promise<readonly Receipt[]>,
): Recover {
  return async (missed) => {
    const taken: MissedEvent[] = [];
    for (let from = 0; from < missed.length; from += AT_ONCE) {
      const some = missed.slice(from, from + AT_ONCE);
      const receipts = await store(some.map(arrivalOf));
      taken.push(...some.filter((_one, index) => receipts[index]?.outcome === 'accepted'));
    }
    return taken;
  };
}

function arrivalOf({ event, possiblyBooked }: MissedEvent): Omit<Arrival, 'now'> {
  return { event, body: JSON.stringify({ lost: event }), ...(possiblyBooked && { possiblyBooked }) };
}

/**
 * Writes the last status of an ended consignment again, unless a new run has begun since it was read. Repeating it does
 * no harm; what the IMS refuses is not retried.
 */
export async function writeStatusAgain(context: BookingContext, area: Area, missed: MissedStatus): Promise<boolean> {
  const { id } = missed.consignment;
  const { owner, held, lengthMs } = context.lease;
  const now = context.clock.now();
  const until = new Date(now.getTime() + lengthMs);
  // While we hold the lease no new run can begin, whose document this status would end.
  const current = await seize(context.database, id, { owner, now, until });
  if (current === null) return false;
  held.take(id, until);
  try {
    if (!hasStayed(missed.consignment, current)) return false;
    return await whilePermitted(
      () => held.holds(id, context.clock.now()),
      () => writeHeld(context, area, { consignment: current, status: missed.status }),
    );
  } finally {
    held.drop(id);
    await giveBack(context.database, id, owner);
  }
}

interface MissedStatus {
  readonly consignment: Consignment;
  readonly status: 'DONE' | 'FAILED';
}

function hasStayed(before: Consignment, current: Consignment): boolean {
  return current.state === before.state && current.run === before.run && current.dueAt === null;
}

async function writeHeld(context: BookingContext, area: Area, { consignment, status }: MissedStatus): Promise<boolean> {
  const { id, documentId } = consignment;
  const notice = { area: area.contextId, topic: `status-refused:${id}:${consignment.run}` };
  if (documentId === null || (await wasSent(context.database, notice))) return false;
  try {
    await area.imsBackground.setWorkStatus(documentId, status);
  } catch (error) {
    if (!isImsError(error) || error instanceof ImsUnavailable || error instanceof ImsCredentials) throw error;
    await markSent(context.database, notice, context.clock.now());
    return false;
  }
  await addToJournal(context.database, { id, what: `${status} written again`, now: context.clock.now() });
  context.log.warn('status written again', { consignment: id, area: area.contextId, document: documentId, status });
  return true;
}
