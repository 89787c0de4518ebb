import type { Field, FieldType, Fields } from '../declare/fields.js';
import type { JsonObject } from '../json.js';

/** Where a value is: what is sent may be written in more ways than what is answered. */
export type Direction = 'answer' | 'request';

/** Text without line breaks and tabs. */
const SINGLE_LINE = '^[^\\t\\n\\v\\f\\r]*$';

/** The schema of one field, null included where it may be null. */
export function fieldSchema(field: Field, direction: Direction): JsonObject {
  const schema = valueSchema(field, direction);
  return field.always === true ? schema : orNull(schema);
}

/** An object with these members, and perhaps others. */
export function objectSchema(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  };
}

export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function orNull(schema: JsonObject): JsonObject {
  const { enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf.map(orNull)] };
  return { ...schema, nullable: true, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function valueSchema(type: FieldType, direction: Direction): JsonObject {
  switch (type.kind) {
    case 'text':
      return textSchema(type);
    case 'number':
      return numberSchema(type);
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
    case 'date-time':
      return direction === 'answer' ? { type: 'string', format: type.kind } : timeToSend();
    case 'one-of':
      return { type: 'string', enum: type.values };
    case 'json-text':
      return { type: 'string', format: 'json', description: 'Text that holds a JSON object.' };
    case 'object':
      return type.fields === null ? objectSchema({}) : objectSchema(memberSchemas(type.fields, direction));
    case 'list':
      return { type: 'array', items: direction === 'answer' ? schemaRef(type.of) : { type: 'object' } };
    case 'ids':
      return { type: 'array', items: { type: 'integer', format: 'int64' } };
  }
}

function textSchema({ min, max, singleLine }: Extract<FieldType, { kind: 'text' }>): JsonObject {
  return {
    type: 'string',
    ...(min === undefined ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(singleLine === undefined ? {} : { pattern: SINGLE_LINE, description: 'One line.' }),
  };
}

/** Decimals are not given as `multipleOf`: binary fractions fail it. */
function numberSchema({ min, max, fractionDigits }: Extract<FieldType, { kind: 'number' }>): JsonObject {
  const limits = {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
  if (fractionDigits === 0) return { type: 'integer', format: 'int64', ...limits };
  const description = fractionDigits === undefined ? {} : { description: `At most ${fractionDigits} decimals.` };
  return { type: 'number', ...limits, ...description };
}

function timeToSend(): JsonObject {
  return {
    description: 'A date, a time with its zone, or milliseconds since 1970.',
    anyOf: [{ type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }, { type: 'number' }],
  };
}

/** Members of an embedded object may be missing one by one, whatever they are. */
function memberSchemas(fields: Fields, direction: Direction): JsonObject {
  const members = Object.entries(fields).map(([name, field]) => [name, orNull(valueSchema(field, direction))]);
  return Object.fromEntries(members);
}
