// Two checkouts measured by turns on one machine, so that what else the machine does meets both alike.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import process from 'node:process';
import { median } from './statistics.js';

/** A figure as `run.js` prints it, of this version or an older one. */
const FIGURE = /^ {2}(.+): (-?[\d.,]+)(?: ([^;(]+))?/;

/**
 * @param folders `here` and `there`, each a checkout with its packages installed
 * @returns lines to print: each figure here and there, and the difference of neighbours: median, least and most
 */
export async function byTurns(folders, { only, runs }) {
  const turns = [];
  for (let n = 0; n < runs; n += 1) {
    const turn = {};
    // Who comes first changes, because the first may find the machine colder.
    for (const side of n % 2 === 0 ? ['here', 'there'] : ['there', 'here'])
      turn[side] = await figuresOf(folders[side], only);
    turns.push(turn);
  }
  return Object.keys(turns[0].here).flatMap((name) => linesOf(name, turns));
}

function linesOf(name, turns) {
  const both = turns.filter(({ here, there }) => name in here && name in there);
  if (both.length === 0) return [`  ${name}: only here`];
  const { unit } = both[0].here[name];
  const values = (side) => both.map((turn) => turn[side][name].value);
  const differences = both.map(({ here, there }) => here[name].value - there[name].value);
  return [
    `  ${name}, ${unit}`,
    `    here ${spreadOf(values('here'))}, there ${spreadOf(values('there'))}, here less there ${spreadOf(differences)}`,
  ];
}

function spreadOf(values) {
  const shown = (value) => String(Number(value.toPrecision(4)));
  return `${shown(median(values))} (${shown(Math.min(...values))} – ${shown(Math.max(...values))})`;
}

/** @returns the figures of one run by name @throws Error when there are none */
async function figuresOf(folder, only) {
  const words = ['bench/run.js', '--only', only, '--runs', '1'];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = (await text(child.stdout)).split('\n');
  const found = lines.flatMap((line) => {
    const [, name, value, unit = ''] = FIGURE.exec(line) ?? [];
    return name === undefined ? [] : [[name, { value: Number(value.replaceAll(',', '')), unit: unit.trim() }]];
  });
  if (found.length === 0) throw new Error(`no figures from ${folder}: ${lines.slice(-5).join(' ')}`);
  return Object.fromEntries(found);
}
