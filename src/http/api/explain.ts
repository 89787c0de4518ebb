import express, { type ErrorRequestHandler, type Router } from 'express';
import type { ShipmentExplanation } from '../../operator/explain.js';
import { ImsCredentials, ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../../ims/errors.js';
import { sendProblem } from '../problem.js';

/** Explains shipments, for operators. */
export interface Explaining {
  /** The configured areas, by contextId. */
  readonly areas: readonly string[];
  /** Only reads. */
  explain(contextId: string, shipmentId: string): Promise<ShipmentExplanation>;
}

/** Explains a shipment's carrier; below `/api/v1`. The caller checks the token. */
export function explainApi({ areas, explain }: Explaining): Router {
  const router = express.Router();
  router.get('/shipments/:id/explain', async (request, response) => {
    const { id } = request.params;
    const area = areaIn(request.query['area'], areas);
    if (area === null) {
      const detail = `area is one of ${areas.join(', ')}`;
      return sendProblem(response, 400, { title: 'The request cannot be read', detail });
    }
    if (!/^[\w-]{1,100}$/.test(id)) return sendProblem(response, 404, { title: 'No such shipment' });
    response.json(await explain(area, id));
  });
  router.use(refusals);
  return router;
}

/** Where one area is configured, the request need not name it. */
function areaIn(wanted: unknown, areas: readonly string[]): string | null {
  const [only, ...more] = areas;
  if (wanted === undefined) return more.length === 0 ? (only ?? null) : null;
  return areas.find((area) => area === wanted) ?? null;
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
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
