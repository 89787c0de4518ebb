import type { Resolution } from '../../consignment/machine/operator.js';
import type { BulkResult } from '../../operator/bulk/bulk.js';
import type { OpenBooking } from '../../operator/needs-a-person/bookings.js';
import { count, duration, plural } from '../format.js';
import type { JudgedBooking } from './answers.js';

/** How many begin in a second: what a person can choose. */
export const PACES = [
  { value: '0.2', words: '1 in 5 seconds' },
  { value: '1', words: '1 a second' },
  { value: '5', words: '5 a second' },
  { value: '25', words: '25 a second' },
] as const;
const USUAL_PACE = '5';
const SECOND_MS = 1_000;

/** The pace of a form; the usual one where it names none. */
export function paceIn(given: unknown): (typeof PACES)[number] {
  const usual = PACES.find(({ value }) => value === USUAL_PACE) ?? PACES[0];
  return PACES.find(({ value }) => value === given) ?? usual;
}

/** What a person reads before many bookings are changed. */
export interface Review {
  readonly question: string;
  readonly will: readonly string[];
  readonly willNot: readonly string[];
  /** Bookings that are left out, and why. */
  readonly leftOut: readonly { readonly href: string; readonly shipment: string; readonly because: string }[];
  /** `null`: nothing can be done. */
  readonly button: string | null;
}

interface Ready {
  readonly booking: OpenBooking;
  readonly resolution: Resolution;
}

/** @param tried what each would come to now, for those that are answered */
export function reviewOfAnswers(
  judged: readonly JudgedBooking[],
  tried: readonly BulkResult[],
  { carrier, perSecond }: { readonly carrier: string; readonly perSecond: number },
): Review {
  const answered = judged.filter((each) => each.kind === 'answered');
  const ready = answered.filter(({ booking }) => isActionTaken(tried, booking.id));
  const open = judged.filter(({ kind }) => kind === 'open').length;
  const leftOut = [
    ...judged.flatMap((each) => (each.kind === 'wrong' ? [named(each.booking, each.because)] : [])),
    ...answered
      .filter((each) => !ready.includes(each))
      .map(({ booking }) => named(booking, becauseOf(tried, booking.id))),
  ];
  return {
    question: ready.length === 0 ? 'No answer can be applied yet' : `Apply ${plural(ready.length, 'answer')}?`,
    will: [...willOf(ready, carrier), ...lasting(ready.length, perSecond)],
    willNot: [
      `ask ${carrier}: only its portal can tell`,
      ...(open === 0
        ? []
        : [`touch the ${count(open)} without an answer: ${open === 1 ? 'it stays' : 'they stay'} open`]),
    ],
    leftOut,
    button: ready.length === 0 ? null : `Apply ${plural(ready.length, 'answer')}`,
  };
}

/** The bookings that have an answer, which the service would take. */
export function readyIn(judged: readonly JudgedBooking[], tried: readonly BulkResult[]): readonly Ready[] {
  return judged.flatMap((each) =>
    each.kind === 'answered' && isActionTaken(tried, each.booking.id) ? [{ ...each, resolution: each.resolution }] : [],
  );
}

function willOf(ready: readonly Ready[], carrier: string): readonly string[] {
  const outcomes = ready.flatMap(({ resolution }) =>
    resolution.answer === 'parts' ? resolution.parts.map(({ outcome }) => outcome) : [],
  );
  const there = outcomes.filter((outcome) => outcome === 'booked').length;
  const notThere = outcomes.length - there;
  const givenUp = ready.filter(({ resolution }) => resolution.answer === 'give-up').length;
  return [
    there === 0
      ? ''
      : `write the numbers of ${count(there)} that ${carrier} has to the IMS; print labels that cannot be fetched in the portal of ${carrier}`,
    notThere === 0 ? '' : `book ${count(notThere)} again that ${notThere === 1 ? 'is' : 'are'} not there`,
    givenUp === 0
      ? ''
      : `give up ${count(givenUp)}: ${givenUp === 1 ? 'its document fails' : 'their documents fail'}, and the packer is told`,
  ].filter((line) => line !== '');
}

/** How long it takes to begin all of them. */
function lasting(many: number, perSecond: number): readonly string[] {
  const ms = ((many - 1) * SECOND_MS) / perSecond;
  return ms < SECOND_MS ? [] : [`begin the last one after ${duration(ms)}`];
}

export function reviewOfRetries(
  bookings: readonly OpenBooking[],
  tried: readonly BulkResult[],
  perSecond: number,
): Review {
  const ready = bookings.filter(({ id }) => isActionTaken(tried, id));
  const isOne = ready.length === 1;
  return {
    question: ready.length === 0 ? 'Nothing can be retried' : `Retry ${plural(ready.length, 'booking')}?`,
    will: [
      `read ${isOne ? 'the shipment' : 'each shipment'} again in the IMS, and book the parcels that are not booked`,
      'tell the packer the result',
      ...lasting(ready.length, perSecond),
    ],
    willNot: ['book again what is booked', 'help while the cause stays: the same refusal comes back'],
    leftOut: bookings.filter((each) => !ready.includes(each)).map((each) => named(each, becauseOf(tried, each.id))),
    button: ready.length === 0 ? null : `Retry ${plural(ready.length, 'booking')}`,
  };
}

function isActionTaken(results: readonly BulkResult[], id: string): boolean {
  return results.some((result) => result.id === id && result.outcome === 'accepted');
}

function becauseOf(results: readonly BulkResult[], id: string): string {
  return results.find((result) => result.id === id)?.because ?? 'it is not there any more';
}

function named({ id, shipment, lastAction }: OpenBooking, because: string) {
  const last = lastAction === null ? '' : ` (last: ${lastAction.action} by ${lastAction.by})`;
  return { href: `/consignments/${id}`, shipment, because: `${because}${last}` };
}
