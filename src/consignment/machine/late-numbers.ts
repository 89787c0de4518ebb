import { createHash } from 'node:crypto';
import type { Booking } from '../../../carriers/contract/model.js';
import type { Consignment, Part } from '../consignment.js';
import { END_STATES } from '../states.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { doubts } from './doubts.js';
import type { Fact } from './facts.js';
import { subject, tell } from './booking-messages.js';

const MESSAGE_WAVE = 1;
const MAX_NAMED = 10;
const DIGEST_CHARACTERS = 12;

/**
 * Adds a message about parcels that a late answer confirms under numbers that the consignment does not have. Changes
 * nothing else, and adds the message once, however often the answer is stored.
 * @returns the same consignment when there is no such number
 */
export function withLateNumbers(row: Consignment, fact: Fact): Consignment {
  const unknown = unknownNumbers(row, fact);
  const end = `:late-${digestOf(unknown)}`;
  if (unknown.length === 0 || row.effects.some(({ key }) => key.endsWith(end))) return row;
  const told = tell(row, MESSAGE_WAVE, [messageFor(row, fact, unknown)]);
  return { ...row, effects: [...row.effects, ...told.map((effect) => ({ ...effect, key: `${effect.key}${end}` }))] };
}

/** Distinguishes the messages of two late answers in one run. */
function digestOf(numbers: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(numbers)).digest('hex').slice(0, DIGEST_CHARACTERS);
}

function messageFor(row: Consignment, fact: Fact, unknown: readonly string[]): MessageDraft {
  const about = { ...subject(row), late: words(unknown) };
  const others = numbersOf(row.parts.filter((part) => part.state !== 'cancelled' && isAnswered(part, fact)));
  if (others.size > 0) return say('late-answer', { ...about, numbers: words([...others]) });
  return say(mayBeBookedAgain(row) ? 'late-answer-open' : 'late-answer-only', about);
}

function words(numbers: readonly string[]): string {
  const more = numbers.length > MAX_NAMED ? ' ...' : '';
  return `${numbers.slice(0, MAX_NAMED).join(', ')}${more}`;
}

function mayBeBookedAgain(row: Consignment): boolean {
  const hasEnded = END_STATES.includes(row.outcome ?? row.state);
  return !hasEnded || doubts(row).length > 0;
}

function isAnswered({ request }: Part, fact: Fact): boolean {
  const answered = new Set(bookingsIn(fact).flatMap(({ parcels }) => parcels.map(({ parcelId }) => parcelId)));
  return request.parcels.some(({ id }) => answered.has(id));
}

/** Parcels that the late answer confirms under numbers that we do not have. */
export function unknownNumbers(row: Consignment, fact: Fact): readonly string[] {
  const known = numbersOf(row.parts);
  return numbersIn(fact).filter((number) => !known.has(number));
}

/** Includes numbers that were not believed and numbers of cancelled parts: a person knows them. */
function numbersOf(parts: readonly Part[]): ReadonlySet<string> {
  const believed = parts.flatMap(({ booking }) => trackingNumbersOf(booking?.parcels ?? []));
  const others = parts.flatMap(({ unmatched, unusable = [] }) => [...unmatched, ...unusable.map(({ given }) => given)]);
  return new Set([...believed, ...others]);
}

/** Tracking numbers that a carrier has confirmed. */
export function numbersIn(fact: Fact): readonly string[] {
  return bookingsIn(fact).flatMap(({ parcels }) => trackingNumbersOf(parcels));
}

function bookingsIn(fact: Fact): readonly Booking[] {
  if (fact.kind !== 'sent') return [];
  return fact.results.flatMap((result) => (result.kind === 'booked' ? [result.booking] : []));
}

function trackingNumbersOf(parcels: Booking['parcels']): readonly string[] {
  return parcels.flatMap((parcel) => (parcel.kind === 'booked' ? [parcel.trackingNumber] : []));
}
