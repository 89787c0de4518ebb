import express, { type ErrorRequestHandler, type Router } from 'express';
import type { ExplainedEvent, ShipmentExplanation } from '../../operator/explain.js';
import { ImsCredentials, ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../../ims/errors.js';
import { BadRequest } from '../bad-request.js';
import { readQuery, freeText } from '../openapi/parameters.js';
import type { FieldNames } from '../../operator/requests/field-names.js';
import { explanationWithoutNames } from '../../operator/requests/viewer.js';
import { readsNames } from '../operator-access.js';
import { sendProblem } from '../problem.js';

/** Explains shipments, for operators. */
export interface Explaining {
  /** The configured areas, by contextId. */
  readonly areas: readonly string[];
  /** Only reads. */
  explain(contextId: string, shipmentId: string, event: ExplainedEvent): Promise<ShipmentExplanation>;
}

/** The event that asks for the booking; what is missing is not known. */
export const EXPLAIN = {
  area: freeText('Its area, by contextId'),
  deviceName: freeText('The device from which it is booked, for the choice of a printing profile'),
  userId: freeText('Who books it, for the same'),
};

/** Explains a shipment's carrier; below `/api/v1`. The caller checks the token. */
export function explainApi({ areas, explain }: Explaining, fieldNames: FieldNames): Router {
  const router = express.Router();
  router.get('/shipments/:id/explain', async (request, response) => {
    const { id } = request.params;
    const { area: wanted, ...event } = readQuery(EXPLAIN, request.query);
    const area = areaIn(wanted, areas);
    if (area === null) {
      const detail = `area is one of ${areas.join(', ')}`;
      return sendProblem(response, 400, { title: 'The request cannot be read', detail });
    }
    if (!/^[\w-]{1,100}$/.test(id)) return sendProblem(response, 404, { title: 'No such shipment' });
    const explanation = await explain(area, id, event);
    response.json(readsNames(response) ? explanation : explanationWithoutNames(explanation, fieldNames));
  });
  router.use(refusals);
  return router;
}

/** Where one area is configured, the request need not name it. */
function areaIn(wanted: string | null, areas: readonly string[]): string | null {
  const [only, ...more] = areas;
  if (wanted === null) return more.length === 0 ? (only ?? null) : null;
  return areas.find((area) => area === wanted) ?? null;
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof BadRequest)
    return sendProblem(response, 400, { title: 'The request cannot be read', detail: error.message });
  if (error instanceof ImsRefused)
    return sendProblem(response, 404, { title: 'No such shipment', detail: error.messageText });
  if (error instanceof ImsUnavailable)
    return sendProblem(response, 503, { title: 'The IMS does not answer', detail: error.message });
  if (error instanceof ImsForbidden)
    return sendProblem(response, 409, { title: 'The IMS does not let this client do it', detail: error.message });
  if (error instanceof ImsCredentials || error instanceof ImsProblem)
    return sendProblem(response, error instanceof ImsProblem && error.status === 404 ? 404 : 502, {
      title: 'The IMS does not give it',
      detail: error.message,
    });
  next(error);
};
