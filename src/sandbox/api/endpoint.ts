import type { Fields } from '../schema/fields.js';
import type { Filters, Resource } from '../schema/resource.js';
import type { Json } from '../store/json.js';
import { readId } from '../store/json.js';
import { ImsRefusal } from './refusal.js';
import type { Row, Table } from '../store/store.js';

/** The scopes that the interface's tables abbreviate. */
export const SALES = 'api/sales';
export const FULL = 'api/full';
export const PURCHASING = 'api/purchasing';
export const FORECASTING = 'api/forecasting';
export const ACCOUNTING = 'api/accounting';
export const CONSIGNMENT = 'api/consignment';
/** Two scopes that the tables misspell for one operation each, mapped to the scope that is meant. */
export const CONSIGNMENT_TYPO = 'api/consigment';
export const PURCHASING_TYPO = 'api/purchase';
export const MEANT: Readonly<Record<string, string>> = {
  [CONSIGNMENT_TYPO]: CONSIGNMENT,
  [PURCHASING_TYPO]: PURCHASING,
};

/** Every scope that a client may have. */
export const SCOPES: readonly string[] = [
  ...[SALES, FULL, PURCHASING, FORECASTING, ACCOUNTING, CONSIGNMENT],
  ...Object.keys(MEANT),
];

export interface ImsRequest {
  /** The area that the request's API key belongs to. */
  readonly contextId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** `null` without a body. */
  readonly body: Json;
}

/** What a request body holds; the OpenAPI document describes it from this. */
export type RequestShape =
  | { readonly kind: 'create' | 'change'; readonly of: Resource; readonly needed?: readonly string[] }
  | { readonly kind: 'parameters'; readonly name: string; readonly fields: Fields; readonly needed: readonly string[] }
  /** A JSON literal: the new value of one attribute. */
  | { readonly kind: 'literal' }
  | { readonly kind: 'object' };

/** What a response body holds. */
export type ResponseShape =
  { readonly kind: 'one' | 'list'; readonly of: Resource } | { readonly kind: 'object'; readonly of?: never };

/** One row of the interface's table of endpoints. */
export interface ImsEndpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path parameters stand as `:name`. */
  readonly path: string;
  /** A token with any one of these scopes is admitted. Empty: no token is needed, only the area's key. */
  readonly scopes: readonly string[];
  readonly filters?: Filters;
  /** Whether it takes `maxNumRows`, `firstRow` and `piggyback`. */
  readonly isList?: true;
  readonly body?: RequestShape;
  readonly answer: ResponseShape;
  /** The resource that a refusal of an unusable body names; the answer's resource when not given. */
  readonly about?: string;
  /** Set for an endpoint that clients use or guides name, but that the interface's tables lack. */
  readonly beyondTables?: 'guides' | 'in-use';
  /**
   * @returns the response body
   * @throws ImsRefusal
   */
  readonly handle: (request: ImsRequest) => Json;
}

/**
 * The row with the id that a client sent.
 * @throws ImsRefusal `unknown_<Resource>`
 */
export function rowOfId<R extends Row>(
  table: Table<R>,
  contextId: number,
  wanted: { readonly resource: string; readonly id: Json | undefined },
): R {
  const { resource, id: sent } = wanted;
  const id = readId(sent);
  const row = id === null ? null : table.find(contextId, id);
  if (row === null)
    throw new ImsRefusal('unknown', resource, `There is no ${resource} with id ${wordFor(sent)} in this area.`);
  return row;
}

/** Never prints an object: converting a deeply nested one to text could overflow the stack. */
function wordFor(sent: Json | undefined): string {
  return typeof sent === 'object' && sent !== null ? 'of another type' : String(sent);
}
