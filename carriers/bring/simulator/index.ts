import type { NextFunction, Request, Response } from 'express';
import type { SimulatedBooking, Simulator, SimulatorSettings } from '../../contract/index.js';
import { listAt, numberAt, textAt, valueAt } from '../../toolkit/json.js';
import type { SimulatedLabel } from '../../toolkit/simulator/label.js';
import { LABEL_100_BY_150, drawLabels } from '../../toolkit/simulator/label.js';
import { numberSeries, sendPdf, simulatorApp } from '../../toolkit/simulator/server.js';
import { complaintsAbout } from './rules.js';
import type { Complaint } from './rules.js';
import { shippingGuideAnswer } from './quotes.js';
import { bringCall, toBringEvent } from './tracking.js';

/** Every other key is let in. */
const WRONG_KEY = 'wrong';
const DAY_MS = 86_400_000;
/** The documented path, and an older one that still answers. */
const BOOKING_PATHS = ['/booking/api/booking', '/booking-api/api/booking'];

interface Entry {
  /** As it was asked for. */
  readonly consignment: unknown;
  readonly reference: string;
  readonly number: string;
  readonly packageNumbers: readonly string[];
  readonly labelId: string;
  readonly bookedAt: Date;
}

interface Office {
  readonly settings: SimulatorSettings;
  readonly entries: Entry[];
  readonly nextShipment: () => string;
  readonly nextPackage: () => string;
  readonly nextLabel: () => string;
  readonly nextComplaint: () => string;
}

/** Bring's Booking and Tracking API over real HTTP; a booking is in tracking at once. */
export function startBringSimulator(settings: SimulatorSettings): Simulator {
  const office: Office = {
    settings,
    entries: [],
    nextShipment: numberSeries({ prefix: '7', length: 17 }),
    nextPackage: numberSeries({ prefix: '37', length: 18 }),
    nextLabel: numberSeries({ prefix: '11111111-2222-4333-8444-', length: 36 }),
    nextComplaint: numberSeries({ prefix: '0f0f0f0f-0000-4000-8000-', length: 36 }),
  };
  const app = simulatorApp();
  app.get('/labels/id/:file', (request, response) => {
    response.redirect(302, `${settings.publicUrl}/labels/storage/${request.params.file}`);
  });
  app.get('/labels/storage/:file', (request, response) => answerLabels(request.params.file, response, office));
  app.use(letIn);
  app.post(BOOKING_PATHS, (request, response) => answerBooking(request, response, office));
  app.get('/booking/api/customers.json', (_request, response) => response.json({ customers: [] }));
  app.post('/shippingguide/api/v2/products', (request, response) => {
    const { status, json } = shippingGuideAnswer(request.body);
    response.status(status).json(json);
  });
  app.get('/tracking/api/v2/tracking.json', (request, response) => answerTracking(request, response, office));
  return {
    carrier: 'bring',
    handle: app,
    bookings: () => office.entries.map(toSimulatedBooking),
    callback: (event, proof) => bringCall(event, proof, shipmentOf(event.trackingNumber, office)),
  };
}

/** Who is not known is told so in plain text. */
function letIn(request: Request, response: Response, next: NextFunction): void {
  const uid = request.get('x-mybring-api-uid');
  const key = request.get('x-mybring-api-key');
  if (!uid || !key || key === WRONG_KEY)
    response.status(401).type('text').send('Authentication failed. Check the API user and the API key.');
  else if (!request.get('x-bring-client-url')) response.status(400).type('text').send('X-Bring-Client-URL is missing.');
  else next();
}

function answerBooking(request: Request, response: Response, office: Office): void {
  const body: unknown = request.body;
  const consignment = valueAt(body, 'consignments', 0);
  const correlationId = textAt(consignment, 'correlationId');
  const complaints = complaintsAbout(body, office.settings.now());
  if (complaints.length > 0) {
    const errors = complaints.map((complaint) => toError(complaint, correlationId, office));
    response.status(400).json({ consignments: [{ correlationId, confirmation: null, errors }] });
    return;
  }
  const confirmation = toConfirmation(book(consignment, office), office.settings);
  response.json({ consignments: [{ correlationId, confirmation, errors: null }] });
}

function toError(complaint: Complaint, correlationId: string | null, office: Office): unknown {
  return {
    uniqueId: office.nextComplaint(),
    code: complaint.code,
    consignmentCorrelationId: correlationId,
    packageCorrelationId: complaint.packageId ?? null,
    messages: [{ lang: 'en', message: complaint.message }],
  };
}

