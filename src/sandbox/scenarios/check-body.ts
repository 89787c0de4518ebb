import { nearestWord } from '../../../carriers/contract/plain-text.js';
import type { Field, Fields } from '../schema/fields.js';
import { issueIn } from '../schema/read.js';
import type { Resource } from '../schema/resource.js';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { isJsonArray } from '../store/json.js';
import type { Checks } from './checks.js';
import { dated } from './dates.js';
import { linesNamed } from './kinds-of-collections.js';

/** Stands for `today` in checks; any day will do, because the validity of a date does not depend on it. */
const SOME_DAY = new Date(0);

/** Largest edit distance between a word and a suggestion; it must also be less than half of the word's length. */
const MAX_EDITS = 2;

/** The place of a body in the file. */
export interface BodyPlace {
  readonly at: string;
  /** Further members of the same mapping that other code reads; an error message suggests them too. */
  readonly beside?: readonly string[];
}

/** Reports unknown members and invalid values of a body. References are checked when the body is created. */
export function checkBody(resource: Resource, body: JsonMembers, place: BodyPlace, checks: Checks): void {
  checkMembers(resource, dated(body, SOME_DAY), place, checks);
}

function checkMembers({ fields }: Resource, body: JsonMembers, place: BodyPlace, checks: Checks): void {
  for (const [name, value] of Object.entries(body)) {
    const at = `${place.at}.${name}`;
    const lines = linesNamed(name);
    const field = fieldNamed(fields, name);
    if (value === undefined) continue;
    if (field === null) checks.report(at, unknown(name, [...Object.keys(fields), ...(place.beside ?? [])]));
    else if (lines !== null) checkLines(lines, value, at, checks);
    else if (field.set === 'by-service') checks.report(at, 'is set by the service');
    else checkValue(field, value, at, checks);
  }
}

function checkLines(resource: Resource, value: Json, place: string, checks: Checks): void {
  for (const [index, line] of checks.list(value, place).entries()) {
    const at = `${place}[${index}]`;
    if (isJsonObject(line)) checkMembers(resource, line, { at }, checks);
    else checks.report(at, 'must be a mapping');
  }
}

function checkValue(field: Field, value: Json, place: string, checks: Checks): void {
  const issue = issueIn(field, value);
  if (issue !== null) {
    const [within = '', words = ''] = issue.split(': ', 2);
    checks.report(`${place}${within}`, words);
  }
  for (const { at, fields, entry } of objectsIn(field, value))
    for (const name of Object.keys(entry))
      if (!Object.hasOwn(fields, name)) checks.report(`${place}${at}.${name}`, unknown(name, Object.keys(fields)));
}

interface Embedded {
  readonly at: string;
  readonly fields: Fields;
  readonly entry: JsonMembers;
}

function objectsIn(field: Field, value: Json): readonly Embedded[] {
  if (field.kind === 'object' && field.fields !== null && isJsonObject(value))
    return [{ at: '', fields: field.fields, entry: value }];
  if (field.kind !== 'list' || field.fields === undefined || !isJsonArray(value)) return [];
  const { fields } = field;
  return value.flatMap((entry, index) => (isJsonObject(entry) ? [{ at: `[${index}]`, fields, entry }] : []));
}

/** The field with that name, or the member of an embedded object for a name such as `deliveryAddress_postalCode`. */
function fieldNamed(fields: Fields, name: string): Field | null {
  const [outer = '', member = ''] = name.split('_', 2);
  return own(fields, name) ?? own(partsOf(own(fields, outer)), member);
}

function partsOf(field: Field | null): Fields {
  return (field?.kind === 'object' ? field.fields : null) ?? {};
}

function own(fields: Fields, name: string): Field | null {
  return (Object.hasOwn(fields, name) ? fields[name] : null) ?? null;
}

function unknown(name: string, known: readonly string[]): string {
  const meant = nearestWord(name, known, Math.min(MAX_EDITS, Math.floor((name.length - 1) / 2)));
  return meant === null ? 'is not known' : `is not known; did you mean ${meant}?`;
}
