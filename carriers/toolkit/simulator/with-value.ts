/** The object with a value at a path of names. */
export function withValue(row: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = Object.getOwnPropertyDescriptor(row, name)?.value as object | undefined;
  return { ...row, [name]: rest.length === 0 ? value : withValue(inner ?? {}, rest, value) };
}
