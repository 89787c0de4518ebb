import type { CallProof, SimulatedCall, SimulatedEvent } from '../../contract/index.js';
import { gramsOf, listAt, numberAt, textAt, valueAt } from '../../toolkit/index.js';
import type { BookedEntry, NewBooking, Reply, RouteContext } from '../../toolkit/simulator/index.js';
import { aboutBooking, content, empty, json, later, noAnswer, pdf, plainCall } from '../../toolkit/simulator/index.js';
import { plainEventOf, retryAfter, simulateCarrier, text } from '../../toolkit/simulator/index.js';
import type { PretendError } from './rules.js';
import { scriptOf, violationsIn } from './rules.js';

const DAY_MS = 86_400_000;

const known = aboutBooking(
  ({ params, books }) => books.byNumber(params['number']),
  ({ params }) => unknown(params['number']),
);

/** The pretended carrier over real HTTP; the README of this folder is its documentation. Every key but `wrong` is let in. */
export const startPretendSimulator = simulateCarrier({
  carrier: 'pretend',
  carrierName: 'Pretend',
  visibleAfterMs: 300,
  series: {
    booking: { prefix: 'PB', length: 10 },
    parcel: { prefix: 'PP', length: 12 },
    manifest: { prefix: 'PM', length: 10 },
  },
  open: {
    'GET /track/:number': ({ params }) => text(`Parcel ${params['number']} is pretended to be on its way.`),
  },
  authenticate: ({ header }) =>
    /^Bearer (?!wrong$)/.test(header('authorization'))
      ? null
      : refuse(401, { code: 'unauthorised', text: 'this key is not known here' }),
  routes: {
    'POST /bookings': (context) => answerBooking(context, 'real'),
    'POST /returns': (context) => answerBooking(context, 'return'),
    'GET /bookings': answerSearch,
    'POST /quotes': answerQuote,
    'GET /bookings/:number/labels': known(answerLabels),
    'DELETE /bookings/:number': known((entry, { books }) => {
      books.cancel(entry);
      return empty(204);
    }),
    'POST /manifests': answerManifest,
    'GET /tracking': ({ query, books }) => {
      const numbers = (query['numbers'] ?? '').split(',');
      return json({ events: numbers.flatMap((number) => books.events(number)).map(toPlain) });
    },
  },
  callback: pretendCall,
});

function refuse(status: number, ...errors: readonly PretendError[]): Reply {
  return json({ errors }, status);
}

function unknown(number: string | undefined): Reply {
  return refuse(404, { code: 'unknown', text: `there is no booking ${number}` });
}

/** Does what the service code says. */
function answerBooking({ body, books, settings }: RouteContext, order: 'real' | 'return'): Reply {
  const errors = violationsIn(body, order);
  if (errors.length > 0) return refuse(422, ...errors);
  const { name, count } = scriptOf(textAt(body, 'service'));
  const attempt = books.count(`attempts ${textAt(body, 'reference')}`);
  if (name === 'refused')
    return refuse(422, { code: 'refused', text: `we do not drive to ${textAt(body, 'recipient', 'city')}` });
  if (name === 'down' && attempt <= count)
    return retryAfter(1, refuse(503, { code: 'closed', text: 'closed for a moment, nothing was booked' }));
  const booked = json(toAnswer(books.book({ ...readBooking(body), order }), settings.publicUrl), 201);
  if (name === 'lost' && attempt <= count) return noAnswer();
  return name === 'slow' ? later(count, booked) : booked;
}

function readBooking(body: unknown): NewBooking {
  const lines = (role: string) => {
    const field = (name: string) => textAt(body, role, name) ?? '';
    return [field('name'), field('street'), `${field('postalCode')} ${field('city')}`, field('country')];
  };
  return {
    reference: textAt(body, 'reference') ?? '',
    service: textAt(body, 'service') ?? '',
    sender: lines('sender'),
    recipient: lines('recipient'),
    parcels: listAt(body, 'parcels').map((parcel) => ({
      id: textAt(parcel, 'id') ?? '',
      weightGrams: gramsOf(numberAt(parcel, 'weightKg')),
    })),
  };
}

function toAnswer({ carrierNumber, reference, trackingNumbers, parcelIds }: BookedEntry, publicUrl: string) {
  const parcels = trackingNumbers.map((number, index) => ({
    id: parcelIds?.[index],
    number,
    url: `${publicUrl}/track/${number}`,
  }));
  return { number: carrierNumber, reference, parcels };
}

function answerSearch({ query, books, settings }: RouteContext): Reply {
  const { reference = '' } = query;
  const found = books.visible().filter((entry) => entry.reference === reference);
  const bookings = found.map((entry) => ({ ...toAnswer(entry, settings.publicUrl), state: entry.state }));
  return json({ reference, bookings });
}

/** 40 kroner, 5 more for each kilogram; a day at home, three abroad. What happens is chosen by the service here too. */
function answerQuote({ body, settings }: RouteContext): Reply {
  const { name, count } = scriptOf(textAt(body, 'service'));
  if (name === 'refused' || name === 'unknown')
    return refuse(422, { code: 'no-price', text: `there is no price for service "${textAt(body, 'service') ?? ''}"` });
  if (name === 'down' || name === 'lost') return refuse(503, { code: 'closed', text: 'closed for a moment' });
  const weights = listAt(body, 'weightsKg').map((each) => (typeof each === 'number' ? Math.ceil(each) : 0));
  const kilos = weights.reduce((sum, each) => sum + each, 0);
  const workingDays = valueAt(body, 'from') === valueAt(body, 'to') ? 1 : 3;
  const delivery = new Date(settings.now().getTime() + workingDays * DAY_MS).toISOString().slice(0, 10);
  const quote = json({ amount: `${40 + 5 * kilos}.00`, currency: 'DKK', workingDays, delivery });
  return name === 'slow' ? later(count, quote) : quote;
}

const DPI = ['203', '300'];

async function answerLabels(entry: BookedEntry, { books, query }: RouteContext): Promise<Reply> {
  if (entry.state !== 'booked') return unknown(entry.carrierNumber ?? '');
  if (scriptOf(entry.asked.service).name === 'nolabel')
    return refuse(404, { code: 'no-label', text: 'the labels of this booking cannot be had' });
  const { format = 'pdf', dpi = '203' } = query;
  if (format === 'zpl' && DPI.includes(dpi)) return content('application/zpl', books.zpl(entry, Number(dpi)));
  if (format !== 'pdf') return refuse(422, { code: 'format', text: `there are no labels as ${format} for ${dpi} dpi` });
  return pdf(await books.labels(entry));
}

/** The same bookings have the same manifest, however often they are handed in. */
function answerManifest({ body, books }: RouteContext): Reply {
  const numbers = listAt(body, 'bookings').filter((each) => typeof each === 'string');
  const unbooked = numbers.filter((number) => !books.byNumber(number));
  if (numbers.length === 0) return refuse(422, { code: 'unknown', text: 'there are no bookings' });
  if (unbooked.length > 0) return refuse(422, { code: 'unknown', text: `there is no booking ${unbooked.join(', ')}` });
  return json({ number: books.next('manifest', [...numbers].sort().join(' ')), bookings: numbers }, 201);
}

export function pretendCall(event: SimulatedEvent, proof: CallProof): SimulatedCall {
  return plainCall(event, proof, said(event));
}

function toPlain(event: SimulatedEvent): unknown {
  return plainEventOf(event, said(event));
}

function said({ status }: SimulatedEvent): string {
  return `pretended: ${status}`;
}
