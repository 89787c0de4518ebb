import { type Consignment, type Effect, type Part, isOfIms, partsIn, shipmentName, withParts } from '../consignment.js';
import { isEndState } from '../states.js';
import type { MessageKey } from '../../messages/keys.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { bookedBeside } from './beside.js';
import { timeOfItsOwn, tryAgainLater, waitForNewDay, withoutAbsence } from './retry-policy.js';
import { MAX_WITH_IMS_MS, missingAreaDelayMs } from '../../worker/backoff.js';
import { cancelBroke, cancelled, isCancelling, nothingToCancel } from './cancelling.js';
import { doubts } from './doubts.js';
import { withErrorSheet } from './papers/error-sheet-effects.js';
import { askPerson, bookedWithoutNumber, endWith, failedEnd, giveUp, isGivenUp, refuse } from './endings.js';
import type { TransitionContext, Fact, Postponed } from './facts.js';
import { labels } from './labelling.js';
import { lookedUp, sent } from './sending.js';
import { written } from './writing.js';

const MAX_SIBLING_DELAY_MS = 3_000;
const OF_ANOTHER_BOOKING = 0;

/**
 * Applies a fact to a consignment; pure, total, and the only function that changes the state of a running consignment.
 */
export function apply(before: Consignment, fact: Fact, transitionContext: TransitionContext): Consignment {
  const after = applied(before, fact, transitionContext);
  const { errorSheets } = transitionContext;
  return errorSheets === undefined ? after : withErrorSheet(before, after, errorSheets);
}

function applied(before: Consignment, fact: Fact, transitionContext: TransitionContext): Consignment {
  // Every fact ends the wait before it; a new wait is set below.
  const moving = withoutAbsence(before, transitionContext);
  const consignment = { ...moving, parkedUntil: null, areaMissingSince: null, waitingFor: null };
  switch (fact.kind) {
    case 'prepared':
      return prepared(consignment, fact, transitionContext);
    case 'skipped':
      return skip(consignment, fact, transitionContext.now);
    case 'unusable':
      return refuse(
        {
          ...consignment,
          claimed: fact.claimed,
          shipmentId: fact.shipmentId ?? consignment.shipmentId,
          shipmentNumber: fact.shipmentNumber ?? consignment.shipmentNumber,
          ...(fact.chosen && { chosen: fact.chosen }),
        },
        messagesOf(consignment, fact),
        transitionContext.now,
      );
    case 'postponed':
      return postponed(consignment, fact, transitionContext);
    case 'sent':
      return sent(consignment, fact, transitionContext);
    case 'looked-up':
      return lookedUp(consignment, fact, transitionContext);
    case 'labels':
      return labels(consignment, fact, transitionContext);
    case 'cancelled':
      return cancelled(consignment, fact.results, transitionContext);
    case 'nothing-to-cancel':
      return nothingToCancel(consignment, transitionContext);
    case 'broke':
      return transitionContext.giveUpAfterMs === Infinity
        ? waitForArea(consignment, before.areaMissingSince ?? transitionContext.now, transitionContext)
        : broke(consignment, transitionContext);
    case 'written':
      return written(consignment, fact, transitionContext);
  }
}

