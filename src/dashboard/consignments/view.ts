import { type ConsignmentState, isKnownState, traitsOf } from '../../consignment/states.js';
import type { ListedRequest } from '../../operator/requests/request-queries.js';
import type { LastAction } from '../../operator/last-action.js';
import type { NotDone } from '../../operator/not-done.js';
import { deedsOf, resultOf } from './deeds.js';
import { type Times, age, duration, plural } from '../format.js';
import type { Unconfirmed } from '../../operator/needs-a-person/bookings.js';
import type { Destination } from '../../operator/destination.js';
import { townOf } from '../needs-a-person/list-view.js';
import { type Shown, reasonHeading, shownState } from '../shapes.js';
import { doubtInShort, inShort } from '../short-reason.js';

/** A row of the operator's list. */
export interface ListedConsignment {
  readonly id: string;
  readonly area: string;
  readonly state: ConsignmentState;
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  readonly shipmentNumber: string | null;
  readonly account: string | null;
  readonly carrier: string | null;
  readonly carrierName?: string | null;
  readonly reason?: string | null;
  readonly to?: Destination | null;
  readonly reference: string | null;
  readonly carrierNumber: string | null;
  readonly parcels: readonly {
    readonly containerId: string;
    readonly trackingNumber: string;
    readonly trackingUrl: string | null;
    readonly state: string;
  }[];
  readonly needsOperator: boolean;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  /** From the event, or the last retry; `null`: no label yet. */
  readonly timeToLabelMs: number | null;
}

/** One consignment with all that is known of it. */
export interface WholeConsignment extends ListedConsignment {
  readonly run: number;
  readonly rule: string | null;
  readonly printing: { readonly profile: string } | null;
  readonly parts: readonly {
    readonly n: number;
    readonly state: string;
    /** ISO 8601; `null`: not by us. */
    readonly sentAt: string | null;
    readonly reference: string;
    readonly containers: readonly string[];
  }[];
  readonly notDone: readonly NotDone[];
  readonly lastAction: LastAction | null;
  readonly labels: readonly number[];
  /** The pages of the first label; `null`: not counted. */
  readonly labelPages: number | null;
  readonly labelIsVoid: boolean;
  readonly history: readonly HistoryEntry[];
  readonly requests: readonly ListedRequest[];
}

