import type { NextFunction, Request, Response } from 'express';
import type { SimulatedBooking, Simulator, SimulatorSettings } from '../../contract/index.js';
import type { SimulatedLabel } from '../../toolkit/simulator/label.js';
import { LABEL_100_BY_150, drawLabels } from '../../toolkit/simulator/label.js';
import { numberSeries, sendPdf, simulatorApp } from '../../toolkit/simulator/server.js';
import { complaintsAbout, readBookingRequest, readQuestion, scriptOf } from './rules.js';
import { pretendManifests } from './manifests.js';
import { answerPretendTracking, pretendCall } from './tracking.js';
import type { PretendBooking, PretendBookingRequest, PretendError, PretendParty } from '../wire.js';

const WRONG_KEY = 'Bearer wrong';
/** Shorter than what the adapter promises: a search that comes too early finds nothing, as with real carriers. */
const VISIBLE_AFTER_MS = 300;
const DAY_MS = 86_400_000;

interface Entry {
  readonly asked: PretendBookingRequest;
  readonly booked: PretendBooking;
  readonly bookedAt: Date;
  readonly state: SimulatedBooking['state'];
}

interface Books {
  entries: readonly Entry[];
  /** Booking attempts so far, by reference. */
  readonly attempts: Map<string, number>;
  readonly nextBooking: () => string;
  readonly nextParcel: () => string;
}

/** The pretended carrier over real HTTP; the README of this folder is its documentation. */
export function startPretendSimulator(settings: SimulatorSettings): Simulator {
  const books: Books = {
    entries: [],
    attempts: new Map(),
    nextBooking: numberSeries({ prefix: 'PB', length: 10 }),
    nextParcel: numberSeries({ prefix: 'PP', length: 12 }),
  };
  const app = simulatorApp();
  app.get('/track/:number', (request, response) => {
    response.type('text').send(`Parcel ${request.params.number} is pretended to be on its way.`);
  });
  app.use(letIn);
  app.post('/bookings', (request, response) => answerBooking(request, response, { books, settings }));
  app.get('/bookings', (request, response) => answerSearch(request, response, { books, settings }));
  app.post('/quotes', (request, response) => answerQuote(request, response, settings));
  app.get('/bookings/:number/labels', (request, response) => answerLabels(request.params.number, response, books));
  app.delete('/bookings/:number', (request, response) => {
    answerCancellation(request.params.number, response, { books, settings });
  });
  app.post(
    '/manifests',
    pretendManifests((number) => books.entries.some(({ booked }) => booked.number === number)),
  );
  app.get('/tracking', (request, response) => answerPretendTracking(request, response, settings));
  return {
    carrier: 'pretend',
    handle: app,
    bookings: () => books.entries.map(toSimulatedBooking),
    callback: pretendCall,
  };
}

interface Office {
  readonly books: Books;
  readonly settings: SimulatorSettings;
}

function letIn(request: Request, response: Response, next: NextFunction): void {
  const key = request.headers.authorization;
  if (key?.startsWith('Bearer ') && key !== WRONG_KEY) next();
  else refuse(response, 401, { code: 'unauthorised', text: 'this key is not known here' });
}

function refuse(response: Response, status: number, ...errors: readonly PretendError[]): void {
  response.status(status).json({ errors });
}

function answerBooking(request: Request, response: Response, office: Office): void {
  const asked = readBookingRequest(request.body);
  const errors = complaintsAbout(asked);
  if (errors.length > 0) refuse(response, 422, ...errors);
  else play(asked, response, office);
}

/** Does what the service code says. */
function play(asked: PretendBookingRequest, response: Response, office: Office): void {
  const script = scriptOf(asked.service);
  const attempt = countAttempt(office.books, asked.reference);
  if (script.kind === 'refused')
    return refuse(response, 422, { code: 'refused', text: `we do not drive to ${asked.recipient.city}` });
  if (script.kind === 'down' && attempt <= script.attempts) {
    response.set('retry-after', '1');
    return refuse(response, 503, { code: 'closed', text: 'closed for a moment, nothing was booked' });
  }
  const booked = book(asked, office);
  if (script.kind === 'lost' && attempt <= script.attempts) response.destroy();
  else if (script.kind === 'slow') setTimeout(() => response.status(201).json(booked), script.ms).unref();
  else response.status(201).json(booked);
}

