import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { DEEPEST, isDeeperThan, isJsonArray, membersOf, readId, readJson } from '../store/json.js';
import { ImsRefusal } from '../api/refusal.js';
import { readDay, readTime } from './dates.js';
import type { Field, FieldType, Fields } from './fields.js';

/** The declaration that a body is read by: a resource, or the parameters of an invocation. */
export interface Declared {
  /** The name in the codes of refusals. */
  readonly name: string;
  readonly fields: Fields;
}

/**
 * Reads the fields that a body sets. It silently ignores undeclared members and those that only the service sets.
 * Members of an embedded object may be given as `deliveryAddress_postalCode`.
 * @param current the row before the change; `null` for a new row, for which a null member counts as missing
 * @throws ImsRefusal `invalid_<Resource>`
 */
export function readChanges(declared: Declared, body: Json, current: JsonMembers | null): JsonMembers {
  if (!isJsonObject(body)) throw new ImsRefusal('invalid', declared.name, 'The body must be a JSON object.');
  const changes: Record<string, Json> = {};
  for (const [name, sent] of membersIn(body, current)) {
    const place = findPlace(declared, name, current === null);
    if (place === null) continue;
    const read = readField(declared, { name, field: place.field }, sent);
    const whole = changes[place.name] ?? current?.[place.name];
    changes[place.name] =
      place.member === null ? read : { ...(isJsonObject(whole) ? whole : {}), [place.member]: read };
  }
  return changes;
}

function membersIn(body: JsonMembers, current: JsonMembers | null): readonly (readonly [string, Json])[] {
  return Object.entries(body).flatMap(([name, sent = null]) =>
    sent === null && current === null ? [] : [[name, sent] as const],
  );
}

/** @throws ImsRefusal when one of these fields is missing or null */
export function need(declared: Declared, given: JsonMembers, names: readonly string[]): void {
  const missing = names.find((name) => (given[name] ?? null) === null);
  if (missing !== undefined) throw new ImsRefusal('invalid', declared.name, `${missing} is missing.`);
}

/** The problem of a field's value, as `<place within the value>: <problem>`; `null` when the value is valid. */
export function issueIn(field: Field, sent: Json): string | null {
  if (sent === null && field.always !== true) return null;
  const outcome = readValue(field, sent);
  return outcome.kind === 'value' ? null : `${outcome.within ?? ''}: ${outcome.text}`;
}

/** Whether a client may set the field by `PUT` or `PATCH`. */
export function isSettable(declared: Declared, name: string): boolean {
  return Object.hasOwn(declared.fields, name) && declared.fields[name]?.set === undefined;
}

interface Place {
  readonly name: string;
  /** The member of the embedded object `name`; `null`: the field as a whole. */
  readonly member: string | null;
  readonly field: Field;
}

function findPlace(declared: Declared, name: string, creating: boolean): Place | null {
  const field = ownField(declared.fields, name);
  if (field !== null) return maySet(field, creating) ? { name, member: null, field } : null;
  const underscore = name.indexOf('_');
  if (underscore < 0) return null;
  const outerName = name.slice(0, underscore);
  const member = name.slice(underscore + 1);
  const outer = ownField(declared.fields, outerName);
  if (outer?.kind !== 'object' || outer.fields === null || !maySet(outer, creating)) return null;
  const inner = ownField(outer.fields, member);
  return inner === null ? null : { name: outerName, member, field: inner };
}

function maySet(field: Field, creating: boolean): boolean {
  return field.set === undefined || (creating && field.set === 'on-create');
}

function ownField(fields: Fields, name: string): Field | null {
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}

function readField(declared: Declared, place: { readonly name: string; readonly field: Field }, sent: Json): Json {
  if (sent === null && place.field.always !== true) return null;
  const outcome = readValue(place.field, sent);
  if (outcome.kind === 'value') return outcome.value;
  const subject = `${place.name}${outcome.within ?? ''}`;
  throw new ImsRefusal('invalid', declared.name, `${subject} ${outcome.text}.`);
}

/**
 * `text` completes a sentence that begins with the field's name; `within` is the place inside the field, e.g.
 * `.postalCode` or `[0].weight`.
 */
type Outcome =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'wrong'; readonly text: string; readonly within?: string };

const value = (read: Json): Outcome => ({ kind: 'value', value: read });
const wrong = (text: string): Outcome => ({ kind: 'wrong', text });

