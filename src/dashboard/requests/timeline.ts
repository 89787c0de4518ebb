import type { ListedRequest } from '../../operator/requests/request-queries.js';
import { duration } from '../format.js';

/** Where times are drawn, and who took them. */
export interface Timeline {
  readonly totalMs: number;
  /** The place of a time, 0 to 100. */
  place(ms: number): number;
  /** The place where the pause before a request begins; `null`: there was none. */
  idleBefore(ms: number): number | null;
  /** The length of the pause before a request, where it is drawn shorter than it was; `null`: it is not. */
  cutBefore(ms: number): string | null;
  readonly share: {
    readonly carrierMs: number;
    readonly imsMs: number;
    /** Between an attempt and the next one. */
    readonly waitingMs: number;
    readonly ownMs: number;
  };
}

/** A longer pause is drawn with this length. */
const MAX_DRAWN_MS = 10_000;

interface Span {
  readonly begin: number;
  readonly end: number;
}

/** @param requests at least one */
export function timelineOf(requests: readonly ListedRequest[], createdAt: Date): Timeline {
  const spans = requests.map(spanOf);
  const start = Math.min(createdAt.getTime(), ...spans.map(({ begin }) => begin));
  const busy = merged([{ begin: start, end: start }, ...spans]);
  const end = busy.at(-1)?.end ?? start;
  const pauses = busy.slice(1).map(({ begin }, place) => ({ begin: busy[place]?.end ?? begin, end: begin }));
  const cuts = pauses.filter((pause) => lengthOf(pause) > MAX_DRAWN_MS);
  const drawn = (ms: number) => ms - start - cuts.reduce((sum, cut) => sum + cutOut(cut, ms), 0);
  const whole = Math.max(1, drawn(end));
  const place = (ms: number) => (drawn(ms) / whole) * 100;
  const pauseBefore = (ms: number) => pauses.find((pause) => pause.end === ms && lengthOf(pause) > 0);
  return {
    totalMs: end - start,
    place,
    idleBefore: (ms) => {
      const pause = pauseBefore(ms);
      return pause ? place(pause.begin) : null;
    },
    cutBefore: (ms) => {
      const pause = pauseBefore(ms);
      return pause && lengthOf(pause) > MAX_DRAWN_MS ? duration(lengthOf(pause)) : null;
    },
    share: shareOf(requests, { pauses, totalMs: end - start }),
  };
}

/** How much of a pause is left out before a time. */
function cutOut({ begin, end }: Span, ms: number): number {
  if (ms <= begin) return 0;
  const passed = Math.min(ms, end) - begin;
  return passed - (passed / (end - begin)) * MAX_DRAWN_MS;
}

function shareOf(
  requests: readonly ListedRequest[],
  { pauses, totalMs }: { readonly pauses: readonly Span[]; readonly totalMs: number },
): Timeline['share'] {
  const carrier = merged(requests.filter(({ account }) => account !== null).map(spanOf));
  const both = merged(requests.map(spanOf));
  const again = new Set(requests.filter(({ attempt }) => attempt > 1).map(({ at }) => Date.parse(at)));
  const waits = pauses.filter((pause) => again.has(pause.end) || lengthOf(pause) > MAX_DRAWN_MS);
  const [carrierMs, allMs, waitingMs] = [sumOf(carrier), sumOf(both), sumOf(waits)];
  return { carrierMs, imsMs: allMs - carrierMs, waitingMs, ownMs: Math.max(0, totalMs - allMs - waitingMs) };
}

function spanOf({ at, tookMs }: ListedRequest): Span {
  const begin = Date.parse(at);
  return { begin, end: begin + tookMs };
}

/** Spans that overlap or touch become one. */
function merged(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.begin - b.begin)) {
    const last = result.at(-1);
    if (last && span.begin <= last.end) result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}

function lengthOf({ begin, end }: Span): number {
  return end - begin;
}

function sumOf(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + lengthOf(span), 0);
}
