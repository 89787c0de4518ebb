const NAME = /(?<!:):([a-z][A-Za-z0-9]*)\b/g;

/** A statement as `Sql.query` takes it: its text, with its values in the order of their numbers. */
export type Numbered = readonly [text: string, values: readonly unknown[]];

/**
 * A statement whose values have names: each `:name` becomes the number of a parameter. `::type` is a cast as ever.
 * @throws Error a name has no value, or a value is not in the text
 */
export function named(text: string, values: Readonly<Record<string, unknown>>): Numbered {
  const order: string[] = [];
  const numbered = text.replace(NAME, (_match, name: string) => {
    if (!order.includes(name)) order.push(name);
    return `$${order.indexOf(name) + 1}`;
  });
  const unknown = order.filter((name) => !(name in values));
  const unused = Object.keys(values).filter((name) => !order.includes(name));
  if (unknown.length + unused.length > 0)
    throw new Error(`the statement has no values for: ${unknown.join(', ')}; it does not use: ${unused.join(', ')}`);
  return [numbered, order.map((name) => values[name])];
}
