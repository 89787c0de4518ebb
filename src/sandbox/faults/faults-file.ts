import { readFaultMembers } from './fault-bodies.js';
import type { FaultRule } from './faults.js';
import type { Json, JsonMembers } from '../store/json.js';
import type { Members } from '../control/members.js';
import { BadControlBody, readWhole } from '../control/members.js';
import { MAX_SEED } from '../control/random.js';
import { switchProblems } from '../control/switches.js';
import { readYaml } from './yaml-text.js';

/** A file with a seed, switches and planned faults. */
export interface FaultsFile {
  readonly seed?: number;
  readonly switches?: JsonMembers;
  readonly faults?: readonly FaultRule[];
}

/**
 * Reads a faults file.
 * @param text YAML with `seed`, `switches` and `faults`, each in the form of the control interface
 * @throws Error with every problem and its place, one per line
 */
export function readFaultsFile(text: string): FaultsFile {
  return checkFaultsFile(readYaml(text));
}

/** Like `readFaultsFile`, for a value that is parsed already. @throws Error */
export function checkFaultsFile(value: Json): FaultsFile {
  if (value === null) throw new Error('faults file: is empty; it must have seed, switches or faults');
  try {
    return readWhole(value, readFile, 'the file');
  } catch (cause) {
    if (!(cause instanceof BadControlBody)) throw cause;
    throw new Error(`faults file:\n${cause.problems.join('\n')}`, { cause });
  }
}

function readFile(members: Members): FaultsFile {
  if (!['seed', 'switches', 'faults'].some((name) => members.has(name)))
    members.problem('the file', 'must have seed, switches or faults', null);
  return {
    ...(members.has('seed') ? { seed: members.whole('seed', { max: MAX_SEED }) } : {}),
    ...(members.has('switches') ? { switches: readSwitches(members) } : {}),
    ...(members.has('faults') ? { faults: members.each('faults', readFaultMembers) } : {}),
  };
}

function readSwitches(members: Members): JsonMembers {
  const switches = members.jsonObject('switches');
  for (const { name, issue } of switchProblems(switches)) members.problem(`switches.${name}`, issue, null);
  return switches;
}
