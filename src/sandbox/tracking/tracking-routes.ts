import type { Request, Router } from 'express';
import { TRACKING_STATUSES } from '../../../carriers/contract/tracking.js';
import type { Json } from '../store/json.js';
import type { Members } from '../control/members.js';
import { readWhole } from '../control/members.js';
import { MANNERS } from './callback-calls.js';
import { readCallbackTargets } from './callback-target.js';
import { JOURNEY_NAMES } from './journeys.js';
import type { TrackingControl } from './tracking-control.js';
import type { HandEvent } from './travellers.js';

/** Longest delay of a callback that a request may set. */
const MAX_DELAY_MS = 3_600_000;

/** @param bodyOf reads a request's JSON body; throws when there is none */
export function addTrackingRoutes(router: Router, control: TrackingControl, bodyOf: (request: Request) => Json): void {
  router.get('/callbacks', (_request, response) => void response.json(control.callbacks()));
  router.get('/callback-targets', (_request, response) => void response.json(control.callbackTargets()));
  router.post('/callback-targets', (request, response) => {
    control.setCallbackTargets(readCallbackTargets(bodyOf(request)));
    response.status(204).end();
  });
  router.delete('/callback-targets', (_request, response) => {
    control.setCallbackTargets([]);
    response.status(204).end();
  });
  router.post('/journeys', (request, response) => {
    const { reference, journey } = readWhole(bodyOf(request), readJourney);
    control.planJourney(reference, journey);
    response.status(204).end();
  });
  router.post('/tracking', (request, response) => {
    response.json({ eventId: control.happen(readWhole(bodyOf(request), readHandEvent)) });
  });
}

function readJourney(members: Members) {
  return { reference: members.someText('reference'), journey: oneOf(members, 'journey', JOURNEY_NAMES) };
}

function readHandEvent(members: Members): HandEvent {
  return {
    carrier: members.someText('carrier'),
    trackingNumber: members.someText('trackingNumber'),
    status: oneOf(members, 'status', TRACKING_STATUSES),
    ...(members.has('at') ? { at: readMoment(members) } : {}),
    manner: members.has('manner') ? oneOf(members, 'manner', MANNERS) : 'once',
    delayMs: members.has('delayMs') ? members.whole('delayMs', { max: MAX_DELAY_MS }) : 0,
  };
}

/** Like `Members.oneOf`, but typed by the known values. */
function oneOf<Known extends string>(members: Members, name: string, known: readonly [Known, ...Known[]]): Known {
  const given = members.oneOf(name, known);
  return known.find((each) => each === given) ?? known[0];
}

function readMoment(members: Members): Date {
  const at = new Date(members.text('at'));
  return Number.isNaN(at.getTime())
    ? members.problem('at', 'must be a moment, e.g. 2026-03-04T20:03:19+01:00', new Date(0))
    : at;
}
