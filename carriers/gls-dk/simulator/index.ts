import countries from 'i18n-iso-countries';
import type { SimulatedEvent } from '../../contract/index.js';
import { listAt, numberAt, textAt, valueAt } from '../../toolkit/json.js';
import { utcOffsetWithoutColon } from '../../toolkit/local-time.js';
import type { Asked, NewBooking, RouteContext, Reply } from '../../toolkit/simulator/index.js';
import { addressLines, json, simulateCarrier } from '../../toolkit/simulator/index.js';
import { said } from '../../toolkit/text.js';
import { codesFor } from '../../toolkit/tracking/status-table.js';
import { gramsOf } from '../../toolkit/units.js';
import { EVENTS, STATUSES, TRACK_AT_ONCE } from '../tracking.js';
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
  const state = violationsIn(shipment);
  if (Object.keys(state).length > 0) return json({ Message: 'The request is invalid.', ModelState: state }, 400);
  const entry = books.book(readShipment(shipment));
  return json({
    ConsignmentId: entry.carrierNumber,
    PDF: Buffer.from(await books.labels(entry)).toString('base64'),
    Parcels: entry.trackingNumbers.map((number) => ({ UniqueNumber: `U${number}`, ParcelNumber: number })),
  });
}

function readShipment(shipment: unknown): NewBooking {
  const services = Object.entries(valueAt(shipment, 'Services') ?? {}).map(([name, value]) => `${name} ${value}`);
  const lines = (role: string) => {
    const address = valueAt(shipment, 'Addresses', role);
    const country = countries.numericToAlpha2(textAt(address, 'CountryNum') ?? '') ?? '';
    return said(...addressLines(address, 'Name1', 'Name2', 'Street1', 'Name3', 'ZipCode City'), country);
  };
  return {
    reference: textAt(shipment, 'Reference') ?? '',
    service: services.join(', ') || 'BusinessParcel',
    sender: lines(isReturn(shipment) ? 'Pickup' : 'AlternativeShipper'),
    recipient: lines('Delivery'),
    order: isReturn(shipment) ? 'return' : 'real',
    parcels: listAt(shipment, 'Parcels').map((parcel) => ({
      reference: textAt(parcel, 'Reference'),
      weightGrams: gramsOf(numberAt(parcel, 'Weight')),
    })),
  };
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

function toTracked(requested: string, happened: readonly SimulatedEvent[]): unknown {
  const last = happened.at(-1);
  if (!last) return { requested, errorCode: 'E_404_01', errorMessage: 'Resource Not Found' };
  return {
    requested,
    unitno: requested.slice(0, -1),
    status: WORDS[last.status],
    statusDateTime: utcOffsetWithoutColon(last.at),
    events: happened
      .map(({ status, at, place }) => ({
        ...{ city: place, postalCode: '', country: 'DK' },
        code: CODES[status],
        description: `Simulated: ${status}`,
        eventDateTime: utcOffsetWithoutColon(at),
      }))
      .reverse(),
  };
}
