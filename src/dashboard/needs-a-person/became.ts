import type { BulkResult } from '../../operator/bulk/bulk.js';
import type { OpenBooking } from '../../operator/needs-a-person/bookings.js';
import type { JudgedBooking } from './answers.js';
import type { Shown } from '../shapes.js';
import { shownState } from '../shapes.js';
import type { PageMoment } from './list-view.js';

/** What became of one booking. */
export interface BecameRow {
  readonly href: string;
  readonly shipment: string;
  readonly shown: Shown;
  readonly text: string;
  readonly numbers: readonly string[];
  readonly by: string;
}

export function becameRow(booking: OpenBooking, { now, times }: PageMoment): BecameRow {
  const { id, shipment, lastAction, dueAt, reason, trackingNumbers } = booking;
  const waits = dueAt !== null && dueAt > now ? `Begins at ${times.time(dueAt)}. ` : '';
  return {
    href: `/consignments/${id}`,
    shipment,
    shown: shownState(booking, now),
    text: lastAction === null ? (reason ?? '') : `${waits}${lastAction.text}`,
    numbers: trackingNumbers,
    by: lastAction === null ? '' : `${lastAction.action} by ${lastAction.by}, ${times.time(lastAction.at)}`,
  };
}

/** Whether nothing more happens to any of them by itself. */
export function areAtRest(bookings: readonly OpenBooking[]): boolean {
  return bookings.every(({ dueAt }) => dueAt === null);
}

/** What became of one booking of a form. */
export type BookingResult = Pick<BulkResult, 'id' | 'outcome' | 'because'>;

export function wrongIn(judged: readonly JudgedBooking[]): readonly BookingResult[] {
  return judged.flatMap((each) =>
    each.kind === 'wrong' ? [{ id: each.booking.id, outcome: 'not-possible', because: each.because }] : [],
  );
}

/** What was not done, by shipment, in words: why, and which operator acted before. @param bookings as they are now */
export function refusedIn(results: readonly BookingResult[], bookings: readonly OpenBooking[], { times }: PageMoment) {
  return results
    .filter(({ outcome }) => outcome !== 'accepted')
    .map(({ id, because }) => {
      const { shipment = id, lastAction = null } = bookings.find((booking) => booking.id === id) ?? {};
      const last =
        lastAction === null ? '' : ` (last: ${lastAction.action} by ${lastAction.by}, ${times.time(lastAction.at)})`;
      return { href: `/consignments/${id}`, shipment, because: `${because ?? ''}${last}` };
    });
}
