import type { Document } from 'yaml';
import { parseDocument } from 'yaml';
import { readFaultMembers } from './fault-bodies.js';
import type { Fault } from './faults.js';
import type { Json, JsonObject } from './json.js';
import type { Members } from './members.js';
import { BadControlBody, readWhole } from './members.js';
import { LARGEST_SEED } from './random.js';
import { switchProblems } from './switches.js';

/** A plan of what is to go wrong, as it is written in a file. */
export interface FaultsFile {
  readonly seed?: number;
  readonly switches?: JsonObject;
  readonly faults?: readonly Fault[];
}

/**
 * Reads a faults file.
 * @param text YAML: `seed`, `switches` and `faults`, each as the control interface takes it
 * @throws Error with every problem and its place, one a line
 */
export function readFaultsFile(text: string): FaultsFile {
  const document = parseDocument(text);
  const [slip] = document.errors;
  if (slip !== undefined) throw new Error(`faults file: line ${slip.linePos?.[0].line ?? '?'}: ${slip.code}`);
  return checkFaultsFile(valueOf(document));
}

function valueOf(document: Document): Json {
  try {
    const value: Json = document.toJS();
    return value;
  } catch (cause) {
    throw new Error('faults file: has an alias that stands for nothing or for too much', { cause });
  }
}

/** As `readFaultsFile`, of what is parsed already. @throws Error */
export function checkFaultsFile(value: Json): FaultsFile {
  try {
    return readWhole(value ?? {}, readFile, 'the file');
  } catch (cause) {
    if (!(cause instanceof BadControlBody)) throw cause;
    throw new Error(`faults file:\n${cause.problems.join('\n')}`, { cause });
  }
}

function readFile(members: Members): FaultsFile {
  return {
    ...(members.has('seed') ? { seed: members.whole('seed', { max: LARGEST_SEED }) } : {}),
    ...(members.has('switches') ? { switches: readSwitches(members) } : {}),
    ...(members.has('faults') ? { faults: members.each('faults', readFaultMembers) } : {}),
  };
}

function readSwitches(members: Members): JsonObject {
  const switches = members.jsonObject('switches');
  for (const { name, complaint } of switchProblems(switches)) members.problem(`switches.${name}`, complaint, null);
  return switches;
}
