import type { ListedRequest } from '../../operator/requests/request-queries.js';
import { duration } from '../format.js';
import { type Timeline, timelineOf } from './timeline.js';

/** What a person sees of a request in a row of the waterfall. */
export interface WaterfallRow {
  readonly id: string;
  readonly name: string;
  readonly to: string;
  readonly attempt: number;
  readonly status: string;
  readonly took: string;
  /** Which side failed; `null`: none. */
  readonly fault: string | null;
  readonly tone: 'bar' | 'warn' | 'danger';
  readonly isChosen: boolean;
  /** Of the bar, 0 to 100. */
  readonly x: number;
  readonly width: number;
  /** The beginning of the wait for this attempt; `null`: it did not wait. */
  readonly waitsFrom: number | null;
  /** The time that is cut out before it. */
  readonly cut: string | null;
}

/** Consecutive requests of one step. */
export interface WaterfallStep {
  readonly name: string;
  readonly rows: readonly WaterfallRow[];
  readonly took: string;
  /** What went wrong in it; `null`: nothing did. */
  readonly trouble: { readonly text: string; readonly tone: 'warn' | 'danger' } | null;
  readonly isOpen: boolean;
}

export interface Waterfall {
  readonly steps: readonly WaterfallStep[];
  readonly inAll: string;
  /** `Bring 3.8 s, waiting 1.6 s (dotted), IMS 590 ms, Waybridge 170 ms`. */
  readonly split: string;
}

/** What the rows are about. */
export interface WaterfallOf {
  readonly requests: readonly ListedRequest[];
  readonly createdAt: Date;
  /** The account of the consignment, and the name of its carrier. */
  readonly account: string | null;
  readonly carrier: string;
  readonly chosen: string | null;
}

const STEPS: Readonly<Record<NonNullable<ListedRequest['step']>, string>> = {
  prepare: 'Prepare',
  book: 'Book',
  'find-outcome': 'Look for it',
  'fetch-labels': 'Labels',
  cancel: 'Cancel',
  write: 'Write back',
  return: 'Return',
};
const LEAST_WIDTH = 0.6;

/** @returns `null`: no requests were kept */
export function waterfallOf(of: WaterfallOf): Waterfall | null {
  if (of.requests.length === 0) return null;
  const timeline = timelineOf(of.requests, of.createdAt);
  const rows = of.requests.map((request) => ({ request, row: rowOf(request, of, timeline) }));
  const groups: (typeof rows)[] = [];
  for (const each of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.request.step === each.request.step) last.push(each);
    else groups.push([each]);
  }
  return { steps: groups.map(stepOf), inAll: duration(timeline.totalMs), split: splitOf(of, timeline) };
}

function rowOf(request: ListedRequest, of: WaterfallOf, timeline: Timeline): WaterfallRow {
  const { id, name, attempt, tookMs } = request;
  const begin = new Date(request.at).getTime();
  const x = timeline.place(begin);
  const width = Math.max(LEAST_WIDTH, timeline.place(begin + tookMs) - x);
  const waited = attempt > 1 ? timeline.idleBefore(begin) : null;
  return {
    ...{ id, name, attempt, to: receiverOf(request, of), status: statusOf(request), took: String(tookMs) },
    ...{ fault: faultName(request, of), tone: toneOf(request), isChosen: id === of.chosen },
    ...{ x: round(Math.min(x, 100 - width)), width: round(width) },
    waitsFrom: waited === null ? null : round(waited),
    cut: timeline.cutBefore(begin),
  };
}

export function receiverOf({ account }: ListedRequest, of: Pick<WaterfallOf, 'account' | 'carrier'>): string {
  if (account === null) return 'IMS';
  return account === of.account ? of.carrier : account;
}

export function statusOf({ status, refused }: ListedRequest): string {
  if (status === null) return 'no answer';
  return refused ? `${status}, refused` : String(status);
}

export function faultName(request: ListedRequest, of: Pick<WaterfallOf, 'account' | 'carrier'>): string | null {
  if (request.fault === null) return null;
  return request.fault === 'waybridge' ? 'Waybridge' : receiverOf(request, of);
}

/** A read that was answered later is no more than a warning. */
export function toneOf({ fault, isOpen, status, method }: ListedRequest): 'bar' | 'warn' | 'danger' {
  if (fault === null) return 'bar';
  return !isOpen && method === 'GET' && status !== null && status < 500 ? 'warn' : 'danger';
}

function stepOf(group: readonly { readonly request: ListedRequest; readonly row: WaterfallRow }[]): WaterfallStep {
  const [first] = group;
  const failed = group.filter(({ row }) => row.fault !== null);
  const begin = Math.min(...group.map(({ request }) => Date.parse(request.at)));
  const end = Math.max(...group.map(({ request }) => Date.parse(request.at) + request.tookMs));
  const [worst] = failed;
  const step = first?.request.step;
  return {
    name: step ? STEPS[step] : 'Other',
    rows: group.map(({ row }) => row),
    took: duration(end - begin),
    trouble: worst ? { text: troubleOf(failed.length, group.length, worst.row), tone: worstTone(failed) } : null,
    isOpen: group.some(({ request, row }) => request.isOpen || row.isChosen),
  };
}

function troubleOf(failed: number, all: number, { status }: WaterfallRow): string {
  return all === 1 ? status : `${failed} of ${all}: ${status}`;
}

function worstTone(failed: readonly { readonly row: WaterfallRow }[]): 'warn' | 'danger' {
  return failed.some(({ row }) => row.tone === 'danger') ? 'danger' : 'warn';
}

function splitOf({ carrier }: WaterfallOf, { share }: Timeline): string {
  const parts = [
    [carrier, share.carrierMs],
    ['waiting', share.waitingMs],
    ['IMS', share.imsMs],
    ['Waybridge', share.ownMs],
  ] as const;
  const said = parts.filter(([, ms]) => ms > 0).sort(([, a], [, b]) => b - a);
  return said.map(([who, ms]) => `${who} ${duration(ms)}${who === 'waiting' ? ' (dotted)' : ''}`).join(', ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
