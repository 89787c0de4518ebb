import type { Field, FieldType, Fields } from '../schema/fields.js';
import type { JsonObject } from '../store/json.js';

/** Where a value is: what is sent may be written in more ways than what is answered. */
export type Direction = 'answer' | 'request';

/** Text without line breaks and tabs. */
const SINGLE_LINE = '^[^\\t\\n\\v\\f\\r]*$';

/** The schema of one field, null included where it may be null. */
export function fieldSchema(field: Field, direction: Direction): JsonObject {
  const schema = valueSchema(field, direction);
  const whole = field.always === true ? schema : orNull(schema);
  return field.says === undefined ? whole : withMore(whole, { description: field.says });
}

/** What stands beside a reference counts only when the reference is wrapped. */
export function withMore(schema: JsonObject, more: JsonObject): JsonObject {
  if (Object.keys(more).length === 0) return schema;
  return '$ref' in schema ? { allOf: [schema], ...more } : { ...schema, ...more };
}

/** The objects with a name in these fields, whose members may be missing one by one, as may the whole. */
export function namedObjects(fields: Fields): JsonObject {
  const all = Object.values(fields).map((field): JsonObject => {
    if (field.kind === 'list') return namedObjects(field.fields ?? {});
    if (field.kind !== 'object' || field.fields === null || field.name === undefined) return {};
    return { [field.name]: orNull(objectSchema(memberSchemas(field.fields, 'answer'))) };
  });
  return Object.assign({}, ...all);
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
  // A named object is described as one that may be null.
  if ('$ref' in schema) return schema;
  const { enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf.map(orNull)] };
  return { ...schema, nullable: true, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function valueSchema(type: FieldType, direction: Direction): JsonObject {
  switch (type.kind) {
    case 'text':
      return textSchema(type);
    case 'digits':
      return { type: 'string', pattern: `^\\d{${type.count}}$`, description: `${type.count} digits.` };
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
      if (type.name !== undefined) return schemaRef(type.name);
      return objectSchema(type.fields === null ? {} : memberSchemas(type.fields, direction));
    case 'list':
      return { type: 'array', items: direction === 'answer' ? schemaRef(type.of) : entrySchema(type.fields ?? {}) };
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

/** An entry of a list as it is sent; a member that is always there must be. */
function entrySchema(fields: Fields): JsonObject {
  const sent = Object.entries(fields).filter(([, { set }]) => set !== 'by-service');
  const needed = sent.flatMap(([name, { always }]) => (always === true ? [name] : []));
  return objectSchema(Object.fromEntries(sent.map(([name, field]) => [name, fieldSchema(field, 'request')])), needed);
}
