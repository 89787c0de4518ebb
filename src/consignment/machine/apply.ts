import {
  type Consignment,
  END_STATES,
  type Effect,
  type EndState,
  type Part,
  partsIn,
  shipmentName,
} from '../consignment.js';
import { say } from '../../messages/message.js';
import { timeOfItsOwn, tryAgainLater, waitForNewDay } from './retry-policy.js';
import { LONGEST_WITH_IMS_MS } from '../../worker/backoff.js';
import { cancelled, nothingToCancel } from './cancelling.js';
import { doubts } from './doubts.js';
import { askPerson, bookedWithoutNumber, endWith, failedEnd, giveUp, isGivenUp, refuse } from './endings.js';
import type { TransitionContext, Fact, Postponed } from './facts.js';
import { labels } from './labelling.js';
import { lookedUp, sent } from './sending.js';
import { written } from './writing.js';

const LONGEST_SIBLING_DELAY_MS = 3_000;

/** Moves a consignment by a fact; pure, total, and the only way its state changes while it runs. */
export function apply(before: Consignment, fact: Fact, circumstances: TransitionContext): Consignment {
  // What it waited for is over, or is found out anew.
  const consignment = { ...before, heldUntil: null, waitingFor: null };
  switch (fact.kind) {
    case 'prepared':
      return prepared(consignment, fact, circumstances);
    case 'set-aside':
      return setAside(consignment, circumstances.now);
    case 'unusable':
      return refuse(
        { ...consignment, claimed: fact.claimed, shipmentNumber: fact.shipmentNumber ?? consignment.shipmentNumber },
        fact.messages,
        circumstances.now,
      );
    case 'postponed':
      return postponed(consignment, fact, circumstances);
    case 'sent':
      return sent(consignment, fact, circumstances);
    case 'looked-up':
      return lookedUp(consignment, fact, circumstances);
    case 'labels':
      return labels(consignment, fact, circumstances);
    case 'cancelled':
      return cancelled(consignment, fact.results, circumstances);
    case 'nothing-to-cancel':
      return nothingToCancel(consignment, circumstances);
    case 'broke':
      return broke(consignment, circumstances);
    case 'written':
      return written(consignment, fact, circumstances);
  }
}

function prepared(
  consignment: Consignment,
  fact: Extract<Fact, { kind: 'prepared' }>,
  circumstances: TransitionContext,
): Consignment {
  const { plan, reference, shipmentId, shipmentNumber, claimed } = fact;
  // What was refused in an earlier run was told then.
  const kept = [...fact.takenOver, ...partsIn(consignment, 'booked', 'cancelled')].map((part): Part => ({
    ...part,
    problems: [],
  }));
  const there = bookedWithoutNumber(kept);
  const wanted = fact.requests.filter(({ request }) => !request.parcels.some((parcel) => there.has(parcel.id)));
  const begun = consignment.begunElsewhere === true;
  const parts = [
    ...kept,
    ...wanted.map(({ n, request }) => (begun ? doubtfulPart(n, request, circumstances) : plannedPart(n, request))),
  ];
  const state = wanted.length > 0 ? (begun ? 'in-doubt' : 'planned') : 'booked';
  return {
    ...consignment,
    plan,
    reference,
    shipmentId,
    shipmentNumber,
    claimed,
    // From here on the parts say what is in doubt.
    begunElsewhere: false,
    parts,
    state,
    runStartedAt: timeOfItsOwn(consignment, circumstances.now),
    tries: 0,
    dueAt: circumstances.now,
  };
}

function plannedPart(n: number, request: Part['request']): Part {
  return {
    n,
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
 * As one whose answer was lost just now: whoever has begun it may have sent the request a moment ago, so "not there" means
 * something only when it has had its time.
 */
function doubtfulPart(n: number, request: Part['request'], { now }: TransitionContext): Part {
  return { ...plannedPart(n, request), state: 'in-doubt', attempt: 1, sentAt: now.toISOString() };
}

/** Not ours to book; what an earlier run has booked is still ours to cancel. */
function setAside(consignment: Consignment, now: Date): Consignment {
  const outcome = partsIn(consignment, 'booked').length > 0 ? 'incomplete' : 'set-aside';
  return endWith(consignment, outcome, { messages: [], status: null, now });
}

/** Tried again later; given up when the worker has waited long enough, and there is a document to say so on. */
function postponed(consignment: Consignment, fact: Postponed, circumstances: TransitionContext): Consignment {
  const { waitingFor } = fact;
  const known = { ...consignment, waitingFor, ...claimedBy(consignment, fact, circumstances.now) };
  if (fact.newDayAt) return waitForNewDay(known, fact.newDayAt, circumstances);
  const noneOfOurs = fact.waitingFor === 'ims' && !known.claimed && !fact.hopeless;
  const giveUpAfterMs = noneOfOurs ? LONGEST_WITH_IMS_MS : circumstances.giveUpAfterMs;
  const allowing = { ...circumstances, giveUpAfterMs };
  if (isGivenUp(known, allowing)) return giveUp(known, allowing, fact.waitingFor);
  // Ours to watch, and a worker waits: looked at often.
  const wait = fact.waitingFor === 'sibling' ? { ...fact, atMostMs: LONGEST_SIBLING_DELAY_MS } : fact;
  return tryAgainLater(known, [wait], allowing);
}

/** What is ours from now on, or was waiting for a new day, has a time of its own. */
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

/** Tried again, since most of it passes by itself; in the end the worker and the operator hear of it. */
function broke(consignment: Consignment, circumstances: TransitionContext): Consignment {
  const { now } = circumstances;
  if (!isGivenUp(consignment, circumstances)) {
    return tryAgainLater(consignment, [{ retryAfterMs: null }], circumstances);
  }
  const effects = consignment.effects.map((effect): Effect =>
    isOpen(effect) ? { ...effect, state: 'failed' } : effect,
  );
  const stopped: Consignment = { ...consignment, effects };
  if (stopped.waitsForPerson || wasTold(stopped)) return standStill(stopped);
  if (doubts(stopped).length > 0) return askPerson(stopped, now);
  const message = say('internal-error', { shipmentNumber: shipmentName(consignment), reference: consignment.id });
  return hasEnded(stopped.state)
    ? endWith(stopped, stopped.state, { messages: [message], status: null, now })
    : endWith(stopped, failedEnd(stopped), { messages: [message], status: 'FAILED', now });
}

function hasEnded(state: Consignment['state']): state is EndState {
  return END_STATES.includes(state);
}

function isOpen(effect: Effect): boolean {
  return effect.state === 'open' || effect.state === 'sent';
}

function wasTold(consignment: Consignment): boolean {
  return consignment.effects.some(
    ({ key, call }) =>
      call.kind === 'message' && call.message.key === 'internal-error' && key.startsWith(`message:${consignment.run}:`),
  );
}

/** Telling of it broke as well: trying that again for ever helps nobody. */
function standStill(consignment: Consignment): Consignment {
  return { ...consignment, state: consignment.outcome ?? consignment.state, outcome: null, dueAt: null };
}
