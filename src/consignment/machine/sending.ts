import { type Consignment, type MessageDraft, type Part, partsIn } from '../consignment.js';
import { delayMs } from '../retry.js';
import { allOrNone, askPerson, giveUp, isGivenUp } from './endings.js';
import type { Circumstances, Fact, LookUpResult, SendResult } from './fact.js';
import { refusals } from './words.js';

/** Intents are committed for these parts: from here on nobody who finds them may simply send again. */
export function aboutToSend(consignment: Consignment, numbers: readonly number[], now: Date): Consignment {
  const parts = consignment.parts.map((part): Part =>
    numbers.includes(part.n)
      ? { ...part, state: 'sending', attempt: part.attempt + 1, sentAt: now.toISOString(), quietFrom: null }
      : part,
  );
  return { ...consignment, parts, state: 'booking' };
}

/** The carrier's answers to what was sent. */
export function sent(
  consignment: Consignment,
  results: readonly SendResult[],
  circumstances: Circumstances,
): Consignment {
  const parts = consignment.parts.map((part) => {
    const result = results.find((candidate) => candidate.n === part.n);
    return result ? withResult(part, result, circumstances.now) : part;
  });
  const after = { ...consignment, parts };
  if (results.some((result) => isDuplicateOfLost(consignment, result))) return askPerson(after, circumstances.now);
  if (partsIn(after, 'in-doubt').length > 0) return { ...after, state: 'in-doubt', tries: 0, dueAt: circumstances.now };
  const messages = after.parts.flatMap((part) => refusalsOf(after, part, results));
  if (messages.length > 0) return allOrNone(after, messages, circumstances);
  const waiting = results.flatMap((result) => (result.kind === 'unavailable' ? [result] : []));
  if (waiting.length > 0)
    return waitForCarrier(after, Math.max(...waiting.map((w) => w.retryAfterMs ?? 0)), circumstances);
  return onward(after, circumstances.now);
}

function withResult(part: Part, result: SendResult, now: Date): Part {
  switch (result.kind) {
    case 'booked': {
      const refused = result.booking.parcels.flatMap((parcel) => (parcel.kind === 'refused' ? parcel.problems : []));
      const anyBooked = result.booking.parcels.some((parcel) => parcel.kind === 'booked');
      return {
        ...part,
        state: anyBooked ? 'booked' : 'refused',
        booking: result.booking,
        labels: result.labels,
        problems: refused,
      };
    }
    case 'rejected':
      return { ...part, state: 'refused', problems: result.problems };
    case 'unavailable':
      return { ...part, state: 'planned', attempt: part.attempt - 1, sentAt: null };
    case 'unknown':
      return { ...part, state: 'in-doubt', quietFrom: now.toISOString() };
  }
}

/** "I have this already" after an answer was lost: the first one was booked, and only a person can see it. */
function isDuplicateOfLost(before: Consignment, result: SendResult): boolean {
  const part = before.parts.find((candidate) => candidate.n === result.n);
  return result.kind === 'rejected' && result.because === 'duplicate' && (part?.attempt ?? 0) > 1;
}

function refusalsOf(consignment: Consignment, part: Part, results: readonly SendResult[]): readonly MessageDraft[] {
  const result = results.find((candidate) => candidate.n === part.n);
  if (!result || part.problems.length === 0) return [];
  const credentials = result.kind === 'rejected' && result.because === 'credentials';
  return refusals(consignment, part, credentials ? 'credentials' : 'data');
}

function waitForCarrier(consignment: Consignment, retryAfterMs: number, circumstances: Circumstances): Consignment {
  if (isGivenUp(consignment, circumstances)) return giveUp(consignment, circumstances);
  const delay = delayMs(consignment.tries, retryAfterMs, circumstances.random);
  return { ...consignment, tries: consignment.tries + 1, dueAt: new Date(circumstances.now.getTime() + delay) };
}

function onward(consignment: Consignment, now: Date): Consignment {
  const all = partsIn(consignment, 'planned', 'sending', 'in-doubt').length === 0;
  return { ...consignment, state: all ? 'booked' : 'booking', tries: 0, dueAt: now };
}

/** What asking the carrier gave for a part in doubt. */
export function lookedUp(
  consignment: Consignment,
  fact: Extract<Fact, { kind: 'looked-up' }>,
  circumstances: Circumstances,
): Consignment {
  const { result } = fact;
  if (result.kind === 'person')
    return askPerson(withPart(consignment, fact.n, { state: 'in-doubt' }), circumstances.now);
  if (result.kind === 'absent' && result.conclusiveAt > circumstances.now) {
    const waiting = withPart(consignment, fact.n, { state: 'in-doubt' });
    return { ...waiting, state: 'in-doubt', dueAt: result.conclusiveAt };
  }
  return onward(withPart(consignment, fact.n, cleared(result)), circumstances.now);
}

function cleared(result: Exclude<LookUpResult, { kind: 'person' }>): Partial<Part> {
  switch (result.kind) {
    case 'found':
      return { state: 'booked', booking: result.booking, unmatched: result.unmatched, labels: 'missing' };
    case 'absent':
    case 'send-again':
      return { state: 'planned' };
  }
}

function withPart(consignment: Consignment, n: number, change: Partial<Part>): Consignment {
  return { ...consignment, parts: consignment.parts.map((part) => (part.n === n ? { ...part, ...change } : part)) };
}
