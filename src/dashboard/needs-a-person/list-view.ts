import type { OpenBooking, Unconfirmed } from '../../operator/needs-a-person/bookings.js';
import type { Times } from '../format.js';
import { type Answers, NO_ANSWER, OUTCOMES, type AnswerOutcome, fieldsOf, isGiven, answerKey } from './answers.js';

/** A reference in doubt with what was answered so far. */
export interface AnswerRow {
  readonly id: string;
  readonly href: string;
  readonly shipment: string;
  readonly reference: string;
  readonly sent: { readonly words: string; readonly at: string } | null;
  readonly parcels: number;
  readonly to: string;
  readonly field: string;
  readonly options: readonly {
    readonly value: AnswerOutcome;
    readonly words: string;
    readonly checked: boolean;
    /** Why it cannot be chosen; `null`: it can. */
    readonly notBecause: string | null;
  }[];
  readonly numbers: readonly { readonly name: string; readonly container: string; readonly value: string }[];
  readonly carrierNumber: { readonly name: string; readonly value: string };
  /** The request that the answer is about, which may be an earlier one: the form names it, and it is not taken then. */
  readonly seen: { readonly name: string; readonly value: string };
}

export interface PageMoment {
  readonly now: Date;
  readonly times: Times;
}

export function answerRows(
  bookings: readonly OpenBooking[],
  answers: Answers,
  moment: PageMoment,
): readonly AnswerRow[] {
  return bookings.flatMap((booking) =>
    booking.unconfirmed.map((one) => answerRow(booking, one, { answers, ...moment })),
  );
}

function answerRow(
  { id, shipment, to, carrier }: OpenBooking,
  { reference, containers, sentAt, certainFrom }: Unconfirmed,
  { answers, now, times }: PageMoment & { readonly answers: Answers },
): AnswerRow {
  const answer = answers.get(answerKey(id, reference)) ?? NO_ANSWER;
  const { outcome, numbers, carrierNumber } = answer;
  const seenAt = isGiven(answer) ? answer.seenAt : sentAt;
  const names = fieldsOf(id, reference);
  const words = wordsOf(carrier);
  const tooEarly = certainFrom !== null && certainFrom > now ? `from ${times.time(certainFrom)} on` : null;
  return {
    ...{ id, href: `/consignments/${id}`, shipment, reference, parcels: containers.length, to: townOf(to) },
    sent: sentAt && { words: times.time(sentAt), at: sentAt.toISOString() },
    field: names.outcome,
    options: OUTCOMES.map((value) => ({
      ...{ value, words: words[value], checked: outcome === value },
      notBecause: value === 'not-booked' ? tooEarly : null,
    })),
    numbers: containers.map((container) => ({
      ...{ name: names.number(container), container, value: numbers[container] ?? '' },
    })),
    carrierNumber: { name: names.carrierNumber, value: carrierNumber ?? '' },
    seen: { name: names.sent, value: seenAt?.toISOString() ?? '' },
  };
}

function wordsOf(carrier: string | null): Readonly<Record<AnswerOutcome, string>> {
  return { booked: `${carrier ?? 'Carrier'} has it`, 'not-booked': 'Not there', 'give-up': 'Give up' };
}

/** `3400 Hillerød, DK`: no name, no street. */
export function townOf(to: OpenBooking['to']): string {
  if (to === null) return '—';
  const town = [to.postalCode, to.town].filter(Boolean).join(' ');
  return [town, to.countryCode].filter(Boolean).join(', ') || '—';
}

/** A booking that can be retried. */
export interface RetryRow {
  readonly id: string;
  readonly href: string;
  readonly shipment: string;
  readonly reason: string;
  readonly to: string;
  readonly parcels: number;
  readonly since: { readonly words: string; readonly at: string };
}

export function retryRow({ id, shipment, reason, to, parcels, updatedAt }: OpenBooking, times: Times): RetryRow {
  return {
    ...{ id, href: `/consignments/${id}`, shipment, reason: reason ?? '', to: townOf(to), parcels },
    since: { words: times.time(updatedAt), at: updatedAt.toISOString() },
  };
}
