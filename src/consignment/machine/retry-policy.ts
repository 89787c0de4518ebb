import type { Traits } from '../../../carriers/contract/adapter.js';
import { type Consignment, END_STATES } from '../consignment.js';
import { LONGEST_OPEN_MS, type Wait, delayMs } from '../../worker/backoff.js';
import type { TransitionContext } from './facts.js';

/*
 * When to try again and when to stop, in one place for everything that is postponed.
 *
 * waits for                                   tried again                     ends after
 * carrier: booking, labels, doubts            0.5 s to 30 s, with jitter      the area's `giveUpAfterMinutes`, then told;
 *                                                                             counted from its turn: see `timeOfItsOwn`
 * carrier, while its circuit is open          when one may try: see accounts/circuit-breaker.ts the same
 * another booking of the shipment, a limit    as above; siblings within 3 s   the same
 * IMS, whose requests of the day are used up  soon after midnight UTC         never: all other times begin then
 * IMS, before the document is ours            0.5 s to 30 s                   24 hours
 * IMS, for what is to be booked               0.5 s to 30 s                   `giveUpAfterMinutes`, then told
 * IMS takes nothing of what is written back   0.5 s to 30 s                   24 hours
 * IMS takes some of it, refuses the rest      0.5 s to 30 s                   `giveUpAfterMinutes`, then told
 * a cancellation that was wished for          0.5 s to 30 s                   70 tries, half an hour or more, then told
 * errands                                     0.5 s to 30 s                   24 hours, then in the log
 */

/** Those who wait for a carrier to answer again do not all look at the same moment. */
const SPREAD_MS = 1_000;
/** The clock of the IMS may be a little behind ours. */
const AFTER_MIDNIGHT_MS = 10_000;

/** What comes after the end has nobody waiting for it: it is tried about half an hour, counted in tries. */
export const MOST_TRIES_AFTERWARDS = 70;
/** The same for what the IMS does not answer to at all: about a day. */
export const MOST_IMS_TRIES_AFTERWARDS = 3_500;
/** A booking that shows up late at its carrier is found soon after it shows. */
export const ASK_AGAIN_MS = 20_000;

/** An assumption, where the adapter does not say: gateways and servers usually give a request up within a minute. */
const BOOKING_ENDS_WITHIN_MS = 60_000;

/** How long a carrier may be at work on a booking after we have heard the last of it. */
export function bookingEndsWithinMs(traits?: Pick<Traits, 'bookingEndsWithinMs'>): number {
  return traits?.bookingEndsWithinMs ?? BOOKING_ENDS_WITHIN_MS;
}

/** Who waits so long was told of it long ago. */
const OWN_TIME_AFTER_MS = 60_000;

/**
 * From when on the next one we wait for is waited for. An hour without the IMS must not be the carrier's: at its first
 * hiccup a worker would be told that it did not answer for half an hour.
 * @returns as before, unless that is long ago
 */
export function timeOfItsOwn(consignment: Consignment, now: Date): Date {
  const waitedMs = now.getTime() - consignment.runStartedAt.getTime();
  // Before its time: somebody took up what waited for a new day.
  return waitedMs > OWN_TIME_AFTER_MS || waitedMs < 0 ? now : consignment.runStartedAt;
}

/**
 * The consignment as it waits. A worker never waits longer than until it is given up, whatever the other side asked for.
 * @param waits of one step; what only waits for its turn is held and counts no try
 */
export function tryAgainLater(
  consignment: Consignment,
  waits: readonly Wait[],
  circumstances: TransitionContext,
): Consignment {
  const { now, random } = circumstances;
  const asked = Math.max(0, ...waits.map((wait) => wait.retryAfterMs ?? 0));
  const somebodyWaits = !END_STATES.includes(consignment.state) && consignment.cancelWanted === null;
  const giveUpMs = consignment.runStartedAt.getTime() + circumstances.giveUpAfterMs;
  if (somebodyWaits && waits.every((wait) => wait.held)) {
    const dueMs = now.getTime() + Math.min(asked, LONGEST_OPEN_MS) + Math.round(random * SPREAD_MS);
    return { ...consignment, heldUntil: new Date(giveUpMs), dueAt: new Date(beforeGivenUp(dueMs, now, giveUpMs)) };
  }
  const delay = Math.min(delayMs(consignment.tries, asked, random), ...waits.map((wait) => wait.atMostMs ?? Infinity));
  const dueMs = now.getTime() + delay;
  return {
    ...consignment,
    tries: consignment.tries + 1,
    dueAt: new Date(somebodyWaits ? beforeGivenUp(dueMs, now, giveUpMs) : dueMs),
  };
}

/**
 * The consignment as it waits for the requests of a new day. Nobody failed, so no try is counted, and how long it is tried
 * afterwards is counted from then: `runStartedAt` lies ahead for so long.
 */
export function waitForNewDay(
  consignment: Consignment,
  newDayAt: Date,
  { random }: Pick<TransitionContext, 'random'>,
): Consignment {
  const dueAt = new Date(newDayAt.getTime() + Math.round(AFTER_MIDNIGHT_MS * (0.5 + random / 2)));
  return { ...consignment, runStartedAt: dueAt, dueAt };
}

/** Looked at once more when its time is over, so that nobody waits for an end that was due long ago. */
function beforeGivenUp(dueMs: number, now: Date, giveUpMs: number): number {
  return now.getTime() <= giveUpMs ? Math.min(dueMs, giveUpMs + 1) : dueMs;
}
