import type { AccountHistory } from '../../operator/carriers/history.js';
import type { Hour, HourOfLabels } from '../../operator/overview/bookings.js';
import { type Times, count, duration } from '../format.js';

const HOUR_MS = 3_600_000;

/** A table of numbers by hour, from which `charts.js` draws a chart; it is read aloud, and shown without scripts. */
export interface Chart {
  /** The id of the element that is drawn into; it stays when the rest of the page is replaced. */
  readonly id: string;
  readonly kind: 'bars' | 'lines';
  readonly caption: string;
  /** From the bottom to the top. `tone`: the colour of bars. */
  readonly columns: readonly { readonly name: string; readonly tone: 'bar' | 'warn' | 'danger' }[];
  /** The oldest first; the last one is the running hour. */
  readonly rows: readonly ChartRow[];
}

export interface ChartRow {
  readonly hour: string;
  /** ISO. */
  readonly from: string;
  /** One for each column; `null`: there is none. */
  readonly cells: readonly { readonly value: number | null; readonly words: string }[];
  /** Carriers that stopped answering in this hour; empty: none. */
  readonly note: string;
}

export interface BookingsChart extends Chart {
  readonly totals: { readonly booked: string; readonly warn: string; readonly refused: string };
}

/** Bookings by hour and outcome. Pure. @param accounts for their outages */
export function bookingsChart(
  hours: readonly Hour[],
  accounts: readonly Pick<AccountHistory, 'carrier' | 'lastOutage'>[],
  times: Times,
): BookingsChart {
  const split = hours.map(({ byOutcome: { booked, incomplete, inDoubt, refused } }) => [
    booked,
    incomplete + inDoubt,
    refused,
  ]);
  const total = (place: number) => count(split.reduce((sum, values) => sum + (values[place] ?? 0), 0));
  return {
    ...{ id: 'bookings-chart', kind: 'bars', caption: 'Bookings per hour' },
    columns: [
      { name: 'Booked', tone: 'bar' },
      { name: 'Unconfirmed, incomplete', tone: 'warn' },
      { name: 'Refused', tone: 'danger' },
    ],
    rows: hours.map(({ from }, place) => ({
      ...{ hour: times.hour(from), from: from.toISOString(), note: noteOf(from, accounts, times) },
      cells: (split[place] ?? []).map((value) => ({ value, words: count(value) })),
    })),
    totals: { booked: total(0), warn: total(1), refused: total(2) },
  };
}

/** Pure. */
export function labelsChart(hours: readonly HourOfLabels[], times: Times): Chart {
  const cell = (value: number | null) => ({ value, words: value === null ? '—' : duration(value) });
  return {
    ...{ id: 'labels-chart', kind: 'lines', caption: 'Time to label, by hour' },
    columns: [
      { name: 'median', tone: 'bar' },
      { name: '95th', tone: 'bar' },
    ],
    rows: hours.map(({ from, medianMs, p95Ms }) => ({
      ...{ hour: times.hour(from), from: from.toISOString(), note: '' },
      cells: [cell(medianMs), cell(p95Ms)],
    })),
  };
}

/** `GLS down 16:08`, the earliest first, each carrier once. */
function noteOf(from: Date, accounts: readonly Pick<AccountHistory, 'carrier' | 'lastOutage'>[], times: Times): string {
  const began = accounts.flatMap(({ carrier, lastOutage }) => {
    const after = lastOutage === null ? -1 : lastOutage.since.getTime() - from.getTime();
    return lastOutage === null || after < 0 || after >= HOUR_MS ? [] : [{ carrier, since: lastOutage.since }];
  });
  const sorted = [...began].sort((one, other) => one.since.getTime() - other.since.getTime());
  const first = sorted.filter(({ carrier }, place) => sorted.findIndex((one) => one.carrier === carrier) === place);
  return first.map(({ carrier, since }) => `${carrier} down ${times.minute(since)}`).join(', ');
}