function prepared(
  consignment: Consignment,
  fact: Extract<Fact, { kind: 'prepared' }>,
  transitionContext: TransitionContext,
): Consignment {
  const { plan, reference, shipmentId, shipmentNumber, claimed } = fact;
  // Parts that were refused in an earlier run are dropped: the worker was told then.
  const takenOver = fact.takenOver.map((part): Part => ({ ...part, run: OF_ANOTHER_BOOKING }));
  const kept = [...takenOver, ...partsIn(consignment, 'booked', 'cancelled')].map((part): Part => ({
    ...part,
    isUntold: false,
    problems: [],
  }));
  const there = bookedWithoutNumber(kept);
  const wanted = fact.requests.filter(({ request }) => !request.parcels.some((parcel) => there.has(parcel.id)));
  const possiblyBooked = consignment.possiblyBooked === true;
  const parts = [
    ...kept,
    ...wanted.map((one) =>
      possiblyBooked ? doubtfulPart(consignment, one, transitionContext) : plannedPart(consignment, one),
    ),
  ];
  const state = wanted.length > 0 ? (possiblyBooked ? 'in-doubt' : 'planned') : 'booked';
  return {
    ...consignment,
    plan,
    reference,
    shipmentId,
    shipmentNumber,
    claimed,
    // From here on the state of each part says whether it is in doubt.
    possiblyBooked: false,
    parts,
    state,
    runStartedAt: timeOfItsOwn(consignment, transitionContext.now),
    attempts: 0,
    dueAt: transitionContext.now,
  };
}

type Wanted = Pick<Part, 'n' | 'request'>;

function plannedPart({ run }: Consignment, { n, request }: Wanted): Part {
  return {
    n,
    run,
    state: 'planned',
    request,
    attempt: 0,
    sentAt: null,
    quietFrom: null,
    booking: null,
    problems: [],
    unmatched: [],
    labels: 'missing',
  };
}

/**
 * Treats the part like one whose answer was lost now: the other sender may have sent the request a moment ago, so "not
 * there" proves nothing before the carrier's time is over.
 */
function doubtfulPart(consignment: Consignment, wanted: Wanted, { now }: TransitionContext): Part {
  return { ...plannedPart(consignment, wanted), state: 'in-doubt', attempt: 1, sentAt: now.toISOString() };
}

/** Skips the document. A booking of an earlier run can still be cancelled. */
function skip(consignment: Consignment, { handedOn = [] }: Extract<Fact, { kind: 'skipped' }>, now: Date): Consignment {
  const outcome = partsIn(consignment, 'booked').length > 0 ? 'incomplete' : 'skipped';
  const own = withParts(consignment, ({ request }) => !handedOn.includes(request.reference));
  return endWith(consignment, outcome, { messages: untold(own), status: null, now });
}

/** The message about parcels that a lookup has found at the carrier, and whose labels no worker gets from this run. */
function untold(consignment: Consignment): readonly MessageDraft[] {
  const isUntold = partsIn(consignment, 'booked').some((part) => part.isUntold === true);
  return isUntold ? [bookedBeside(consignment)] : [];
}

/** After these the shipment is not booked any more. After any other message, a corrected booking gives the worker what was found. */
const ENDINGS: readonly MessageKey[] = ['cancelled-shipment', 'shipment-missing'];

function messagesOf(consignment: Consignment, { messages }: Extract<Fact, { kind: 'unusable' }>) {
  return messages.some(({ key }) => ENDINGS.includes(key)) ? [...messages, ...untold(consignment)] : messages;
}

/**
 * Schedules another attempt, or gives up when the worker has waited long enough and there is a document to report it
 * on.
 */
function postponed(consignment: Consignment, fact: Postponed, transitionContext: TransitionContext): Consignment {
  const { waitingFor } = fact;
  const known = { ...consignment, waitingFor, ...claimedBy(consignment, fact, transitionContext.now) };
  if (fact.newDayAt) return waitForNewDay(known, fact.newDayAt, transitionContext);
  const noneOfOurs = isOfIms(fact.waitingFor) && !known.claimed && !fact.waitingIsUseless;
  const giveUpAfterMs = noneOfOurs ? MAX_WITH_IMS_MS : transitionContext.giveUpAfterMs;
  const allowing = { ...transitionContext, giveUpAfterMs };
  // A wait for the account ends where the account is reached, with words about it.
  if (waitingFor !== 'account' && isGivenUp(known, allowing)) return giveUp(known, allowing, waitingFor);
  // A sibling is in our own ledger, so looking often costs nothing.
  const wait = fact.waitingFor === 'sibling' ? { ...fact, atMostMs: MAX_SIBLING_DELAY_MS } : fact;
  return tryAgainLater(known, [wait], allowing);
}

