import type { Ims, Kind } from '../ims.js';
import type { Reference, Resource } from '../schema/resource.js';
import { need, readChanges } from '../schema/read.js';
import { writeAudit } from '../api/audit-log.js';
import { rowOfId } from '../api/endpoint.js';
import { timestamp } from '../schema/dates.js';
import type { Json, JsonMembers } from './json.js';
import { present } from '../api/present.js';
import { ImsRefusal } from '../api/refusal.js';
import type { Row } from './store.js';

/**
 * Stores a new row with the rows that belong to it, and sends its events. A refusal leaves the store unchanged.
 * @throws ImsRefusal
 */
export function createRow<R extends Row>(ims: Ims, kind: Kind<R>, contextId: number, body: Json): R {
  return ims.store.allOrNothing(() => {
    const { completed, read } = completeNew(ims, kind, { contextId, body });
    const table = kind.table(ims.store);
    // The cast is safe: the body was read and completed by the declaration of this kind of row.
    const row = table.put({ ...completed, id: ims.store.nextId(), contextId } as unknown as R);
    writeAudit(ims, { type: 'CREATE', entityName: kind.resource.name, row, values: read });
    kind.created?.(ims, row, body);
    return table.byId(row.id) ?? row;
  });
}

function completeNew<R extends Row>(
  ims: Ims,
  kind: Kind<R>,
  { contextId, body }: { readonly contextId: number; readonly body: Json },
): { readonly completed: JsonMembers; readonly read: JsonMembers } {
  const { resource } = kind;
  const read = readChanges(resource, body, null);
  const given = { ...resource.defaults, ...read, ...resolveReferences(ims, resource, { contextId, read, all: true }) };
  const completed: JsonMembers = { ...given, ...kind.creating?.(ims, contextId, { given, body }) };
  need(resource, completed, resource.needed ?? []);
  refuseDuplicate(ims, kind, { contextId, given: completed });
  const time = 'timeCreated' in resource.fields ? { timeCreated: timestamp(ims) } : {};
  return { completed: { ...time, ...completed }, read };
}

/**
 * Stores a change and runs the kind's `changed`.
 * @throws ImsRefusal
 */
export function changeRow<R extends Row>(ims: Ims, kind: Kind<R>, row: R, body: Json): R {
  const { resource } = kind;
  const read = readChanges(resource, body, row);
  const given = { ...read, ...resolveReferences(ims, resource, { contextId: row.contextId, read, all: false }) };
  const changes = { ...given, ...kind.changing?.(ims, row, given) };
  refuseDuplicate(ims, kind, { contextId: row.contextId, given: changes, but: row.id });
  const table = kind.table(ims.store);
  const after = table.put({ ...row, ...changes });
  writeAudit(ims, { type: 'UPDATE', entityName: resource.name, row, values: read });
  kind.changed?.(ims, row, after);
  return table.byId(row.id) ?? after;
}

/** @throws ImsRefusal */
export function removeRow<R extends Row>(ims: Ims, kind: Kind<R>, row: R): void {
  kind.removing?.(ims, row);
  kind.table(ims.store).remove(row);
  writeAudit(ims, { type: 'DELETE', entityName: kind.resource.name, row, values: {} });
}

/**
 * The row with the id that a client sent.
 * @throws ImsRefusal `unknown_<Resource>`
 */
export function find<R extends Row>(ims: Ims, kind: Kind<R>, wanted: { contextId: number; id: Json | undefined }): R {
  const { contextId, id } = wanted;
  return rowOfId(kind.table(ims.store), contextId, { resource: kind.resource.name, id });
}

/** The view of a row: its own fields and those from other rows, without the rows that belong to it. */
export function viewOf<R extends Row>(ims: Ims, kind: Kind<R>, row: R): JsonMembers {
  // Fields are added one by one, which is much faster on an object without a prototype.
  const view: View = Object.assign(Object.create(null), row);
  for (const reference of kind.resource.references ?? []) addShown(ims, view, { reference, row });
  return Object.assign(view, kind.computed?.(ims, row));
}

/** The row as a response shows it alone, with the rows that belong to it. */
export function show<R extends Row>(ims: Ims, kind: Kind<R>, row: R): JsonMembers {
  return present(kind.resource, Object.assign(viewOf(ims, kind, row), kind.children?.(ims, row)), ims.manner());
}

