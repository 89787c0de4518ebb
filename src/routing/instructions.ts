import { applicationData } from './facts/data-document.js';
import type { Reason } from './language/judge.js';
import { type JsonObject, isJsonObject } from '../../carriers/contract/json.js';
import { shipmentField } from './facts/shipment-fields.js';

/** Further instructions are ignored. */
const MAX_INSTRUCTIONS = 500;
const MAX_DEEP = 10;

/** A place where existing installations keep instructions. */
export interface InstructionSource {
  readonly from: 'seller' | 'carrier';
  /** `dataDocument`: text holding a JSON object by application; `null`: there is none. */
  readonly dataDocument: string | null;
}

/**
 * Odd settings, shown to the operator: `unreadable` no JSON object; `too-many` only the first 500 count; `not-a-list`,
 * `not-an-object` left out; `scalar` a plain value stands where a list should, and is read as a list of it;
 * `empty-list` and `list-for-object` can never match; `unknown-field` no shipment has it; `absent-object` this shipment
 * lacks the object that the pattern looks into, and it counts as one without fields.
 */
export type InstructionTrouble =
  | 'unreadable'
  | 'too-many'
  | 'not-a-list'
  | 'not-an-object'
  | 'scalar'
  | 'empty-list'
  | 'list-for-object'
  | 'too-deep'
  | 'unknown-field'
  | 'absent-object';

export interface InstructionWarning {
  readonly from: InstructionSource['from'];
  /** E.g. `BringTransport.instructions[1].shipmentPattern.deliveryAddress`. Never holds a value. */
  readonly path: string;
  readonly trouble: InstructionTrouble;
}

export interface TriedInstruction {
  readonly from: InstructionSource['from'];
  /** Place in the list, from 0. */
  readonly index: number;
  /** The conditions that did not hold. */
  readonly reasons: readonly Reason[];
}

export interface InstructionChoice {
  /** The first instruction that matches, unchanged; `null` when none does. */
  readonly instruction: JsonObject | null;
  readonly from: InstructionSource['from'] | null;
  readonly warnings: readonly InstructionWarning[];
  /** The instructions before it. */
  readonly tried: readonly TriedInstruction[];
}

/**
 * Finds the instruction for a shipment among those that existing installations keep in data documents; pure.
 * @param key of the application, e.g. `BringTransport`
 * @param sources in the order in which they are asked: the seller's, then the carrier's
 */
export function chooseInstruction(
  key: string,
  sources: readonly InstructionSource[],
  shipment: JsonObject,
): InstructionChoice {
  const warnings: InstructionWarning[] = [];
  const tried: TriedInstruction[] = [];
  for (const { from, dataDocument } of sources) {
    const warn = (path: string, trouble: InstructionTrouble) => warnings.push({ from, path, trouble });
    const list = instructionsIn(dataDocument, key, warn);
    for (const [index, instruction] of list.entries()) {
      const path = `${key}.instructions[${index}]`;
      if (!isJsonObject(instruction)) {
        warn(path, 'not-an-object');
        continue;
      }
      const reasons = mismatches(instruction['shipmentPattern'], shipment, { path: `${path}.shipmentPattern`, warn });
      if (reasons.length === 0) return { instruction, from, warnings, tried };
      tried.push({ from, index, reasons });
    }
  }
  return { instruction: null, from: null, warnings, tried };
}

type Warn = (path: string, trouble: InstructionTrouble) => void;

function instructionsIn(dataDocument: string | null, key: string, warn: Warn): readonly unknown[] {
  const application = applicationIn(dataDocument, key, warn);
  const list = application?.['instructions'] ?? null;
  if (list === null) return [];
  if (!Array.isArray(list)) {
    warn(`${key}.instructions`, 'not-a-list');
    return [];
  }
  if (list.length > MAX_INSTRUCTIONS) warn(`${key}.instructions`, 'too-many');
  return list.slice(0, MAX_INSTRUCTIONS);
}

function applicationIn(dataDocument: string | null, key: string, warn: Warn): JsonObject | null {
  const found = applicationData(dataDocument, key);
  if (found.kind === 'unusable') warn(found.path, found.trouble);
  return found.kind === 'found' ? found.data : null;
}

interface Matching {
  /** The path of the pattern, for warnings. */
  readonly path: string;
  readonly warn: Warn;
}

/** @returns nothing when the pattern matches; a missing one matches everything */
function mismatches(pattern: unknown, shipment: JsonObject, matching: Matching): readonly Reason[] {
  if ((pattern ?? null) === null) return [];
  if (isJsonObject(pattern)) return inObject(pattern, shipment, { ...matching, field: '' });
  // A shipment is an object, so it never equals a plain value.
  matching.warn(matching.path, Array.isArray(pattern) ? 'list-for-object' : 'scalar');
  return [{ field: '', condition: `$eq ${JSON.stringify(pattern)}`, value: null }];
}

interface InField extends Matching {
  /** Dotted, of the shipment. */
  readonly field: string;
}

function inObject(pattern: JsonObject, object: JsonObject, at: InField): readonly Reason[] {
  return Object.entries(pattern).flatMap(([name, wanted]) => {
    const value = Object.hasOwn(object, name) ? (object[name] ?? null) : null;
    const field = at.field === '' ? name : `${at.field}.${name}`;
    return inMember(wanted, value, { ...at, path: `${at.path}.${name}`, field });
  });
}

function inMember(wanted: unknown, value: unknown, at: InField): readonly Reason[] {
  const type = shipmentField(at.field)?.type ?? null;
  if (type === null) at.warn(at.path, 'unknown-field');
  if (isJsonObject(wanted)) return inNested(wanted, value, at);
  const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const trouble = Array.isArray(wanted) ? listTrouble(list, type) : 'scalar';
  if (trouble !== null) at.warn(at.path, trouble);
  if (list.includes(value)) return [];
  return [{ field: at.field, condition: `$in ${JSON.stringify(list)}`, value: plain(value) }];
}

function listTrouble(list: readonly unknown[], type: string | null): InstructionTrouble | null {
  if (list.length === 0) return 'empty-list';
  return type === 'object' && list.some((item) => item !== null) ? 'list-for-object' : null;
}

/** A missing object has no fields, so only a list that contains null matches. */
function inNested(wanted: JsonObject, value: unknown, at: InField): readonly Reason[] {
  if (at.field.split('.').length >= MAX_DEEP) {
    at.warn(at.path, 'too-deep');
    return [{ field: at.field, condition: '…', value: null }];
  }
  if (isJsonObject(value)) return inObject(wanted, value, at);
  if (Object.keys(wanted).length > 0) at.warn(at.path, 'absent-object');
  return inObject(wanted, {}, at);
}

function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? '…' : value;
}