/** A document that is claimed now, or that waited for a new day, gets a waiting time of its own. */
function claimedBy(
  consignment: Consignment,
  fact: Postponed,
  now: Date,
): Pick<Consignment, 'claimed' | 'runStartedAt'> {
  const begins = (fact.claimed && !consignment.claimed) || consignment.runStartedAt > now;
  return {
    claimed: consignment.claimed || fact.claimed,
    runStartedAt: begins ? timeOfItsOwn(consignment, now) : consignment.runStartedAt,
  };
}

/** Waits until its area is configured again. The wait counts no attempt: the attempts are for what is sent. */
function waitForArea(
  consignment: Consignment,
  areaMissingSince: Date,
  { now, random }: Pick<TransitionContext, 'now' | 'random'>,
): Consignment {
  const delay = missingAreaDelayMs(now.getTime() - areaMissingSince.getTime(), random);
  return { ...consignment, areaMissingSince, dueAt: new Date(now.getTime() + delay) };
}

/** Retries after an unforeseen error, since most of them pass; gives up and tells worker and operator in the end. */
function broke(consignment: Consignment, transitionContext: TransitionContext): Consignment {
  const { now } = transitionContext;
  if (!isGivenUp(consignment, transitionContext))
    return tryAgainLater(consignment, [{ retryAfterMs: null }], transitionContext);
  const effects = consignment.effects.map((effect): Effect =>
    isOpen(effect) ? { ...effect, state: 'failed' } : effect,
  );
  const { cancelRequest } = consignment;
  const stopped: Consignment = { ...consignment, effects };
  if (stopped.needsOperator || (cancelRequest === null && wasSent(stopped))) return standStill(stopped);
  // A doubt that a person has ended stays ended.
  if (!isEndState(stopped.state) && doubts(stopped).length > 0) return askPerson(stopped, now);
  // A cancellation that was asked for is sent before all effects, so none of these broke: they stay open. The cancellation that
  // follows a refusal is sent after them; one of them may have broken, and would break again before each message: they are stopped.
  if (isCancelling(consignment)) return cancelBroke(cancelRequest === null ? stopped : consignment, transitionContext);
  return endBroken(stopped, now);
}

/** Ends a consignment whose open effects were stopped. */
function endBroken(stopped: Consignment, now: Date): Consignment {
  const { cancelRequest, addressee } = stopped;
  const message = say('internal-error', { shipmentNumber: shipmentName(stopped), reference: stopped.id });
  // A cancellation comes before every message, and would break again. Each one that was asked for is answered.
  const effects = stopped.effects.filter((effect) => !tellsOfBreak(effect, stopped));
  const given = { ...stopped, effects, cancelRequest: null, addressee: cancelRequest ?? addressee };
  const ended = isEndState(given.state)
    ? endWith(given, given.state, { messages: [message], status: null, now })
    : endWith(given, failedEnd(given), { messages: [message], status: 'FAILED', now });
  return { ...ended, addressee };
}

function isOpen(effect: Effect): boolean {
  return effect.state === 'open' || effect.state === 'sent';
}

function wasSent(consignment: Consignment): boolean {
  return consignment.effects.some((effect) => tellsOfBreak(effect, consignment));
}

const TELLS_OF_BREAK: readonly MessageKey[] = ['internal-error', 'cancel-internal-error'];

function tellsOfBreak({ key, call }: Effect, { run }: Consignment): boolean {
  return call.kind === 'message' && TELLS_OF_BREAK.includes(call.message.key) && key.startsWith(`message:${run}:`);
}

/** Stops retrying a consignment whose report broke as well. */
function standStill(consignment: Consignment): Consignment {
  return { ...consignment, state: consignment.outcome ?? consignment.state, outcome: null, dueAt: null };
}
