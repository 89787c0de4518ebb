import type { Consignment, Effect } from './consignment.js';
import type { StoredLabel } from './label-rows.js';
import { nextStep } from './machine/next-step.js';
import { mustNotRepeat } from './steps/write.js';

/**
 * Whatever must not leave twice leaves only after it is written down that it does. Where it is what leaves next, that is
 * written together with what came before: one commit less between a worker and the label.
 * @returns what is to be stored; as it is now when nothing of the kind leaves next
 */
export function announce(consignment: Consignment): Consignment {
  const step = nextStep(consignment);
  const next = new Set(step.kind === 'write' ? step.effects.filter(leavesOnce).map(({ key }) => key) : []);
  return next.size === 0 ? consignment : withState(consignment, next, 'sent');
}

/** A consignment on its way, and the effects of which is written down that they leave, and which have not left. */
export interface OnItsWay {
  readonly consignment: Consignment;
  readonly announced: ReadonlySet<string>;
  /** What the last step stored; everything older is in the database alone. */
  readonly labels: readonly StoredLabel[];
}

/**
 * What was announced and stored, as it goes on: not sent, but allowed to be. What is stored after something else came in
 * between takes the announcement back.
 */
export function afterAnnouncing(saved: Consignment, before: Consignment): Omit<OnItsWay, 'labels'> {
  const open = new Set(before.effects.filter(leavesOnce).map(({ key }) => key));
  const sent = saved.effects.filter(({ key, state }) => state === 'sent' && open.has(key));
  const announced = new Set(sent.map(({ key }) => key));
  return { consignment: withState(saved, announced, 'open'), announced };
}

/** Effects of a wave that may leave only once, and of which nothing is written down yet. */
export function leavesOnce(effect: Effect): boolean {
  return mustNotRepeat(effect) && effect.state === 'open';
}

function withState(consignment: Consignment, keys: ReadonlySet<string>, state: Effect['state']): Consignment {
  const effects = consignment.effects.map((effect) => (keys.has(effect.key) ? { ...effect, state } : effect));
  return { ...consignment, effects };
}
