import { isJsonObject, readJson } from './json.js';
import type { Json, JsonObject } from './json.js';
import { Refusal } from './refusal.js';

/** What the service checks of a value that is sent to it. Lengths are in characters. */
export type FieldRule =
  | { readonly kind: 'text'; readonly min?: number; readonly max?: number; readonly singleLine?: 'yes' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly fractionDigits?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'date' }
  | { readonly kind: 'date-time' }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'json-text' }
  | { readonly kind: 'object'; readonly fields: FieldRules };

export type FieldRules = Readonly<Record<string, FieldRule>>;

/** One resource as the service declares it. */
export interface Shape {
  /** As in the codes of refusals. */
  readonly resource: string;
  /** What a request may set. */
  readonly writable: FieldRules;
  /** What only the service sets. */
  readonly readOnly: readonly string[];
  /** Fields that have a twin for display. */
  readonly localized: readonly string[];
  /** Never null. */
  readonly required: readonly string[];
}

/**
 * Reads what a body changes. Members the service does not know, and those it sets itself, are silently ignored. Parts of
 * an embedded object may be given as `deliveryAddress_postalCode`.
 * @param current the resource as it is; `{}` when it is being created
 * @throws Refusal `invalid_<Resource>`
 */
export function readChanges(shape: Shape, body: Json, current: JsonObject): JsonObject {
  if (!isJsonObject(body)) throw new Refusal('invalid', shape.resource, 'The body must be a JSON object.');
  const changes: Record<string, Json> = {};
  for (const [name, value] of Object.entries(body)) {
    const place = value === undefined ? null : findPlace(shape, name);
    if (place === null || value === undefined) continue;
    const read = readField(shape, { name, rule: place.rule }, value);
    const whole = changes[place.field] ?? current[place.field];
    changes[place.field] =
      place.member === null ? read : { ...(isJsonObject(whole) ? whole : {}), [place.member]: read };
  }
  return changes;
}

interface Place {
  readonly field: string;
  /** Of an embedded object. */
  readonly member: string | null;
  readonly rule: FieldRule;
}

function findPlace(shape: Shape, name: string): Place | null {
  const own = ownRule(shape.writable, name);
  if (own !== null) return { field: name, member: null, rule: own };
  const underscore = name.indexOf('_');
  if (underscore < 0) return null;
  const field = name.slice(0, underscore);
  const member = name.slice(underscore + 1);
  const outer = ownRule(shape.writable, field);
  const inner = outer?.kind === 'object' ? ownRule(outer.fields, member) : null;
  return inner === null ? null : { field, member, rule: inner };
}

function ownRule(rules: FieldRules, name: string): FieldRule | null {
  return Object.hasOwn(rules, name) ? (rules[name] ?? null) : null;
}

function readField(shape: Shape, field: { readonly name: string; readonly rule: FieldRule }, value: Json): Json {
  if (value === null && !shape.required.includes(field.name)) return null;
  const outcome = readValue(field.rule, value);
  if (outcome.kind === 'value') return outcome.value;
  const subject = outcome.member === undefined ? field.name : `${field.name}.${outcome.member}`;
  throw new Refusal('invalid', shape.resource, `${subject} ${outcome.text}.`);
}

/** `text` continues a sentence that begins with the field's name. */
type Outcome =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'wrong'; readonly text: string; readonly member?: string };

const value = (read: Json): Outcome => ({ kind: 'value', value: read });
const wrong = (text: string): Outcome => ({ kind: 'wrong', text });

function readValue(rule: FieldRule, sent: Json): Outcome {
  switch (rule.kind) {
    case 'text':
      return readText(rule, sent);
    case 'number':
      return readNumber(rule, sent);
    case 'boolean':
      return typeof sent === 'boolean' ? value(sent) : wrong('must be true or false');
    case 'date':
      return readTime(sent, (iso) => iso.slice(0, 'yyyy-MM-dd'.length));
    case 'date-time':
      return readTime(sent, (iso) => iso);
    case 'one-of':
      return rule.values.some((known) => known === sent)
        ? value(sent)
        : wrong(`must be one of ${rule.values.join(', ')}`);
    case 'json-text':
      return readJsonText(sent);
    case 'object':
      return readObject(rule.fields, sent);
  }
}

function readText(rule: Extract<FieldRule, { kind: 'text' }>, sent: Json): Outcome {
  if (typeof sent !== 'string') return wrong('must be text');
  const { min = 0, max = Infinity } = rule;
  if (sent.length < min || sent.length > max) return wrong(`must have ${min} to ${max} characters`);
  if (rule.singleLine === 'yes' && /[\t\n\v\f\r]/.test(sent)) return wrong('must not contain tabs or line breaks');
  return value(sent);
}

function readNumber(rule: Extract<FieldRule, { kind: 'number' }>, sent: Json): Outcome {
  if (typeof sent !== 'number') return wrong('must be a number');
  const { min = -Infinity, max = Infinity, fractionDigits = Infinity } = rule;
  if (sent < min || sent > max) return wrong(`must be from ${min} to ${max}`);
  if (Number.isFinite(fractionDigits) && Number(sent.toFixed(fractionDigits)) !== sent)
    return wrong(`must have at most ${fractionDigits} decimals`);
  return value(sent);
}

/** Dates and times come as text or as milliseconds since 1970. */
function readTime(sent: Json, show: (iso: string) => string): Outcome {
  if (typeof sent !== 'string' && typeof sent !== 'number') return wrong('must be a date');
  const time = new Date(sent);
  return Number.isNaN(time.getTime()) ? wrong('must be a date') : value(show(time.toISOString()));
}

function readJsonText(sent: Json): Outcome {
  const complaint = 'must be text that holds a JSON object';
  if (typeof sent !== 'string') return wrong(complaint);
  try {
    return isJsonObject(readJson(sent)) ? value(sent) : wrong(complaint);
  } catch {
    return wrong(complaint);
  }
}

function readObject(rules: FieldRules, sent: Json): Outcome {
  if (!isJsonObject(sent)) return wrong('must be an object');
  const read: Record<string, Json> = {};
  for (const [name, member] of Object.entries(sent)) {
    const rule = ownRule(rules, name);
    if (rule === null || member === undefined) continue;
    const outcome = member === null ? value(null) : readValue(rule, member);
    if (outcome.kind === 'wrong') return { ...outcome, member: name };
    read[name] = outcome.value;
  }
  return value(read);
}
