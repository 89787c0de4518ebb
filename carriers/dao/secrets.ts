import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../contract/index.js';

/**
 * The same error without a secret in its words. DAO's code stands in the address of every request, and servers like to
 * quote the address in their error pages.
 */
export function withoutSecret(
  error: CarrierRejected | CarrierUnavailable | OutcomeUnknown,
  secret: string,
): CarrierRejected | CarrierUnavailable | OutcomeUnknown {
  const hide = (text: string): string => text.replaceAll(encodeURIComponent(secret), '***').replaceAll(secret, '***');
  if (error instanceof CarrierRejected) {
    const problems = error.problems.map((problem) => ({ ...problem, text: hide(problem.text) }));
    return new CarrierRejected(problems, error.because);
  }
  return error instanceof CarrierUnavailable
    ? new CarrierUnavailable(hide(error.message), error.retryAfterMs)
    : new OutcomeUnknown(hide(error.message));
}
