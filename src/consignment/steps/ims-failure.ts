import { ImsCredentials, ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../../ims/errors.js';
import type { Postponed } from '../machine/facts.js';

/** Whether an error is the IMS's, and not a bug of ours. */
export function isImsError(error: unknown): error is Error {
  return [ImsRefused, ImsForbidden, ImsUnavailable, ImsCredentials, ImsProblem].some((kind) => error instanceof kind);
}

export function postponedByIms(error: unknown, claimed: boolean): Postponed {
  if (!isImsError(error)) throw error;
  const { retryAfterMs, newDayAt } = error instanceof ImsUnavailable ? error : { retryAfterMs: null, newDayAt: null };
  const kind = {
    ...(error instanceof ImsCredentials ? { needsOperator: true as const } : {}),
    ...(newDayAt === null ? {} : { newDayAt }),
    ...(error instanceof ImsProblem || error instanceof ImsForbidden ? { waitingIsUseless: true as const } : {}),
  };
  return { kind: 'postponed', waitingFor: waitOf(error), because: error.message, retryAfterMs, claimed, ...kind };
}

function waitOf(error: Error): Postponed['waitingFor'] {
  if (!(error instanceof ImsCredentials)) return 'ims';
  return error.whose === 'area' ? 'ims-key' : 'ims-client';
}
