import type { Field, Fields } from '../schema/fields.js';
import { ID, twinOf } from '../schema/fields.js';
import type { Resource } from '../schema/resource.js';
import type { RequestShape } from '../api/endpoint.js';
import type { JsonMembers } from '../store/json.js';
import { membersOf } from '../store/json.js';
import { fieldSchema, objectSchema, schemaRef, withMore } from './value-schema.js';

/** The fields of every row. */
const IDENTITY: Fields = {
  id: { ...ID, set: 'by-service', always: true },
  contextId: { ...ID, set: 'by-service', always: true },
};

/** The schema of a resource in responses. */
export function shownSchema({ fields }: Resource): JsonMembers {
  const all = { ...IDENTITY, ...fields };
  const properties: Record<string, JsonMembers> = {};
  for (const [name, field] of Object.entries(all)) {
    const readOnly = field.set === 'by-service' ? { readOnly: true } : {};
    properties[name] = withMore(fieldSchema(field, 'answer'), readOnly);
    const twin = twinOf(name, field);
    if (twin !== null)
      properties[twin] = { type: 'string', nullable: true, readOnly: true, description: `${name}, for display.` };
  }
  return objectSchema(
    properties,
    namesOf(all, ({ always }) => always === true),
  );
}

/** Resources by name. */
export type KnownResources = ReadonlyMap<string, Resource>;

/**
 * The schema of a body that creates a resource, with the lists of lines that it may include. A required reference may
 * be given by id or by name.
 */
export function creatingSchema(resource: Resource, known: KnownResources, given: readonly string[] = []): JsonMembers {
  const lines = lineListsOf(resource, known).map(({ name, line, max }) => {
    const items = rowSchema(line, ownerIds(line, resource));
    const limits = max === undefined ? {} : { maxItems: max };
    return [name, { type: 'array', nullable: true, items, ...limits }] as const;
  });
  const schema = rowSchema(resource, given);
  return { ...schema, properties: { ...membersOf(schema['properties']), ...Object.fromEntries(lines) } };
}

/** The lists of lines that a body may include when it creates a resource. */
export function lineListsOf({ name: owner, fields }: Resource, known: KnownResources) {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind !== 'list' || field.of !== `${owner}Line`) return [];
    const line = known.get(field.of);
    return line === undefined ? [] : [{ name, line, max: field.max }];
  });
}

/** The fields of a line with its owner's id; a line inside its owner's body need not give them. */
export function ownerIds({ references = [] }: Resource, owner: Resource): readonly string[] {
  return references.filter(({ to }) => to === owner.name).map(({ id }) => id);
}

/**
 * The required fields, and the references of which either the id or the name is required.
 * @param given fields that the client need not send
 */
export function needsOf(resource: Resource, given: readonly string[]) {
  const { needed = [], references = [], defaults = {}, alternatives = [] } = resource;
  const isReference = (name: string) => references.some(({ id, key }) => name === id || name === key);
  return {
    fields: needed.filter((name) => !isReference(name) && !Object.hasOwn(defaults, name) && !given.includes(name)),
    references: references
      .filter(({ id }) => !given.includes(id))
      .filter(({ id, key, needed: must }) => must === true || needed.includes(id) || needed.includes(key)),
    alternatives,
  };
}

function rowSchema(resource: Resource, given: readonly string[]): JsonMembers {
  const sent = namesOf(resource.fields, ({ set }) => set !== 'by-service');
  const needs = needsOf(resource, given);
  const names = [...needs.references.map(({ id, key }) => [id, key]), ...needs.alternatives];
  const choices = names.map((each) => ({ anyOf: each.map((name) => holding(resource.fields, name)) }));
  const schema = objectSchema(sentSchemas(resource.fields, sent), needs.fields);
  return { ...schema, ...(choices.length > 0 ? { allOf: choices } : {}) };
}

/**
 * A schema that requires one member. It repeats the member's type without null, so that generated clients treat the
 * member as present.
 */
