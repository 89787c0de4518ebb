const NAME = /(?<!:):([a-z][A-Za-z0-9]*)\b/g;

/** A statement as `Sql.query` takes it: its text, with its values in the order of their numbers. */
export type Numbered = readonly [text: string, values: readonly unknown[]];

/**
 * A statement whose values have names: each `:name` becomes the number of a parameter. `::type` is a cast as ever.
 * @throws Error a name has no value, or a value is not in the text
 */
export function named(text: string, values: Readonly<Record<string, unknown>>): Numbered {
  const { numbered, order } = numberedOf(text);
  const unknown = order.filter((name) => !(name in values));
  const unused = Object.keys(values).filter((name) => !order.includes(name));
  if (unknown.length + unused.length > 0)
    throw new Error(`the statement has no values for: ${unknown.join(', ')}; it does not use: ${unused.join(', ')}`);
  return [numbered, order.map((name) => values[name])];
}

interface NumberedText {
  readonly numbered: string;
  /** The names, in the order of their numbers. */
  readonly order: readonly string[];
}

/** The texts that came before: the program has some hundreds. */
const KNOWN = new Map<string, NumberedText>();
const MAX_KNOWN = 1_000;

function numberedOf(text: string): NumberedText {
  const known = KNOWN.get(text);
  if (known !== undefined) return known;
  const order: string[] = [];
  const numbered = text.replace(NAME, (_match, name: string) => {
    if (!order.includes(name)) order.push(name);
    return `$${order.indexOf(name) + 1}`;
  });
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  KNOWN.set(text, { numbered, order });
  return { numbered, order };
}
