import { type PartAnswer, type Resolution, SENT_SINCE, isSentSince } from '../../consignment/machine/operator.js';
import type { CsvAnswers } from '../../operator/bulk/answers-csv.js';
import type { OpenBooking, Unconfirmed } from '../../operator/needs-a-person/bookings.js';

export const OUTCOMES = ['booked', 'not-booked', 'give-up'] as const;
export type AnswerOutcome = (typeof OUTCOMES)[number];

const MAX_NUMBER = 100;

/** What a person says about one reference. */
export interface Answer {
  /** `null`: not answered yet. */
  readonly outcome: AnswerOutcome | null;
  /** Tracking numbers by the id of the container; those that were given. */
  readonly numbers: Readonly<Record<string, string>>;
  readonly carrierNumber: string | null;
  /** When the request was sent that the person looked up, which may be an earlier one; `null`: not by us. */
  readonly seenAt: Date | null;
}

/** By `answerKey`. */
export type Answers = ReadonlyMap<string, Answer>;

/** The fields of a form. */
export type FormFields = Readonly<Record<string, unknown>>;

export const NO_ANSWER: Answer = { outcome: null, numbers: {}, carrierNumber: null, seenAt: null };

export function answerKey(id: string, reference: string): string {
  return `${id}:${reference}`;
}

/** The names of the form's fields for one reference. */
export function fieldsOf(id: string, reference: string) {
  const key = answerKey(id, reference);
  return {
    outcome: `outcome:${key}`,
    number: (container: string) => `number:${key}:${container}`,
    carrierNumber: `carrierNumber:${key}`,
    sent: `sent:${key}`,
  };
}

/** A field of the form with the time at which a request was sent; empty: not by us. */
export function sentIn(value: unknown): Date | null {
  const at = new Date(typedIn(value));
  return Number.isNaN(at.getTime()) ? null : at;
}

/** The answers of the form. */
export function answersIn(fields: FormFields, bookings: readonly OpenBooking[]): Answers {
  const entries = bookings.flatMap(({ id, unconfirmed }) =>
    unconfirmed.map(({ reference, containers }) => {
      const names = fieldsOf(id, reference);
      const outcome = OUTCOMES.find((each) => each === fields[names.outcome]) ?? null;
      const numbers = containers.map((container) => [container, typedIn(fields[names.number(container)])] as const);
      const carrierNumber = typedIn(fields[names.carrierNumber]) || null;
      const given = Object.fromEntries(numbers.filter(([, number]) => number !== ''));
      const seenAt = sentIn(fields[names.sent]);
      return [answerKey(id, reference), { outcome, numbers: given, carrierNumber, seenAt }] as const;
    }),
  );
  return new Map(entries);
}

/** What was typed into a field of the form; `''`: nothing. */
export function typedIn(value: unknown): string {
  if (typeof value !== 'string') return '';
  const visible = value.replace(/[^\x20-\x7e]/g, '').trim();
  return visible.slice(0, MAX_NUMBER);
}

/** Whether the person has said anything. */
export function isGiven({ outcome, numbers }: Answer): boolean {
  return outcome !== null || Object.keys(numbers).length > 0;
}

/** Answers about requests that were sent again since, in words: they are not taken. */
export function outdatedIn(answers: Answers, bookings: readonly OpenBooking[]): readonly string[] {
  return bookings.flatMap(({ id, shipment, unconfirmed }) =>
    unconfirmed
      .filter(({ reference, sentAt }) => {
        const answer = answers.get(answerKey(id, reference)) ?? NO_ANSWER;
        return isGiven(answer) && answer.seenAt?.getTime() !== sentAt?.getTime();
      })
      .map(({ reference }) => `Shipment ${shipment}: ${reference} ${SENT_SINCE}.`),
  );
}

export interface Filled {
  readonly answers: Answers;
  /** Rows of the table that were not taken, in words. */
  readonly problems: readonly string[];
}

/** Fills the list with a table of answers: a row of it counts more than what was typed. */
export function withTable(answers: Answers, table: CsvAnswers, bookings: readonly OpenBooking[]): Filled {
  const filled = new Map(answers);
  const problems = table.problems.map(({ line, because }) => `Line ${line}: ${because}.`);
  for (const { id, resolution } of table.answers) {
    const booking = bookings.find((each) => each.id === id);
    if (!booking) {
      problems.push(`${id} is not in this list: it is not in doubt any more, or has another cause.`);
      continue;
    }
    for (const [reference, answer] of answersOf(resolution, booking)) {
      const key = answerKey(id, reference);
      const open = booking.unconfirmed.find((one) => one.reference === reference);
      if (open && isSentSince(open, resolution))
        problems.push(`Shipment ${booking.shipment}: ${reference} ${SENT_SINCE}.`);
      else if (open) filled.set(key, { ...answer, seenAt: open.sentAt });
      else problems.push(`Shipment ${booking.shipment}: ${reference || 'a row without a reference'} is not in doubt.`);
    }
  }
  return { answers: filled, problems };
}

