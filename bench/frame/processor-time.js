// Processor time of a process and of those that it has started, as Linux counts it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Linux counts in hundredths of a second for every program. */
const TICK_MS = 10;
// Places in /proc/<pid>/stat after the name in brackets: proc(5).
const PARENT = 1;
const USER = 11;
const SYSTEM = 12;

/** Whether this machine tells. */
export const tellsProcessorTime = existsSync('/proc/self/stat');

/** @returns milliseconds since its start, with the processes below it that run */
export function processorMs(pid) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));
  const below = (parent) => all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  const own = all.filter((each) => each.pid === pid);
  return [...own, ...below(pid)].reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS;
}

/** A process may end meanwhile. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid, parent: Number(fields[PARENT]), ticks: Number(fields[USER]) + Number(fields[SYSTEM]) }];
  } catch {
    return [];
  }
}
