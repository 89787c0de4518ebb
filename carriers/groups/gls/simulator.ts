import type { SimulatedEvent } from '../../contract/index.js';
import { codesFor, textAt, utcOffsetWithoutColon } from '../../toolkit/index.js';
import type { Asked, Reply, RouteContext } from '../../toolkit/simulator/index.js';
import { eventRow, json } from '../../toolkit/simulator/index.js';
import { EVENT, EVENT_STATUSES, STATUSES, TRACKING_TRAITS } from './tracking.js';

const TOKEN = 'simulated-token';

/** Track & Trace in the simulator of a carrier of the group. It knows every client whose secret is not `wrong`. */
export const GLS_GROUP = {
  formsAt: '/oauth2',
  routes: {
    'POST /oauth2/v2/token': answerToken,
    'GET /track-and-trace-v1/tracking/simple/trackids/:numbers': answerTracking,
  },
};

function answerToken({ header, body }: Asked): Reply {
  const credentials = Buffer.from(header('authorization').replace(/^Basic /, ''), 'base64').toString();
  const refuse = (message: string) => json({ errors: [{ message, type: '400' }] }, 400);
  if (!/^.+:(?!wrong$).+$/.test(credentials)) return refuse('Invalid client identifier');
  if (textAt(body, 'grant_type') !== 'client_credentials') return refuse('Invalid grant type');
  return json({ token_type: 'Bearer', access_token: TOKEN, expires_in: 14_400 });
}

function answerTracking({ header, params: { numbers = '' }, books }: RouteContext): Reply {
  if (header('authorization') !== `Bearer ${TOKEN}`)
    return json({ fault: { faultstring: 'Invalid access token' } }, 401);
  const asked = numbers.split(',');
  if (asked.length > TRACKING_TRAITS.trackAtOnce)
    return json({ title: 'Bad Request', status: 400, detail: 'Too many numbers' }, 400);
  return json({ parcels: asked.map((number) => toTracked(number, books.events(number))) });
}

/** What it says in a history; for customs, returns and losses the codes are made up. */
const CODES = codesFor(EVENT_STATUSES, {
  ...{ customs: 'SIMULATED.CUSTOMS', 'delivery-failed': 'SIMULATED.NOTDELIVERED', returned: 'SIMULATED.RETURNED' },
  ...{ 'lost-or-damaged': 'SIMULATED.LOST', unrecognised: 'SIMULATED.UNKNOWN' },
});

/** What it says of a parcel as it is now. */
const WORDS = codesFor(STATUSES, {
  ...{ 'handed-over': 'INTRANSIT', customs: 'INTRANSIT', returned: 'NOTDELIVERED' },
  ...{ 'lost-or-damaged': 'NOTDELIVERED', unrecognised: 'SIMULATED' },
});

const WRITING = { codes: CODES, timeOf: utcOffsetWithoutColon, place: 'city' };

function toTracked(requested: string, happened: readonly SimulatedEvent[]): unknown {
  const last = happened.at(-1);
  if (!last) return { requested, errorCode: 'E_404_01', errorMessage: 'Resource Not Found' };
  const now = { unitno: requested.slice(0, -1), status: WORDS[last.status] };
  const events = happened.map((event) => ({ ...eventRow(event, EVENT, WRITING), postalCode: '', country: 'DK' }));
  return { requested, ...now, statusDateTime: utcOffsetWithoutColon(last.at), events: events.reverse() };
}