function answersOf(
  resolution: Resolution,
  { unconfirmed }: OpenBooking,
): readonly (readonly [string, Omit<Answer, 'seenAt'>])[] {
  switch (resolution.answer) {
    case 'give-up':
      return unconfirmed.map(({ reference }) => [reference, { ...NO_ANSWER, outcome: 'give-up' }]);
    case 'parts':
      return resolution.parts.map((part) => [part.reference, answerOfPart(part)]);
    case 'booked':
    case 'not-booked': {
      const [only] = unconfirmed;
      const reference = only && unconfirmed.length === 1 ? only.reference : '';
      const part = { ...resolution, reference, outcome: resolution.answer } as PartAnswer;
      return [[reference, answerOfPart(part)]];
    }
  }
}

function answerOfPart(part: PartAnswer): Omit<Answer, 'seenAt'> {
  if (part.outcome === 'not-booked') return { ...NO_ANSWER, outcome: 'not-booked' };
  return { outcome: 'booked', numbers: part.trackingNumbers, carrierNumber: part.carrierNumber };
}

/** What the answers of one booking come to. */
export type JudgedBooking = { readonly booking: OpenBooking } & (
  | { readonly kind: 'answered'; readonly resolution: Resolution }
  | { readonly kind: 'open' }
  | { readonly kind: 'wrong'; readonly because: string }
);

interface JudgedAt {
  readonly now: Date;
  /** Writes a time in words. */
  readonly time: (at: Date) => string;
}

/** The answers of a form, also to bookings that are not in doubt any more. */
export function judgeAll(
  fields: FormFields,
  bookings: readonly OpenBooking[],
  moment: JudgedAt,
): readonly JudgedBooking[] {
  const answers = answersIn(fields, bookings);
  return bookings.map((booking) =>
    booking.unconfirmed.length === 0 && isAnsweredIn(fields, booking.id)
      ? { booking, kind: 'wrong', because: 'it is not in doubt any more: the answer changes nothing' }
      : judge(booking, answers, moment),
  );
}

function isAnsweredIn(fields: FormFields, id: string): boolean {
  const prefix = fieldsOf(id, '').outcome;
  return Object.entries(fields).some(
    ([name, value]) => name.startsWith(prefix) && OUTCOMES.some((outcome) => outcome === value),
  );
}

export function judge(booking: OpenBooking, answers: Answers, { now, time }: JudgedAt): JudgedBooking {
  const given = booking.unconfirmed.map((one) => {
    const answer = answers.get(answerKey(booking.id, one.reference)) ?? NO_ANSWER;
    return { ...one, answer };
  });
  if (given.every(({ answer }) => answer.outcome === null)) return { booking, kind: 'open' };
  const seen = given.map(({ reference, answer }) => ({ reference, sentAt: answer.seenAt }));
  if (given.every(({ answer }) => answer.outcome === 'give-up'))
    return { booking, kind: 'answered', resolution: { answer: 'give-up', seen } };
  const because = given.map((one) => whyWrong(one, one.answer, { now, time })).find((each) => each !== null);
  if (because) return { booking, kind: 'wrong', because };
  return { booking, kind: 'answered', resolution: { answer: 'parts', parts: given.map(partOf), seen } };
}

function whyWrong(
  { reference, containers, certainFrom }: Unconfirmed,
  { outcome, numbers }: Answer,
  { now, time }: JudgedAt,
): string | null {
  if (outcome === null) return `${reference} is not answered: answer for each reference of the shipment`;
  if (outcome === 'give-up') return 'giving up is about the whole shipment: answer the same for each reference';
  if (outcome === 'not-booked')
    return certainFrom !== null && certainFrom > now
      ? `${reference} may still appear at the carrier until ${time(certainFrom)}: look again then`
      : null;
  const missing = containers.filter((container) => numbers[container] === undefined);
  if (missing.length === 0) return null;
  return containers.length === 1
    ? `${reference} lacks its tracking number`
    : `${reference} lacks the tracking number of container ${missing.join(', ')}`;
}

function partOf({ reference, answer }: Unconfirmed & { readonly answer: Answer }): PartAnswer {
  const { outcome, numbers, carrierNumber } = answer;
  if (outcome !== 'booked') return { reference, outcome: 'not-booked' };
  return { reference, outcome, carrierNumber, trackingNumbers: numbers };
}
