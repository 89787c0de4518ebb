// How fast it is, and against what: `npm run bench`, or `npm run bench -- --only latency,limit --runs 1`.
//
//   --only a,b   only the measures with these names
//   --runs 5     how often each is run; the median counts
//   --keep       keep the figures although there were fewer runs than five
//   --list       what there is
//   --write      only write the table and the chart again, of what is kept
//
// A measure is a module in `bookings/` or `parts/` that exports `name`, `seconds` (what a run takes), `run(frame)`, see
// `frame/frame.js`, and `end()` where it keeps something for all of its runs.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeChart } from './frame/chart.js';
import { createFigures } from './frame/figures.js';
import { createFrame } from './frame/frame.js';
import { machineFacts } from './frame/machine.js';
import { findPostgres } from './frame/postgres.js';
import { keepResult, keptResults } from './frame/results.js';
import { linesOf, writeTable } from './frame/table.js';

const FOLDERS = ['bookings', 'parts'];
/** Fewer are for looking, not for the record. */
const RUNS = 5;
const PROGRAM = fileURLToPath(new URL('../bin/waybridge.js', import.meta.url));

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: String(RUNS) },
    keep: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
// Then everything that was started is ended.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const runs = Number(options.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a whole number from 1');

// Builds what is not built.
const built = spawnSync(process.execPath, [PROGRAM, '--help'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (built.status !== 0) process.exit(1);

if (options.write) await writePage();
else if (options.list) for (const { name, seconds } of await chosen()) say(`${name}  about ${seconds} s a run`);
else await bench(await chosen());

async function bench(wanted) {
  const measures = wanted.filter(isPossible);
  const machine = machineFacts();
  const date = new Date().toISOString();
  const seconds = measures.reduce((sum, measure) => sum + measure.seconds, 0) * runs;
  say(`${measures.length} measures, ${runs} runs each: about ${Math.ceil(seconds / 60)} minutes`);
  say(`${machine.cores} × ${machine.processor}, Node ${machine.node}, ${machine.commit}, load ${machine.loadBefore}`);
  const outcomes = [];
  for (const measure of measures) outcomes.push(await take(measure));
  const figures = outcomes.flatMap((outcome) => outcome.figures);
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  if (runs >= RUNS || options.keep) {
    say(`kept in ${keepResult({ date, machine, runs, figures, failed })}`);
    await writePage();
  }
  const missed = figures.filter(({ met }) => met === false).map(({ measure, name }) => `${measure}, ${name}`);
  say(`${figures.filter(({ met }) => met === true).length} goals reached, ${missed.length} missed`);
  for (const each of [...missed, ...failed.map(({ measure, why }) => `${measure} failed: ${why}`)]) say(`  ${each}`);
  process.exitCode = missed.length + failed.length === 0 ? 0 : 1;
}

/** What this machine lacks is said. */
function isPossible({ name, needsPostgres }) {
  const possible = !needsPostgres || findPostgres() !== null;
  if (!possible) say(`${name} skipped: there is no Postgres server on this machine (initdb and postgres)`);
  return possible;
}

/** One that fails is named, and the others go on. */
async function take({ name, run, end: endAll }) {
  const figures = createFigures(name);
  const failed = [];
  say(`\n${name}`);
  for (let n = 1; n <= runs; n += 1) {
    const { frame, end } = createFrame(figures.measure);
    try {
      await run(frame);
    } catch (error) {
      failed.push({ measure: name, why: String(error?.message ?? error) });
      process.stderr.write(`${error?.stack ?? error}\n`);
    } finally {
      await end();
    }
  }
  await endAll?.();
  for (const line of linesOf(figures.all())) say(line);
  return { figures: figures.all(), failed };
}

async function writePage() {
  const results = keptResults();
  writeChart(results);
  await writeTable(results);
}

async function chosen() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`./${folder}/`, import.meta.url))
      .filter((file) => file.endsWith('.js'))
      .sort()
      .map((file) => `./${folder}/${file}`),
  );
  const modules = await Promise.all(files.map((file) => import(file)));
  const measures = modules.filter(({ run }) => run !== undefined);
  if (options.only === undefined) return measures;
  return options.only.split(',').map((wanted) => {
    const found = measures.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`no measure "${wanted}": ${measures.map(({ name }) => name).join(', ')}`);
    return found;
  });
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
