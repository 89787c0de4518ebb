import type { Consignment, Effect } from '../consignment.js';
import type { StoredLabel } from '../ledger/label-rows.js';
import { nextStep } from '../machine/next-step.js';
import type { JournalEntry } from '../ledger/save.js';
import type { SiblingSnapshot } from '../ledger/sequence.js';
import { isAtMostOnce } from './write.js';

/**
 * Marks at-most-once effects of the next wave as sent, before they are sent. The mark is stored together with the
 * previous result: one commit less on a booking's way.
 * @returns what is to be stored; the consignment itself when the next wave has no such effect
 */
export function recordIntent(consignment: Consignment): Consignment {
  const step = nextStep(consignment);
  const next = new Set(step.kind === 'write' ? step.effects.filter(needsIntent).map(({ key }) => key) : []);
  return next.size === 0 ? consignment : withState(consignment, next, 'sent');
}

/** A consignment between two steps, with the effects that are marked as sent and not sent yet. */
export interface InFlight {
  readonly consignment: Consignment;
  readonly intended: ReadonlySet<string>;
  /** What the last step stored or found; older labels are in the database only. */
  readonly labels: readonly StoredLabel[];
  readonly pendingWrites: PendingWrites;
  /** The plan of `consignment`, while it is not stored; `null`: it is, or there is none. */
  readonly unsavedPlan: UnsavedPlan | null;
  /** How often a plan was dropped and made again. */
  readonly conflicts: number;
}

/** A plan that is stored together with the intent to send its first request. */
export interface UnsavedPlan {
  /** What is stored. */
  readonly before: Consignment;
  /** The siblings that the plan was made beside. */
  readonly snapshot: SiblingSnapshot;
}

/**
 * Results that are stored together with the next step. They are lost when the process dies first, and can be made again
 * from what is stored.
 */
export interface PendingWrites {
  readonly entries: readonly JournalEntry[];
  readonly labels: readonly StoredLabel[];
}

export const NO_PENDING_WRITES: PendingWrites = { entries: [], labels: [] };

/** Everything is stored. */
export const NOTHING_IN_FLIGHT: Omit<InFlight, 'consignment'> = {
  ...{ intended: new Set(), labels: [], pendingWrites: NO_PENDING_WRITES },
  ...{ unsavedPlan: null, conflicts: 0 },
};

/** The in-flight effects after they were stored. If another fact is stored in between, the marks are removed. */
export function afterRecording(saved: Consignment, before: Consignment): Pick<InFlight, 'consignment' | 'intended'> {
  const open = new Set(before.effects.filter(needsIntent).map(({ key }) => key));
  const sent = saved.effects.filter(({ key, state }) => state === 'sent' && open.has(key));
  const intended = new Set(sent.map(({ key }) => key));
  return { consignment: withState(saved, intended, 'open'), intended };
}

/** Whether the intent to send an effect is stored before it is sent: it is sent at most once, and was not sent yet. */
export function needsIntent(effect: Effect): boolean {
  return isAtMostOnce(effect) && effect.state === 'open';
}

function withState(consignment: Consignment, keys: ReadonlySet<string>, state: Effect['state']): Consignment {
  const effects = consignment.effects.map((effect) => (keys.has(effect.key) ? { ...effect, state } : effect));
  return { ...consignment, effects };
}
