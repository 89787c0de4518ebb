import express, { type ErrorRequestHandler, type Response, type Router } from 'express';
import type { PickupPointQuery } from '../../../carriers/contract/model.js';
import type { FindPickupPoints, PickupPointAnswer } from '../../operator/pickup-points.js';
import { BadRequest } from '../bad-request.js';
import { sendProblem } from '../problem.js';

const MAX_POINTS = 50;
const DEFAULT_POINTS = 10;
const NAMES: readonly string[] = ['account', 'countryCode', 'postalCode', 'street', 'id', 'limit'];
const TEXT = /^\P{Cc}{1,100}$/u;

/** Pick-up points of carriers, below `/api/v1`. The caller checks the token. */
export function pickupPointsApi(find: FindPickupPoints): Router {
  const router = express.Router();
  router.get('/pickup-points', async (request, response) => {
    const { account, query } = readQuery(request.query);
    answer(response, account, await find(account, query));
  });
  router.use(refusals);
  return router;
}

type Query = Readonly<Record<string, unknown>>;

/** @throws BadRequest */
function readQuery(query: Query): { readonly account: string; readonly query: PickupPointQuery } {
  const unknown = Object.keys(query).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new BadRequest(`"${unknown}" is none of ${NAMES.join(', ')}`);
  const account = textIn(query, 'account');
  if (account === null) throw new BadRequest('account is the name of an account, e.g. bring');
  const countryCode = textIn(query, 'countryCode');
  if (countryCode === null || !/^[A-Z]{2}$/.test(countryCode))
    throw new BadRequest('countryCode is two capital letters, e.g. DK');
  const [id, postalCode, street] = ['id', 'postalCode', 'street'].map((name) => textIn(query, name));
  const limit = limitIn(query);
  if (id) {
    if (postalCode || street) throw new BadRequest('id stands without postalCode and street');
    return { account, query: { id, countryCode } };
  }
  if (!postalCode) throw new BadRequest('postalCode is missing, or id');
  return { account, query: { near: { countryCode, postalCode, street: street ?? null }, limit } };
}

/** An empty parameter counts as missing. */
function textIn(query: Query, name: string): string | null {
  const value = query[name] ?? '';
  if (value === '') return null;
  if (typeof value !== 'string' || !TEXT.test(value) || !value.isWellFormed())
    throw new BadRequest(`${name} is one text of at most 100 characters`);
  return value;
}

function limitIn(query: Query): number {
  const limit = Number(textIn(query, 'limit') ?? DEFAULT_POINTS);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_POINTS) throw new BadRequest(`limit is 1 to ${MAX_POINTS}`);
  return limit;
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
