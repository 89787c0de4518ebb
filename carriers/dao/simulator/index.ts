import type { NextFunction, Request, Response } from 'express';
import type { SimulatedBooking, Simulator, SimulatorSettings } from '../../contract/index.js';
import { textAt } from '../../toolkit/json.js';
import type { PageSize, SimulatedLabel } from '../../toolkit/simulator/label.js';
import { LABEL_100_BY_150, drawLabels } from '../../toolkit/simulator/label.js';
import { numberSeries, sendPdf, simulatorApp } from '../../toolkit/simulator/server.js';
import { said } from '../../toolkit/text.js';
import { complaintsAbout } from './rules.js';
import { toDaoTracking } from './tracking.js';
import type { DaoService } from '../wire.js';
import { CANCEL_PATH, CODES_PATH, FAILED, LABEL_PATH, OK, ORDER_PATHS, SERVICES, TRACK_PATH } from '../wire.js';

/** DAO's own codes stand in its `FejlKoder.php`; this one is the simulator's. */
const SIMULATED_CODE = '999';

const LANDSCAPE: PageSize = { widthMm: 150, heightMm: 100 };

const PAGES: ReadonlyMap<string, PageSize> = new Map([
  ['100x150', LABEL_100_BY_150],
  ['100x150p', LABEL_100_BY_150],
  ['150x100', LANDSCAPE],
  ['100x150l', LANDSCAPE],
  ['A4Foldable', { widthMm: 210, heightMm: 297 }],
]);

interface Entry {
  readonly label: SimulatedLabel;
  readonly order: 'real' | 'test';
  readonly state: SimulatedBooking['state'];
}

interface Books {
  /** By barcode, in the order of booking. */
  readonly entries: Map<string, Entry>;
  readonly nextBarcode: () => string;
  readonly journeys: SimulatorSettings['journeys'];
}

/** DAO's API over real HTTP; it knows every account whose code is not `wrong`. */
export function startDaoSimulator({ journeys }: SimulatorSettings): Simulator {
  const nextBarcode = numberSeries({ prefix: '00057', length: 20 });
  const books: Books = { entries: new Map(), nextBarcode, journeys };
  const app = simulatorApp();
  app.use(letIn);
  for (const service of SERVICES)
    app.get(ORDER_PATHS[service], (request, response) => answerOrder(service, request, { response, books }));
  app.get(LABEL_PATH, (request, response) => answerLabel(request, response, books));
  app.get(CANCEL_PATH, (request, response) => answerCancellation(request, response, books));
  app.get(TRACK_PATH, (request, response) => answerTracking(request, response, books));
  app.get(CODES_PATH, (_request, response) =>
    agree(response, [{ fejlkode: SIMULATED_CODE, fejltekst: 'Forespørgslen blev afvist' }]),
  );
  return { carrier: 'dao', handle: app, bookings: () => toSimulatedBookings(books) };
}

function letIn(request: Request, response: Response, next: NextFunction): void {
  const code = textAt(request.query, 'kode');
  const known = textAt(request.query, 'kundeid') !== null && code !== null && code !== 'wrong';
  if (known) next();
  else refuse(response, 'Ukendt kundeid eller kode');
}

function refuse(response: Response, text: string): void {
  response.json({ status: FAILED, fejlkode: SIMULATED_CODE, fejltekst: text });
}

function agree(response: Response, result: unknown): void {
  response.json({ status: OK, fejlkode: '', fejltekst: '', resultat: result });
}

function answerOrder(
  service: DaoService,
  { query }: Request,
  { response, books }: { readonly response: Response; readonly books: Books },
): void {
  const [complaint] = complaintsAbout(service, query);
  if (complaint) return refuse(response, complaint);
  const barcode = books.nextBarcode();
  const order = textAt(query, 'test') === '1' ? 'test' : 'real';
  const label = toLabel(service, query, barcode);
  books.entries.set(barcode, { label, order, state: 'booked' });
  if (order === 'real') books.journeys?.begin({ reference: label.reference, trackingNumbers: [barcode] });
  agree(response, { stregkode: barcode, labelTekst1: '', labelTekst2: '', labelTekst3: '', udsortering: 'E' });
}

function toLabel(service: DaoService, query: unknown, barcode: string): SimulatedLabel {
  const field = (name: string): string => textAt(query, name) ?? '';
  const shop = service === 'pickup-point' ? `shop ${field('shopid')}` : null;
  const place = said(field('postnr'), field('by')).join(' ');
  return {
    carrierName: 'DAO',
    service: said(service, shop).join(' '),
    trackingNumber: barcode,
    reference: field('faktura'),
    sender: said(`Customer ${field('kundeid')}`, field('afsenderid')),
    recipient: said(field('navn'), field('adresse'), place, field('land')),
    weightGrams: Number(field('vaegt')),
  };
}

async function answerLabel({ query }: Request, response: Response, books: Books): Promise<void> {
  const entry = books.entries.get(textAt(query, 'stregkode') ?? '');
  const page = PAGES.get(textAt(query, 'papir') ?? '100x150');
  if (!entry || entry.state === 'cancelled') return refuse(response, 'Stregkoden findes ikke');
  if (!page) return refuse(response, 'Ukendt papir');
  sendPdf(response, await drawLabels([entry.label], page));
}

function answerCancellation({ query }: Request, response: Response, books: Books): void {
  const barcode = textAt(query, 'stregkode') ?? '';
  const entry = books.entries.get(barcode);
  if (!entry) return refuse(response, 'Stregkoden findes ikke');
  if (entry.state === 'cancelled') return refuse(response, 'Pakken er allerede annulleret');
  books.entries.set(barcode, { ...entry, state: 'cancelled' });
  books.journeys?.end([barcode]);
  agree(response, null);
}

function answerTracking({ query }: Request, response: Response, { entries, journeys }: Books): void {
  const barcode = textAt(query, 'stregkode') ?? '';
  if (!entries.has(barcode)) return refuse(response, 'Stregkoden findes ikke');
  agree(response, toDaoTracking(barcode, journeys?.soFar(barcode) ?? []));
}

/** A test order makes no real one. */
function toSimulatedBookings(books: Books): readonly SimulatedBooking[] {
  return [...books.entries.values()]
    .filter(({ order }) => order === 'real')
    .map(({ label, state }) => ({
      reference: label.reference,
      carrierNumber: null,
      trackingNumbers: [label.trackingNumber],
      state,
    }));
}
