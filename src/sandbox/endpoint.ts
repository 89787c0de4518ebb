import type { Json } from './json.js';
import { Refusal } from './refusal.js';
import type { Row, Store, Table } from './store.js';
import type { Switches } from './switches.js';

/** Scopes as the interface's tables abbreviate them; `TYPO` is how one of them is spelled there for event messages. */
export const SALES = 'api/sales';
export const FULL = 'api/full';
export const PURCHASING = 'api/purchasing';
export const ACCOUNTING = 'api/accounting';
export const CONSIGNMENT = 'api/consignment';
export const CONSIGNMENT_TYPO = 'api/consigment';

/** What every part of the stand-in works with. */
export interface Ims {
  readonly store: Store;
  readonly now: () => Date;
  readonly switches: () => Switches;
  readonly events: EventSource;
}

export interface EventSource {
  /** Stores the event and sends it to whoever listens. @returns its id */
  emit(event: NewEvent): string;
  /** Whether there is such an event in the area. */
  has(contextId: number, eventId: string): boolean;
}

export interface NewEvent {
  readonly contextId: number;
  readonly type: string;
  /** What only this event has; the common fields are added. */
  readonly detail: Readonly<Record<string, Json>>;
}

export interface ImsRequest {
  /** The area of its key. */
  readonly contextId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** `null` without a body. */
  readonly body: Json;
}

/** One row of the interface's table of endpoints. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch';
  /** With `:name` for what varies. */
  readonly path: string;
  /** Any one of them admits. */
  readonly scopes: readonly string[];
  /**
   * @returns the body of the answer
   * @throws Refusal
   */
  readonly handle: (request: ImsRequest) => Json;
}

/**
 * The row a request's `:id` names.
 * @throws Refusal `unknown_<Resource>`
 */
export function rowOfPath<R extends Row>(table: Table<R>, request: ImsRequest, resource: string): R {
  return rowOfId(table, request.contextId, { resource, id: request.params['id'] });
}

/**
 * The row an id from outside names.
 * @throws Refusal `unknown_<Resource>`
 */
export function rowOfId<R extends Row>(
  table: Table<R>,
  contextId: number,
  wanted: { readonly resource: string; readonly id: Json | undefined },
): R {
  const { resource, id } = wanted;
  const row = typeof id === 'number' || typeof id === 'string' ? table.find(contextId, Number(id)) : null;
  if (row === null)
    throw new Refusal('unknown', resource, `There is no ${resource} with id ${String(id)} in this area.`);
  return row;
}

export function timestamp(ims: Pick<Ims, 'now'>): string {
  return ims.now().toISOString();
}