/** A view under construction. */
type View = Record<string, Json | undefined>;

function addShown(ims: Ims, view: View, of: { readonly reference: Reference; readonly row: Row }): void {
  const { reference, row } = of;
  const other = otherOf(ims, reference, row);
  if (other === null) return;
  view[reference.key] = valueOf(ims, other, reference.theirKey ?? reference.key);
  for (const name of reference.shows ?? []) view[name] = row[name] ?? valueOf(ims, other, name);
}

interface Other {
  readonly kind: Kind;
  readonly row: Row;
}

function otherOf(ims: Ims, reference: Reference, row: Row): Other | null {
  const id = row[reference.id];
  const kind = typeof id === 'number' ? ims.kinds.get(reference.to) : undefined;
  const other = kind?.table(ims.store).find(row.contextId, Number(id)) ?? null;
  return kind === undefined || other === null ? null : { kind, row: other };
}

/** One field of a row's view; cheaper than computing the whole view. */
function valueOf(ims: Ims, { kind, row }: Other, name: string): Json | undefined {
  if (row[name] !== undefined) return row[name];
  const { references = [], fields } = kind.resource;
  const reference = references.find(({ key, shows }) => key === name || shows?.includes(name));
  if (reference !== undefined) return throughReference(ims, reference, row, name);
  // Fields that clients set are stored or missing; they are never computed.
  const isStored = fields[name] !== undefined && fields[name].set === undefined;
  return isStored ? undefined : kind.computed?.(ims, row)[name];
}

function throughReference(ims: Ims, reference: Reference, row: Row, name: string): Json | undefined {
  const other = otherOf(ims, reference, row);
  const theirs = name === reference.key ? (reference.theirKey ?? name) : name;
  return other === null ? undefined : valueOf(ims, other, theirs);
}

interface Resolving {
  readonly contextId: number;
  readonly read: JsonMembers;
  /** Whether required references must be given. */
  readonly all: boolean;
}

/** Resolves references, which clients give by id or by name; both are stored. */
function resolveReferences(ims: Ims, resource: Resource, resolving: Resolving): JsonMembers {
  const resolved = (resource.references ?? []).map((reference) => resolve(ims, resource, { ...resolving, reference }));
  return Object.assign({}, ...resolved);
}

function resolve(ims: Ims, resource: Resource, resolving: Resolving & { readonly reference: Reference }): JsonMembers {
  const { reference, read, all, contextId } = resolving;
  const { id, key, to, theirKey = key, needed } = reference;
  const given = read[id] ?? read[key];
  const isMissing = given === null || (given === undefined && all);
  if (needed && isMissing)
    throw new ImsRefusal('invalid', resource.name, `A ${resource.name} needs a ${to}: give ${id} or ${key}.`);
  if (given === undefined) return {};
  if (given === null) return { [id]: null, [key]: null };
  const row = referred(ims, reference, { contextId, id: read[id], key: given });
  if (row === null) throw new ImsRefusal('unknown', to, `There is no ${to} ${String(given)} in this area.`);
  return { [id]: row.id, [key]: row[theirKey] };
}

function referred(
  ims: Ims,
  { to, key, theirKey = key }: Reference,
  by: { readonly contextId: number; readonly id: Json | undefined; readonly key: Json },
): Row | null {
  const table = ims.kinds.get(to)?.table(ims.store);
  if (table === undefined) throw new Error(`no such resource: ${to}`);
  return typeof by.id === 'number'
    ? table.find(by.contextId, by.id)
    : (table.where(by.contextId, theirKey, by.key)[0] ?? null);
}

function refuseDuplicate<R extends Row>(
  ims: Ims,
  kind: Kind<R>,
  wanted: { readonly contextId: number; readonly given: JsonMembers; readonly but?: number },
): void {
  for (const field of kind.resource.unique ?? []) {
    const value = wanted.given[field] ?? null;
    if (value === null) continue;
    const others = kind.table(ims.store).where(wanted.contextId, field, value);
    if (others.some((row) => row.id !== wanted.but))
      throw new ImsRefusal(
        'duplicate',
        kind.resource.name,
        `There is a ${kind.resource.name} ${String(value)} already.`,
      );
  }
}
