import { type Consignment, type Effect, partsIn } from '../consignment.js';
import { END_STATES } from '../states.js';
import { doubts, toRepeat, unanswered } from './doubts.js';

/** What `advance` does next for a consignment. */
export type NextStep =
  | { readonly kind: 'write'; readonly effects: readonly Effect[] }
  | { readonly kind: 'prepare' }
  | { readonly kind: 'book'; readonly parts: readonly number[] }
  | { readonly kind: 'find-outcome'; readonly part: number }
  | { readonly kind: 'fetch-labels' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'nothing-to-cancel' }
  | { readonly kind: 'rest' };

/** Decides the next step; pure. Order: cancel, write open effects, resolve doubts, go forward. */
export function nextStep(consignment: Consignment): NextStep {
  const ended = END_STATES.includes(consignment.state);
  // A person ended it in doubt; the parts that are certainly booked can still be cancelled.
  const certain = !consignment.needsOperator && (ended || doubts(consignment).length === 0);
  if (consignment.cancelRequest && certain) return takeBack(consignment);
  const open = firstWave(consignment.effects);
  if (open.length > 0) return { kind: 'write', effects: open };
  return consignment.needsOperator || ended ? { kind: 'rest' } : goOn(consignment);
}

function goOn(consignment: Consignment): NextStep {
  const [doubtful] = unanswered(consignment);
  if (doubtful) return { kind: 'find-outcome', part: doubtful.n };
  const repeated = toRepeat(consignment);
  if (repeated.length > 0) return { kind: 'book', parts: repeated.map((part) => part.n) };
  return consignment.compensating ? takeBack(consignment) : forward(consignment);
}

function takeBack(consignment: Consignment): NextStep {
  return partsIn(consignment, 'booked').length > 0 ? { kind: 'cancel' } : { kind: 'nothing-to-cancel' };
}

function forward(consignment: Consignment): NextStep {
  if (consignment.state === 'received') return { kind: 'prepare' };
  // Parts are sent one after the other: each number is stored before the next request leaves, and a wrong address shows
  // before anything has to be cancelled.
  const [planned] = partsIn(consignment, 'planned');
  if (planned) return { kind: 'book', parts: [planned.n] };
  if (consignment.state === 'booked') return { kind: 'fetch-labels' };
  // No number and no label: there is nothing to write, but the consignment has to end.
  if (consignment.state === 'labelled') return { kind: 'write', effects: [] };
  return { kind: 'rest' };
}

function firstWave(effects: readonly Effect[]): readonly Effect[] {
  const open = effects.filter((effect) => effect.state === 'open' || effect.state === 'sent');
  const first = Math.min(...open.map((effect) => effect.wave));
  return open.filter((effect) => effect.wave === first);
}
