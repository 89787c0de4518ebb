import { codesFor, listAt, numberAt, takes, textAt } from 'waybridge/adapter';
import { empty, json, pdf, simulateCarrier } from 'waybridge/adapter/testing';
import { FIELDS, MAX_REFERENCE_LENGTH, MAX_WEIGHT_KG, SERVICES } from './check.js';
import { STATUSES } from './tracking.js';

/** Shorter than `bookingVisibleAfterMs`: a search that comes too early finds nothing, as with real carriers. */ //? search
const VISIBLE_AFTER_MS = 1_000; //? search
const CODES = codesFor(STATUSES, { unrecognised: 'ODD' });

/** The carrier's API on this machine: as strict as the carrier, not stricter. TODO as its documentation says */
export const startAcmeSimulator = simulateCarrier({
  carrier: 'acme',
  carrierName: 'Acme',
  series: { booking: { prefix: 'AC', length: 10 }, parcel: { prefix: 'AP', length: 14 } },
  formsAt: '/oauth2', //? oauth
  //?{ oauth
  open: {
    'POST /oauth2/token': ({ body }) =>
      textAt(body, 'client_secret') === 'sandbox-acme-secret'
        ? json({ access_token: 'sandbox-acme-token', token_type: 'Bearer', expires_in: 3600 })
        : refuse(401, 'unauthorized', 'this client is not known'),
  },
  //?}
  authenticate: (asked) => (isKnown(asked) ? null : refuse(401, 'unauthorized', 'this login is not known')),
  routes: {
    'GET /ping': () => json({ ok: true }),
    'POST /shipments': book,
    //?{ search
    'GET /shipments': ({ query, books, settings }) => {
      const until = settings.now().getTime() - VISIBLE_AFTER_MS;
      const found = books.byReference(query.reference ?? '').filter(({ bookedAt }) => bookedAt.getTime() <= until);
      return json({ shipments: found.map((entry) => answerFor(entry)) });
    },
    //?}
    'GET /shipments/:number/labels': async ({ params, books }) => {
      const entry = books.byNumber(params.number);
      return entry?.state === 'booked' ? pdf(await books.labels(entry)) : unknown(params.number);
    },
    'DELETE /shipments/:number': ({ params, books }) => {
      const entry = books.byNumber(params.number);
      if (entry === undefined) return unknown(params.number);
      books.cancel(entry);
      return empty(204);
    },
    'GET /events': ({ query, books }) =>
      json({ events: (query.numbers ?? '').split(',').flatMap((number) => books.events(number)).map(eventFor) }),
  },
});

//?{ header
function isKnown({ header }) {
  return header('x-api-key') === 'sandbox-acme-key';
}
//?}
//?{ query
function isKnown({ query }) {
  return query.key === 'sandbox-acme-key';
}
//?}
//?{ basic
function isKnown({ header }) {
  return header('authorization') === `Basic ${Buffer.from('sandbox:sandbox-acme-password').toString('base64')}`;
}
//?}
//?{ oauth
function isKnown({ header }) {
  return header('authorization') === 'Bearer sandbox-acme-token';
}
//?}

async function book({ body, books }) {
  const problem = problemWith(body);
  if (problem !== null) return refuse(422, 'invalid', problem);
  const entry = books.book({
    ...{ reference: textAt(body, 'reference'), service: textAt(body, 'service') },
    ...{ sender: linesOf(body, 'from'), recipient: linesOf(body, 'to') },
    parcels: listAt(body, 'parcels').map((parcel) => ({
      id: textAt(parcel, 'ref'),
      weightGrams: Math.round(1000 * numberAt(parcel, 'weightKg')),
    })),
  });
  const labels = await Promise.all(entry.trackingNumbers.map((_number, place) => books.labels(parcelOf(entry, place)))); //? inanswer
  return json(answerFor(entry, labels), 201); //? inanswer
  return json(answerFor(entry), 201); //? !inanswer
}

//?{ inanswer
/** The shipment with one of its parcels alone, for a label of its own. */
function parcelOf(entry, place) {
  const pick = (list) => list.slice(place, place + 1);
  const asked = { ...entry.asked, parcels: pick(entry.asked.parcels) };
  return { ...entry, trackingNumbers: pick(entry.trackingNumbers), asked };
}

//?}
function problemWith(body) {
  if (!SERVICES.some(({ code }) => code === textAt(body, 'service'))) return 'unknown service';
  if ((textAt(body, 'reference') ?? '').length > MAX_REFERENCE_LENGTH) return 'the reference is too long';
  for (const party of ['from', 'to'])
    for (const [field, limit] of Object.entries(FIELDS)) {
      const given = textAt(body, party, field);
      if (given === null) return `${party}.${field} is missing`;
      if (!takes(given, limit)) return `${party}.${field} does not fit`;
    }
  if (textAt(body, 'to', 'postcode') === null || textAt(body, 'to', 'country') === null) return 'to is incomplete';
  const isFine = (parcel) => numberAt(parcel, 'weightKg') > 0 && numberAt(parcel, 'weightKg') <= MAX_WEIGHT_KG;
  if (listAt(body, 'parcels').length !== 1) return 'a shipment has one parcel'; //? !several
  return listAt(body, 'parcels').every(isFine) ? null : 'a weight is out of range';
}

function linesOf(body, party) {
  const field = (name) => textAt(body, party, name) ?? '';
  return [field('name'), field('street'), `${field('postcode')} ${field('city')}`, field('country')];
}

function answerFor({ carrierNumber, reference, state, trackingNumbers, parcelIds = [] }, labels = []) { //? inanswer
function answerFor({ carrierNumber, reference, state, trackingNumbers, parcelIds = [] }) { //? !inanswer
  const parcels = trackingNumbers.map((barcode, place) => ({
    ref: parcelIds[place],
    barcode,
    ...(labels[place] && { label: Buffer.from(labels[place]).toString('base64') }), //? inanswer
  }));
  return { number: carrierNumber, reference, state, parcels };
}

function eventFor({ id, trackingNumber, status, at, place }) {
  return { id, barcode: trackingNumber, code: CODES[status], at: at.toISOString(), place };
}

function refuse(status, code, message) {
  return json({ errors: [{ code, message }] }, status);
}

function unknown(number) {
  return refuse(404, 'unknown', `there is no shipment ${number}`);
}
