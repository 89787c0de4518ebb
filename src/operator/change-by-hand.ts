import { randomUUID } from 'node:crypto';
import type { Traits } from '../../carriers/contract/adapter.js';
import { type Consignment, carrierName } from '../consignment/consignment.js';
import type { BookingContext } from '../consignment/context.js';
import { seize } from '../consignment/ledger/consignment-rows.js';
import { type NumberClaim, NumbersTaken, takenNumbers } from '../consignment/ledger/parcel-number-rows.js';
import { save } from '../consignment/ledger/save.js';
import { newNumbers } from '../consignment/machine/numbers.js';
import {
  NotPossible,
  NumbersNotPossible,
  type Resolution,
  applyResolution,
  requireAbsence,
  requireUsable,
  resume,
} from '../consignment/machine/operator.js';
import { isKnownState } from '../consignment/states.js';
import { whatElse } from './hindrances.js';
import { knownConsignment } from './known-consignment.js';
import { type ActionName, actionEntry } from './last-action.js';

/** The actions that change a consignment at once. */
export interface OperatorChanges {
  retry(id: string, by: string): Promise<Consignment>;
  /** @throws NumbersNotPossible */
  resolve(id: string, resolution: Resolution, by: string): Promise<Consignment>;
}

const HOLD_MS = 10_000;

/** @param carryOut does the change */
export function changing(
  context: BookingContext,
  carryOut: (id: string, change: ChangeByHand) => Promise<Consignment>,
): OperatorChanges {
  return {
    retry: (id, by) =>
      carryOut(id, {
        by,
        action: 'retry',
        what: 'retried by operator',
        change: (consignment, now) => {
          const area = context.areas.get(consignment.area);
          return resume(consignment, now, { instead: whatElse(context, consignment), area });
        },
      }),
    resolve: (id, resolution, by) =>
      carryOut(id, {
        by,
        action: 'resolve',
        what: `resolved by operator: ${resolution.answer}`,
        change: (consignment, now) => {
          const after = applyResolution(consignment, resolution, now);
          const traits = carrierTraits(context, consignment);
          requireUsable(consignment, after, traits?.trackingNumberPattern ?? null);
          requireAbsence(consignment, after, { now, visibleAfterMs: traits?.bookingVisibleAfterMs ?? 0 });
          return after;
        },
      }),
  };
}

/** The time of a run that begins later counts from then on, so that it is not given up while it waits. */
export function begunAt(startsAt: Date, change: ChangeByHand): ChangeByHand {
  return {
    ...change,
    change: (consignment, now) => {
      const after = change.change(consignment, now);
      if (after.dueAt === null || after.dueAt >= startsAt) return after;
      const runStartedAt = after.run === consignment.run ? after.runStartedAt : startsAt;
      return { ...after, runStartedAt, dueAt: startsAt };
    },
  };
}

/** A change of one consignment, as the journal names it. */
export interface ChangeByHand {
  readonly by: string;
  readonly action: ActionName;
  readonly what: string;
  readonly change: (consignment: Consignment, now: Date) => Consignment;
}

/** Stores the change unless the consignment is leased. @throws UnknownConsignment | NotPossible | NumbersNotPossible */
export async function changeByHand(
  context: BookingContext,
  id: string,
  { by, action, what, change }: ChangeByHand,
): Promise<Consignment> {
  const { state } = await knownConsignment(context, id);
  if (!isKnownState(state))
    throw new NotPossible(`it is ${state}, a state of another version of Waybridge: ask an instance of that version`);
  const now = context.clock.now();
  const owner = `operator:${randomUUID()}`;
  const held = await seize(context.database, id, { owner, now, until: new Date(now.getTime() + HOLD_MS) });
  if (!held) throw new NotPossible('it is being worked on at this moment: try again in a few seconds');
  const write = (consignment: Consignment, entries: readonly { what: string; fields: object }[]) => {
    const claim = claimOf(held, consignment);
    return save(context.database, consignment, {
      owner,
      now,
      entries: entries.map((entry) => ({ what: entry.what, fields: { ...entry.fields } })),
      keepLease: 'give-back',
      answersCancelRequest: held.cancelRequest !== null && consignment.cancelRequest === null ? 'answered' : 'stands',
      knownCancelRequest: held.cancelRequest,
      ...(claim && { claim }),
    });
  };
  try {
    const after = change(held, now);
    return await write(after, [{ what, fields: { from: held.state, ...actionEntry(action, by, after) } }]);
  } catch (error) {
    const why = error instanceof NumbersTaken ? await whoseNumbers(context, held, change(held, now)) : error;
    if (why instanceof NotPossible || why instanceof NumbersNotPossible) await write(held, []);
    throw why;
  }
}

/** `undefined`: the account is not in the configuration any more. */
function carrierTraits({ accounts }: BookingContext, { plan }: Consignment): Traits | undefined {
  return accounts.get(plan?.account ?? '')?.adapter.traits;
}

/** Claims the numbers that a person has entered, like a carrier's. */
function claimOf(before: Consignment, after: Consignment): NumberClaim | null {
  const numbers = newNumbers(before, after);
  return after.plan === null || numbers.length === 0 ? null : { account: after.plan.account, numbers };
}

async function whoseNumbers(context: BookingContext, before: Consignment, after: Consignment): Promise<NotPossible> {
  const claim = claimOf(before, after);
  const taken = claim ? await takenNumbers(context.database, before.area, { claim, now: context.clock.now() }) : [];
  const each = taken.map(({ trackingNumber, shipmentNumber }) => `${trackingNumber} (shipment ${shipmentNumber})`);
  const whose = each.length > 0 ? `another parcel that is on its way has ${each.join(', ')}` : 'another parcel had it';
  return new NotPossible(`${whose}: look in the portal of ${carrierName(before)} whose number it is`);
}
