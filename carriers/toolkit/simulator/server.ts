import express from 'express';
import type { Express, Request, RequestHandler, Response } from 'express';
import type {
  CallProof,
  SimulatedCall,
  SimulatedEvent,
  SimulatorSettings,
  StartSimulator,
} from '../../contract/index.js';
import type { BookedEntry, Books, BooksOf } from './books.js';
import { isBooking, openBooks, toSimulatedBooking, toSimulatedReturn } from './books.js';
import type { Reply } from './replies.js';

/** A request to a simulated carrier. */
export interface Asked {
  /** The parsed JSON or form. */
  readonly body: unknown;
  readonly query: Readonly<Record<string, string>>;
  /** The values of `:name` parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** `''` when it is missing. */
  header(name: string): string;
}

/** The input of a route. */
export interface RouteContext extends Asked {
  readonly books: Books;
  readonly settings: SimulatorSettings;
}

export type Route = (context: RouteContext) => Reply | Promise<Reply>;

/** By method and path, e.g. `GET /bookings/:number`. */
export type Routes = Readonly<Record<string, Route>>;

/**
 * Makes routes about one booking.
 * @param find in the books
 * @param refuse answers where there is none
 */
export function aboutBooking(
  find: (context: RouteContext) => BookedEntry | undefined,
  refuse: (context: RouteContext) => Reply,
): (answer: (entry: BookedEntry, context: RouteContext) => ReturnType<Route>) => Route {
  return (answer) => (context) => {
    const entry = find(context);
    return entry === undefined ? refuse(context) : answer(entry, context);
  };
}

export interface SimulatedCarrier extends BooksOf {
  readonly carrier: string;
  /** Answers a request without valid credentials; `null`: the request may pass. */
  authenticate?(asked: Asked): Reply | null;
  /** The path below which it also reads HTML forms. */
  readonly formsAt?: string;
  /** Routes that need no credentials. */
  readonly open?: Routes;
  readonly routes: Routes;
  /** Makes the callback for an event. Missing: the carrier makes no callbacks. */
  callback?(event: SimulatedEvent, proof: CallProof, books: Books): SimulatedCall;
}

/** Serves a carrier's API over real HTTP, from a table of its routes. */
export function simulateCarrier(simulated: SimulatedCarrier): StartSimulator {
  return (settings) => {
    const books = openBooks(simulated, settings);
    const app = plainApp();
    if (simulated.formsAt !== undefined) app.use(simulated.formsAt, express.urlencoded({ extended: false }));
    app.use(unreadBody);
    addRoutes(app, simulated.open ?? {}, { books, settings });
    app.use((request, response, next) => {
      const refusal = simulated.authenticate?.(toAsked(request)) ?? null;
      if (refusal === null) next();
      else refusal(response);
    });
    addRoutes(app, simulated.routes, { books, settings });
    const { carrier, callback } = simulated;
    return {
      carrier,
      handle: app,
      bookings: () => books.entries.filter(isBooking).map(toSimulatedBooking),
      returns: () => books.entries.filter(({ asked }) => asked.order === 'return').map(toSimulatedReturn),
      ...(callback && { callback: (event, proof) => callback(event, proof, books) }),
    };
  };
}

/** An application that reads JSON bodies, those of a vendor's media type (`…+json`) too, and plain query strings. */
function plainApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(express.json({ limit: '2mb', type: ['application/json', 'application/*+json'] }));
  return app;
}

/** A route would see no body, and blame the request for what is missing in it. */
const unreadBody: RequestHandler = (request, response, next) => {
  const isSent = request.get('transfer-encoding') !== undefined || Number(request.get('content-length') ?? 0) > 0;
  if (!isSent || request.body !== undefined) return next();
  const type = request.get('content-type') ?? 'nothing';
  response.status(415).type('text').send(`the simulator reads JSON, and forms below formsAt; this body says ${type}`);
};

const METHODS: ReadonlyMap<string | undefined, 'get' | 'post' | 'put' | 'delete'> = new Map([
  ['GET', 'get'],
  ['POST', 'post'],
  ['PUT', 'put'],
  ['DELETE', 'delete'],
]);

function addRoutes(app: Express, routes: Routes, place: Pick<RouteContext, 'books' | 'settings'>): void {
  for (const [route, answer] of Object.entries(routes)) {
    const [name, path] = route.split(' ');
    const method = METHODS.get(name);
    if (method === undefined || path === undefined) throw new Error(`no route: ${route}`);
    app[method](path, async (request: Request, response: Response) => {
      const reply = await answer({ ...toAsked(request), ...place });
      reply(response);
    });
  }
}

function toAsked(request: Request): Asked {
  const { body, query, params } = request;
  const texts = (record: object) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));
  return { body, query: texts(query), params: texts(params), header: (name) => request.get(name) ?? '' };
}
