import type { Field, Fields } from '../schema/fields.js';
import type { Resource } from '../schema/resource.js';
import type { RequestShape } from '../api/endpoint.js';
import type { Json, JsonMembers } from '../store/json.js';
import type { KnownResources } from './resource-schemas.js';
import { lineListsOf, needsOf, ownerIds, settableNames } from './resource-schemas.js';

/**
 * The shortest useful example of a request body.
 * @param given fields of the body whose values the path gives
 */
export function exampleOf(body: RequestShape, known: KnownResources, given: readonly string[]): Json {
  switch (body.kind) {
    case 'create':
      return { ...newRow(body.of, given), ...linesToGo(body.of, known), ...samples(body.of.fields, body.needed) };
    case 'change':
      return { ...samples(body.of.fields, body.needed), ...samples(body.of.fields, [changeOf(body.of)]) };
    case 'parameters':
      return samples(body.fields, body.needed);
    case 'literal':
      return 'text';
    case 'object':
      return {};
  }
}

function newRow(resource: Resource, given: readonly string[]): JsonMembers {
  const { fields, references, alternatives } = needsOf(resource, given);
  const chosen = [...references.map(({ key }) => key), ...alternatives.flatMap((names) => names.slice(0, 1))];
  return samples(resource.fields, [...chosen, ...fields]);
}

function linesToGo(resource: Resource, known: KnownResources): JsonMembers {
  const lines = lineListsOf(resource, known).map(
    ({ name, line }) => [name, [newRow(line, ownerIds(line, resource))]] as const,
  );
  return Object.fromEntries(lines);
}

/** The field that the example of a change sets: `dataDocument` or the first text field, whose change does no harm. */
function changeOf({ fields }: Resource): string {
  const names = settableNames(fields);
  return names.find((name) => name === 'dataDocument') ?? names.find((name) => fields[name]?.kind === 'text') ?? 'id';
}

function samples(fields: Fields, names: readonly string[] = []): JsonMembers {
  return Object.fromEntries(names.map((name) => [name, sampleOf(fields[name])]));
}

function sampleOf(field: Field | undefined): Json {
  switch (field?.kind) {
    case 'text':
      return 'text'.slice(0, field.max);
    case 'digits':
      return '0'.repeat(field.count);
    case 'boolean':
      return true;
    case 'date':
      return '2026-01-31';
    case 'date-time':
      return '2026-01-31T10:00:00.000Z';
    case 'one-of':
      return field.values[0] ?? '';
    case 'json-text':
      return '{"MyApplication":{}}';
    case 'object':
      return {};
    case 'list':
    case 'ids':
      return [];
    default:
      return 1;
  }
}
