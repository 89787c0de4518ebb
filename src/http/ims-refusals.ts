import type { ErrorRequestHandler } from 'express';
import { ImsCredentials, ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../ims/errors.js';
import { sendProblem } from './problem.js';

const SAYS_NO = [ImsCredentials, ImsProblem, ImsRefused];

/** Answers what the IMS prevented. */
export const imsRefusals: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof ImsUnavailable)
    return sendProblem(response, 503, { title: 'The IMS does not answer', detail: error.message });
  if (error instanceof ImsForbidden)
    return sendProblem(response, 409, { title: 'The IMS does not let this client do it', detail: error.message });
  if (SAYS_NO.some((kind) => error instanceof kind))
    return sendProblem(response, 502, { title: 'The IMS does not allow it', detail: (error as Error).message });
  next(error);
};
