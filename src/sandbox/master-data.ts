import type { Endpoint, Ims, ImsRequest } from './endpoint.js';
import { CONSIGNMENT, FULL, PURCHASING, SALES, rowOfPath } from './endpoint.js';
import { readChanges } from './field-rules.js';
import type { Json, JsonObject } from './json.js';
import { isJsonObject, membersOf, readJson } from './json.js';
import { filterRows, pageOf } from './lists.js';
import { present } from './present.js';
import { Refusal } from './refusal.js';
import { carrierShape, contextShape, sellerShape } from './shapes.js';
import type { Row, Table } from './store.js';

export function masterDataEndpoints(ims: Ims): readonly Endpoint[] {
  return [...carrierEndpoints(ims), ...contextEndpoints(ims), ...sellerEndpoints(ims)];
}

function carrierEndpoints(ims: Ims): readonly Endpoint[] {
  return [
    { method: 'get', path: '/carriers', scopes: [FULL], handle: (r) => listCarriers(ims, r) },
    {
      method: 'post',
      path: '/carriers',
      scopes: [FULL],
      handle: (r) => present(carrierShape, addCarrier(ims, r.contextId, r.body), ims.switches().nulls),
    },
  ];
}

function contextEndpoints(ims: Ims): readonly Endpoint[] {
  const readers = [FULL, SALES, PURCHASING, CONSIGNMENT];
  const one = (request: ImsRequest) => rowOfPath(ims.store.contexts, request, 'Context');
  return [
    {
      method: 'get',
      path: '/contexts/:id',
      scopes: readers,
      handle: (r) => present(contextShape, one(r), ims.switches().nulls),
    },
    // Not in the interface's tables, but in use: the only place where a data document is shown as an object.
    { method: 'get', path: '/contexts/:id/dataDocument', scopes: readers, handle: (r) => dataDocumentOf(one(r)) },
    {
      method: 'patch',
      path: '/contexts/:id/dataDocument',
      scopes: [FULL],
      handle: (r) => present(contextShape, mergeInto(ims.store.contexts, one(r), r.body), ims.switches().nulls),
    },
  ];
}

function sellerEndpoints(ims: Ims): readonly Endpoint[] {
  const one = (request: ImsRequest) => rowOfPath(ims.store.sellers, request, 'Seller');
  return [
    { method: 'get', path: '/sellers', scopes: [SALES, FULL], handle: (r) => listSellers(ims, r) },
    {
      method: 'get',
      path: '/sellers/:id',
      scopes: [SALES, FULL],
      handle: (r) => present(sellerShape, one(r), ims.switches().nulls),
    },
    {
      method: 'patch',
      path: '/sellers/:id/dataDocument',
      scopes: [FULL],
      handle: (r) => present(sellerShape, mergeInto(ims.store.sellers, one(r), r.body), ims.switches().nulls),
    },
  ];
}

function listCarriers(ims: Ims, request: ImsRequest): Json {
  const { nulls, firstRowOrigin: origin } = ims.switches();
  const rows = ims.store.carriers.in(request.contextId);
  return pageOf(rows, request.query, { resource: 'Carrier', origin }).map((row) => present(carrierShape, row, nulls));
}

function listSellers(ims: Ims, request: ImsRequest): Json {
  const { nulls, firstRowOrigin: origin } = ims.switches();
  const filters = { only: {}, equal: {}, match: { sellerNumberMatch: 'sellerNumber' } };
  const rows = filterRows(ims.store.sellers.in(request.contextId), request.query, filters);
  return pageOf(rows, request.query, { resource: 'Seller', origin }).map((row) => present(sellerShape, row, nulls));
}

/** @throws Refusal `duplicate_Carrier`, `invalid_Carrier` */
export function addCarrier(ims: Ims, contextId: number, body: Json): Row {
  const given = readChanges(carrierShape, body, {});
  const { carrierName } = given;
  if (typeof carrierName !== 'string') throw new Refusal('invalid', 'Carrier', 'carrierName is missing.');
  if (ims.store.carriers.in(contextId).some((other) => other['carrierName'] === carrierName))
    throw new Refusal('duplicate', 'Carrier', `There is a carrier ${carrierName} already.`);
  return ims.store.carriers.put({ dataDocument: null, ...given, id: ims.store.nextId(), contextId });
}

/** Applications' own settings lie in it under their names; only what is sent changes, at every depth. */
function mergeInto(table: Table<Row>, row: Row, body: Json): Row {
  if (!isJsonObject(body)) throw new Refusal('invalid', 'DataDocument', 'The body must be a JSON object.');
  return table.put({ ...row, dataDocument: JSON.stringify(mergeDeep(dataDocumentOf(row), body)) });
}

function dataDocumentOf(row: Row): JsonObject {
  const text = row['dataDocument'];
  return typeof text === 'string' ? membersOf(readJson(text)) : {};
}

function mergeDeep(base: JsonObject, changes: JsonObject): JsonObject {
  const merged = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [name, isJsonObject(before) && isJsonObject(value) ? mergeDeep(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}
