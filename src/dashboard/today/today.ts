import type { CarriersHistory } from '../../operator/carriers/history.js';
import type { Cause } from '../../operator/overview/causes.js';
import type { AreaUse } from '../../operator/overview/limits.js';
import { isLeftOpen } from '../../operator/overview/not-told.js';
import type { Overview } from '../../operator/overview/overview.js';
import { type HealthRow, healthRow } from '../carriers/view.js';
import { type BookingsChart, type Chart, bookingsChart, labelsChart } from './charts.js';
import { type Times, age, count, duration, plural } from '../format.js';
import { CONSIGNMENT_STATES, STATE_TRAITS } from '../../consignment/states.js';
import { addressWith } from '../inbox/list-address.js';
import { causeAddress } from '../needs-a-person/causes.js';
import { CAUSES, type Shown } from '../shapes.js';
import { inShort } from '../short-reason.js';

/** Marks on the bar of a day's requests. */
const NEARLY_FULL = 0.8;
const DAY_MS = 86_400_000;
const LEAST_MEASURED_MS = 3_600_000;

const UNTIL_ANSWERED = 'Nothing is sent again until you answer.';
const DOUBTS: readonly Cause['kind'][] = ['in-doubt', 'return-in-doubt'];

const UNITS: Readonly<Record<Cause['kind'], string>> = {
  'in-doubt': 'booking',
  refused: 'booking',
  incomplete: 'booking',
  'failed-manifest': 'manifest',
  'dead-letter': 'event',
  'given-up': 'update',
  'failed-callback': 'callback',
  'untold-worker': 'booking',
  'given-up-task': 'task',
  'return-in-doubt': 'return label',
};

export interface CauseRow {
  readonly shown: Shown;
  readonly reason: string;
  /** The shipments, and what to do. */
  readonly below: string;
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
  /** What a person does while the IMS does not accept us; `null`: it does. */
  readonly refusedUs: { readonly text: string; readonly href: string } | null;
  readonly figures: readonly { readonly name: string; readonly value: string }[];
  readonly cannotLeave: readonly CauseRow[];
  /** Tasks that were given up, and return labels in doubt. */
  readonly leftOpen: readonly CauseRow[];
  readonly notTold: readonly CauseRow[];
  readonly chart: BookingsChart;
  readonly labelsChart: Chart;
  readonly median: string;
  readonly p95: string;
  readonly carriers: readonly HealthRow[];
  /** Of the strips. */
  readonly since: string;
  readonly until: string;
  readonly limits: readonly LimitRow[];
}

/** Pure. */
export function todayOf(overview: Overview, history: CarriersHistory, times: Times): Today {
  const { needsPerson, underWay, timeToLabel, limits, at } = overview;
  const { parcelsCannotLeave, notTold } = needsPerson;
  const chart = bookingsChart(overview.bookingsPerHour, history.accounts, times);
  const row = (cause: Cause) => causeRow(cause, at);
  const time = (ms: number | null) => (ms === null ? '—' : duration(ms));
  return {
    number: needsPerson.count,
    sentence: sentenceOf(overview),
    refusedUs: refusedUs(underWay),
    below: sentenceBelow(overview),
    figures: [
      { name: 'Booked, 24 hours', value: chart.totals.booked },
      { name: 'On their way', value: count(underWay.count) },
      { name: 'Wait, go out by themselves', value: count(waitingIn(underWay).byThemselves) },
    ],
    cannotLeave: parcelsCannotLeave.map(row),
    leftOpen: notTold.filter(isLeftOpen).map(row),
    notTold: notTold.filter((cause) => !isLeftOpen(cause)).map(row),
    chart,
    labelsChart: labelsChart(timeToLabel.perHour, times),
    median: time(timeToLabel.medianMs),
    p95: time(timeToLabel.p95Ms),
    carriers: history.accounts.map((account) => healthRow(account, history.at, times)),
    since: times.minute(history.since),
    until: times.minute(history.at),
    limits: limits.map((use) => limitRow(use, at, times)),
  };
}

/** What bookings wait for until a person has put a new key or secret into the settings. */
const NOT_ACCEPTED = ['ims-key', 'ims-client'];

function waitingIn({ waitingFor }: Overview['underWay']) {
  const sum = (isMeant: (what: string) => boolean) =>
    Object.entries(waitingFor).reduce((total, [what, many]) => (isMeant(what) ? total + many : total), 0);
  return {
    byThemselves: sum((what) => !NOT_ACCEPTED.includes(what)),
    forKey: sum((what) => NOT_ACCEPTED.includes(what)),
  };
}

function sentenceOf({ needsPerson, underWay }: Overview): string {
  const { bookings, more } = needsPerson;
  const { byThemselves, forKey } = waitingIn(underWay);
  if (bookings > 0)
    return `${plural(bookings, 'booking')}${more ? ' or more' : ''} ${bookings === 1 ? 'needs' : 'need'} a person`;
  if (forKey > 0) return 'The IMS does not accept us';
  return byThemselves > 0 ? 'Nothing needs a person' : 'Everything ships';
}

/** What to do while the IMS does not accept a key or our client; `null`: it does. */
function refusedUs(underWay: Overview['underWay']): Today['refusedUs'] {
  const { forKey } = waitingIn(underWay);
  if (forKey === 0) return null;
  return {
    text:
      `${plural(forKey, 'booking')} ${forKey === 1 ? 'waits' : 'wait'}, since the IMS does not accept the key of an area, or our client: ` +
      'each says which. Get a new one from the operator of the IMS, put it into the settings, and restart. What waits is booked by itself then.',
    href: addressWith('/consignments', {
      state: CONSIGNMENT_STATES.filter((state) => !STATE_TRAITS[state].isEnd).join(','),
    }),
  };
}

