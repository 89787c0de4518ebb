import type { Consignment, Effect } from '../consignment.js';
import type { StoredLabel } from '../ledger/label-rows.js';
import { nextStep } from '../machine/next-step.js';
import type { JournalEntry } from '../ledger/save.js';
import { isAtMostOnce } from './write.js';

/**
 * Whatever must not leave twice leaves only after it is written down that it does. Where it is what leaves next, that is
 * written together with what came before: one commit less between a worker and the label.
 * @returns what is to be stored; as it is now when nothing of the kind leaves next
 */
export function recordIntent(consignment: Consignment): Consignment {
  const step = nextStep(consignment);
  const next = new Set(step.kind === 'write' ? step.effects.filter(atMostOnce).map(({ key }) => key) : []);
  return next.size === 0 ? consignment : withState(consignment, next, 'sent');
}

/** A consignment on its way, and the effects of which is written down that they leave, and which have not left. */
export interface InFlight {
  readonly consignment: Consignment;
  readonly announced: ReadonlySet<string>;
  /** What the last step stored or found; everything older is in the database alone. */
  readonly labels: readonly StoredLabel[];
  readonly unstored: Unstored;
}

/** What a step left that goes with what is stored next: whoever dies before finds it again in what is stored already. */
export interface Unstored {
  readonly entries: readonly JournalEntry[];
  readonly labels: readonly StoredLabel[];
}

export const NOTHING_UNSTORED: Unstored = { entries: [], labels: [] };

/**
 * What was announced and stored, as it goes on: not sent, but allowed to be. What is stored after something else came in
 * between takes the announcement back.
 */
export function afterAnnouncing(saved: Consignment, before: Consignment): Pick<InFlight, 'consignment' | 'announced'> {
  const open = new Set(before.effects.filter(atMostOnce).map(({ key }) => key));
  const sent = saved.effects.filter(({ key, state }) => state === 'sent' && open.has(key));
  const announced = new Set(sent.map(({ key }) => key));
  return { consignment: withState(saved, announced, 'open'), announced };
}

/** Effects of a wave that may leave only once, and of which nothing is written down yet. */
export function atMostOnce(effect: Effect): boolean {
  return isAtMostOnce(effect) && effect.state === 'open';
}

function withState(consignment: Consignment, keys: ReadonlySet<string>, state: Effect['state']): Consignment {
  const effects = consignment.effects.map((effect) => (keys.has(effect.key) ? { ...effect, state } : effect));
  return { ...consignment, effects };
}
