import type { Filter } from '../schema/resource.js';
import type { ImsEndpoint } from '../api/endpoint.js';
import type { JsonMembers } from '../store/json.js';
import { MAX_DAYS } from '../api/lists.js';
import { IN_USE } from './wording.js';

/** The query parameters of an endpoint: its filters and, when it returns a list, those that every list takes. */
export function queryParameters({ filters = {}, isList }: ImsEndpoint): readonly JsonMembers[] {
  const names = { ...(isList === true ? LIST_PARAMETERS : {}), ...filters };
  return Object.keys(names).map((name) => {
    const filter = filters[name];
    return { name, in: 'query', ...(filter === undefined ? LIST_PARAMETERS[name] : describe(filter)) };
  });
}

const WHOLE_NUMBER: JsonMembers = { type: 'integer', minimum: 0 };
const YES_OR_NO: JsonMembers = { type: 'string', enum: ['true', 'false'] };

const LIST_PARAMETERS: Readonly<Record<string, JsonMembers>> = {
  maxNumRows: { schema: WHOLE_NUMBER, description: 'The number of rows, at most 1000.' },
  firstRow: { schema: WHOLE_NUMBER, description: 'The place of the first row in the list.' },
  piggyback: { schema: YES_OR_NO, description: '`true`: includes the rows that belong to each row.' },
};

function describe(filter: Filter): JsonMembers {
  switch (filter.by) {
    case 'match':
      return {
        schema: { type: 'string' },
        description: `Keeps rows that contain this text, in any case of letters, in ${oneOf(filter.fields)}.`,
      };
    case 'equal':
      return { schema: { type: 'string' }, description: `Keeps rows whose \`${filter.field}\` equals this text.` };
    case 'key':
      return { schema: { type: 'string' }, description: keyDescription(filter.field) };
    case 'word':
      return {
        schema: { type: 'string', enum: [...filter.words] },
        description: `Keeps rows ${filter.says}.`,
      };
    case 'only':
      return { schema: YES_OR_NO, description: `\`true\` keeps only rows ${filter.says}.` };
    case 'value':
      return { schema: VALUE_SCHEMAS[filter.type], description: `Keeps rows ${filter.says}.` };
  }
}

const VALUE_SCHEMAS: Readonly<Record<'number' | 'days' | 'date' | 'text', JsonMembers>> = {
  number: { type: 'number' },
  days: { type: 'integer', minimum: 0, maximum: MAX_DAYS },
  date: {
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
      { type: 'string', pattern: '^\\d{1,15}$', description: 'Milliseconds since 1970.' },
    ],
  },
  text: { type: 'string' },
};

function keyDescription(field: string): string {
  const what = field === 'id' ? 'the row has no number of its own' : 'the number or name within the area';
  return `Keeps the row whose \`${field}\`, ${what}, equals this text. ${IN_USE}`;
}

function oneOf(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}\``).join(' or ');
}