function book(consignment: unknown, office: Office): Entry {
  const entry: Entry = {
    consignment,
    reference: textAt(consignment, 'parties', 'sender', 'reference') ?? '',
    number: office.nextShipment(),
    packageNumbers: listAt(consignment, 'packages').map(() => office.nextPackage()),
    labelId: office.nextLabel(),
    bookedAt: office.settings.now(),
  };
  office.entries.push(entry);
  office.settings.journeys?.begin(toSimulatedBooking(entry));
  return entry;
}

function shipmentOf(packageNumber: string, office: Office): string {
  return office.entries.find((entry) => entry.packageNumbers.includes(packageNumber))?.number ?? '';
}

function toConfirmation(entry: Entry, settings: SimulatorSettings): unknown {
  return {
    consignmentNumber: entry.number,
    productSpecificData: null,
    links: {
      labels: `${settings.publicUrl}/labels/id/${entry.labelId}.pdf`,
      waybill: null,
      tracking: `https://sporing.bring.no/sporing.html?q=${entry.number}`,
    },
    dateAndTimes: { earliestPickup: null, expectedDelivery: settings.now().getTime() + DAY_MS },
    packages: listAt(entry.consignment, 'packages').map((each, index) => ({
      packageNumber: entry.packageNumbers[index],
      correlationId: textAt(each, 'correlationId'),
    })),
  };
}

function answerTracking(request: Request, response: Response, office: Office): void {
  const q = String(request.query['q'] ?? '');
  const found = office.entries.filter(
    (entry) => entry.reference === q || entry.number === q || entry.packageNumbers.includes(q),
  );
  const none = { error: { code: 404, message: 'No shipments found' } };
  const consignmentSet =
    q !== '' && found.length > 0 ? found.map((entry) => toTracked(entry, office.settings)) : [none];
  response.json({ apiVersion: '2', consignmentSet });
}

function toTracked(entry: Entry, settings: SimulatorSettings): unknown {
  const packages = listAt(entry.consignment, 'packages');
  return {
    consignmentId: entry.number,
    senderReference: entry.reference,
    totalWeightInKgs: packages.reduce<number>((sum, each) => sum + (numberAt(each, 'weightInKg') ?? 0), 0),
    packageSet: entry.packageNumbers.map((packageNumber) => ({
      packageNumber,
      productCode: textAt(entry.consignment, 'product', 'id'),
      statusDescription: '',
      eventSet: eventsOf(packageNumber, entry, settings),
    })),
  };
}

/** Newest first. A package that does not travel is announced, and that is all. */
function eventsOf(packageNumber: string, { bookedAt }: Entry, { journeys }: SimulatorSettings): readonly unknown[] {
  const happened = journeys?.soFar(packageNumber) ?? [];
  const announced = { status: 'PRE_NOTIFIED', description: 'We are informed', dateIso: bookedAt.toISOString() };
  return happened.length > 0 ? happened.map(toBringEvent).reverse() : [announced];
}

async function answerLabels(file: string, response: Response, office: Office): Promise<void> {
  const entry = office.entries.find(({ labelId }) => `${labelId}.pdf` === file);
  if (entry) sendPdf(response, await drawLabels(toLabels(entry), LABEL_100_BY_150));
  else response.status(404).type('text').send('Not found');
}

function toLabels(entry: Entry): readonly SimulatedLabel[] {
  const parties = valueAt(entry.consignment, 'parties');
  return listAt(entry.consignment, 'packages').map((each, index) => ({
    carrierName: 'Bring',
    service: textAt(entry.consignment, 'product', 'id') ?? '',
    trackingNumber: entry.packageNumbers[index] ?? '',
    reference: entry.reference,
    sender: addressLines(valueAt(parties, 'sender')),
    recipient: addressLines(valueAt(parties, 'recipient')),
    weightGrams: Math.round(1000 * (numberAt(each, 'weightInKg') ?? 0)),
  }));
}

function addressLines(party: unknown): readonly string[] {
  const place = ['postalCode', 'city'].map((field) => textAt(party, field) ?? '').join(' ');
  const lines = ['name', 'addressLine', 'addressLine2'].map((field) => textAt(party, field));
  return [...lines, place, textAt(party, 'countryCode')].filter((line) => line !== null);
}

function toSimulatedBooking(entry: Entry): SimulatedBooking {
  return {
    reference: entry.reference,
    carrierNumber: entry.number,
    trackingNumbers: entry.packageNumbers,
    state: 'booked',
  };
}
