// What runs found, kept in files, one for each run of the bench.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../results', import.meta.url));
const KEPT = 20;

/** @param result `{ date, machine, runs, figures, failed }` @returns its file */
export function keepResult(result) {
  const time = result.date.slice(0, 19).replaceAll(':', '');
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${time}-${result.machine.commit}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  for (const name of names().slice(0, -KEPT)) rmSync(join(FOLDER, name));
  return file;
}

/** Those of the machine that the newest is of, oldest first: figures of different machines make no table together. */
export function keptResults() {
  const all = names().map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
  const newest = all.at(-1)?.machine;
  return all.filter(({ machine }) => machine.processor === newest.processor && machine.cores === newest.cores);
}

/** The names begin with the time, so that their order is that of the runs. */
function names() {
  mkdirSync(FOLDER, { recursive: true });
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort();
}
