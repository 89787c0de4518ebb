import express, { type Router } from 'express';
import { TRACKING_STATUSES } from '../../../carriers/contract/tracking.js';
import type { WithoutNames } from '../../operator/requests/viewer.js';
import type { TrackingQueries, WholeParcel } from '../../tracking/parcels/tracking-queries.js';
import { someWords, flag, limit, names, numberCursor, readQuery, freeText, time } from '../openapi/parameters.js';
import { forRole, givenUpForRole, notesForRole } from '../operator-access.js';
import { sendProblem } from '../problem.js';

const NAME = /^\P{Cc}{1,100}$/u;

const PAGE = {
  account: freeText('Only this account'),
  since: time('Those that began at this time or later'),
  until: time('Those that began before this time'),
  cursor: numberCursor,
  limit,
};
/** The list of parcels. */
export const PARCELS = {
  status: someWords(TRACKING_STATUSES, 'Their statuses'),
  area: names('Their areas, by contextId'),
  account: names('The accounts, by their names in the configuration'),
  late: flag('Whether the day that the carrier named is over, or it has said nothing for four days'),
  since: time('Those that were registered at this time or later'),
  until: time('Those that were registered before this time'),
  q: freeText('Exactly the tracking number, or a number of the shipment, the document or the consignment'),
  cursor: numberCursor,
  limit,
};
/** Updates to the IMS that were given up. */
export const GIVEN_UP = {
  area: freeText('Only this area, by contextId'),
  q: freeText('Exactly the tracking number, or the number or id of the shipment'),
  ...PAGE,
};
/** Callbacks that could not be applied. */
export const FAILED = { q: freeText('A part of the reason'), ...PAGE };

/** Tracked parcels, below `/api/v1`. The caller checks the token. */
export function trackingApi(queries: TrackingQueries, withoutNames: WithoutNames): Router {
  const router = express.Router();
  router.get('/parcels', async (request, response) => {
    const given = readQuery(PARCELS, request.query);
    const { status: statuses, area: areas, account: accounts, cursor, limit: rows, ...others } = given;
    response.json(await queries.list({ statuses, areas, accounts, ...others }, { cursor, limit: rows }));
  });
  router.get('/parcels/:trackingNumber', async (request, response) => {
    const { trackingNumber } = request.params;
    readQuery({}, request.query);
    const parcel = NAME.test(trackingNumber) ? await queries.parcel(trackingNumber) : null;
    if (parcel === null) return sendProblem(response, 404, { title: 'No such parcel' });
    response.json(await forRole(response, { value: parcel, ids: consignmentsOf(parcel) }, withoutNames));
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
    const { givenUp, cursor } = await queries.givenUp(readQuery(GIVEN_UP, request.query));
    response.json({ givenUp: await givenUpForRole(response, givenUp, withoutNames), cursor });
  });
  router.get('/tracking/failed', async (request, response) => {
    response.json(notesForRole(response, await queries.failed(readQuery(FAILED, request.query))));
  });
  return router;
}

/** The consignments whose recipients the words of the carrier may name. */
export function consignmentsOf({ parcels }: WholeParcel): readonly string[] {
  return parcels.map(({ consignmentId }) => consignmentId);
}
