import type { Resource } from '../schema/resource.js';
import type { ImsEndpoint } from '../api/endpoint.js';

/** The segments of a path; parameters stand as `:name`. */
export function segmentsOf({ path }: Pick<ImsEndpoint, 'path'>): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Method and path in one word, e.g. `putShipmentsByIdByAttribute`. */
export function operationIdOf(endpoint: ImsEndpoint): string {
  const words = segmentsOf(endpoint).map((segment) =>
    segment.startsWith(':') ? `By${capitalized(segment.slice(1))}` : capitalized(segment),
  );
  return [endpoint.method, ...words].join('');
}

export function summaryOf(endpoint: ImsEndpoint): string {
  const last = wordsOf(segmentsOf(endpoint).findLast((segment) => !segment.startsWith(':')) ?? '');
  const { body, method, answer } = endpoint;
  const one = answer.kind === 'object' ? last : wordsOf(answer.of.name);
  if (body?.kind === 'literal') return `Set one attribute of a ${one}`;
  if (endpoint.path.startsWith('/invocations/')) return capitalized(last);
  switch (method) {
    case 'get':
      return answer.kind === 'list' ? `List ${last}` : `Read one ${one}`;
    case 'post':
      return `Create: ${one}`;
    case 'delete':
      return `Delete: ${one}`;
    default:
      return `Change: ${one}`;
  }
}

export const IN_USE = 'Integrations use this, although the endpoint tables do not list it.';

const BEYOND_TABLES = {
  guides: 'Guides for integrations use this form; the endpoint tables do not list it.',
  'in-use': IN_USE,
} as const;

/** The description of an operation; `null` when its summary says enough. */
export function descriptionOf({ beyondTables, body, method }: ImsEndpoint): string | null {
  const sentences = [
    ...(body?.kind === 'change' ? ['Changes only the members that are sent.', ...aboutEmbedded(body.of)] : []),
    ...(method === 'delete' ? ['Answers with the deleted object.'] : []),
    ...(beyondTables === undefined ? [] : [BEYOND_TABLES[beyondTables]]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** Explains the two ways to change an embedded object, which have different effects. */
function aboutEmbedded({ fields }: Resource): readonly string[] {
  const embedded = Object.entries(fields).flatMap(([name, field]) =>
    field.set === undefined && field.kind === 'object'
      ? Object.keys(field.fields ?? {})
          .slice(-1)
          .map((member) => [name, member])
      : [],
  );
  const [name, member] = embedded[0] ?? [];
  if (name === undefined) return [];
  return [
    `An embedded object that is sent replaces the stored one: no member is required, and members that are not sent are removed, e.g. of \`${name}\`.`,
    `\`${name}_${member}\` changes this member only.`,
  ];
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
