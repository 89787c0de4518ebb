import { csvLine } from '../../http/csv.js';
import { ANSWER_COLUMNS, NotATable, readAnswers } from '../../operator/bulk/answers-csv.js';
import type { OpenBooking } from '../../operator/needs-a-person/bookings.js';
import { type Answers, type Filled, withTable } from './answers.js';

/** Behind the columns of the answers: what helps to find a booking in the carrier's portal. */
const TO_FIND = ['postalCode', 'town', 'country'];

/** A row for each parcel in doubt, without answers: filled in, it is the table that is uploaded. */
export function listToCheck(bookings: readonly OpenBooking[]): string {
  const rows = bookings.flatMap(({ id, shipment, carrier, to, unconfirmed }) =>
    unconfirmed.flatMap(({ reference, containers, sentAt }) =>
      containers.map((container) => [
        ...[id, shipment, carrier, reference, container, '', '', '', sentAt],
        ...[to?.postalCode ?? null, to?.town ?? null, to?.countryCode ?? null],
      ]),
    ),
  );
  return [[...ANSWER_COLUMNS, ...TO_FIND], ...rows].map(csvLine).join('');
}

/** Fills the list with an uploaded table; what cannot be read leaves it as it is, and is named. */
export function fillIn(answers: Answers, table: unknown, bookings: readonly OpenBooking[]): Filled {
  if (typeof table !== 'string' || table.trim() === '') return { answers, problems: [] };
  try {
    return withTable(answers, readAnswers(table), bookings);
  } catch (error) {
    if (!(error instanceof NotATable)) throw error;
    return { answers, problems: [`The table cannot be read: ${error.message}.`] };
  }
}