function sentenceBelow({ needsPerson, underWay, carriers }: Overview): string {
  const down = carriers.filter(({ circuit }) => circuit !== 'closed').map(({ carrier }) => carrier);
  const waiting = waitingIn(underWay).byThemselves;
  const sentences = [
    oneCauseSentence(needsPerson),
    down.length > 0 ? `${[...new Set(down)].join(', ')} ${down.length === 1 ? 'does' : 'do'} not answer.` : '',
    waitingSentence(waiting),
    leftOpenSentence(needsPerson.notTold, 'given-up-task'),
    leftOpenSentence(needsPerson.notTold, 'return-in-doubt'),
    needsPerson.notTold.some((cause) => !isLeftOpen(cause)) ? 'Something was not passed on: see below.' : '',
  ].filter((sentence) => sentence !== '');
  const isSaid = sentences.length > 0 || needsPerson.bookings > 0 || refusedUs(underWay) !== null;
  return isSaid ? sentences.join(' ') : 'No booking needs a person.';
}

function oneCauseSentence({ bookings, more, parcelsCannotLeave: [first] }: Overview['needsPerson']): string {
  if (first === undefined || first.count === 1) return '';
  return `${first.count === bookings && !more ? 'All' : count(first.count)} of them have one cause.`;
}

/** The cases of all causes of this kind, in one sentence. */
function leftOpenSentence(causes: readonly Cause[], kind: 'given-up-task' | 'return-in-doubt'): string {
  const many = causes.filter((cause) => cause.kind === kind).reduce((sum, cause) => sum + cause.count, 0);
  if (many === 0) return '';
  const is = many === 1 ? ['was', 'is'] : ['were', 'are'];
  const what = plural(many, UNITS[kind]);
  return kind === 'given-up-task' ? `${what} ${is[0]} given up.` : `${what} ${is[1]} in doubt.`;
}

function waitingSentence(waiting: number): string {
  if (waiting === 0) return '';
  return waiting === 1
    ? '1 booking waits, and goes out by itself.'
    : `${count(waiting)} bookings wait, and go out by themselves.`;
}

function causeRow(cause: Cause, now: Date): CauseRow {
  const { kind, reason, area, account, named, count: many, oldestAt } = cause;
  const { short, rest } = inShort(reason);
  return {
    shown: CAUSES[kind],
    reason: reason === '' ? CAUSES[kind].word : short,
    // The rest of a message about a doubt tells a packer to ask the person who reads this.
    below: [namesOf(cause), DOUBTS.includes(kind) ? UNTIL_ANSWERED : rest].filter((part) => part !== '').join(' '),
    area: area === null ? 'several areas' : `Area ${area}`,
    account: account ?? '',
    count: count(many),
    unit: plural(many, UNITS[kind]).replace(/^\S+ /, ''),
    age: age(now.getTime() - oldestAt.getTime()),
    link: linkOf(cause, named),
  };
}

function namesOf({ named, count: many }: Cause): string {
  if (named.length === 0) return '';
  const more = many - named.length;
  return `Shipment ${named.map(({ shipment }) => shipment).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}.`;
}

function linkOf({ id, kind, ids, count: many }: Cause, named: Cause['named']): CauseRow['link'] {
  const [only] = named;
  if (only && many === 1) return { href: `/consignments/${only.id}`, words: `Open ${only.shipment}` };
  const href = causeAddress('/needs-a-person', { area: null, cause: id });
  if (ids.length === 0) return { href, words: `Look at ${count(many)}` };
  return { href, words: `${kind === 'in-doubt' ? 'Check' : 'Retry'} ${count(many)}` };
}

export interface LimitRow {
  readonly areas: string;
  readonly perDay: string;
  readonly perSecond: string;
  /** 0 to 100. */
  readonly share: number;
  readonly tone: Shown['tone'];
  readonly resets: string;
  /** When the day's requests are used up at the pace of the day until now; empty: not today. */
  readonly fullAt: string;
}

function limitRow({ areas, perDay, perSecond }: AreaUse, at: Date, times: Times): LimitRow {
  const share = Math.min(1, perDay.used / perDay.limit);
  const full = fullAt(perDay, at);
  return {
    fullAt: full === null ? '' : times.minute(full),
    areas: areas.join(', '),
    perDay: `${count(perDay.used)} of ${count(perDay.limit)}`,
    perSecond: `${count(perSecond.used)} of ${count(perSecond.limit)} /s`,
    share: Math.round(share * 100),
    tone: share >= NEARLY_FULL || full !== null ? 'warn' : 'quiet',
    resets: times.time(perDay.resetsAt),
  };
}

/** `null`: the day ends before. A pace of some minutes says little of a day. */
function fullAt({ used, limit, resetsAt }: AreaUse['perDay'], at: Date): Date | null {
  const begin = resetsAt.getTime() - DAY_MS;
  const elapsedMs = at.getTime() - begin;
  if (elapsedMs < LEAST_MEASURED_MS || used === 0) return null;
  const full = new Date(begin + (elapsedMs * limit) / used);
  return full < resetsAt ? full : null;
}
