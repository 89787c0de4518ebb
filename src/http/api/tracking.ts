import express, { type Router } from 'express';
import type { TrackingQueries } from '../../tracking/parcels/queries.js';
import { pageIn } from '../page.js';
import { sendProblem } from '../problem.js';

const NAME = /^\P{Cc}{1,100}$/u;
const UNREADABLE = 'The request cannot be read';

/** Tracked parcels, below `/api/v1`. The caller checks the token. */
export function trackingApi(queries: TrackingQueries): Router {
  const router = express.Router();
  router.get('/parcels/:trackingNumber', async (request, response) => {
    const { trackingNumber } = request.params;
    const parcel = NAME.test(trackingNumber) ? await queries.parcel(trackingNumber) : null;
    if (parcel === null) return sendProblem(response, 404, { title: 'No such parcel' });
    response.json(parcel);
  });
  router.get('/tracking/unrecognised', async (_request, response) => {
    response.json(await queries.unrecognised());
  });
  router.get('/tracking/accounts', async (_request, response) => {
    response.json(await queries.accounts());
  });
  router.get('/tracking/given-up', async (request, response) => {
    const page = pageIn(request.query);
    if (typeof page === 'string') return sendProblem(response, 400, { title: UNREADABLE, detail: page });
    const { area = null } = request.query;
    if (area !== null && !(typeof area === 'string' && NAME.test(area)))
      return sendProblem(response, 400, { title: UNREADABLE, detail: 'area is a name' });
    response.json(await queries.givenUp(area, page));
  });
  router.get('/tracking/failed', async (request, response) => {
    const page = pageIn(request.query);
    if (typeof page === 'string') return sendProblem(response, 400, { title: UNREADABLE, detail: page });
    response.json(await queries.failed(page));
  });
  return router;
}
