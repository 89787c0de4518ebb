import type { Fields } from '../schema/fields.js';
import type { Filters, Resource } from '../schema/resource.js';
import type { Json } from '../store/json.js';
import { readId } from '../store/json.js';
import { Refusal } from './refusal.js';
import type { Row, Table } from '../store/store.js';

/** Scopes as the interface's tables abbreviate them. */
export const SALES = 'api/sales';
export const FULL = 'api/full';
export const PURCHASING = 'api/purchasing';
export const FORECASTING = 'api/forecasting';
export const ACCOUNTING = 'api/accounting';
export const CONSIGNMENT = 'api/consignment';
/** Two scopes as they are spelled there for one operation each, and what is meant. */
export const CONSIGNMENT_TYPO = 'api/consigment';
export const PURCHASING_TYPO = 'api/purchase';
export const MEANT: Readonly<Record<string, string>> = {
  [CONSIGNMENT_TYPO]: CONSIGNMENT,
  [PURCHASING_TYPO]: PURCHASING,
};

/** All that a client may have. */
export const SCOPES: readonly string[] = [
  ...[SALES, FULL, PURCHASING, FORECASTING, ACCOUNTING, CONSIGNMENT],
  ...Object.keys(MEANT),
];

export interface ImsRequest {
  /** The area of its key. */
  readonly contextId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** `null` without a body. */
  readonly body: Json;
}

/** What a body holds, for the description of the interface. */
export type Body =
  | { readonly kind: 'create' | 'change'; readonly of: Resource; readonly needed?: readonly string[] }
  | { readonly kind: 'parameters'; readonly name: string; readonly fields: Fields; readonly needed: readonly string[] }
  /** The new value of one attribute. */
  | { readonly kind: 'literal' }
  | { readonly kind: 'object' };

/** What an answer holds. */
export type Answer =
  { readonly kind: 'one' | 'list'; readonly of: Resource } | { readonly kind: 'object'; readonly of?: never };

/** One row of the interface's table of endpoints. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `:name` for what varies. */
  readonly path: string;
  /** Any one of them admits; none at all: the area's key is enough. */
  readonly scopes: readonly string[];
  readonly filters?: Filters;
  /** Whether it takes `maxNumRows`, `firstRow` and `piggyback`. */
  readonly isList?: true;
  readonly body?: Body;
  readonly answer: Answer;
  /** What a refusal of its body is about; what it answers with, when not given. */
  readonly about?: string;
  /** In use, or named by guides, but not in the interface's tables. */
  readonly beyondTables?: 'guides' | 'in-use';
  /**
   * @returns the body of the answer
   * @throws Refusal
   */
  readonly handle: (request: ImsRequest) => Json;
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
  const { resource, id: sent } = wanted;
  const id = readId(sent);
  const row = id === null ? null : table.find(contextId, id);
  if (row === null)
    throw new Refusal('unknown', resource, `There is no ${resource} with id ${wordFor(sent)} in this area.`);
  return row;
}

/** A deep one would end the process. */
function wordFor(sent: Json | undefined): string {
  return typeof sent === 'object' && sent !== null ? 'of another type' : String(sent);
}
