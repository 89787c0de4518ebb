//?{ ts
import type { SimulatedEvent } from 'waybridge/adapter';
import type { Asked, BookedEntry, Reply, RouteContext } from 'waybridge/adapter/testing';
//?}
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
function isKnown({ header } /*ts: Asked */) /*ts: boolean */ {
  return header('x-api-key') === 'sandbox-acme-key';
}
//?}
//?{ query
function isKnown({ query } /*ts: Asked */) /*ts: boolean */ {
  return query.key === 'sandbox-acme-key';
}
//?}
//?{ basic
function isKnown({ header } /*ts: Asked */) /*ts: boolean */ {
  return header('authorization') === `Basic ${Buffer.from('sandbox:sandbox-acme-password').toString('base64')}`;
}
//?}
//?{ oauth
function isKnown({ header } /*ts: Asked */) /*ts: boolean */ {
  return header('authorization') === 'Bearer sandbox-acme-token';
}
//?}

async function book({ body, books } /*ts: RouteContext */) /*ts: Promise<Reply> */ {
  const problem = problemWith(body);
  if (problem !== null) return refuse(422, 'invalid', problem);
  const entry = books.book({
    ...{ reference: textAt(body, 'reference') ?? '', service: textAt(body, 'service') ?? '' },
    ...{ sender: linesOf(body, 'from'), recipient: linesOf(body, 'to') },
    parcels: listAt(body, 'parcels').map((parcel) => ({
      id: textAt(parcel, 'ref') ?? '',
      weightGrams: Math.round(1000 * (numberAt(parcel, 'weightKg') ?? 0)),
    })),
  });
  const labels = await Promise.all(entry.trackingNumbers.map((_number, place) => books.labels(parcelOf(entry, place)))); //? inanswer
  return json(answerFor(entry, labels), 201); //? inanswer
  return json(answerFor(entry), 201); //? !inanswer
}

//?{ inanswer
/** The shipment with one of its parcels alone, for a label of its own. */
function parcelOf(entry /*ts: BookedEntry */, place /*ts: number */) /*ts: BookedEntry */ {
  const pick = /*ts<Each> */(list /*ts: readonly Each[] */) => list.slice(place, place + 1);
  const asked = { ...entry.asked, parcels: pick(entry.asked.parcels) };
  return { ...entry, trackingNumbers: pick(entry.trackingNumbers), asked };
}

//?}
function problemWith(body /*ts: unknown */) /*ts: string | null */ {
  if (!SERVICES.some(({ code }) => code === textAt(body, 'service'))) return 'unknown service';
  if ((textAt(body, 'reference') ?? '').length > MAX_REFERENCE_LENGTH) return 'the reference is too long';
  return partyProblem(body, 'from') ?? partyProblem(body, 'to') ?? parcelProblem(listAt(body, 'parcels'));
}

function partyProblem(body /*ts: unknown */, party /*ts: 'from' | 'to' */) /*ts: string | null */ {
  for (const [field, limit] of Object.entries(FIELDS)) {
    const given = textAt(body, party, field);
    if (given === null && party === 'to') return `to.${field} is missing`;
    if (given !== null && !takes(given, limit)) return `${party}.${field} does not fit`;
  }
  const isPlace = textAt(body, party, 'postcode') !== null && textAt(body, party, 'country') !== null;
  return isPlace || party === 'from' ? null : 'to is incomplete';
}

function parcelProblem(parcels /*ts: readonly unknown[] */) /*ts: string | null */ {
  if (parcels.length !== 1) return 'a shipment has one parcel'; //? !several
  const weights = parcels.map((parcel) => numberAt(parcel, 'weightKg') ?? 0);
  return weights.every((weight) => weight > 0 && weight <= MAX_WEIGHT_KG) ? null : 'a weight is out of range';
}

function linesOf(body /*ts: unknown */, party /*ts: string */) /*ts: readonly string[] */ {
  const field = (name /*ts: string */) => textAt(body, party, name) ?? '';
  return [field('name'), field('street'), `${field('postcode')} ${field('city')}`, field('country')];
}

function answerFor(entry /*ts: BookedEntry */, labels /*ts: readonly Uint8Array[] */ = []) { //? inanswer
function answerFor(entry /*ts: BookedEntry */) { //? !inanswer
  const { carrierNumber, reference, state, trackingNumbers, parcelIds = [] } = entry;
  const parcels = trackingNumbers.map((barcode, place) => ({
    ref: parcelIds[place],
    barcode,
    ...labelAt(labels, place), //? inanswer
  }));
  return { number: carrierNumber, reference, state, parcels };
}

//?{ inanswer
function labelAt(labels /*ts: readonly Uint8Array[] */, place /*ts: number */) {
  const label = labels[place];
  return label === undefined ? {} : { label: Buffer.from(label).toString('base64') };
}

//?}
function eventFor({ id, trackingNumber, status, at, place } /*ts: SimulatedEvent */) {
  return { id, barcode: trackingNumber, code: CODES[status], at: at.toISOString(), place };
}

function refuse(status /*ts: number */, code /*ts: string */, message /*ts: string */) /*ts: Reply */ {
  return json({ errors: [{ code, message }] }, status);
}

function unknown(number /*ts: string | undefined */) /*ts: Reply */ {
  return refuse(404, 'unknown', `there is no shipment ${number}`);
}
