import { type Consignment, type Part, partsIn } from '../consignment.js';

/** Requests of which we do not know what became of them. */
export function unanswered(consignment: Consignment): readonly Part[] {
  return partsIn(consignment, 'sending', 'in-doubt');
}

/**
 * Requests that are to be sent again because that is the only way to learn what became of them: planned, and perhaps at
 * the carrier already. `quietFrom` stays on them until an answer comes.
 */
export function toRepeat(consignment: Consignment): readonly Part[] {
  return partsIn(consignment, 'planned').filter((part) => part.quietFrom !== null);
}

/** Everything that may be at the carrier without our knowing. */
export function doubts(consignment: Consignment): readonly Part[] {
  return [...unanswered(consignment), ...toRepeat(consignment)];
}

/** Every reference that somebody has to look for at the carrier. */
export function doubtfulReferences(consignment: Consignment): string {
  const references = doubts(consignment).map((part) => part.request.reference);
  return references.join(', ') || (consignment.reference ?? '-');
}
