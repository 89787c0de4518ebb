import type { Traits } from '../../../carriers/contract/adapter.js';
import type { Consignment } from '../consignment.js';
import { END_STATES } from '../states.js';
import { MAX_OPEN_MS, type Wait, delayMs } from '../../worker/backoff.js';
import type { TransitionContext } from './facts.js';

/*
 * When to try again and when to stop, for everything that is postponed. Of the numbers, 0.5 s, 30 s, 15 minutes and 24 hours are in
 * `worker/backoff.ts`, and `giveUpAfterMinutes` is in `config/area-config.ts`.
 *
 * waits for                                   tried again                     ends after
 * carrier: booking, labels, doubts            0.5 s to 30 s, with jitter      the area's `giveUpAfterMinutes`, then told;
 *                                                                             counted from its turn: see `timeOfItsOwn`
 * carrier, while its circuit is open          when the circuit lets it try:   the same
 *                                             see accounts/circuit-breaker.ts
 * another booking of the shipment, a limit    as above; siblings within 3 s   the same
 * an instance that knows its account          0.5 s to 30 s                   5 minutes, or the same if that is less
 * an instance that knows its area             0.5 s to 30 s; after 5 minutes  never; no attempt counts, and the time
 *                                             a tenth of the time that it is  counts in no other row of this table
 *                                             missing, up to 15 minutes
 * IMS, whose requests of the day are used up  soon after midnight UTC         never: all other times begin then
 * IMS, before the document is ours            0.5 s to 30 s                   24 hours
 * IMS, for what is to be booked               0.5 s to 30 s                   `giveUpAfterMinutes`, then told
 * IMS takes nothing of what is written back   0.5 s to 30 s                   24 hours
 * IMS takes some of it, refuses the rest      0.5 s to 30 s                   `giveUpAfterMinutes`, then told
 * a cancellation that was asked for           0.5 s to 30 s                   70 attempts, half an hour or more, then told
 * the same, while the later booking that      when that later booking is due  the cancellation of the later booking; until then
 * has taken over its parcels is cancelled                                     no attempt of this one is counted
 * what is written back after the end          0.5 s to 30 s                   70 attempts; 3,500, about a day, while the IMS
 *                                                                             does not answer at all
 * background tasks                            0.5 s to 30 s                   24 hours, then in the log
 */

/** Spreads the attempts of consignments that wait for the same carrier. */
const SPREAD_MS = 1_000;
/** The clock of the IMS may be a little behind ours. */
const AFTER_MIDNIGHT_MS = 10_000;

/** The limit of attempts for work after the end (a cancellation): about half an hour; no worker waits for it. */
export const MAX_ATTEMPTS_AFTERWARDS = 70;
/** The limit of attempts after the end while the IMS does not answer at all: about a day. */
export const MAX_IMS_ATTEMPTS_AFTERWARDS = 3_500;
/** The longest time between two lookups of a booking that the carrier may show late. */
export const LOOK_UP_AGAIN_MS = 20_000;

/** An assumption, where the adapter does not say: gateways and servers give up a request within a minute. */
const BOOKING_ENDS_WITHIN_MS = 60_000;

/** How long a carrier may work on a booking after our last contact about it. */
export function bookingEndsWithinMs(traits?: Pick<Traits, 'bookingEndsWithinMs'>): number {
  return traits?.bookingEndsWithinMs ?? BOOKING_ENDS_WITHIN_MS;
}

/** A worker who has waited this long has been told. */
const OWN_TIME_AFTER_MS = 60_000;

/**
 * The start of the waiting time for the next party. An hour without the IMS must not count against the carrier:
 * otherwise its first failure would be reported as half an hour without an answer.
 * @returns `runStartedAt`, unless that is long ago
 */
export function timeOfItsOwn(consignment: Consignment, now: Date): Date {
  const waitedMs = now.getTime() - consignment.runStartedAt.getTime();
  // A negative time: the consignment waited for a new day and was continued before it.
  return waitedMs > OWN_TIME_AFTER_MS || waitedMs < 0 ? now : consignment.runStartedAt;
}

/**
 * The consignment once its area is configured again. `runStartedAt` moves on by the time for which the area was missing,
 * so that we do not give up the carrier or the IMS sooner. After the end of a run it stays: there, we limit attempts and
 * no time.
 */
export function withoutAbsence(
  consignment: Consignment,
  { now, giveUpAfterMs }: Pick<TransitionContext, 'now' | 'giveUpAfterMs'>,
): Consignment {
  const { areaMissingSince, runStartedAt, state } = consignment;
  if (areaMissingSince === null || giveUpAfterMs === Infinity) return consignment;
  const isBack = { ...consignment, areaMissingSince: null };
  if (END_STATES.includes(state)) return isBack;
  const startMs = runStartedAt.getTime() + now.getTime() - areaMissingSince.getTime();
  return { ...isBack, runStartedAt: new Date(Math.min(startMs, now.getTime())) };
}

/**
 * The consignment with its next due time. It is due at the latest when it is given up, whatever the other side asked
 * for.
 * @param waits of one step; a parked consignment counts no attempt
 */
export function tryAgainLater(
  consignment: Consignment,
  waits: readonly Wait[],
  transitionContext: TransitionContext,
): Consignment {
  const { now, random } = transitionContext;
  const asked = Math.max(0, ...waits.map((wait) => wait.retryAfterMs ?? 0));
  const workerWaits = !END_STATES.includes(consignment.state) && consignment.cancelRequest === null;
  const giveUpMs = consignment.runStartedAt.getTime() + transitionContext.giveUpAfterMs;
  if (workerWaits && waits.every((wait) => wait.parked)) {
    const dueMs = now.getTime() + Math.min(asked, MAX_OPEN_MS) + Math.round(random * SPREAD_MS);
    return { ...consignment, parkedUntil: new Date(giveUpMs), dueAt: new Date(beforeGivenUp(dueMs, now, giveUpMs)) };
  }
  const delay = Math.min(
    delayMs(consignment.attempts, asked, random),
    ...waits.map((wait) => wait.atMostMs ?? Infinity),
  );
  const dueMs = now.getTime() + delay;
  return {
    ...consignment,
    attempts: consignment.attempts + 1,
    dueAt: new Date(workerWaits ? beforeGivenUp(dueMs, now, giveUpMs) : dueMs),
  };
}

/**
 * The consignment, due at the beginning of the new day. No attempt is counted, and the waiting time begins then:
 * `runStartedAt` lies in the future until that moment.
 */
export function waitForNewDay(
  consignment: Consignment,
  newDayAt: Date,
  { random }: Pick<TransitionContext, 'random'>,
): Consignment {
  const dueAt = new Date(newDayAt.getTime() + Math.round(AFTER_MIDNIGHT_MS * (0.5 + random / 2)));
  return { ...consignment, runStartedAt: dueAt, dueAt };
}

/** Makes the consignment due when its waiting time ends, so that giving up is not late. */
function beforeGivenUp(dueMs: number, now: Date, giveUpMs: number): number {
  return now.getTime() <= giveUpMs ? Math.min(dueMs, giveUpMs + 1) : dueMs;
}
