import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { NotPossible, NumbersNotPossible } from '../../consignment/machine/operator.js';
import type { OperatorActions } from '../../operator/actions.js';
import { UnknownConsignment } from '../../operator/known-consignment.js';
import type { OperatorQueries } from '../../operator/operator-queries.js';
import { type Replay, UnknownArea } from '../../reconciliation/replay.js';
import { imsRefusals } from '../ims-refusals.js';
import { forRole, operatorIn, requireNames } from '../operator-access.js';
import { sendProblem } from '../problem.js';
import { REPLAY, replayUntil } from './replay.js';
import { REPRINT } from './reprint/reprint-request.js';
import { RESOLVE } from './resolution-request.js';
import { BadRequest } from '../bad-request.js';
import { readQuery } from '../openapi/parameters.js';
import { LIST, CONSIGNMENT_QUERY, filterOf } from './consignment-filter.js';
import { requestLanguage } from './language.js';

const MAX_BODY_BYTES = 100_000;
/** `/api/v1`: the operator API for consignments. The caller checks the token. */
export function operatorApi(
  actions: OperatorActions,
  queries: OperatorQueries,
  replay: Replay,
  budget: RequestHandler,
): Router {
  const router = express.Router();
  router.use(budget, express.json({ limit: MAX_BODY_BYTES, type: () => true }));
  router.get('/consignments', async (request, response) => {
    const { sort, cursor, limit, lang: wanted, ...given } = readQuery(LIST, request.query);
    const page = { sort, cursor, limit, language: requestLanguage(request, wanted) };
    const value = await queries.list({ filter: filterOf(given), ...page });
    const ids = (value.consignments as readonly { readonly id: string }[]).map(({ id }) => id);
    response.json(await forRole(response, { value, ids }, queries.withoutNames));
  });
  router.get('/consignments/:id', async (request, response) => {
    const { lang: wanted } = readQuery(CONSIGNMENT_QUERY, request.query);
    const value = await queries.one(idOf(request), requestLanguage(request, wanted));
    response.json(await forRole(response, { value, ids: [idOf(request)] }, queries.withoutNames));
  });
  router.get('/consignments/:id/labels/:n', requireNames, async (request, response) => {
    readQuery({}, request.query);
    const n = Number(request.params.n);
    if (!Number.isInteger(n) || n < 0 || n > 10_000) throw new BadRequest('the label is a whole number from 0');
    const { bytes, fileName, type } = await actions.label(idOf(request), n);
    response.type(type).set('content-disposition', `inline; filename="${fileName}"`);
    response.send(Buffer.from(bytes));
  });
  router.get('/consignments/:id/requests/:n', async (request, response) => {
    readQuery({}, request.query);
    response.json(await queries.request(idOf(request), String(request.params.n), 'hidden'));
  });
  addActions(router, actions, queries);
  router.post('/replay', async (request, response) => {
    const asked = replayUntil(REPLAY.read(request.body as unknown), new Date());
    response.json({ dryRun: asked.mode === 'tell', ...(await replay(asked)) });
  });
  router.use(refusals, imsRefusals);
  return router;
}

function addActions(router: Router, actions: OperatorActions, queries: OperatorQueries): void {
  /** `lastAction` says what came of it; while that is `pending`, `resultAt` is where to look again. */
  const accepted = async (request: Request, response: Response) => {
    const resultAt = `/api/v1/consignments/${idOf(request)}`;
    const consignment = await queries.one(idOf(request), requestLanguage(request, null));
    response
      .status(202)
      .location(resultAt)
      .json({ ...consignment, resultAt });
  };
  router.post('/consignments/:id/reprint', async (request, response) => {
    const id = idOf(request);
    await actions.reprint(id, operatorIn(response).name, REPRINT.read(request.body as unknown));
    await accepted(request, response);
  });
  for (const action of ['retry', 'cancel'] as const) {
    router.post(`/consignments/:id/${action}`, async (request, response) => {
      const id = idOf(request);
      await actions[action](id, operatorIn(response).name);
      await accepted(request, response);
    });
  }
  router.post('/consignments/:id/resolve', async (request, response) => {
    const id = idOf(request);
    await actions.resolve(id, RESOLVE.read(request.body as unknown), operatorIn(response).name);
    await accepted(request, response);
  });
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
  next(error);
};

function idOf(request: Request): string {
  const id = String(request.params.id);
  // Only this form can be an id of ours; the database would refuse some other texts with an error.
  if (!/^[\w-]{1,100}$/.test(id)) throw new UnknownConsignment('not an id');
  return id;
}
