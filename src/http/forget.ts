import express, { type ErrorRequestHandler, type Router } from 'express';
import { NotPossible } from '../consignment/machine/operator.js';
import { type Forget, UnknownShipment } from '../retention/forget.js';
import { freeText, readQuery } from './openapi/parameters.js';
import { operatorIn } from './operator-access.js';
import { sendProblem } from './problem.js';
import { BadRequest } from './bad-request.js';

export const FORGET = { area: freeText('Its area, by contextId; required where several areas have such a shipment') };

const MAX_SHIPMENT = 100;

/** Removes what names the recipient of a shipment; below `/api/v1`. The caller checks the token and the role. */
export function forgetApi(forget: Forget): Router {
  const router = express.Router();
  router.post('/shipments/:shipment/forget', async (request, response) => {
    const { area } = readQuery(FORGET, request.query);
    const { shipment } = request.params;
    if (shipment.length > MAX_SHIPMENT || /\p{Cc}/u.test(shipment) || !shipment.isWellFormed())
      throw new BadRequest(`the shipment is its number or id, at most ${MAX_SHIPMENT} visible characters`);
    response.json(await forget({ shipment, area, by: operatorIn(response).name }));
  });
  router.use(refusals);
  return router;
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof UnknownShipment)
    return sendProblem(response, 404, { title: 'No such shipment', detail: error.message });
  if (error instanceof NotPossible)
    return sendProblem(response, 409, { title: 'Not possible now', detail: error.message });
  if (error instanceof BadRequest)
    return sendProblem(response, 400, { title: 'The request cannot be read', detail: error.message });
  next(error);
};
