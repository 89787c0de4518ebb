/** Classes of SQLSTATE: 22, data exceptions; 54, a value that exceeds a limit of the server. */
const ABOUT_VALUES = /^(22|54)[0-9A-Z]{3}$/;

/** Whether the database refused a value that it was given: the same value is refused every time. */
export function isValueError(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && ABOUT_VALUES.test(code);
}

/** Violated constraints: not null, foreign key, unique, check. */
const BREAKS_A_RULE = /^23[0-9A-Z]{3}$/;

/** Whether the data caused the error: the same write would fail again. */
export function isDataError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || isValueError(error)) return true;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && BREAKS_A_RULE.test(code);
}
