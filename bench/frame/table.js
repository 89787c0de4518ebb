// Figures as a table: in the terminal and between two comments of a page.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const BEGIN = '<!-- figures: written by npm run bench -->';
const END = '<!-- end of figures -->';

const WORDS = { true: 'reached', false: '**missed**', null: '' };

/** Of each figure the newest there is, in the order of the newest result that has it. */
export async function writeTable(results) {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to === -1) throw new Error(`${PAGE} has no place for the table`);
  const text = `${page.slice(0, from + BEGIN.length)}\n\n${sectionOf(results)}\n\n${page.slice(to)}`;
  writeFileSync(PAGE, await format(text, { parser: 'markdown', printWidth: 120 }));
}

function sectionOf(results) {
  const figures = newestFigures(results);
  const dates = [...new Set(figures.map(({ from }) => from))];
  const rows = figures.map(({ figure, from }) => [
    ...[figure.measure, figure.name, valueOf(figure), goalOf(figure), WORDS[figure.met], controlsOf(figure)],
    String(dates.indexOf(from) + 1),
  ]);
  const heads = ['measure', 'figure', 'median (least – most)', 'goal', '', 'next to it', 'run'];
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const about = dates.map((from, place) => `${place + 1}. ${descriptionOf(from)}`);
  return [...lines, '', 'Runs:', '', ...about].join('\n');
}

/** @returns for each `figure` the result it is `from` */
export function newestFigures(results) {
  const newest = new Map();
  for (const from of results)
    for (const figure of from.figures) {
      const key = `${figure.measure}\n${figure.name}`;
      newest.delete(key);
      newest.set(key, { figure, from });
    }
  return [...newest.values()];
}

function descriptionOf({ date, machine, runs }) {
  const { processor, cores, memoryGb, node, pglite, postgres, commit, changed, loadBefore } = machine;
  const databases = [pglite && `PGlite ${pglite}`, postgres].filter(Boolean).map((one) => `, ${one}`);
  const of = `${commit}${changed ? ' with changes' : ''}`;
  const times = runs === 1 ? '1 run' : `median of ${runs} runs`;
  return `${date.slice(0, 16).replace('T', ' ')} UTC, ${of}, ${times}; ${cores} × ${processor}, ${memoryGb} GB, Node ${node}${databases.join('')}, load before ${loadBefore}`;
}

/** For people at a terminal. */
export function linesOf(figures) {
  return figures.map((figure) => {
    const parts = [valueOf(figure), goalOf(figure), WORDS[figure.met].replaceAll('*', ''), controlsOf(figure)];
    return `  ${figure.name}: ${parts.filter((part) => part !== '').join('; ')}${figure.note ? ` (${figure.note})` : ''}`;
  });
}

function valueOf({ median, min, max, unit, values }) {
  const range = values.length > 1 ? ` (${shown(min)} – ${shown(max)})` : '';
  return `${shown(median)} ${unit}`.trim() + range;
}

function goalOf({ goal, unit }) {
  if (goal === null) return '';
  return goal.atMost === undefined
    ? `at least ${shown(goal.atLeast)} ${unit}`.trim()
    : `at most ${shown(goal.atMost)} ${unit}`.trim();
}

function controlsOf({ control }) {
  return control.map(({ what, median, unit }) => `${what} ${shown(median)} ${unit}`.trim()).join(', ');
}

/** Three digits are what such figures are good for. */
function shown(value) {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