function readValue(type: FieldType, sent: Json): Outcome {
  switch (type.kind) {
    case 'text':
      return readText(type, sent);
    case 'digits':
      return typeof sent === 'string' && /^\d+$/.test(sent) && sent.length === type.count
        ? value(sent)
        : wrong(`must be text of ${type.count} digits`);
    case 'number':
      return readNumber(type, sent);
    case 'boolean':
      return typeof sent === 'boolean' ? value(sent) : wrong('must be true or false');
    case 'date':
      return orWrong(readDay(sent), 'must be a date, e.g. 2026-01-31');
    case 'date-time':
      return orWrong(readTime(sent), 'must be a time with its zone, e.g. 2026-01-31T10:00:00Z');
    case 'one-of':
      return type.values.some((known) => known === sent)
        ? value(sent)
        : wrong(`must be one of ${type.values.join(', ')}`);
    case 'json-text':
      return readJsonText(sent);
    case 'object':
      return readObject(type.fields, sent);
    case 'list':
      return readList(type, sent);
    case 'ids':
      return readIds(sent);
  }
}

function readText(type: Extract<FieldType, { kind: 'text' }>, sent: Json): Outcome {
  if (typeof sent !== 'string') return wrong('must be text');
  const { min = 0, max = Infinity } = type;
  if (sent.length < min || sent.length > max) return wrong(`must have ${min} to ${max} characters`);
  if (type.singleLine === 'yes' && /[\t\n\v\f\r]/.test(sent)) return wrong('must not contain tabs or line breaks');
  return value(sent);
}

function readNumber(type: Extract<FieldType, { kind: 'number' }>, sent: Json): Outcome {
  const number = type.isId === true ? (readId(sent) ?? sent) : sent;
  // `JSON.parse` reads 1e999 as Infinity.
  if (typeof number !== 'number' || !Number.isFinite(number)) return wrong('must be a number');
  const issue = issueInNumber(type, number);
  return issue === null ? value(number) : wrong(issue);
}

function issueInNumber(type: Extract<FieldType, { kind: 'number' }>, number: number): string | null {
  const { min = -Infinity, max = Infinity, fractionDigits = null } = type;
  if (number < min || number > max) return `must be ${range(min, max)}`;
  if (fractionDigits === null || Number(number.toFixed(fractionDigits)) === number) return null;
  return fractionDigits === 0 ? 'must be a whole number' : `must have at most ${fractionDigits} decimals`;
}

function range(min: number, max: number): string {
  if (max === Infinity) return `at least ${min}`;
  return min === -Infinity ? `at most ${max}` : `from ${min} to ${max}`;
}

function readIds(sent: Json): Outcome {
  const ids = isJsonArray(sent) ? sent.map((each) => readId(each)) : [null];
  return ids.includes(null) ? wrong('must be a list of ids') : value(ids);
}

function orWrong(read: string | null, text: string): Outcome {
  return read === null ? wrong(text) : value(read);
}

function readJsonText(sent: Json): Outcome {
  const issue = 'must be text that holds a JSON object';
  if (typeof sent !== 'string') return wrong(issue);
  try {
    const read = readJson(sent);
    return isJsonObject(read) && !isDeeperThan(read, DEEPEST) ? value(sent) : wrong(issue);
  } catch {
    return wrong(issue);
  }
}

function readObject(fields: Fields | null, sent: Json): Outcome {
  if (!isJsonObject(sent)) return wrong('must be an object');
  if (fields === null) return value(sent);
  const read: Record<string, Json> = {};
  for (const [name, member] of Object.entries(sent)) {
    const field = ownField(fields, name);
    if (field === null || member === undefined) continue;
    const outcome = member === null ? value(null) : readValue(field, member);
    if (outcome.kind === 'wrong') return { ...outcome, within: `.${name}${outcome.within ?? ''}` };
    read[name] = outcome.value;
  }
  return value(read);
}

function readList({ fields, max = Infinity }: Extract<FieldType, { kind: 'list' }>, sent: Json): Outcome {
  if (!isJsonArray(sent)) return wrong('must be a list');
  if (sent.length > max) return wrong(`must have at most ${max} entries`);
  if (fields === undefined) return value(sent);
  const read: Json[] = [];
  for (const [index, entry] of sent.entries()) {
    const outcome = readEntry(fields, entry);
    if (outcome.kind === 'wrong') return { ...outcome, within: `[${index}]${outcome.within ?? ''}` };
    read.push(outcome.value);
  }
  return value(read);
}

function readEntry(fields: Fields, entry: Json): Outcome {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, { set }]) => set !== 'by-service'));
  const outcome = readObject(sent, entry);
  if (outcome.kind === 'wrong') return outcome;
  const given = membersOf(outcome.value);
  const missing = Object.keys(sent).find((name) => sent[name]?.always === true && (given[name] ?? null) === null);
  return missing === undefined ? outcome : { kind: 'wrong', text: 'is missing', within: `.${missing}` };
}
