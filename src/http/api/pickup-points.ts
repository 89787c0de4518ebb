import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import type { PickupPointQuery } from '../../../carriers/contract/model.js';
import type { FindPickupPoints, PickupPointAnswer } from '../../operator/pickup-points.js';
import { BadRequest } from '../bad-request.js';
import { type Parameter, limit, readQuery, freeText } from '../openapi/parameters.js';
import { sendProblem } from '../problem.js';

const MAX_POINTS = 50;
const DEFAULT_POINTS = 10;

const points: Parameter<number> = {
  ...limit,
  schema: { type: 'integer', minimum: 1, maximum: MAX_POINTS, default: DEFAULT_POINTS },
  read: ([given], name) => {
    const many = Number(given ?? DEFAULT_POINTS);
    if (Number.isInteger(many) && many >= 1 && many <= MAX_POINTS) return many;
    throw new BadRequest(`${name} is 1 to ${MAX_POINTS}`);
  },
};
const country = freeText('Two capital letters');

/** What pick-up points are asked for by. */
export const PICKUP_POINTS = {
  account: freeText('The account'),
  countryCode: { ...country, schema: { type: 'string', pattern: '^[A-Z]{2}$' } },
  postalCode: freeText('Near this postal code'),
  street: freeText('Near this street'),
  id: freeText('Only this one'),
  limit: points,
};

/** Pick-up points of carriers, below `/api/v1`. The caller checks the token. */
export function pickupPointsApi(find: FindPickupPoints): Router {
  const router = express.Router();
  router.get('/pickup-points', async (request, response) => {
    const { account, query } = readPoints(request.query);
    answer(response, account, await find(account, query));
  });
  router.use(refusals);
  return router;
}

/** @throws BadRequest */
function readPoints(asked: Request['query']): { readonly account: string; readonly query: PickupPointQuery } {
  const { account, countryCode, postalCode, street, id, limit: many } = readQuery(PICKUP_POINTS, asked);
  if (account === null) throw new BadRequest('account is the name of an account, e.g. bring');
  if (countryCode === null || !/^[A-Z]{2}$/.test(countryCode))
    throw new BadRequest('countryCode is two capital letters, e.g. DK');
  if (id !== null) {
    if (postalCode !== null || street !== null) throw new BadRequest('id stands without postalCode and street');
    return { account, query: { id, countryCode } };
  }
  if (postalCode === null) throw new BadRequest('postalCode is missing, or id');
  return { account, query: { near: { countryCode, postalCode, street }, limit: many } };
}

function answer(response: Response, account: string, found: PickupPointAnswer): void {
  switch (found.kind) {
    case 'found':
      return void response.json({ pickupPoints: found.pickupPoints });
    case 'no-account':
      return sendProblem(response, 404, { title: 'No such account', detail: `no account is called "${account}"` });
    case 'cannot': {
      const detail = `${found.carrier} cannot be asked for pick-up points`;
      return sendProblem(response, 409, { title: 'Not possible', detail });
    }
    case 'refused': {
      const detail = `${found.carrier} says: ${found.because}. Correct the address, or the id.`;
      return sendProblem(response, 422, { title: 'The carrier refuses the question', detail });
    }
    case 'login-refused': {
      const detail = `${found.carrier} says: ${found.because}. Correct the settings of "${account}".`;
      return sendProblem(response, 502, { title: 'The carrier does not let us in', detail });
    }
    case 'no-answer': {
      const detail = `${found.carrier} gave no usable answer: ${found.because}. Try again in a minute.`;
      return sendProblem(response, 503, { title: 'The carrier does not answer', detail });
    }
  }
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof BadRequest)
    return sendProblem(response, 400, { title: 'The request cannot be read', detail: error.message });
  next(error);
};
