/** Classes of SQLSTATE: 22, data exceptions; 54, a value that exceeds a limit of the server. */
const ABOUT_VALUES = /^(22|54)[0-9A-Z]{3}$/;

/** Whether the database refused a value that it was given: the same value is refused every time. */
export function isDataError(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && ABOUT_VALUES.test(code);
}
