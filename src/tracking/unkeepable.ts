import { isDataError } from '../db/data-error.js';

/** Rules of the tables that the data breaks. */
const BREAKS_A_RULE = /^23[0-9A-Z]{3}$/;

/** Whether an error is about what was to be stored: then trying again would end the same way. */
export function isUnkeepable(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || isDataError(error)) return true;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && BREAKS_A_RULE.test(code);
}
