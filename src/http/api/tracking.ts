import express, { type Router } from 'express';
import type { TrackingQueries } from '../../tracking/parcels/queries.js';
import { limit, numberCursor, readQuery, text } from '../openapi/parameters.js';
import { sendProblem } from '../problem.js';

const NAME = /^\P{Cc}{1,100}$/u;

const PAGE = { account: text('Only this account'), cursor: numberCursor, limit };
/** Updates to the IMS that were given up. */
export const GIVEN_UP = { area: text('Only this area, by contextId'), ...PAGE };
/** Callbacks that could not be applied. */
export const FAILED = PAGE;

/** Tracked parcels, below `/api/v1`. The caller checks the token. */
export function trackingApi(queries: TrackingQueries): Router {
  const router = express.Router();
  router.get('/parcels/:trackingNumber', async (request, response) => {
    const { trackingNumber } = request.params;
    const parcel = NAME.test(trackingNumber) ? await queries.parcel(trackingNumber) : null;
    if (parcel === null) return sendProblem(response, 404, { title: 'No such parcel' });
    response.json(parcel);
  });
  router.get('/tracking/unrecognised', async (request, response) => {
    readQuery({}, request.query);
    response.json(await queries.unrecognised());
  });
  router.get('/tracking/accounts', async (request, response) => {
    readQuery({}, request.query);
    response.json(await queries.accounts());
  });
  router.get('/tracking/given-up', async (request, response) => {
    response.json(await queries.givenUp(readQuery(GIVEN_UP, request.query)));
  });
  router.get('/tracking/failed', async (request, response) => {
    response.json(await queries.failed(readQuery(FAILED, request.query)));
  });
  return router;
}
