import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express';
import { NotPossible, NumbersNotPossible } from '../../consignment/machine/operator.js';
import { ImsCredentials, ImsProblem, ImsUnavailable } from '../../ims/errors.js';
import { UnknownConsignment } from '../../operator/known-consignment.js';
import { NoReturnLabel, type ReturnLabels, type ReturnResolution } from '../../operator/returns/return-labels.js';
import type { WithoutNames } from '../../operator/requests/viewer.js';
import { ReturnNotMade } from '../../operator/returns/return-not-made.js';
import { UnknownParcel } from '../../operator/returns/return-target.js';
import { forRole, operatorIn, requireNames } from '../operator-access.js';
import { BadRequest } from '../bad-request.js';
import { type Body, fieldsIn, objectOf } from '../openapi/body.js';
import { readQuery, freeText } from '../openapi/parameters.js';
import { sendProblem } from '../problem.js';

const MAX_BODY_BYTES = 10_000;
const PATH = '/consignments/:id/return-label';
const ID = /^[\w-]{1,100}$/;
const VISIBLE = /^[\x20-\x7e]{1,100}$/;
const ANSWERS = 'answer must be "booked" (with trackingNumber, and carrierNumber where there is one) or "not-booked"';

/** Which parcel's return label is meant. */
export const PARCEL_QUERY = { parcel: freeText('Of several parcels: the container or the tracking number') };

const SCHEMA = objectOf(
  {
    answer: { type: 'string', enum: ['booked', 'not-booked'] },
    trackingNumber: { type: 'string' },
    carrierNumber: { type: ['string', 'null'] },
  },
  ['answer'],
);

/** Whether the carrier has made a return label in doubt. */
export const RESOLVE_RETURN: Body<ReturnResolution> = {
  schema: SCHEMA,
  examples: [{ answer: 'booked', trackingNumber: '90000000001', carrierNumber: null }, { answer: 'not-booked' }],
  read: (body) => {
    const { answer, trackingNumber, carrierNumber = null } = fieldsIn(SCHEMA, body ?? {});
    if (answer === 'not-booked') return { answer };
    if (answer !== 'booked') throw new BadRequest(ANSWERS);
    return {
      answer,
      trackingNumber: numberIn(trackingNumber),
      carrierNumber: carrierNumber === null ? null : numberIn(carrierNumber),
    };
  },
};

/** Return labels of consignments, below `/api/v1`. The caller checks the token. */
export function returnLabelsApi(returns: ReturnLabels, withoutNames: WithoutNames, budget: RequestHandler): Router {
  const router = express.Router();
  router.post(PATH, async (request, response) => {
    const view = await returns.make(...parcelIn(request));
    if (view.state === 'in-doubt') throw new NotPossible(view.whatToDo ?? '');
    response.status(view.state === 'asking' ? 202 : 200).json(view);
  });
  router.get(PATH, async (request, response) => {
    const [id, parcel] = parcelIn(request);
    response.json(await forRole(response, { value: await returns.find(id, parcel), ids: [id] }, withoutNames));
  });
  router.get(`${PATH}/pdf`, requireNames, async (request, response) => {
    const { bytes, fileName } = await returns.label(...parcelIn(request));
    response.type('application/pdf').set('content-disposition', `inline; filename="${fileName}"`);
    response.send(Buffer.from(bytes));
  });
  const body = express.json({ limit: MAX_BODY_BYTES, type: () => true });
  router.post(`${PATH}/resolve`, budget, body, async (request, response) => {
    const view = await returns.resolve(...parcelIn(request), {
      resolution: RESOLVE_RETURN.read(request.body),
      by: operatorIn(response).name,
    });
    response.json(view ?? { state: 'not-booked', whatToDo: 'POST to return-label asks the carrier for it again.' });
  });
  router.use(refusals);
  return router;
}

function parcelIn({ params, query }: Request): [id: string, parcel: string | null] {
  const id = String(params['id']);
  if (!ID.test(id)) throw new UnknownConsignment('not an id');
  const { parcel } = readQuery(PARCEL_QUERY, query);
  return [id, parcel];
}

function numberIn(value: unknown): string {
  if (typeof value !== 'string' || !VISIBLE.test(value)) throw new BadRequest(ANSWERS);
  return value.trim();
}

const refusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof Error)) return next(error);
  const found = statusOf(error);
  if (found === null) return next(error);
  const [status, title] = found;
  sendProblem(response, status, { title, detail: error.message });
};

const STATUSES: readonly (readonly [abstract new (...given: never[]) => Error, number, string])[] = [
  [UnknownConsignment, 404, 'No such consignment'],
  [NoReturnLabel, 404, 'No return label'],
  [UnknownParcel, 400, 'No such parcel'],
  [BadRequest, 400, 'The request cannot be read'],
  [NotPossible, 409, 'Not possible now'],
  [NumbersNotPossible, 422, 'This number cannot be right'],
  [ImsUnavailable, 503, 'The IMS does not answer'],
  [ImsCredentials, 502, 'The IMS does not allow it'],
  [ImsProblem, 502, 'The IMS does not allow it'],
];

const NOT_MADE = {
  refused: [422, 'The carrier refuses it'],
  'login-refused': [502, 'The carrier does not let us in'],
  'no-answer': [503, 'The carrier does not answer'],
} as const;

function statusOf(error: Error): readonly [number, string] | null {
  if (error instanceof ReturnNotMade) return NOT_MADE[error.because];
  const found = STATUSES.find(([kind]) => error instanceof kind);
  return found ? [found[1], found[2]] : null;
}
