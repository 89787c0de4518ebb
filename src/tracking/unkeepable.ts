/** Values that cannot be stored, rules they break, sizes that are too large. */
const OF_THE_DATA = /^(22|23|54)[0-9A-Z]{3}$/;

/** Whether an error is about what was to be stored: then trying again would end the same way. */
export function isUnkeepable(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && OF_THE_DATA.test(code);
}
