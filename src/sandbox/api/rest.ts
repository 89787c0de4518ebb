import { isSettable } from '../schema/read.js';
import type { Filters } from '../schema/resource.js';
import { localKey } from '../schema/resource.js';
import type { ImsEndpoint, ImsRequest } from './endpoint.js';
import type { Ims, Kind } from '../ims.js';
import type { Json, JsonMembers } from '../store/json.js';
import { membersOf } from '../store/json.js';
import { changeRow, createRow, find, removeRow, show, viewOf } from '../store/kind.js';
import type { Seen } from './lists.js';
import { filterRows, pageOf } from './lists.js';
import { present } from './present.js';
import { ImsRefusal } from './refusal.js';
import type { Row } from '../store/store.js';

/** Builds the endpoints that all resources have in common, each from a path and its scopes. */
export interface Rest<R extends Row> {
  list(path: string, scopes: readonly string[], filters?: Filters): ImsEndpoint;
  create(path: string, scopes: readonly string[]): ImsEndpoint;
  read(path: string, scopes: readonly string[]): ImsEndpoint;
  change(path: string, scopes: readonly string[]): ImsEndpoint;
  /** Sets one attribute; the body is a JSON literal. */
  set(path: string, scopes: readonly string[]): ImsEndpoint;
  remove(path: string, scopes: readonly string[]): ImsEndpoint;
  /** A change as guides write it: the body contains the id. */
  changeByBody(path: string, scopes: readonly string[]): ImsEndpoint;
  /** Lists rows that belong to the resource with the path's `:id`. */
  listOf(path: string, scopes: readonly string[], rows: (request: ImsRequest) => readonly R[]): ImsEndpoint;
}

export function restOf<R extends Row>(ims: Ims, kind: Kind<R>): Rest<R> {
  const { resource } = kind;
  const one = (request: ImsRequest) => find(ims, kind, { contextId: request.contextId, id: request.params['id'] });
  const answer = { kind: 'one', of: resource } as const;
  const answers = { kind: 'list', of: resource } as const;
  const change = { kind: 'change', of: resource } as const;
  const settable = (request: ImsRequest) => attributeOf(kind, request);
  return {
    list: (path, scopes, own = {}) => {
      const filters = { ...own, contextLocalKey: localKey(resource) };
      return {
        ...{ method: 'get', path, scopes, filters, isList: true, answer: answers },
        handle: (request) => list(ims, kind, request, filters),
      };
    },
    create: (path, scopes) => ({
      ...{ method: 'post', path, scopes, answer, body: { kind: 'create', of: resource } },
      handle: ({ contextId, body }) => show(ims, kind, createRow(ims, kind, contextId, body)),
    }),
    read: (path, scopes) => ({ method: 'get', path, scopes, answer, handle: (r) => show(ims, kind, one(r)) }),
    change: (path, scopes) => ({
      ...{ method: 'patch', path, scopes, answer, body: change },
      handle: (request) => show(ims, kind, changeRow(ims, kind, one(request), request.body)),
    }),
    set: (path, scopes) => ({
      ...{ method: 'put', path, scopes, answer, body: { kind: 'literal' } },
      handle: (request) => {
        const row = one(request);
        return show(ims, kind, changeRow(ims, kind, row, settable(request)));
      },
    }),
    remove: (path, scopes) => ({
      ...{ method: 'delete', path, scopes, answer },
      handle: (request) => remove(ims, kind, one(request)),
    }),
    changeByBody: (path, scopes) => ({
      ...{ method: 'patch', path, scopes, answer, body: { ...change, needed: ['id'] }, beyondTables: 'guides' },
      handle: ({ contextId, body }) => {
        const row = find(ims, kind, { contextId, id: membersOf(body)['id'] });
        return show(ims, kind, changeRow(ims, kind, row, body));
      },
    }),
    listOf: (path, scopes, rows) => ({
      ...{ method: 'get', path, scopes, isList: true, answer: answers },
      handle: (request) => {
        return page(ims, kind, request, rows(request)).map((row) => show(ims, kind, row));
      },
    }),
  };
}

function remove<R extends Row>(ims: Ims, kind: Kind<R>, row: R): JsonMembers {
  const shown = show(ims, kind, row);
  removeRow(ims, kind, row);
  return shown;
}

function list<R extends Row>(ims: Ims, kind: Kind<R>, request: ImsRequest, filters: Filters): Json {
  const { name } = kind.resource;
  const seen = kind
    .table(ims.store)
    .in(request.contextId)
    .map((row) => seeing(row, () => viewOf(ims, kind, row)));
  const found = filterRows(seen, request.query, { resource: name, filters, now: ims.now() });
  const whole = request.query.get('piggyback') === 'true';
  const children = (row: R) => (whole ? kind.children?.(ims, row) : undefined);
  return page(ims, kind, request, found).map(({ row, view }) =>
    present(kind.resource, { ...view, ...children(row) }, ims.manner()),
  );
}

/** Computes the view of a row on first use: a request reads the views of few rows of a long list. */
function seeing<R extends Row>(row: R, view: () => JsonMembers): Seen<R> {
  let known: JsonMembers | null = null;
  return {
    row,
    get view() {
      return (known ??= view());
    },
  };
}

function page<R extends Row, P>(ims: Ims, kind: Kind<R>, request: ImsRequest, rows: readonly P[]): readonly P[] {
  return pageOf(rows, request.query, { resource: kind.resource.name, origin: ims.switches().firstRowOrigin });
}

/** The change that `PUT /…/{attribute}` makes: that one attribute. */
function attributeOf<R extends Row>({ resource }: Kind<R>, request: ImsRequest): JsonMembers {
  const given = request.params['attribute'] ?? '';
  const { formerNames = {} } = resource;
  const attribute = (Object.hasOwn(formerNames, given) ? formerNames[given] : undefined) ?? given;
  if (!isSettable(resource, attribute))
    throw new ImsRefusal('invalid', resource.name, `A ${resource.name} has no attribute ${attribute} that can be set.`);
  return { [attribute]: request.body };
}
