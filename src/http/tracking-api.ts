import express, { type Router } from 'express';
import type { TrackingQueries } from '../tracking/operator-queries.js';
import { problem } from './problem.js';

/** Parcels on their way, for operators; below `/api/v1`. Who may enter is decided before. */
export function trackingApi(queries: TrackingQueries): Router {
  const router = express.Router();
  router.get('/parcels/:trackingNumber', async (request, response) => {
    const { trackingNumber } = request.params;
    const parcel = /^\P{Cc}{1,100}$/u.test(trackingNumber) ? await queries.parcel(trackingNumber) : null;
    if (parcel === null) return problem(response, 404, { title: 'No such parcel' });
    response.json(parcel);
  });
  router.get('/tracking/unrecognised', async (_request, response) => {
    response.json(await queries.unrecognised());
  });
  return router;
}
