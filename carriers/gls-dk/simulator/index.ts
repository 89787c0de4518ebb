import countries from 'i18n-iso-countries';
import type { SimulatedEvent } from '../../contract/index.js';
import { codesFor, textAt, utcOffsetWithoutColon, valueAt } from '../../toolkit/index.js';
import type { Asked, NewBooking, RouteContext, Reply } from '../../toolkit/simulator/index.js';
import { eventRow, json, readBooking, simulateCarrier } from '../../toolkit/simulator/index.js';
import { EVENT, EVENTS, STATUSES, TRACK_AT_ONCE } from '../tracking.js';
import { answerShops } from './pickup-points.js';
import { isReturn, violationsIn } from './rules.js';
import { inGlsSpelling } from './spelling.js';

const TOKEN = 'simulated-token';

/**
 * `CreateShipment` of GLS Denmark, and beside it the Track & Trace of GLS Group, over real HTTP. It knows every account whose
 * password, and every client whose secret, is not `wrong`.
 */
export const startGlsDkSimulator = simulateCarrier({
  carrier: 'gls-dk',
  carrierName: 'GLS',
  series: { booking: { prefix: '9990000001T', length: 18 }, parcel: { prefix: '9', length: 11 } },
  formsAt: '/oauth2',
  routes: {
    'POST /CreateShipment': answerShipment,
    'GET /wsShopFinder.asmx/:operation': answerShops,
    'POST /oauth2/v2/token': answerToken,
    'GET /track-and-trace-v1/tracking/simple/trackids/:numbers': answerTracking,
  },
});

async function answerShipment({ body, books }: RouteContext): Promise<Reply> {
  const shipment = inGlsSpelling(body);
  const ModelState = violationsIn(shipment);
  if (Object.keys(ModelState).length > 0) return json({ Message: 'The request is invalid.', ModelState }, 400);
  const entry = books.book(bookingIn(shipment));
  return json({
    ConsignmentId: entry.carrierNumber,
    PDF: Buffer.from(await books.labels(entry)).toString('base64'),
    Parcels: entry.trackingNumbers.map((number) => ({ UniqueNumber: `U${number}`, ParcelNumber: number })),
  });
}

function bookingIn(shipment: unknown): NewBooking {
  const services = Object.entries(valueAt(shipment, 'Services') ?? {}).map(([name, value]) => `${name} ${value}`);
  const [sender, order] = isReturn(shipment) ? ['Pickup', 'return' as const] : ['AlternativeShipper', 'real' as const];
  const booking = readBooking(shipment, {
    ...{ reference: 'Reference', sender: `Addresses.${sender}`, recipient: 'Addresses.Delivery' },
    lines: ['Name1', 'Name2', 'Street1', 'Name3', 'ZipCode City', 'CountryNum'],
    ...{ parcels: 'Parcels', parcel: { reference: 'Reference', kilograms: 'Weight' } },
  });
  const named = (lines: readonly string[]) => lines.map((line) => countries.numericToAlpha2(line) ?? line);
  const addresses = { sender: named(booking.sender), recipient: named(booking.recipient) };
  return { ...booking, ...addresses, service: services.join(', ') || 'BusinessParcel', order };
}

function answerToken({ header, body }: Asked): Reply {
  const credentials = Buffer.from(header('authorization').replace(/^Basic /, ''), 'base64').toString();
  const refuse = (message: string) => json({ errors: [{ message, type: '400' }] }, 400);
  if (!/^.+:(?!wrong$).+$/.test(credentials)) return refuse('Invalid client identifier');
  if (textAt(body, 'grant_type') !== 'client_credentials') return refuse('Invalid grant type');
  return json({ token_type: 'Bearer', access_token: TOKEN, expires_in: 14_400 });
}

function answerTracking({ header, params, books }: RouteContext): Reply {
  if (header('authorization') !== `Bearer ${TOKEN}`)
    return json({ fault: { faultstring: 'Invalid access token' } }, 401);
  const numbers = (params['numbers'] ?? '').split(',');
  if (numbers.length > TRACK_AT_ONCE)
    return json({ title: 'Bad Request', status: 400, detail: 'Too many numbers' }, 400);
  return json({ parcels: numbers.map((number) => toTracked(number, books.events(number))) });
}

/** What it says in a history; for customs, returns and losses the codes are made up. */
const CODES = codesFor(EVENTS, {
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
  return {
    ...{ requested, unitno: requested.slice(0, -1) },
    ...{ status: WORDS[last.status], statusDateTime: utcOffsetWithoutColon(last.at) },
    events: happened.map((event) => ({ ...eventRow(event, EVENT, WRITING), postalCode: '', country: 'DK' })).reverse(),
  };
}