interface HistoryEntry {
  readonly at: Date;
  readonly what: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A row as the list shows it. */
export interface RowShown {
  readonly id: string;
  readonly shown: Shown;
  readonly shipment: string;
  readonly reason: string;
  /** For one line: the reason, or what happens next, or how long the label took. */
  readonly short: string;
  /** Whether the booking is done, or has no trouble. */
  readonly isCalm: boolean;
  readonly to: string;
  readonly carrier: string;
  readonly area: string;
  readonly parcels: string;
  readonly tracking: string;
  readonly more: string;
  readonly began: string;
  readonly at: string;
  /** Whether `retry` may begin it anew. */
  readonly mayRetry: boolean;
}

export function rowOf(row: ListedConsignment, times: Times, now: Date): RowShown {
  const [first] = row.parcels;
  const others = row.parcels.length - 1;
  return {
    id: row.id,
    shown: shownState(row, now),
    shipment: shipmentOf(row),
    reason: row.reason ?? '',
    short: shortOf(row, times, now),
    isCalm: (row.reason ?? null) === null,
    to: townOf(row.to ?? null),
    carrier: carrierOf(row),
    area: row.area,
    parcels: row.parcels.length === 0 ? '—' : String(row.parcels.length),
    tracking: first?.trackingNumber ?? '—',
    more: others > 0 ? `+${others}` : '',
    began: times.time(row.createdAt),
    at: row.createdAt.toISOString(),
    mayRetry: traitsOf(row.state).newRun !== 'never',
  };
}

/** What happens next, where nothing went wrong. */
const NEXT: Readonly<Record<ConsignmentState, (carrier: string) => string>> = {
  received: () => 'Reads the shipment',
  planned: (carrier) => `Is sent to ${carrier} next`,
  booking: (carrier) => `Sent to ${carrier}`,
  booked: () => 'Fetches the label',
  labelled: () => 'Writes numbers and label to the IMS',
  'in-doubt': (carrier) => `${carrier} is asked whether it has it`,
  cancelling: (carrier) => `${carrier} is asked to take it back`,
  closed: () => '',
  cancelled: () => '',
  skipped: () => '',
  refused: () => '',
  incomplete: () => '',
};

function shortOf(row: ListedConsignment, times: Times, now: Date): string {
  const { reason = null, state, dueAt, timeToLabelMs } = row;
  const next = dueAt !== null && dueAt > now ? `; next try ${times.time(dueAt)}` : '';
  if (reason !== null) return next === '' ? inShort(reason).short : inShort(reason).short.replace(/\.$/, '') + next;
  if (state === 'closed' && timeToLabelMs !== null) return `Label in ${duration(timeToLabelMs)}`;
  return `${nextOf(row)}${next}`;
}

function nextOf(row: ListedConsignment): string {
  return isKnownState(row.state) ? NEXT[row.state](carrierOf(row)) : 'Another version of Waybridge goes on with it';
}

export function shipmentOf({ shipmentNumber, shipmentId, documentId, id }: ListedConsignment): string {
  return shipmentNumber ?? shipmentId ?? documentId ?? id;
}

export function carrierOf({ carrierName, carrier }: ListedConsignment): string {
  return carrierName ?? carrier ?? '—';
}

/** One entry of the history: how long after the beginning, and how long after the entry before it. */
export interface HistoryStep {
  readonly what: string;
  readonly details: string;
  readonly time: string;
  readonly at: string;
  readonly took: string;
  /** Of the bar, 0 to 100. */
  readonly x: number;
  readonly width: number;
  readonly tone: 'bar' | 'warn' | 'danger';
}

const LEAST_WIDTH = 0.6;
/** A wait that is longer is drawn with this length, so that the steps around it are seen. */
const MAX_DRAWN_MS = 10_000;
const MAX_DETAIL = 300;
const DANGER = /refused|broke|needs operator|not believed|cannot be booked/;
const WARN = /unknown|unavailable|postponed|not written|left out|in-doubt|incomplete|held/;

/** The history as a waterfall: each bar ends when its entry was written. */
function stepsOf(history: readonly HistoryEntry[], times: Times): readonly HistoryStep[] {
  const gaps = history.map(({ at }, place) => at.getTime() - (history[place - 1] ?? { at }).at.getTime());
  const drawn = gaps.map((ms) => Math.min(Math.max(0, ms), MAX_DRAWN_MS));
  const whole = Math.max(
    1,
    drawn.reduce((sum, ms) => sum + ms, 0),
  );
  let begin = 0;
  return history.map(({ at, what, fields }, place) => {
    const length = drawn[place] ?? 0;
    const width = Math.max(LEAST_WIDTH, (length / whole) * 100);
    const x = Math.min(100 - width, (begin / whole) * 100);
    begin += length;
    return {
      ...{
        what,
        details: detailsOf(fields),
        time: times.time(at),
        at: at.toISOString(),
        took: duration(gaps[place] ?? 0),
      },
      ...{ x: round(x), width: round(width), tone: toneOf(what) },
    };
  });
}

function toneOf(what: string): HistoryStep['tone'] {
  if (DANGER.test(what)) return 'danger';
  return WARN.test(what) ? 'warn' : 'bar';
}

function detailsOf(fields: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const texts = told.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = texts.join(', ');
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** What the page of one consignment shows. */
export function wholeOf(
  one: WholeConsignment,
  {
    times,
    now,
    unconfirmed,
  }: { readonly times: Times; readonly now: Date; readonly unconfirmed: readonly Unconfirmed[] },
) {
  const [first] = one.history;
  const last = one.history.at(-1);
  const row = rowOf(one, times, now);
  return {
    row,
    heading: reasonHeading(one.state, row.shown),
    carrier: carrierOf(one),
    facts: factsOf(one),
    ago: age(now.getTime() - one.createdAt.getTime()),
    steps: stepsOf(one.history, times),
    inAll: first && last ? duration(last.at.getTime() - first.at.getTime()) : '',
    parcels: one.parcels,
    notDone: one.notDone,
    label: one.labels[0] === undefined ? null : labelShown(one.labels[0], one),
    lastAction: one.lastAction && resultOf(one.lastAction),
    deeds: deedsOf(one, times),
    /** Work goes on by itself, so the page refreshes itself. */
    isAtRest: one.dueAt === null && one.lastAction?.result !== 'pending',
    ...wrongAndNext(one, times, now),
    doubtful: doubtfulOf(one, { unconfirmed, now, times }),
  };
}

/** What went wrong, or what it waits for, and what happens next; empty: nothing. A message to a packer ends with what to do. */
function wrongAndNext(one: WholeConsignment, times: Times, now: Date) {
  const { reason = null, needsOperator, dueAt } = one;
  if (needsOperator) {
    const next = `Nothing is sent again until you answer. Look for it in the portal of ${carrierOf(one)} first: Resolve… above takes your answer.`;
    return { wrong: doubtInShort(reason ?? ''), next };
  }
  const { short, rest } = inShort(reason ?? '');
  if (dueAt === null) return { wrong: reason === null ? '' : short, next: rest };
  const again = dueAt > now ? `The next try is at ${times.time(dueAt)}.` : `${nextOf(one)}.`;
  return { wrong: reason === null ? '' : short, next: `Waybridge goes on by itself. ${again}` };
}

/** The parts that "resolve" asks about. */
export function doubtfulIn({ parts }: WholeConsignment) {
  return parts.filter(({ state }) => state === 'in-doubt' || state === 'sending');
}

/** @param unconfirmed from when on each can be said not to be there */
function doubtfulOf(
  one: WholeConsignment,
  {
    unconfirmed,
    now,
    times,
  }: { readonly unconfirmed: readonly Unconfirmed[]; readonly now: Date; readonly times: Times },
) {
  return doubtfulIn(one).map((part) => {
    const { certainFrom = null } = unconfirmed.find(({ reference }) => reference === part.reference) ?? {};
    return { ...part, notBefore: certainFrom !== null && certainFrom > now ? times.time(certainFrom) : null };
  });
}

/** The pages that are drawn; the others are in the file. */
const DRAWN_PAGES = 6;

function labelShown(n: number, { labelPages: counted, labelIsVoid }: WholeConsignment) {
  const isVoid = 'Its parcels are cancelled. Do not use its label, and throw a printed one away.';
  if (labelIsVoid) return { n, drawn: [], rest: isVoid };
  const pages = counted ?? 1;
  const drawn = Array.from({ length: Math.min(pages, DRAWN_PAGES) }, (_, place) => place + 1);
  const more = pages - drawn.length;
  const rest = counted === null ? 'The PDF may have more pages.' : more > 0 ? `The file has ${more} more.` : null;
  return { n, drawn, rest };
}

function factsOf(one: WholeConsignment): readonly string[] {
  const { parts, account, area, documentId, reference, carrierNumber, rule, printing } = one;
  const containers = parts.reduce((sum, part) => sum + part.containers.length, 0);
  return [
    account === null ? null : `account ${account}`,
    `area ${area}`,
    containers > 0 ? plural(containers, 'parcel') : null,
    documentId === null ? null : `document ${documentId}`,
    reference === null ? null : `reference ${reference}`,
    carrierNumber === null ? null : `carrier's number ${carrierNumber}`,
    rule === null ? null : `rule “${rule}”`,
    printing === null ? null : `printing profile “${printing.profile}”`,
  ].filter((each) => each !== null);
}
