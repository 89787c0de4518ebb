import { type Consignment, type Effect, type Part, partsIn, say, shipmentName } from '../consignment.js';
import { delayMs } from '../retry.js';
import { cancelled, nothingToCancel } from './cancelling.js';
import { askPerson, endWith, giveUp, isGivenUp, refuse } from './endings.js';
import type { Circumstances, Fact, Postponed } from './fact.js';
import { labels } from './labelling.js';
import { lookedUp, sent } from './sending.js';
import { written } from './writing.js';

/** Moves a consignment by a fact; pure, total, and the only way its state changes while it runs. */
export function apply(consignment: Consignment, fact: Fact, circumstances: Circumstances): Consignment {
  switch (fact.kind) {
    case 'prepared':
      return prepared(consignment, fact, circumstances);
    case 'set-aside':
      return endWith(consignment, 'set-aside', { messages: [], status: null, now: circumstances.now });
    case 'unusable':
      return refuse(
        { ...consignment, claimed: fact.claimed, shipmentNumber: fact.shipmentNumber ?? consignment.shipmentNumber },
        fact.messages,
        circumstances.now,
      );
    case 'postponed':
      return postponed(consignment, fact, circumstances);
    case 'sent':
      return sent(consignment, fact.results, circumstances);
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
  circumstances: Circumstances,
): Consignment {
  const { plan, reference, shipmentId, shipmentNumber, claimed } = fact;
  const kept = [
    ...fact.takenOver,
    ...consignment.parts.filter((part) => part.state === 'booked' || part.state === 'cancelled'),
  ];
  const parts = [...kept, ...fact.requests.map(({ n, request }) => plannedPart(n, request))];
  const state = fact.requests.length > 0 ? 'planned' : 'booked';
  return {
    ...consignment,
    plan,
    reference,
    shipmentId,
    shipmentNumber,
    claimed,
    parts,
    state,
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

/** Tried again later; given up when the worker has waited long enough and there is a document to say so on. */
function postponed(consignment: Consignment, fact: Postponed, circumstances: Circumstances): Consignment {
  const claimed = consignment.claimed || fact.claimed;
  const endless = fact.waitingFor === 'ims' && !claimed;
  if (!endless && isGivenUp(consignment, circumstances)) return giveUp({ ...consignment, claimed }, circumstances);
  const delay = delayMs(consignment.tries, fact.retryAfterMs, circumstances.random);
  return {
    ...consignment,
    claimed,
    tries: consignment.tries + 1,
    dueAt: new Date(circumstances.now.getTime() + delay),
  };
}

/** Tried again, since most of it passes by itself; in the end the worker and the operator hear of it. */
function broke(consignment: Consignment, circumstances: Circumstances): Consignment {
  const { now } = circumstances;
  if (!isGivenUp(consignment, circumstances)) {
    const delay = delayMs(consignment.tries, null, circumstances.random);
    return { ...consignment, tries: consignment.tries + 1, dueAt: new Date(now.getTime() + delay) };
  }
  const effects = consignment.effects.map((effect): Effect =>
    effect.state === 'open' ? { ...effect, state: 'failed' } : effect,
  );
  const stopped = { ...consignment, effects };
  if (partsIn(stopped, 'sending', 'in-doubt').length > 0) return askPerson(stopped, now);
  const message = say('internal-error', { shipmentNumber: shipmentName(consignment), reference: consignment.id });
  const outcome = partsIn(stopped, 'booked').length > 0 ? 'incomplete' : 'refused';
  return endWith(stopped, outcome, { messages: [message], status: 'FAILED', now });
}
