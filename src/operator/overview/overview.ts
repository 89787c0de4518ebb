import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Account } from '../../accounts/account.js';
import type { Database } from '../../db/database.js';
import type { KeyUsage } from '../../ims/calls/client.js';
import type { Language } from '../../messages/keys.js';
import type { TextsIn } from '../reason.js';
import { type Hour, type TimeToLabel, type UnderWay, bookingsPerHour, timeToLabel, underWay } from './bookings.js';
import { type CarrierHealth, carrierHealth } from './carriers.js';
import { type Cause, causeOfNotTold, causesOf } from './causes.js';
import { MAX_BOOKINGS, failedBookings } from './failed-bookings.js';
import { type AreaUse, areaUse } from './limits.js';
import { withoutNotes } from '../requests/viewer.js';
import { type NotTold, isLeftOpen, notTold } from './not-told.js';

/** Whether everything ships, and what a person must do if not. */
export interface Overview {
  readonly at: Date;
  /** `null`: of all areas. */
  readonly area: string | null;
  readonly needsPerson: {
    /** Bookings whose parcels cannot leave: the sum of `count` of the first list. */
    readonly bookings: number;
    /** `bookings`, with the tasks that were given up and the return labels in doubt. */
    readonly count: number;
    /** Whether there are more than are sorted into causes: the newest 2,000. */
    readonly more: boolean;
    /** Most parcels first, then the oldest. */
    readonly parcelsCannotLeave: readonly Cause[];
    /** What nobody was told, and what was left open: tasks and return labels. */
    readonly notTold: readonly Cause[];
  };
  /** Bookings that go on by themselves. */
  readonly underWay: UnderWay;
  /** 24 full hours and the running one, the oldest first. */
  readonly bookingsPerHour: readonly Hour[];
  readonly timeToLabel: TimeToLabel;
  readonly carriers: readonly CarrierHealth[];
  /** The use of the limits of all areas, one row a key. */
  readonly limits: readonly AreaUse[];
}

export interface OverviewRequest {
  /** `null`: all. */
  readonly area: string | null;
  readonly language: Language;
  /** `hidden`: the notes of what names no consignments, for the role `view`. */
  readonly notes: 'shown' | 'hidden';
}

/** Only reads; an answer that is younger than two seconds is given again, so that pages may ask as often as they like. */
export type ReadOverview = (request: OverviewRequest) => Promise<Overview>;

export interface OverviewDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly textsIn: TextsIn;
  /** The use of the limits of the IMS, by key. */
  readonly usage: () => readonly KeyUsage[];
}

const FRESH_FOR_MS = 2_000;

/** The consignments whose messages the causes quote. */
export function namedIn({ needsPerson }: Overview): readonly string[] {
  const { parcelsCannotLeave, notTold: told } = needsPerson;
  return [...parcelsCannotLeave, ...told].flatMap(({ named }) => named.map(({ id }) => id));
}

export function overviewReader(deps: OverviewDeps): ReadOverview {
  const kept = new Map<string, { readonly atMs: number; readonly answer: Promise<Overview> }>();
  return (request) => {
    const nowMs = deps.clock.now().getTime();
    for (const [key, { atMs }] of kept) if (nowMs - atMs >= FRESH_FOR_MS) kept.delete(key);
    const key = JSON.stringify([request.area, request.language, request.notes]);
    const known = kept.get(key);
    if (known) return known.answer;
    const answer = readOverview(deps, request);
    kept.set(key, { atMs: nowMs, answer });
    answer.catch(() => kept.delete(key));
    return answer;
  };
}

/** The note of a dead letter stays: it quotes a subscriber, who gets no names of persons from us. */
function withoutNote(one: NotTold): NotTold {
  return one.kind === 'dead-letter' || one.named.length > 0 ? one : withoutNotes(one);
}

async function readOverview(deps: OverviewDeps, { area, language, notes }: OverviewRequest): Promise<Overview> {
  const { database, clock, accounts, usage } = deps;
  const span = { area, now: clock.now() };
  const texts = deps.textsIn(language);
  const failed = await failedBookings(database, span);
  const found = await notTold(database, span);
  const told = notes === 'shown' ? found : found.map(withoutNote);
  return {
    at: span.now,
    area,
    needsPerson: {
      bookings: failed.length,
      count: told.filter(isLeftOpen).reduce((sum, { count }) => sum + count, failed.length),
      more: failed.length === MAX_BOOKINGS,
      parcelsCannotLeave: causesOf(failed, texts),
      notTold: told.map((one) => causeOfNotTold(one, texts)),
    },
    underWay: await underWay(database, span),
    bookingsPerHour: await bookingsPerHour(database, span),
    timeToLabel: await timeToLabel(database, span),
    carriers: await carrierHealth(database, { accounts, now: span.now }),
    limits: await areaUse(database, usage(), span.now),
  };
}
