import { type Document, type Scalar, parseDocument, visit } from 'yaml';
import type { SettingProblem } from './environment.js';

/**
 * Reads YAML with `${NAME}` in its values.
 * @returns `value` is `undefined` when it cannot be read; `problems` then say where. `secrets` are the values put in
 */
export function readNotation(source: string, environment: Readonly<Record<string, string>>): Filled {
  const names = takeOutNames(source, environment);
  const document = parseDocument(names.text);
  if (document.errors.length > 0) return { value: undefined, problems: notYaml(document.errors), secrets: [] };
  visit(document, { Scalar: (_key, node) => keepDigits(node) });
  try {
    const filled = names.fill(document.toJS() as unknown);
    return { ...filled, value: filled.value ?? null };
  } catch {
    // The parser's message would quote the value, which may be a secret.
    const rule = 'has a value that begins with * or &: put it between quotes';
    return { value: undefined, problems: [{ where: 'CONFIG_FILE', rule }], secrets: [] };
  }
}

/** What to do about the parser's most frequent errors. */
const ADVICE: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: ': indent it with spaces, not tabs',
  BAD_INDENT: ': indent it as far as the lines beside it, with spaces',
  DUPLICATE_KEY: ': this key stands there already',
  MISSING_CHAR: ': a quote or bracket is not closed, a comma or colon is missing, or a line is indented wrongly',
};

/** The parser reports one mistake several times; the reader needs each line once. */
function notYaml(errors: Document['errors']): SettingProblem[] {
  const byLine = new Map<string, SettingProblem>();
  for (const { linePos, code } of errors) {
    const where = `line ${linePos?.[0].line ?? '?'}`;
    if (!byLine.has(where)) byLine.set(where, { where, rule: `is not valid YAML (${code})${ADVICE[code] ?? ''}` });
  }
  return [...byLine.values()];
}

/** A value such as 0123, whose digits a number would lose, is a code and stays a text. */
function keepDigits(node: Scalar): void {
  const { source = '', value } = node;
  if (typeof value === 'number' && /^\d+$/.test(source) && String(value) !== source) node.value = source;
}

/**
 * Replaces every `${NAME}` in the text by a plain word before the text is parsed. `fill` puts the values into the parsed
 * texts, so a value can never change the structure. Keys of YAML cannot hold values.
 */
function takeOutNames(
  source: string,
  environment: Readonly<Record<string, string>>,
): { readonly text: string; readonly fill: (parsed: unknown) => Filled } {
  let word = 'wname';
  while (source.includes(word)) word += 'x';
  const names: string[] = [];
  const text = source.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `${word}_${names.indexOf(name)}_`;
  });
  const put = (given: string, valueOf: (name: string) => string) =>
    given.replace(new RegExp(`${word}_(\\d+)_`, 'g'), (all, index: string) => {
      const name = names[Number(index)];
      return name === undefined ? all : valueOf(name);
    });
  return { text, fill: (parsed) => fillIn(parsed, { environment, put }) };
}

interface Filled {
  readonly value: unknown;
  readonly problems: readonly SettingProblem[];
  /** The values that `fill` has put in. */
  readonly secrets: readonly string[];
}

interface Filling {
  readonly environment: Readonly<Record<string, string>>;
  readonly put: (given: string, valueOf: (name: string) => string) => string;
}

function fillIn(parsed: unknown, { environment, put }: Filling): Filled {
  const problems: SettingProblem[] = [];
  const secrets: string[] = [];
  const valueAt = (where: string) => (name: string) => {
    // A secret that was made from a file ends with the line break of that file.
    const found = environment[name]?.replace(/[\r\n]+$/, '');
    if (!found) problems.push({ where, rule: `needs the environment variable ${name}, which is missing` });
    else secrets.push(found);
    return found ?? '';
  };
  const fill = (node: unknown, path: string): unknown => {
    if (typeof node === 'string') return put(node, valueAt(path));
    if (Array.isArray(node)) return node.map((item, index) => fill(item, `${path}[${index}]`));
    if (node === null || typeof node !== 'object') return node;
    return Object.fromEntries(
      Object.entries(node).map(([written, item]) => {
        const key = put(written, (name) => `\${${name}}`);
        return [key, fill(item, path === '' ? key : `${path}.${key}`)];
      }),
    );
  };
  return { value: fill(parsed, ''), problems, secrets };
}

/** Stands for a secret that is not set; its length passes the checks of every secret. */
const PLACEHOLDER = 'secret-not-set-here';

/** The variables that a text refers to, with a placeholder for each that is not set: to check a file without its secrets. */
export function withPlaceholders(
  source: string,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = [...source.matchAll(/\$\{([A-Za-z_]\w*)\}/g)].flatMap(([, name]) => name ?? []);
  return Object.fromEntries(names.map((name) => [name, environment[name] || PLACEHOLDER]));
}