function holding(fields: Fields, name: string): JsonMembers {
  const field = fields[name];
  const properties = field === undefined ? {} : { [name]: fieldSchema({ ...field, always: true }, 'request') };
  return { type: 'object', properties, required: [name] };
}

/**
 * The schema of a body that changes a resource: no member is required, and members of embedded objects may be given as
 * `deliveryAddress_postalCode`.
 */
export function changingSchema({ fields }: Resource): JsonMembers {
  const sent = settableNames(fields);
  const parts = sent.flatMap((name) => Object.entries(partsOf(name, fields[name])));
  return objectSchema({ ...sentSchemas(fields, sent), ...Object.fromEntries(parts) });
}

function parametersSchema(body: Extract<RequestShape, { kind: 'parameters' }>): JsonMembers {
  const { name, fields, needed } = body;
  return { title: name, ...objectSchema(sentSchemas(fields, Object.keys(fields)), needed) };
}

/** Fields that clients may change after the resource was created. */
export function settableNames(fields: Fields): readonly string[] {
  return namesOf(fields, ({ set }) => set === undefined);
}

/** The attributes that `PUT` can set, former names included. */
export function attributesOf({ fields, formerNames = {} }: Resource): readonly string[] {
  return [...settableNames(fields), ...Object.keys(formerNames)];
}

/** The resources that lists in these fields hold, with the fields that the lists declare. */
export function listed(fields: Fields): readonly Resource[] {
  return Object.values(fields).flatMap((field) =>
    field.kind === 'list' ? [{ name: field.of, fields: field.fields ?? {} }] : [],
  );
}

export function creatingName({ name }: Resource): string {
  return `New${name}`;
}

export function changingName({ name }: Resource): string {
  return `${name}Changes`;
}

/**
 * The schema of a body. Schemas of resources are references to the components, unless the path gives some of their
 * fields.
 * @param given fields of the body that the path says already
 */
export function bodySchema(body: RequestShape, known: KnownResources, given: readonly string[]): JsonMembers {
  switch (body.kind) {
    case 'create': {
      const saysLess = given.some((name) => Object.hasOwn(body.of.fields, name));
      const schema = saysLess ? creatingSchema(body.of, known, given) : schemaRef(creatingName(body.of));
      return withNeeded(schema, body.needed);
    }
    case 'change':
      return withNeeded(schemaRef(changingName(body.of)), body.needed);
    case 'parameters':
      return parametersSchema(body);
    case 'literal':
      return LITERAL;
    case 'object':
      return objectSchema({});
  }
}

const LITERAL: JsonMembers = {
  description: 'A JSON literal: text in quotes, a number, true, false or null. An embedded object is an object.',
  anyOf: [
    { type: 'string', nullable: true },
    { type: 'number', nullable: true },
    { type: 'boolean', nullable: true },
    { type: 'object', nullable: true, additionalProperties: true },
  ],
};

function withNeeded(schema: JsonMembers, needed: readonly string[] = []): JsonMembers {
  if (needed.length === 0) return schema;
  const id = needed.includes('id') ? { id: { type: 'integer', format: 'int64' } } : {};
  return { allOf: [schema, objectSchema(id, needed)] };
}

function namesOf(fields: Fields, isMeant: (field: Field) => boolean): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => (isMeant(field) ? [name] : []));
}

function sentSchemas(fields: Fields, names: readonly string[]): JsonMembers {
  const pairs = Object.entries(fields).filter(([name]) => names.includes(name));
  return Object.fromEntries(pairs.map(([name, field]) => [name, fieldSchema(field, 'request')]));
}

function partsOf(name: string, field: Field | undefined): JsonMembers {
  if (field?.kind !== 'object' || field.fields === null) return {};
  const parts = Object.entries(field.fields).map(([member, part]) => [
    `${name}_${member}`,
    fieldSchema(part, 'request'),
  ]);
  return Object.fromEntries(parts);
}
