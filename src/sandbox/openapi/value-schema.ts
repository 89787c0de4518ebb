import type { Field, FieldType, Fields } from '../schema/fields.js';
import type { JsonMembers } from '../store/json.js';

/** Whether the schema describes a response or a request; a request may write some values in more ways. */
export type Direction = 'answer' | 'request';

/** Text without line breaks and tabs. */
const SINGLE_LINE = '^[^\\t\\n\\v\\f\\r]*$';

/** The schema of one field; it allows null unless the field is never null. */
export function fieldSchema(field: Field, direction: Direction): JsonMembers {
  const schema = valueSchema(field, direction);
  const whole = field.always === true ? schema : orNull(schema);
  return field.says === undefined ? whole : withMore(whole, { description: field.says });
}

/** Adds keywords to a schema. OpenAPI 3.0 ignores keywords beside a `$ref`, so a reference is wrapped in `allOf`. */
export function withMore(schema: JsonMembers, more: JsonMembers): JsonMembers {
  if (Object.keys(more).length === 0) return schema;
  return '$ref' in schema ? { allOf: [schema], ...more } : { ...schema, ...more };
}

/**
 * The schemas of the named objects in these fields. All their members are optional, and the object itself may be null.
 */
export function namedObjects(fields: Fields): JsonMembers {
  const all = Object.values(fields).map((field): JsonMembers => {
    if (field.kind === 'list') return namedObjects(field.fields ?? {});
    if (field.kind !== 'object' || field.fields === null || field.name === undefined) return {};
    return { [field.name]: orNull(objectSchema(memberSchemas(field.fields, 'answer'))) };
  });
  return Object.assign({}, ...all);
}

/** The schema of an object with these members; others are allowed. */
export function objectSchema(properties: JsonMembers, required: readonly string[] = []): JsonMembers {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  };
}

export function schemaRef(name: string): JsonMembers {
  return { $ref: `#/components/schemas/${name}` };
}

function orNull(schema: JsonMembers): JsonMembers {
  // The component of a named object allows null already.
  if ('$ref' in schema) return schema;
  const { enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf.map(orNull)] };
  return { ...schema, nullable: true, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function valueSchema(type: FieldType, direction: Direction): JsonMembers {
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

function textSchema({ min, max, singleLine }: Extract<FieldType, { kind: 'text' }>): JsonMembers {
  return {
    type: 'string',
    ...(min === undefined ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(singleLine === undefined ? {} : { pattern: SINGLE_LINE, description: 'One line.' }),
  };
}

/** The number of decimals is not given as `multipleOf`, because validators fail it for binary fractions such as 0.1. */
function numberSchema({ min, max, fractionDigits }: Extract<FieldType, { kind: 'number' }>): JsonMembers {
  const limits = {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
  if (fractionDigits === 0) return { type: 'integer', format: 'int64', ...limits };
  const description = fractionDigits === undefined ? {} : { description: `At most ${fractionDigits} decimals.` };
  return { type: 'number', ...limits, ...description };
}

function timeToSend(): JsonMembers {
  return {
    description: 'A date, a time with its zone, or milliseconds since 1970.',
    anyOf: [{ type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }, { type: 'number' }],
  };
}

/** The schemas of an embedded object's members; each may be null, also one declared as never null. */
function memberSchemas(fields: Fields, direction: Direction): JsonMembers {
  const members = Object.entries(fields).map(([name, field]) => [name, orNull(valueSchema(field, direction))]);
  return Object.fromEntries(members);
}

/** The schema of a list entry in a request; members that are never null are required. */
function entrySchema(fields: Fields): JsonMembers {
  const sent = Object.entries(fields).filter(([, { set }]) => set !== 'by-service');
  const needed = sent.flatMap(([name, { always }]) => (always === true ? [name] : []));
  return objectSchema(Object.fromEntries(sent.map(([name, field]) => [name, fieldSchema(field, 'request')])), needed);
}
