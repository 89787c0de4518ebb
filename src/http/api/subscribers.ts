import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express';
import { LinkRefused } from '../../../carriers/contract/http-port.js';
import { NotSubscribed, type Subscribers } from '../../webhooks/subscribers.js';
import { type Body, fieldsIn, objectOf } from '../openapi/body.js';
import { readQuery } from '../openapi/parameters.js';
import { sendProblem } from '../problem.js';
import { BadRequest } from '../bad-request.js';

const MAX_BODY_BYTES = 10_000;
const MAX_URL = 2_000;
const MAX_LETTERS = 200;

/** Subscribers of webhooks, below `/api/v1`. The caller checks the token. */
export function subscribersApi(subscribers: Subscribers, areas: readonly string[], budget: RequestHandler): Router {
  const router = express.Router();
  const json = express.json({ limit: MAX_BODY_BYTES, type: () => true });
  router.post('/subscribers', budget, json, async (request, response) => {
    const asked = SUBSCRIBER.read(request.body as unknown);
    requireArea(asked.area, areas);
    response.status(201).json(await subscribers.add(asked));
  });
  router.get('/subscribers', async (request, response) => {
    readQuery({}, request.query);
    response.json({ subscribers: await subscribers.list() });
  });
  router.delete('/subscribers/:id', async (request, response) => {
    found(await subscribers.remove(idOf(request)));
    response.status(204).end();
  });
  router.post('/subscribers/:id/rotate', async (request, response) => {
    const rotated = found(await subscribers.rotate(idOf(request)));
    response.json(rotated);
  });
  router.get('/subscribers/:id/dead-letters', async (request, response) => {
    readQuery({}, request.query);
    response.json({ deadLetters: found(await subscribers.deadLetters(idOf(request), MAX_LETTERS)) });
  });
  router.post('/subscribers/:id/dead-letters/send', async (request, response) => {
    response.status(202).json({ sent: found(await subscribers.sendAgain(idOf(request), null)) });
  });
  router.post('/subscribers/:id/dead-letters/:letter/send', async (request, response) => {
    const sent = found(await subscribers.sendAgain(idOf(request), letterOf(request)));
    if (sent === 0) throw new Missing('No such dead letter');
    response.status(202).json({ sent });
  });
  router.use(refusals);
  return router;
}

/** The message becomes the text of the answer. */
class Missing extends Error {
  override readonly name = 'Missing';
}

function found<Value>(value: Value | null): Value {
  if (value === null) throw new Missing('No such subscriber');
  return value;
}

const SCHEMA = objectOf(
  {
    url: { type: 'string', format: 'uri', maxLength: MAX_URL },
    area: { type: ['string', 'null'], description: 'Only of this area, by contextId; of all when missing' },
  },
  ['url'],
);

/** Who subscribes, and to what. */
export const SUBSCRIBER: Body<{ readonly url: string; readonly area: string | null }> = {
  schema: SCHEMA,
  examples: [{ url: 'https://shop.example/hook' }, { url: 'https://shop.example/hook', area: '550' }],
  read: (body) => {
    const { url, area = null } = fieldsIn(SCHEMA, body);
    if (typeof url !== 'string' || !isAddress(url))
      throw new BadRequest(`url is an address of at most ${MAX_URL} characters`);
    if (area !== null && typeof area !== 'string') throw new BadRequest('area is the contextId of an area, or missing');
    return { url, area };
  },
};

function requireArea(area: string | null, areas: readonly string[]): void {
  if (area === null || areas.includes(area)) return;
  throw new BadRequest(`area is one of ${areas.map((each) => `"${each}"`).join(', ')}, or missing`);
}

/** The URL parser accepts control characters and lone surrogates, which the database refuses. */
function isAddress(url: string): boolean {
  return url.length <= MAX_URL && url.isWellFormed() && /^\P{Cc}*$/u.test(url) && URL.canParse(url);
}

function idOf(request: Request): string {
  const id = String(request.params['id']);
  if (!/^[\w-]{1,100}$/.test(id)) throw new Missing('No such subscriber');
  return id;
}

function letterOf(request: Request): string {
  const letter = String(request.params['letter']);
  if (!/^\d{1,18}$/.test(letter)) throw new Missing('No such dead letter');
  return letter;
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof Missing) return sendProblem(response, 404, { title: error.message });
  if (error instanceof NotSubscribed)
    return sendProblem(response, 409, { title: 'Not possible now', detail: error.message });
  if (error instanceof BadRequest || error instanceof LinkRefused)
    return sendProblem(response, 400, { title: 'The request cannot be read', detail: error.message });
  next(error);
};
