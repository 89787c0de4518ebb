import express from 'express';
import type { Express, Request, Response } from 'express';
import type { SimulatedEvent, SimulatorSettings, TrackingStatus } from '../../contract/index.js';
import { textAt } from '../../toolkit/json.js';
import { TRACK_AT_ONCE } from '../wire.js';

const TOKEN = 'simulated-token';

/** What it says in a history; for customs, returns and losses the codes are made up. */
const CODES: Readonly<Record<TrackingStatus, string>> = {
  registered: 'INTIAL.PREADVICE',
  'handed-over': 'INTIAL.NORMAL',
  'in-transit': 'INBOUD.NORMAL',
  customs: 'SIMULATED.CUSTOMS',
  'out-for-delivery': 'OUTDEL.NORMAL',
  'at-pickup-point': 'DELIVD.PARCELSHOP',
  delivered: 'DELIVD.NORMAL',
  'delivery-failed': 'SIMULATED.NOTDELIVERED',
  returned: 'SIMULATED.RETURNED',
  'lost-or-damaged': 'SIMULATED.LOST',
  cancelled: 'CANCEL.NORMAL',
  unrecognised: 'SIMULATED.UNKNOWN',
};

/** What it says of a parcel as it is now. */
const WORDS: Readonly<Record<TrackingStatus, string>> = {
  registered: 'PREADVICE',
  'handed-over': 'INTRANSIT',
  'in-transit': 'INTRANSIT',
  customs: 'INTRANSIT',
  'out-for-delivery': 'INDELIVERY',
  'at-pickup-point': 'DELIVEREDPS',
  delivered: 'DELIVERED',
  'delivery-failed': 'NOTDELIVERED',
  returned: 'NOTDELIVERED',
  'lost-or-damaged': 'NOTDELIVERED',
  cancelled: 'CANCELED',
  unrecognised: 'SIMULATED',
};

/** Track & Trace of GLS Group, beside the web service of GLS Denmark; it knows every client whose secret is not `wrong`. */
export function addGlsTracking(app: Express, { journeys }: SimulatorSettings): void {
  app.post('/oauth2/v2/token', express.urlencoded({ extended: false }), answerToken);
  app.get('/track-and-trace-v1/tracking/simple/trackids/:numbers', (request, response) => {
    if (request.get('authorization') !== `Bearer ${TOKEN}`)
      return void response.status(401).json({ fault: { faultstring: 'Invalid access token' } });
    const numbers = request.params.numbers.split(',');
    if (numbers.length > TRACK_AT_ONCE)
      return void response.status(400).json({ title: 'Bad Request', status: 400, detail: 'Too many numbers' });
    response.json({ parcels: numbers.map((number) => toTracked(number, journeys?.soFar(number) ?? [])) });
  });
}

function answerToken(request: Request, response: Response): void {
  const credentials = Buffer.from((request.get('authorization') ?? '').replace(/^Basic /, ''), 'base64').toString();
  const isKnown = /^.+:.+$/.test(credentials) && !credentials.endsWith(':wrong');
  if (!isKnown) response.status(400).json({ errors: [{ message: 'Invalid client identifier', type: '400' }] });
  else if (textAt(request.body, 'grant_type') !== 'client_credentials')
    response.status(400).json({ errors: [{ message: 'Invalid grant type', type: '400' }] });
  else response.json({ token_type: 'Bearer', access_token: TOKEN, expires_in: 14_400 });
}

function toTracked(requested: string, happened: readonly SimulatedEvent[]): unknown {
  const last = happened.at(-1);
  if (!last) return { requested, errorCode: 'E_404_01', errorMessage: 'Resource Not Found' };
  return {
    requested,
    unitno: requested.slice(0, -1),
    status: WORDS[last.status],
    statusDateTime: withOffset(last.at),
    events: happened
      .map(({ status, at, place }) => ({
        code: CODES[status],
        city: place,
        postalCode: '',
        country: 'DK',
        description: `Simulated: ${status}`,
        eventDateTime: withOffset(at),
      }))
      .reverse(),
  };
}

/** `2026-03-03T06:50:22+0000` */
function withOffset(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, '+0000');
}