function countAttempt(books: Books, reference: string): number {
  const attempt = (books.attempts.get(reference) ?? 0) + 1;
  books.attempts.set(reference, attempt);
  return attempt;
}

function book(asked: PretendBookingRequest, { books, settings }: Office): PretendBooking {
  const booked: PretendBooking = {
    number: books.nextBooking(),
    reference: asked.reference,
    parcels: asked.parcels.map(({ id }) => {
      const number = books.nextParcel();
      return { id, number, url: `${settings.publicUrl}/track/${number}` };
    }),
  };
  const entry: Entry = { asked, booked, bookedAt: settings.now(), state: 'booked' };
  books.entries = [...books.entries, entry];
  settings.journeys?.begin(toSimulatedBooking(entry));
  return booked;
}

/** 40 kroner, 5 more for each kilogram; a day at home, three abroad. What happens is chosen by the service here too. */
function answerQuote(request: Request, response: Response, settings: SimulatorSettings): void {
  const { service, from, to, weightsKg } = readQuestion(request.body);
  const script = scriptOf(service);
  if (script.kind === 'refused' || script.kind === 'unknown')
    return refuse(response, 422, { code: 'no-price', text: `there is no price for service "${service}"` });
  if (script.kind === 'down' || script.kind === 'lost')
    return refuse(response, 503, { code: 'closed', text: 'closed for a moment' });
  const kilos = weightsKg.reduce((sum, each) => sum + Math.ceil(each), 0);
  const workingDays = from === to ? 1 : 3;
  const delivery = new Date(settings.now().getTime() + workingDays * DAY_MS).toISOString().slice(0, 10);
  const quote = { amount: `${40 + 5 * kilos}.00`, currency: 'DKK', workingDays, delivery };
  if (script.kind === 'slow') setTimeout(() => response.json(quote), script.ms).unref();
  else response.json(quote);
}

function answerSearch(request: Request, response: Response, { books, settings }: Office): void {
  const { reference } = request.query;
  const visibleUntil = settings.now().getTime() - VISIBLE_AFTER_MS;
  const bookings = books.entries
    .filter((entry) => entry.booked.reference === reference && entry.bookedAt.getTime() <= visibleUntil)
    .map((entry) => ({ ...entry.booked, state: entry.state }));
  response.json({ reference, bookings });
}

async function answerLabels(number: string, response: Response, books: Books): Promise<void> {
  const entry = books.entries.find(({ booked, state }) => booked.number === number && state === 'booked');
  if (!entry) return refuse(response, 404, { code: 'unknown', text: `there is no booking ${number}` });
  if (scriptOf(entry.asked.service).kind === 'no-label')
    return refuse(response, 404, { code: 'no-label', text: 'the labels of this booking cannot be had' });
  sendPdf(response, await drawLabels(toLabels(entry), LABEL_100_BY_150));
}

function toLabels({ asked, booked }: Entry): readonly SimulatedLabel[] {
  return booked.parcels.map((parcel, index) => ({
    carrierName: 'Pretend',
    service: asked.service,
    trackingNumber: parcel.number,
    reference: asked.reference,
    sender: addressLines(asked.sender),
    recipient: addressLines(asked.recipient),
    weightGrams: Math.round(1000 * (asked.parcels[index]?.weightKg ?? 0)),
  }));
}

function addressLines(party: PretendParty): readonly string[] {
  return [party.name, party.street, `${party.postalCode} ${party.city}`, party.country];
}

function answerCancellation(number: string, response: Response, { books, settings }: Office): void {
  const known = books.entries.find(({ booked }) => booked.number === number);
  if (!known) return refuse(response, 404, { code: 'unknown', text: `there is no booking ${number}` });
  books.entries = books.entries.map((entry) =>
    entry.booked.number === number ? { ...entry, state: 'cancelled' } : entry,
  );
  settings.journeys?.end(toSimulatedBooking(known).trackingNumbers);
  response.status(204).end();
}

function toSimulatedBooking({ booked, state }: Entry): SimulatedBooking {
  return {
    reference: booked.reference,
    carrierNumber: booked.number,
    trackingNumbers: booked.parcels.map((parcel) => parcel.number),
    parcelIds: booked.parcels.map((parcel) => parcel.id),
    state,
  };
}
