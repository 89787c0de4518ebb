import type { ImsEndpoint } from '../api/endpoint.js';
import type { Ims, Kind } from '../ims.js';
import type { Json, JsonMembers } from './json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { membersOf, readJson } from './json.js';
import { find, show } from './kind.js';
import { ImsRefusal } from '../api/refusal.js';
import type { Row } from './store.js';

/**
 * `PATCH …/dataDocument`: merges the body into the document, which holds settings of applications under their names.
 * These endpoints use it as an object; as a field of its resource it is JSON text.
 */
export function mergeEndpoint(ims: Ims, kind: Kind, path: string, scopes: readonly string[]): ImsEndpoint {
  return {
    method: 'patch',
    path,
    scopes,
    body: { kind: 'object' },
    answer: { kind: 'one', of: kind.resource },
    handle: ({ contextId, params, body }) => {
      const row = find(ims, kind, { contextId, id: params['id'] });
      return show(ims, kind, mergeInto(ims, kind, row, body));
    },
  };
}

/** `GET …/dataDocument`: responds with the document as an object. */
export function readEndpoint(ims: Ims, kind: Kind, path: string, scopes: readonly string[]): ImsEndpoint {
  return {
    method: 'get',
    path,
    scopes,
    answer: { kind: 'object' },
    handle: ({ contextId, params }) => dataDocumentOf(find(ims, kind, { contextId, id: params['id'] })),
  };
}

function mergeInto(ims: Ims, kind: Kind, row: Row, body: Json): Row {
  if (!isJsonObject(body)) throw new ImsRefusal('invalid', 'DataDocument', 'The body must be a JSON object.');
  const before = dataDocumentOf(row);
  const merged = ims.switches().dataDocumentMerge === 'deep' ? mergeDeep(before, body) : { ...before, ...body };
  return kind.table(ims.store).put({ ...row, dataDocument: JSON.stringify(merged) });
}

function dataDocumentOf(row: Row): JsonMembers {
  const text = row['dataDocument'];
  return typeof text === 'string' ? membersOf(readJson(text)) : {};
}

function mergeDeep(base: JsonMembers, changes: JsonMembers): JsonMembers {
  const merged = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [name, isJsonObject(before) && isJsonObject(value) ? mergeDeep(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}
