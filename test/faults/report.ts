import { callNames } from './calls.js';
import type { Cell } from './cell.js';
import { faultNames } from './faults.js';
import type { Seen } from './observe.js';
import { tableOf } from './table.js';

/** Whether the whole matrix was asked for, and its table; otherwise every sixth cell of it runs, and nothing is printed. */
export const isWhole = 'wholeFaultMatrix' in globalThis;

const OF_WHICH_ONE_RUNS = 6;

/** `FAULT_CALLS='load seller,attach'` leaves out all other calls. */
const ONLY = process.env['FAULT_CALLS']?.split(',') ?? callNames;

export function askedFor(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter(({ callName }) => ONLY.includes(callName));
}

/** Every call and every fault is in it several times. */
export function sample<T>(cells: readonly T[], placeOf: (cell: T) => number): readonly T[] {
  return isWhole ? cells : cells.filter((cell) => placeOf(cell) % OF_WHICH_ONE_RUNS === 0);
}

/** Cells that came out otherwise than stated, or broke a rule; one line each. */
export function differences(results: readonly Seen[]): readonly string[] {
  return results
    .filter(({ cell, outcome, violations }) => outcome !== cell.stated.outcome || violations.length > 0)
    .map(({ cell, outcome, violations, messages, documentStatus }) =>
      [
        ...[
          cell.callName,
          cell.faultName,
          `stated ${cell.stated.outcome}, was ${outcome}`,
          `document ${documentStatus}`,
        ],
        ...[...violations, ...messages],
      ].join(' | '),
    );
}

/** What was not waited for to its end and runs once more: whoever reads it may know better than to blame the machine. */
export function printAgain(results: readonly Seen[]): void {
  if (isWhole) process.stdout.write(`\nnot ended in time, run once more:\n${differences(results).join('\n')}\n`);
}

/** `(!)` stands where something is not as stated, `(2)` where only the second run ended in time. */
export function printTable(title: string, results: readonly Seen[]): void {
  if (!isWhole || results.length === 0) return;
  const wrong = new Set(results.filter((one) => differences([one]).length > 0));
  const inTable = callNames.filter((call) => results.some(({ cell }) => cell.callName === call));
  const table = tableOf(inTable, faultNames, (call, fault) => {
    const found = results.find(({ cell }) => cell.callName === call && cell.faultName === fault);
    if (found === undefined) return '-';
    return `${found.outcome}${wrong.has(found) ? ' (!)' : ''}${found.isRepeated ? ' (2)' : ''}`;
  });
  const repeated = results.filter(({ isRepeated }) => isRepeated).length;
  const sums = `${results.length} cells, ${wrong.size} not as stated, ${repeated} run twice`;
  process.stdout.write(`\n${title}: ${sums}\n\n${table}\n\n`);
}

/** Secrets that stand in a text. */
export function secretsIn(texts: readonly string[], secrets: readonly string[]): readonly string[] {
  const all = texts.join('\n');
  return secrets.filter((secret) => all.includes(secret));
}
