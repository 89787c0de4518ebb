import type { CarrierHealth } from '../operator/overview/carriers.js';
import type { Cause } from '../operator/overview/causes.js';
import type { AreaUse } from '../operator/overview/limits.js';
import type { Overview } from '../operator/overview/overview.js';
import { type BarChart, barChart } from './bar-chart.js';
import { type Times, count, duration, percent, plural } from './format.js';
import { addressOf } from './needs-a-person/causes.js';
import { CAUSES, CIRCUITS, type Shown } from './shapes.js';

/** Marks on the bar of a day's requests. */
const NEARLY_FULL = 0.8;
const MAY_FAIL = 0.05;

const UNITS: Readonly<Record<Cause['kind'], string>> = {
  'in-doubt': 'booking',
  refused: 'booking',
  incomplete: 'booking',
  'failed-manifest': 'manifest',
  'dead-letter': 'event',
  'given-up': 'update',
  'failed-callback': 'callback',
};

export interface CauseRow {
  readonly shown: Shown;
  readonly reason: string;
  readonly named: string;
  readonly area: string;
  readonly account: string;
  readonly count: string;
  readonly unit: string;
  readonly age: string;
  readonly link: { readonly href: string; readonly words: string };
}

/** What the page Today shows, in words. */
export interface Today {
  readonly number: number;
  readonly sentence: string;
  readonly below: string;
  readonly figures: readonly { readonly name: string; readonly value: string }[];
  readonly cannotLeave: readonly CauseRow[];
  readonly notTold: readonly CauseRow[];
  readonly chart: BarChart;
  readonly median: string;
  readonly p95: string;
  readonly labels: string;
  readonly carriers: readonly CarrierRow[];
  readonly limits: readonly LimitRow[];
  readonly moment: string;
  readonly at: string;
}

/** Pure. */
export function todayOf(overview: Overview, times: Times): Today {
  const { needsPerson, underWay, timeToLabel, carriers, limits, at } = overview;
  const { bookings, parcelsCannotLeave, notTold, more } = needsPerson;
  const chart = barChart(overview.bookingsPerHour, times);
  const row = (cause: Cause) => causeRow(cause, at);
  const time = (ms: number | null) => (ms === null ? '—' : duration(ms));
  return {
    number: bookings,
    sentence:
      bookings === 0
        ? 'Everything ships'
        : `${plural(bookings, 'booking')}${more ? ' or more' : ''} ${bookings === 1 ? 'needs' : 'need'} a person`,
    below: sentenceBelow(overview),
    figures: [
      { name: 'Booked, 24 hours', value: chart.totals.booked },
      { name: 'On their way', value: count(underWay.count) },
      { name: 'Wait, go out by themselves', value: count(sumOf(underWay.waitingFor)) },
    ],
    cannotLeave: parcelsCannotLeave.map(row),
    notTold: notTold.map(row),
    chart,
    median: time(timeToLabel.medianMs),
    p95: time(timeToLabel.p95Ms),
    labels: plural(timeToLabel.labels, 'label'),
    carriers: carriers.map((carrier) => carrierRow(carrier, at)),
    limits: limits.map((use) => limitRow(use, times)),
    moment: times.moment(at),
    at: at.toISOString(),
  };
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

function sentenceBelow({ needsPerson, underWay, carriers }: Overview): string {
  const [first] = needsPerson.parcelsCannotLeave;
  const down = carriers.filter(({ circuit }) => circuit !== 'closed').map(({ carrier }) => carrier);
  const waiting = sumOf(underWay.waitingFor);
  const sentences = [
    first && first.count > 1 ? `${count(first.count)} of them have one cause.` : '',
    down.length > 0 ? `${[...new Set(down)].join(', ')} ${down.length === 1 ? 'does' : 'do'} not answer.` : '',
    waitingSentence(waiting),
    needsPerson.notTold.length > 0 ? 'Something was not passed on: see below.' : '',
  ].filter((sentence) => sentence !== '');
  return sentences.length > 0 || needsPerson.bookings > 0 ? sentences.join(' ') : 'No booking needs a person.';
}

function waitingSentence(waiting: number): string {
  if (waiting === 0) return '';
  return waiting === 1
    ? '1 booking waits, and goes out by itself.'
    : `${count(waiting)} bookings wait, and go out by themselves.`;
}

function causeRow(cause: Cause, now: Date): CauseRow {
  const { kind, reason, area, account, named, count: many, oldestAt } = cause;
  return {
    shown: CAUSES[kind],
    reason: reason === '' ? CAUSES[kind].word : reason,
    named: namesOf(cause),
    area: area ?? 'several areas',
    account: account ?? '',
    count: count(many),
    unit: plural(many, UNITS[kind]).replace(/^\S+ /, ''),
    age: duration(now.getTime() - oldestAt.getTime()),
    link: linkOf(cause, named),
  };
}

function namesOf({ named, count: many }: Cause): string {
  if (named.length === 0) return '';
  const more = many - named.length;
  return `Shipment ${named.map(({ shipment }) => shipment).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

function linkOf({ id, kind, ids, count: many }: Cause, named: Cause['named']): CauseRow['link'] {
  const [only] = named;
  if (only && many === 1) return { href: `/consignments/${only.id}`, words: `Open ${only.shipment}` };
  const href = addressOf('/needs-a-person', { area: null, cause: id });
  if (ids.length === 0) return { href, words: `Look at ${count(many)}` };
  return { href, words: `${kind === 'in-doubt' ? 'Check' : 'Retry'} ${count(many)}` };
}

export interface CarrierRow {
  readonly name: string;
  readonly account: string;
  readonly circuit: Shown;
  readonly calls: string;
  readonly errors: string;
  readonly tone: Shown['tone'];
  readonly callback: string;
}

function carrierRow(
  { carrier, account, circuit, calls, errorRate, lastCallbackAt }: CarrierHealth,
  now: Date,
): CarrierRow {
  const { booked, refused, unavailable, unknown } = calls;
  const tones = errorRate === null || errorRate <= MAY_FAIL ? 'quiet' : 'warn';
  return {
    name: carrier,
    account,
    circuit: CIRCUITS[circuit],
    calls: count(booked + refused + unavailable + unknown),
    errors: percent(errorRate),
    tone: circuit === 'open' ? 'danger' : tones,
    callback: lastCallbackAt === null ? '—' : `${duration(now.getTime() - lastCallbackAt.getTime())} ago`,
  };
}

export interface LimitRow {
  readonly areas: string;
  readonly perDay: string;
  readonly perSecond: string;
  /** 0 to 100. */
  readonly share: number;
  readonly tone: Shown['tone'];
  readonly resets: string;
}

function limitRow({ areas, perDay, perSecond }: AreaUse, times: Times): LimitRow {
  const share = Math.min(1, perDay.used / perDay.limit);
  return {
    areas: areas.join(', '),
    perDay: `${count(perDay.used)} of ${count(perDay.limit)}`,
    perSecond: `${count(perSecond.used)} of ${count(perSecond.limit)} /s`,
    share: Math.round(share * 100),
    tone: share >= NEARLY_FULL ? 'warn' : 'quiet',
    resets: times.time(perDay.resetsAt),
  };
}
