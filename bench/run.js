// How fast it is, and against what: `npm run bench`, or `npm run bench -- --only latency,limit --runs 1`; USAGE has the rest.
//
// A measure is a module in `bookings/` or `parts/` that exports `name`, `seconds` (what a run takes), `run(frame)`, see
// `frame/frame.js`, and `end()` where it keeps something for all of its runs.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../bin/build.js';
import { byTurns } from './frame/by-turns.js';
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
const ENDS_WITHIN_MS = 20_000;
const USAGE = `npm run bench -- [options]
  --only a,b   only the measures with these names
  --runs 5     how often each is run; the median counts
  --keep       keep the figures although there were fewer runs than five
  --list       what there is, and how long it takes
  --against F  by turns with the checkout in folder F, built there: both, and what differs; nothing is kept
  --write      only write the table and the chart again, of what is kept
BENCH_PROFILE=folder leaves a profile of each service there, for the tools of Chrome; such figures are never kept.
BENCH_BOOKINGS=4000 (memory; else 20000), BENCH_CONSIGNMENTS=50000 (ledger; else 1000000): shorter, for a look.
`;

/** What was asked for cannot be done. */
class Misuse extends Error {}

const options = optionsOf();
const runs = Number(options.runs);
let interrupted = false;
let endCurrent = async () => undefined;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void interrupt());

await buildIfStale();
const wanted = await chosen().catch(misused);
if (options.write) await writePage();
else if (options.list) list(wanted);
else if (options.against) await compare(wanted);
else await bench(wanted);

function optionsOf() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        runs: { type: 'string', default: String(RUNS) },
        keep: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        against: { type: 'string' },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    if (!/^[1-9][0-9]{0,2}$/.test(values.runs)) throw new Misuse('--runs must be a whole number from 1 to 999');
    return values;
  } catch (error) {
    return misused(error);
  }
}

function misused(error) {
  if (!(error instanceof Misuse) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}

/** Ends everything that was started. */
async function interrupt() {
  interrupted = true;
  process.stderr.write('interrupted: nothing is kept\n');
  await Promise.race([endCurrent(), pause(ENDS_WITHIN_MS)]).catch(() => undefined);
  process.exit(130);
}

function list(measures) {
  for (const { name, seconds } of measures) say(`${name}  about ${seconds} s a run`);
  say(`all of them, ${runs} runs each: about ${minutesOf(measures)} minutes`);
}

function minutesOf(measures) {
  return Math.max(1, Math.round((measures.reduce((sum, { seconds }) => sum + seconds, 0) * runs) / 60));
}

async function compare(wanted) {
  const only = wanted.map(({ name }) => name).join(',');
  const folders = { here: process.cwd(), there: resolve(options.against) };
  say(
    `by turns, ${runs} runs each, about ${2 * minutesOf(wanted)} minutes: here ${folders.here}, there ${folders.there}`,
  );
  for (const line of await byTurns(folders, { only, runs })) say(line);
}

async function bench(wanted) {
  const measures = wanted.filter(isPossible);
  const machine = machineFacts();
  const date = new Date().toISOString();
  const isKept = (runs >= RUNS || options.keep) && !process.env.BENCH_PROFILE;
  say(`measures: ${measures.length}, runs of each: ${runs}, minutes: about ${minutesOf(measures)}`);
  say(
    isKept
      ? 'kept in bench/results; docs/performance.md and its chart are written again'
      : 'for a look; nothing is kept',
  );
  if (process.env.BENCH_PROFILE) say(`profiles go to ${process.env.BENCH_PROFILE} and make everything slower`);
  say(`${machine.cores} × ${machine.processor}, Node ${machine.node}, ${machine.commit}, load ${machine.loadBefore}`);
  const outcomes = [];
  for (const measure of measures) outcomes.push(await take(measure));
  const figures = outcomes.flatMap((outcome) => outcome.figures);
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  if (isKept) {
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
    endCurrent = async () => {
      await end();
      await endAll?.();
    };
    try {
      await run(frame);
    } catch (error) {
      // The signal ends the process when everything else has ended.
      if (interrupted) return await new Promise(() => undefined);
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
  const names = new Set(options.only.split(',').map((name) => name.trim()));
  return [...names].map((wantedName) => {
    const found = measures.find(({ name }) => name === wantedName);
    const there = measures.map(({ name }) => name).join(', ');
    if (found === undefined) throw new Misuse(`there is no measure "${wantedName}", but ${there}`);
    return found;
  });
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
