import type { TrackingStatus } from '../../carriers/contract/tracking.js';

/**
 * Computes a parcel's state from all of its events. Pure; order and repetition of events do not matter, because
 * carriers send callbacks late, twice and out of order.
 */

/**
 * How statuses rank. A higher stage wins, whenever it came; within a stage the newest event wins, and of two at the same
 * moment the one further down.
 *
 * stage 0  says nothing of where the parcel is, and never counts
 * stage 1  data only: carriers send it on, and stamp it, after they have the parcel
 * stage 2  on the way: goes back and forth, so time decides
 * stage 3  ends: not undone by what is late; a newer end replaces an older one (lost, then delivered after all)
 */
const RANK: Readonly<Record<TrackingStatus, readonly [stage: number, place: number]>> = {
  unrecognised: [0, 0],
  registered: [1, 0],
  'handed-over': [2, 0],
  'in-transit': [2, 1],
  customs: [2, 2],
  'out-for-delivery': [2, 3],
  'delivery-failed': [2, 4],
  'at-pickup-point': [2, 5],
  cancelled: [3, 0],
  'lost-or-damaged': [3, 1],
  returned: [3, 2],
  delivered: [3, 3],
};

const END_STAGE = 3;

export function isEnd(status: TrackingStatus): boolean {
  return RANK[status][0] === END_STAGE;
}

/** An event as it is folded. */
export interface FoldedEvent {
  readonly dedupe: string;
  readonly status: TrackingStatus;
  readonly moment: Date;
  readonly place: string | null;
  readonly estimatedDelivery: string | null;
  readonly trackingUrl: string | null;
}

/** The computed state of a parcel. */
export interface ParcelState {
  readonly status: TrackingStatus;
  /** `null`: no event yet. */
  readonly statusAt: Date | null;
  readonly place: string | null;
  /** The expected day, by the newest event that names one. */
  readonly estimatedDelivery: string | null;
  readonly trackingUrl: string | null;
  /**
   * Every status that occurred, in the order of `RANK`. More events never remove one, so a message that was sent stays
   * true.
   */
  readonly seen: readonly TrackingStatus[];
}

export function foldEvents(events: readonly FoldedEvent[]): ParcelState {
  const newestFirst = [...events].sort((a, b) => (isNewer(a, b) ? -1 : 1));
  const statuses = new Set(events.map((event) => event.status));
  const firstThat = <Value>(read: (event: FoldedEvent) => Value | null) =>
    newestFirst.map(read).find((value) => value !== null) ?? null;
  return {
    ...whereabouts(events.filter((event) => event.status !== 'unrecognised')),
    estimatedDelivery: firstThat((event) => event.estimatedDelivery),
    trackingUrl: firstThat((event) => event.trackingUrl),
    seen: [...statuses].sort((a, b) => compareRank(a, b)),
  };
}

/** The status, time and place of the highest-ranking event. */
function whereabouts(events: readonly FoldedEvent[]): Pick<ParcelState, 'status' | 'statusAt' | 'place'> {
  const [first, ...others] = events;
  if (!first) return { status: 'registered', statusAt: null, place: null };
  const { status, moment, place } = others.reduce((best, event) => (wins(best, event) ? best : event), first);
  return { status, statusAt: moment, place };
}

function wins(a: FoldedEvent, b: FoldedEvent): boolean {
  const stages = RANK[a.status][0] - RANK[b.status][0];
  return stages === 0 ? isNewer(a, b) : stages > 0;
}

/** Total: of two different events one is always newer. */
function isNewer(a: FoldedEvent, b: FoldedEvent): boolean {
  const later = a.moment.getTime() - b.moment.getTime();
  if (later !== 0) return later > 0;
  const higher = compareRank(a.status, b.status);
  return higher === 0 ? a.dedupe > b.dedupe : higher > 0;
}

function compareRank(a: TrackingStatus, b: TrackingStatus): number {
  const [stageA, placeA] = RANK[a];
  const [stageB, placeB] = RANK[b];
  return stageA === stageB ? placeA - placeB : stageA - stageB;
}
