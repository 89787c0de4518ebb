// Writes docs/log-events.md: every event that the service logs, read from the calls in the sources (`npm run docs:log-events`).
// A test compares the file, and that docs/monitoring.md says what to do about each warning and error.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const LEVELS = ['error', 'warn', 'info', 'debug'];
/** Their entries are logged when they are stored. */
const HISTORY = [
  'src/consignment/journal.ts',
  'src/operator/actions.ts',
  'src/operator/change-by-hand.ts',
  'src/operator/labels/reprint.ts',
];
/** They write the last line of a process themselves, because its log may have lines waiting. */
const LAST_LINES = ['src/app/watchdog-thread.ts', 'src/db/embedded/storage-failure.ts'];
const PAGE = join(root, 'docs/log-events.md');

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path}`)
  .filter((path) => path.endsWith('.ts') && !path.startsWith('src/sandbox/') && path !== 'src/log.ts')
  .sort();
const events = new Map();
for (const path of files) {
  const source = readFileSync(join(root, path), 'utf8');
  // Parsing the other files would take a second.
  if (/\blog\b/.test(source) || HISTORY.includes(path) || LAST_LINES.includes(path))
    visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true), path);
}

const rows = [...events].sort(([a], [b]) => a.localeCompare(b, 'en'));
const page = [
  '# Log events',
  '',
  'Written by `npm run docs:log-events` from the sources. `error`: a person must act; `warn`: Waybridge tries again, or a person should look;',
  '`info`: it went as it should. [Monitoring](monitoring.md#what-to-watch) says what to do about each warning and error.',
  '',
  '| event | level | from |',
  '| --- | --- | --- |',
  ...rows.map(
    ([event, { levels, from }]) =>
      `| \`${event}\` | ${inOrder(levels)} | ${[...from].map((path) => `\`${path}\``).join(', ')} |`,
  ),
  '',
].join('\n');
const text = await format(page, { ...(await resolveConfig(PAGE)), filepath: PAGE });
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(PAGE, text);

function inOrder(levels) {
  return LEVELS.filter((level) => levels.has(level)).join(', ');
}

function add(event, level, path) {
  const known = events.get(event) ?? { levels: new Set(), from: new Set() };
  known.levels.add(level);
  known.from.add(path);
  events.set(event, known);
}

function visit(node, path) {
  if (ts.isCallExpression(node)) ofCall(node, path);
  if (HISTORY.includes(path) && ts.isObjectLiteralExpression(node)) ofEntry(node, path, 'what');
  if (LAST_LINES.includes(path) && ts.isObjectLiteralExpression(node)) ofEntry(node, path, 'message');
  ts.forEachChild(node, (child) => visit(child, path));
}

/** `log.warn('…')`, `context.log[level]('…')`. */
function ofCall({ expression, arguments: [event] }, path) {
  const isAccess = ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression);
  if (!isAccess || event === undefined || !/(^|\.)log\??$/.test(expression.expression.getText())) return;
  const level = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.argumentExpression;
  const levels = (typeof level === 'string' ? [level] : textsIn(level)).filter((each) => LEVELS.includes(each));
  const texts = textsIn(event);
  if (texts.length > 0 && levels.length === 0)
    throw new Error(`${path}: the level of "${texts[0]}" cannot be read here`);
  for (const text of texts) for (const each of levels) add(text, each, path);
}

/** `{ what: '…', level: 'warn', … }`; of a state its level stands in LEVEL_OF_STATE. @param named the property instead of `what` */
function ofEntry({ properties }, path, named) {
  const valueOf = (name) =>
    properties.find((each) => ts.isPropertyAssignment(each) && each.name.getText() === name)?.initializer;
  const what = valueOf(named);
  if (what === undefined) return;
  if (what.getText() === 'after.state') return ofStates(what.getSourceFile(), path);
  const levels = valueOf('level') === undefined ? ['info'] : textsIn(valueOf('level'));
  for (const text of textsIn(what)) for (const each of levels) add(text, each, path);
}

function ofStates(source, path) {
  const table = declared(source, 'LEVEL_OF_STATE');
  for (const { name, initializer } of table.properties) add(name.text, initializer.text, path);
}

/** The texts that an expression may have; of a name those of its declaration in the file. */
function textsIn(node) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [`${node.head.text}…${node.templateSpans.at(-1).literal.text}`];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsIn);
  if (ts.isBinaryExpression(node)) return [node.left, node.right].flatMap(textsIn);
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return textsIn(node.expression);
  const initializer = ts.isIdentifier(node) ? declared(node.getSourceFile(), node.text) : undefined;
  return initializer === undefined ? [] : textsIn(initializer);
}

function declared(source, name) {
  let found;
  const look = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer) found ??= node.initializer;
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}
