import { createHmac } from 'node:crypto';
import { codesFor, listAt, numberAt, takes, textAt } from 'waybridge/adapter';
import { empty, json, pdf, simulateCarrier } from 'waybridge/adapter/testing';
import { FIELDS, MAX_WEIGHT_KG, SERVICES } from './check.js';
import { STATUSES } from './tracking.js';

const VISIBLE_AFTER_MS = 1_000;
const CODES = codesFor(STATUSES, { unrecognised: 'ODD' });

export const startFjordpostSimulator = simulateCarrier({
  carrier: 'fjordpost',
  carrierName: 'Fjordpost',
  series: { booking: { prefix: 'FC', length: 10 }, parcel: { prefix: 'FJ', length: 14 } },
  authenticate: ({ header }) =>
    /^Bearer (?!not-)./.test(header('authorization')) ? null : refuse(401, 'unauthorized', 'this key is not known'),
  routes: {
    'GET /ping': () => json({ ok: true }),
    'POST /consignments': book,
    'GET /consignments': ({ query, books, settings }) => {
      const until = settings.now().getTime() - VISIBLE_AFTER_MS;
      const found = books.byReference(query.reference ?? '').filter(({ bookedAt }) => bookedAt.getTime() <= until);
      return json({ consignments: found.map((entry) => answerFor(entry)) });
    },
    'GET /consignments/:number/labels': async ({ params, books }) => {
      const entry = books.byNumber(params.number);
      return entry?.state === 'booked' ? pdf(await books.labels(entry)) : unknown(params.number);
    },
    'DELETE /consignments/:number': ({ params, books }) => {
      const entry = books.byNumber(params.number);
      if (entry === undefined) return unknown(params.number);
      books.cancel(entry);
      return empty(204);
    },
    'GET /events': ({ query, books }) =>
      json({
        events: (query.barcodes ?? '')
          .split(',')
          .flatMap((number) => books.events(number))
          .map(eventFor),
      }),
  },
  callback: (event, { secret, sentAt }) => {
    const body = JSON.stringify({ events: [eventFor(event)] });
    const id = `call-${event.id}`;
    const timestamp = String(Math.floor(sentAt.getTime() / 1000));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return {
      headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
      body,
    };
  },
});

async function book({ body, books }) {
  const problem = problemWith(body);
  if (problem !== null) return refuse(422, 'invalid', problem);
  const reference = textAt(body, 'reference');
  if (books.byReference(reference).some(({ state }) => state === 'booked'))
    return refuse(409, 'reference_taken', `there is a consignment ${reference}`);
  const entry = books.book({
    ...{ reference, service: textAt(body, 'service') },
    ...{ sender: linesOf(body, 'from'), recipient: linesOf(body, 'to') },
    parcels: listAt(body, 'parcels').map((parcel) => ({
      id: textAt(parcel, 'ref'),
      weightGrams: Math.round(1000 * numberAt(parcel, 'weightKg')),
    })),
  });
  const labels = await Promise.all(
    entry.trackingNumbers.map((_number, place) => books.labels(onlyParcel(entry, place))),
  );
  return json(answerFor(entry, labels), 201);
}

/** A consignment of one of its parcels, for a label of its own. */
function onlyParcel(entry, place) {
  const pick = (list) => list.slice(place, place + 1);
  return {
    ...entry,
    trackingNumbers: pick(entry.trackingNumbers),
    asked: { ...entry.asked, parcels: pick(entry.asked.parcels) },
  };
}

function problemWith(body) {
  if (!SERVICES.some(({ code }) => code === textAt(body, 'service'))) return 'unknown service';
  if ((textAt(body, 'reference') ?? '').length > 30) return 'reference has more than 30 characters';
  for (const party of ['from', 'to'])
    for (const [field, limit] of Object.entries(FIELDS)) {
      const given = textAt(body, party, field);
      if (given === null && party === 'to') return `to.${field} is missing`;
      if (given !== null && !takes(given, limit)) return `${party}.${field} does not fit`;
    }
  if (textAt(body, 'to', 'postcode') === null || textAt(body, 'to', 'country') === null) return 'to is incomplete';
  const isFine = (parcel) => numberAt(parcel, 'weightKg') > 0 && numberAt(parcel, 'weightKg') <= MAX_WEIGHT_KG;
  return listAt(body, 'parcels').every(isFine) ? null : 'a weight is out of range';
}

function linesOf(body, party) {
  const field = (name) => textAt(body, party, name) ?? '';
  return [field('name'), field('street'), `${field('postcode')} ${field('city')}`, field('country')];
}

function answerFor({ carrierNumber, reference, state, trackingNumbers, parcelIds = [] }, labels = []) {
  const parcels = trackingNumbers.map((barcode, place) => ({
    ref: parcelIds[place],
    barcode,
    ...(labels[place] && { label: Buffer.from(labels[place]).toString('base64') }),
  }));
  return { number: carrierNumber, reference, state: state === 'booked' ? 'open' : 'cancelled', parcels };
}

function eventFor({ id, trackingNumber, status, at, place }) {
  return { id, barcode: trackingNumber, code: CODES[status], at: at.toISOString(), place };
}

function refuse(status, code, message) {
  return json({ errors: [{ code, message }] }, status);
}

function unknown(number) {
  return refuse(404, 'unknown', `there is no consignment ${number}`);
}
