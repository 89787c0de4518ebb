import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { NotATable, readAnswers } from '../../operator/bulk/answers-csv.js';
import { type BulkResult, OtherCount, type RunBulk } from '../../operator/bulk/bulk.js';
import { operatorIn } from '../operator-access.js';
import { readQuery } from '../openapi/parameters.js';
import { sendProblem } from '../problem.js';
import { BULK, CSV } from './bulk-request.js';

const MAX_BODY_BYTES = 500_000;

/** `retry` and `resolve` of many consignments, below `/api/v1`. The caller checks the token. */
export function bulkApi(run: RunBulk, budget: RequestHandler): Router {
  const router = express.Router();
  const csv = express.text({ limit: MAX_BODY_BYTES, type: 'text/csv' });
  const json = express.json({ limit: MAX_BODY_BYTES, type: () => true });
  for (const action of ['retry', 'resolve'] as const) {
    router.post(`/consignments/${action}`, budget, csv, json, async (request, response, next) => {
      const body = request.body as unknown;
      const by = operatorIn(response).name;
      if (typeof body === 'string') return next();
      const asked = BULK[action].read(body);
      response.json({ dryRun: asked.mode === 'tell', ...told(await run({ ...asked, by })), problems: [] });
    });
  }
  router.post('/consignments/resolve', async (request, response) => {
    const { perSecond, dryRun } = readQuery(CSV, request.query);
    const { answers, problems } = readAnswers(request.body as string);
    const mode = dryRun === 'true' ? 'tell' : 'do';
    const by = operatorIn(response).name;
    const results =
      answers.length === 0 ? [] : await run({ what: { action: 'resolve', answers }, perSecond, mode, by });
    response.json({ dryRun: mode === 'tell', ...told(results), problems });
  });
  router.use(refusals);
  return router;
}

function told(results: readonly BulkResult[]): object {
  const accepted = results.filter(({ outcome }) => outcome === 'accepted').length;
  return { accepted, refused: results.length - accepted, results };
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof OtherCount)
    return sendProblem(response, 409, { title: 'The list has changed', detail: error.message });
  if (error instanceof NotATable)
    return sendProblem(response, 400, { title: 'The table cannot be read', detail: error.message });
  next(error);
};
