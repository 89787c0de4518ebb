import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express';
import { type ConsignmentState, STATES } from '../../consignment/states.js';
import { NotPossible, NumbersNotPossible } from '../../consignment/machine/operator.js';
import { type OperatorActions, UnknownConsignment } from '../../operator/actions.js';
import type { OperatorQueries } from '../../operator/queries.js';
import { type Replay, UnknownArea } from '../../reconciliation/replay.js';
import { ImsCredentials, ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../../ims/errors.js';
import { operatorIn } from '../operator-access.js';
import { sendProblem } from '../problem.js';
import { readReplay } from './replay.js';
import { readResolution } from './resolution-request.js';
import { BadRequest } from '../bad-request.js';

const LARGEST_BODY_BYTES = 100_000;
const MAX_ROWS = 200;
const ROWS = 50;

/** `/api/v1`: the operator API for consignments. The caller checks the token. */
export function operatorApi(
  actions: OperatorActions,
  queries: OperatorQueries,
  replay: Replay,
  budget: RequestHandler,
): Router {
  const router = express.Router();
  router.use(budget, express.json({ limit: LARGEST_BODY_BYTES, type: () => true }));
  router.get('/consignments', async (request, response) => {
    const { state, area, q, cursor, limit } = request.query;
    const filter = {
      state: stateOf(text(state)),
      area: text(area),
      q: text(q),
      cursor: place(text(cursor)),
      limit: rows(limit),
    };
    response.json(await queries.list(filter));
  });
  router.get('/consignments/:id', async (request, response) => {
    response.json(await queries.one(idOf(request)));
  });
  router.get('/consignments/:id/labels/:n', async (request, response) => {
    const n = Number(request.params.n);
    if (!Number.isInteger(n) || n < 0 || n > 10_000) throw new BadRequest('the label is a whole number from 0');
    const { bytes, fileName } = await actions.label(idOf(request), n);
    response.type('application/pdf').set('content-disposition', `inline; filename="${fileName}"`);
    response.send(Buffer.from(bytes));
  });
  for (const action of ['retry', 'cancel', 'reprint'] as const) {
    router.post(`/consignments/:id/${action}`, async (request, response) => {
      const id = idOf(request);
      await actions[action](id, operatorIn(response).name);
      response.status(202).json(await queries.one(id));
    });
  }
  router.post('/consignments/:id/resolve', async (request, response) => {
    const id = idOf(request);
    await actions.resolve(id, readResolution(request.body as unknown), operatorIn(response).name);
    response.status(202).json(await queries.one(id));
  });
  router.post('/replay', async (request, response) => {
    const asked = readReplay(request.body as unknown, new Date());
    if (typeof asked === 'string') throw new BadRequest(asked);
    response.json({ dryRun: asked.mode === 'tell', ...(await replay(asked)) });
  });
  router.use(refusals);
  return router;
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof UnknownConsignment) return sendProblem(response, 404, { title: 'No such consignment' });
  if (error instanceof NotPossible)
    return sendProblem(response, 409, { title: 'Not possible now', detail: error.message });
  if (error instanceof NumbersNotPossible)
    return sendProblem(response, 422, { title: 'These numbers cannot be right', detail: error.message });
  if (error instanceof BadRequest)
    return sendProblem(response, 400, { title: 'The request cannot be read', detail: error.message });
  if (error instanceof UnknownArea) return sendProblem(response, 404, { title: 'No such area', detail: error.message });
  if (error instanceof ImsUnavailable)
    return sendProblem(response, 503, { title: 'The IMS does not answer', detail: error.message });
  if (error instanceof ImsForbidden)
    return sendProblem(response, 409, { title: 'The IMS does not let this client do it', detail: error.message });
  if (IMS_SAYS_NO.some((kind) => error instanceof kind))
    return sendProblem(response, 502, { title: 'The IMS does not allow it', detail: (error as Error).message });
  next(error);
};

const IMS_SAYS_NO = [ImsCredentials, ImsProblem, ImsRefused];

function idOf(request: Request): string {
  const id = String(request.params.id);
  // Only this form can be an id of ours; the database would refuse some other texts with an error.
  if (!/^[\w-]{1,100}$/.test(id)) throw new UnknownConsignment('not an id');
  return id;
}

function text(value: unknown): string | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string' || !/^\P{Cc}{1,200}$/u.test(value))
    throw new BadRequest('each parameter is given once, as text of at most 200 visible characters');
  return value;
}

/** The first name of `skipped`, by which callers may still filter. */
const FORMER_SKIPPED = 'set-aside';

function stateOf(state: string | null): ConsignmentState | null {
  if (state === null) return null;
  const known = STATES.find((one) => one === (state === FORMER_SKIPPED ? 'skipped' : state));
  if (known !== undefined) return known;
  throw new BadRequest(`state is one of ${STATES.join(', ')}`);
}

function place(cursor: string | null): string | null {
  if (cursor === null) return null;
  // Postgres has no year 0.
  const at = /^((?!0000)\d{4}-\d\d-\d\dT[\d:.]+Z)_[\w-]+$/.exec(cursor)?.[1] ?? '';
  if (Number.isNaN(Date.parse(at))) throw new BadRequest('cursor is what the page before ended with');
  return cursor;
}

function rows(value: unknown): number {
  if (value === undefined) return ROWS;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > MAX_ROWS) throw new BadRequest(`limit is 1 to ${MAX_ROWS}`);
  return number;
}
