/**
 * A small part of PromQL, for trying alert rules against samples of a test: selectors, `increase`, `scalar`, `sum`, `min`
 * and `max` with `by`, `absent`, arithmetic, comparisons, `and`, `or`. Anything else is an error. `increase` is the plain difference,
 * without the extrapolation of Prometheus.
 */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Everything that was scraped at one moment. */
export interface Moment {
  readonly seconds: number;
  readonly samples: readonly Sample[];
}

type Element = Omit<Sample, 'name'>;
type Value = number | readonly Element[];
type Node = (history: readonly Moment[], atSeconds: number) => Value;

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)(?![smh\d])|([a-zA-Z_][\w:]*)|(\d+[smh])|("[^"]*")|(==|!=|=~|!~|>=|<=|[-+*/()[\]{},=<>]))/y;
const UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
/** As Prometheus: an older sample does not count. */
const STALE_AFTER_SECONDS = 300;

/** The samples of one scrape. */
export function readSamples(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', inner = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === '') return [];
    const labels = Object.fromEntries([...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, of]) => [key, of]));
    return [{ name, labels: labels as Labels, value: Number(value) }];
  });
}

/** @returns what the expression is at a moment; empty: it does not hold. @throws Error it is not of the part that is known */
export function evaluate(expression: string, history: readonly Moment[], atSeconds: number): readonly Element[] {
  const node = parsed.get(expression) ?? parse(expression);
  parsed.set(expression, node);
  const value = node(history, atSeconds);
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

const parsed = new Map<string, Node>();

/** The names of all measures that an expression reads. */
export function namesIn(expression: string): readonly string[] {
  return [...expression.matchAll(/\b(?:waybridge_\w+|process_\w+|up)\b/g)].map(([name]) => name);
}

export function parse(expression: string): Node {
  const tokens = tokensOf(expression);
  let place = 0;
  const peek = () => tokens[place] ?? '';
  const next = () => tokens[place++] ?? '';
  const take = (wanted: string) => {
    const got = next();
    if (got !== wanted) throw new Error(`expected ${wanted}, got "${got}" in ${expression}`);
  };

  const both = (below: () => Node, operators: readonly string[], join: typeof compute) => (): Node => {
    let left = below();
    while (operators.includes(peek())) {
      const [operator, first, second] = [next(), left, below()];
      left = (...at) => join(operator, first(...at), second(...at));
    }
    return left;
  };
  const product = both(() => primary(), ['*', '/'], compute);
  const sum = both(product, ['+', '-'], compute);
  const comparison = both(sum, ['>', '<', '>=', '<=', '==', '!='], compare);
  const together = both(comparison, ['and'], (_and, left, right) =>
    vector(left).filter(({ labels }) => matching(vector(right), labels) !== undefined),
  );
  const whole = both(together, ['or'], (_or, left, right) => {
    const others = vector(right).filter(({ labels }) => matching(vector(left), labels) === undefined);
    return [...vector(left), ...others];
  });

  function primary(): Node {
    const token = next();
    if (/^\d/.test(token)) return () => Number(token);
    if (token === '(') return closed(whole());
    if (['sum', 'min', 'max'].includes(token)) return aggregation(token);
    if (token === 'scalar') return scalar();
    if (token === 'absent') return absent();
    if (token === 'increase') return increase();
    if (!/^[a-z_]/i.test(token) || peek() === '(') throw new Error(`"${token}" is not understood in ${expression}`);
    const matches = selector(token);
    return (history, at) =>
      newest(history, at)
        .filter(matches)
        .map(({ labels, value }) => ({ labels, value }));
  }

  function closed(inner: Node): Node {
    take(')');
    return inner;
  }

  function aggregation(how: string): Node {
    const by = peek() === 'by' ? (next(), list()) : [];
    take('(');
    const inner = closed(whole());
    return (...at) => aggregate(how, vector(inner(...at)), by);
  }

  function list(): readonly string[] {
    take('(');
    const names = [next()];
    while (peek() === ',') names.push((next(), next()));
    take(')');
    return names;
  }

  function scalar(): Node {
    take('(');
    const inner = closed(whole());
    return (...at) => {
      const [one, ...others] = vector(inner(...at));
      return one && others.length === 0 ? one.value : NaN;
    };
  }

  /** Without the labels that Prometheus takes from the selector. */
  function absent(): Node {
    take('(');
    const inner = closed(whole());
    return (...at) => (vector(inner(...at)).length === 0 ? [{ labels: {}, value: 1 }] : []);
  }

  function increase(): Node {
    take('(');
    const matches = selector(next());
    take('[');
    const [, count = '', unit = ''] = /^(\d+)([smh])$/.exec(next()) ?? [];
    take(']');
    take(')');
    const seconds = Number(count) * (UNIT[unit] ?? NaN);
    return (history, at) =>
      increases(
        history.filter((one) => one.seconds > at - seconds && one.seconds <= at),
        matches,
      );
  }

  function selector(name: string): (sample: Sample) => boolean {
    const conditions: ((labels: Labels) => boolean)[] = [];
    if (peek() === '{') {
      for (next(); peek() !== '}'; peek() === ',' && next()) {
        const [label, operator, quoted] = [next(), next(), next()];
        conditions.push(condition(label, operator, JSON.parse(quoted) as string));
      }
      take('}');
    }
    return (sample) => sample.name === name && conditions.every((holds) => holds(sample.labels));
  }

  const root = whole();
  if (place < tokens.length) throw new Error(`"${peek()}" is not understood in ${expression}`);
  return root;
}

function tokensOf(expression: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < expression.trimEnd().length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(expression);
    if (found === null) throw new Error(`"${expression.slice(at)}" is not understood`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

function condition(label: string, operator: string, wanted: string): (labels: Labels) => boolean {
  const pattern = new RegExp(`^(?:${wanted})$`);
  if (operator === '=') return (labels) => (labels[label] ?? '') === wanted;
  if (operator === '!=') return (labels) => (labels[label] ?? '') !== wanted;
  if (operator === '=~') return (labels) => pattern.test(labels[label] ?? '');
  if (operator === '!~') return (labels) => !pattern.test(labels[label] ?? '');
  throw new Error(`"${operator}" is not understood`);
}

function newest(history: readonly Moment[], at: number): readonly Sample[] {
  const seen = history.filter(({ seconds }) => seconds <= at && seconds > at - STALE_AFTER_SECONDS);
  return seen.at(-1)?.samples ?? [];
}

/** The difference over the moments; a counter that has fallen began again at nothing. */
function increases(moments: readonly Moment[], matches: (sample: Sample) => boolean): readonly Element[] {
  const series = new Map<string, { readonly labels: Labels; readonly values: number[] }>();
  // A scrape that is the same again adds nothing.
  const different = moments.filter(({ samples }, place) => samples !== moments[place - 1]?.samples);
  for (const sample of different.flatMap(({ samples }) => samples.filter(matches))) {
    const key = keyOf(sample.labels);
    const known = series.get(key) ?? { labels: sample.labels, values: [] };
    known.values.push(sample.value);
    series.set(key, known);
  }
  return [...series.values()].map(({ labels, values }) => {
    const steps = values.slice(1).map((value, index) => {
      const before = values[index] ?? 0;
      return value < before ? value : value - before;
    });
    return { labels, value: steps.reduce((total, step) => total + step, 0) };
  });
}

function aggregate(how: string, elements: readonly Element[], by: readonly string[]): readonly Element[] {
  const groups = new Map<string, { readonly labels: Labels; readonly values: number[] }>();
  for (const { labels, value } of elements) {
    const kept = by.map((name) => [name, labels[name] ?? ''] as const);
    const key = kept.join();
    const group = groups.get(key) ?? { labels: Object.fromEntries(kept) as Labels, values: [] as number[] };
    group.values.push(value);
    groups.set(key, group);
  }
  const join = (values: readonly number[]) =>
    how === 'sum' ? values.reduce((a, b) => a + b, 0) : how === 'min' ? Math.min(...values) : Math.max(...values);
  return [...groups.values()].map(({ labels, values }) => ({ labels, value: join(values) }));
}

/** By labels: they are compared at each moment again. */
const keys = new WeakMap<Labels, string>();

function keyOf(labels: Labels): string {
  const key = keys.get(labels) ?? JSON.stringify(Object.entries(labels).sort());
  keys.set(labels, key);
  return key;
}

function matching(elements: readonly Element[], labels: Labels): Element | undefined {
  return elements.find((element) => keyOf(element.labels) === keyOf(labels));
}

function vector(value: Value): readonly Element[] {
  if (typeof value === 'number') throw new Error('a vector is needed here');
  return value;
}

/** Calls the operation with each pair of values that belong together. */
function pairs(left: Value, right: Value): readonly (readonly [labels: Labels, left: number, right: number])[] {
  if (typeof left === 'number' && typeof right === 'number') return [[{}, left, right]];
  if (typeof left === 'number') return vector(right).map(({ labels, value }) => [labels, left, value]);
  if (typeof right === 'number') return left.map(({ labels, value }) => [labels, value, right]);
  return left.flatMap(({ labels, value }) => {
    const other = matching(right, labels);
    return other ? [[labels, value, other.value] as const] : [];
  });
}

function compute(operator: string, left: Value, right: Value): Value {
  const does: Readonly<Record<string, (a: number, b: number) => number>> = {
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
  };
  const results = pairs(left, right).map(([labels, a, b]) => ({ labels, value: does[operator]?.(a, b) ?? NaN }));
  const [only] = results;
  return typeof left === 'number' && typeof right === 'number' && only ? only.value : results;
}

function compare(operator: string, left: Value, right: Value): Value {
  const holds: Readonly<Record<string, (a: number, b: number) => boolean>> = {
    '>': (a, b) => a > b,
    '<': (a, b) => a < b,
    '>=': (a, b) => a >= b,
    '<=': (a, b) => a <= b,
    '==': (a, b) => a === b,
    '!=': (a, b) => a !== b,
  };
  if (typeof left === 'number') throw new Error('a comparison begins with a vector here');
  const kept = pairs(left, right).filter(([, a, b]) => holds[operator]?.(a, b));
  return kept.map(([labels, value]) => ({ labels, value }));
}
