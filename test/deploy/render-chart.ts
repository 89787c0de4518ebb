import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

/*
 * Renders the chart where no Helm is installed: the part of Go's templates that the chart uses. What it does not know is an
 * error, so that the chart stays within what is tested here.
 */

const CHART = 'deploy/helm';
const INDENT = ' ';

type Values = Readonly<Record<string, unknown>>;
/** What an action sees: `.`, and the variables with `$` in front. */
interface Scope {
  readonly dot: unknown;
  readonly variables: Values;
}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: string }
  | { readonly kind: 'if' | 'range'; readonly pipeline: string; readonly body: readonly Node[] };

/** The values of the chart with those of a user over them, as Helm merges them. */
export function chartValues(own: Values): Values {
  return merged(parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Values, own);
}

/** @returns every manifest that the chart makes of these values */
export function renderChart(own: Values): readonly Values[] {
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Values;
  const root = {
    Values: chartValues(own),
    Release: { Name: 'shop', Namespace: 'warehouse' },
    Chart: { Name: chart['name'], AppVersion: chart['appVersion'] },
  };
  const folder = join(CHART, 'templates');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const defined = new Map(sources.flatMap(definitionsIn));
  const yaml = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return yaml
    .flatMap((name) => {
      const text = render(
        treeOf(readFileSync(join(folder, name), 'utf8')),
        { dot: root, variables: { $: root } },
        defined,
      );
      return parseAllDocuments(text).map((document) => {
        if (document.errors.length > 0) throw new Error(`${name}: ${document.errors.join('; ')}\n${text}`);
        return document.toJS() as Values;
      });
    })
    .filter((manifest) => manifest !== null);
}

/** The notes that Helm shows, with nothing left of the templates. */
export function renderNotes(): string {
  const root = { Release: { Name: 'shop', Namespace: 'warehouse' }, Chart: { AppVersion: '1' } };
  return render(
    treeOf(readFileSync(join(CHART, 'templates/NOTES.txt'), 'utf8')),
    { dot: root, variables: {} },
    new Map(),
  );
}

function merged(base: Values, own: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(own).map(([key, value]) => {
    const below = base[key];
    return [key, isMap(value) && isMap(below) ? merged(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}

function definitionsIn(source: string): readonly (readonly [string, string])[] {
  const found = source.matchAll(/\{\{-? define "([\w.]+)" -?\}\}\s*([^]*?)\s*\{\{-? end -?\}\}/g);
  return [...found].map(([, name = '', body = '']) => [name, body] as const);
}

interface Block {
  readonly kind: 'if' | 'range';
  readonly pipeline: string;
  readonly body: Node[];
}

function treeOf(source: string): readonly Node[] {
  const trimmed = source.replace(/\s*\{\{- /g, '{{ ').replace(/ -\}\}\s*/g, ' }}');
  const top: Block = { kind: 'if', pipeline: '', body: [] };
  const open = [top];
  for (const part of trimmed.split(/(\{\{ [^]*? \}\})/)) put(part, open);
  if (open.length !== 1) throw new Error(`${open.length - 1} blocks without an end, or an end too much`);
  return top.body;
}

/** Adds a part to the block that is open, or opens or ends one. */
function put(part: string, open: Block[]): void {
  const body = open.at(-1)?.body ?? [];
  const action = /^\{\{ ([^]*) \}\}$/.exec(part)?.[1];
  if (action === undefined) return void body.push({ kind: 'text', text: part });
  if (action === 'end') return void open.pop();
  const [, kind, pipeline = ''] = /^(?:(if|range) )?([^]*)$/.exec(action) ?? [];
  if (kind !== 'if' && kind !== 'range') return void body.push({ kind: 'action', pipeline });
  const block: Block = { kind, pipeline, body: [] };
  body.push(block);
  open.push(block);
}

function render(nodes: readonly Node[], scope: Scope, defined: ReadonlyMap<string, string>): string {
  const one = (node: Node): string => {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'action') return written(evaluate(node.pipeline, scope, defined));
    if (node.kind === 'if')
      return isEmpty(evaluate(node.pipeline, scope, defined)) ? '' : render(node.body, scope, defined);
    return turns(node.pipeline, scope, defined)
      .map((turn) => render(node.body, turn, defined))
      .join('');
  };
  return nodes.map(one).join('');
}

/** `range .Values.a` and `range $key, $value := .Values.a`; keys are sorted, as Go does. */
function turns(pipeline: string, scope: Scope, defined: ReadonlyMap<string, string>): readonly Scope[] {
  const [, key, value, over = pipeline] = /^(\$\w+), (\$\w+) := ([^]+)$/.exec(pipeline) ?? [];
  const rows = Object.entries(Object(evaluate(over, scope, defined)));
  const sorted = [...rows].sort(([a], [b]) => (key === undefined ? 0 : a.localeCompare(b, 'en')));
  return sorted.map(([name, row]) => ({
    dot: row,
    variables:
      key === undefined || value === undefined ? scope.variables : { ...scope.variables, [key]: name, [value]: row },
  }));
}

function evaluate(pipeline: string, scope: Scope, defined: ReadonlyMap<string, string>): unknown {
  const [first = '', ...others] = pipeline.split(/ \| (?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const start = command(wordsIn(first), scope, defined);
  return others.reduce<unknown>((value, each) => call(wordsIn(each), [value], { scope, defined }), start);
}

function wordsIn(text: string): readonly string[] {
  return text.match(/"[^"]*"|\S+/g) ?? [];
}

function command(words: readonly string[], scope: Scope, defined: ReadonlyMap<string, string>): unknown {
  const [only = ''] = words;
  return words.length === 1 && /^[.$"\d]/.test(only) ? term(only, scope) : call(words, [], { scope, defined });
}

function call(
  [name = '', ...given]: readonly string[],
  piped: readonly unknown[],
  { scope, defined }: { readonly scope: Scope; readonly defined: ReadonlyMap<string, string> },
): unknown {
  const values = [...given.map((word) => term(word, scope)), ...piped];
  const text = (at: number) => written(values[at]);
  switch (name) {
    case 'include': {
      const body = defined.get(text(0));
      if (body === undefined) throw new Error(`nothing is defined as ${text(0)}`);
      return render(treeOf(body), { dot: values[1], variables: { $: values[1] } }, defined);
    }
    case 'nindent':
      return `\n${text(1).replace(/^(?=.)/gm, INDENT.repeat(Number(values[0])))}`;
    case 'toYaml':
      return stringify(values[0]).trimEnd();
    case 'quote':
      return JSON.stringify(text(0));
    case 'default':
      return isEmpty(values[1]) ? values[0] : values[1];
    case 'required':
      if (isEmpty(values[1])) throw new Error(text(0));
      return values[1];
    case 'sha256sum':
      return createHash('sha256').update(text(0)).digest('hex');
    default:
      throw new Error(`the function ${name} is not known here`);
  }
}

function term(word: string, scope: Scope): unknown {
  if (word.startsWith('"')) return JSON.parse(word);
  if (/^\d+$/.test(word)) return Number(word);
  if (word === '.') return scope.dot;
  const [first = '', ...rest] = word.split('.');
  const from = first === '' ? scope.dot : scope.variables[first];
  return rest.reduce((value: unknown, key) => {
    if (typeof value !== 'object' || value === null || !(key in value)) throw new Error(`${word}: there is no ${key}`);
    return (value as Values)[key];
  }, from);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}

function written(value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Error('a list or map is written as text: use toYaml');
  return value === undefined || value === null ? '' : String(value);
}
