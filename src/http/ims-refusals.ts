import type { ErrorRequestHandler } from 'express';
import { ImsCredentials, ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../ims/errors.js';
import { sendProblem } from './problem.js';

/** What the IMS prevented, as an answer. */
export class ImsTrouble extends Error {
  override readonly name = 'ImsTrouble';

  constructor(
    readonly status: 409 | 502 | 503,
    readonly title: string,
    detail: string,
  ) {
    super(detail);
  }
}

const SAYS_NO = [ImsCredentials, ImsProblem, ImsRefused];

/** @returns `null`: the error is not about the IMS */
export function imsTroubleIn(error: unknown): ImsTrouble | null {
  if (error instanceof ImsUnavailable) return new ImsTrouble(503, 'The IMS does not answer', error.message);
  if (error instanceof ImsForbidden)
    return new ImsTrouble(409, 'The IMS does not let this client do it', error.message);
  const says = SAYS_NO.some((kind) => error instanceof kind);
  return says ? new ImsTrouble(502, 'The IMS does not allow it', (error as Error).message) : null;
}

export const imsRefusals: ErrorRequestHandler = (error, _request, response, next) => {
  const trouble = imsTroubleIn(error);
  if (trouble === null) return next(error);
  sendProblem(response, trouble.status, { title: trouble.title, detail: trouble.message });
};
