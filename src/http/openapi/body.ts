import { nearestWord } from '../../../carriers/contract/plain-text.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { BadRequest } from '../bad-request.js';
import type { JsonSchema } from './parameters.js';

const MAX_SHOWN = 60;
const MAX_MISSPELT = 3;

/** An object with these fields and no other. */
export interface ObjectSchema<Name extends string> {
  readonly type: 'object';
  readonly properties: Readonly<Record<Name, JsonSchema>>;
  readonly required?: readonly Name[];
  readonly additionalProperties: false;
}

/** The values that a body has under the described names; a field without a description cannot be read. */
export type BodyFields<Name extends string> = { readonly [Each in Name]?: unknown };

/** A body of a request: how it is read, and how `/api/openapi.json` describes it. */
export interface Body<Value> {
  readonly schema: ObjectSchema<string>;
  /** Bodies that are taken; each field is in one of them. */
  readonly examples: readonly object[];
  /** @throws BadRequest for an unknown field, with the known ones, or a value that cannot be read */
  read(body: unknown): Value;
}

export function objectOf<Name extends string>(
  properties: Readonly<Record<Name, JsonSchema>>,
  required: readonly NoInfer<Name>[] = [],
): ObjectSchema<Name> {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/**
 * The fields of an object, by its description.
 * @param what the object in the text of an error
 * @throws BadRequest it is no object, or has another field
 */
export function fieldsIn<Name extends string>(
  { properties }: ObjectSchema<Name>,
  given: unknown,
  what = 'the body',
): BodyFields<Name> {
  const known = Object.keys(properties);
  if (!isJsonObject(given)) throw new BadRequest(`${what} is an object with some of ${known.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return given as BodyFields<Name>;
  const shown = unknown.slice(0, MAX_SHOWN);
  const meant = nearestWord(shown, known, MAX_MISSPELT);
  throw new BadRequest(`"${shown}" is none of ${known.join(', ')}${meant === null ? '' : `: do you mean "${meant}"?`}`);
}

/** Whether an action is only tried; `false` where it is missing. */
export const DRY_RUN = { type: 'boolean', default: false, description: 'Only says what would happen' };

/** @throws BadRequest */
export function modeIn({ dryRun = false }: BodyFields<'dryRun'>): 'do' | 'tell' {
  if (typeof dryRun !== 'boolean') throw new BadRequest('dryRun is true or false');
  return dryRun ? 'tell' : 'do';
}
