import type { JsonMembers } from '../store/json.js';
import type { Fields } from './fields.js';

/** The declaration of one resource. */
export interface Resource {
  /** Singular, Pascal case, as it appears in the codes of refusals. */
  readonly name: string;
  readonly fields: Fields;
  /** Fields that a body must have when it creates a row. For references see `Reference.needed`. */
  readonly needed?: readonly string[];
  /**
   * Groups of fields; a body that creates a row must have at least one field of each group. The resource's `Kind`
   * checks this itself.
   */
  readonly alternatives?: readonly (readonly string[])[];
  /** Fields whose value no two rows of an area may share. */
  readonly unique?: readonly string[];
  /** The field with the row's own number or name, when it is not the first of `unique`. */
  readonly localKey?: string;
  readonly references?: readonly Reference[];
  /** Former names of attributes, which `PUT` still accepts, to their current names. */
  readonly formerNames?: Readonly<Record<string, string>>;
  /** Default values of a new row. */
  readonly defaults?: JsonMembers;
}

/** A reference from one resource to another, by id; a client may give its name or number instead. */
export interface Reference {
  /** The field with the other row's id. */
  readonly id: string;
  /** The field with the other row's name or number. */
  readonly key: string;
  /** The name of that field in the other resource; the same as `key` when not given. */
  readonly theirKey?: string;
  /** The name of the other resource. */
  readonly to: string;
  /** A body that creates a row must give the reference. */
  readonly needed?: true;
  /** Fields that show the value of the other row's field of the same name. */
  readonly shows?: readonly string[];
}

/** The whole query that a filter belongs to, and the time of the request. */
export interface FilterContext {
  readonly query: URLSearchParams;
  readonly now: Date;
}

/** How one query parameter filters a list. */
export type Filter =
  /**
   * Keeps rows in which one of these fields contains the text, ignoring case; rows where a field equals it come first.
   * Members of embedded objects, or of lists of them, are named like `productVariantKey.size`.
   */
  | { readonly by: 'match'; readonly fields: readonly string[] }
  /** Keeps rows whose field has exactly this value. */
  | { readonly by: 'equal'; readonly field: string }
  /** Keeps the row of the area whose own number or name is exactly this. */
  | { readonly by: 'key'; readonly field: string }
  /** `true` keeps only the rows that `keeps` accepts; `false`, or no value, keeps all. */
  | { readonly by: 'only'; readonly says: string; readonly keeps: (row: JsonMembers, asked: FilterContext) => boolean }
  /** The value must be one of these words, ignoring case; other values are refused. */
  | { readonly by: 'word'; readonly words: readonly string[]; readonly says: string; readonly keeps: Keeps }
  /** Passes the value to `keeps`. A date may have any form that bodies may use; `keeps` gets it as `yyyy-MM-dd`. */
  | {
      readonly by: 'value';
      readonly type: 'number' | 'days' | 'date' | 'text';
      readonly says: string;
      readonly keeps: Keeps;
    };

type Keeps = (row: JsonMembers, wanted: string, asked: FilterContext) => boolean;

/** Keyed by the name of the query parameter. */
export type Filters = Readonly<Record<string, Filter>>;

export function match(...fields: readonly string[]): Filter {
  return { by: 'match', fields };
}

export function equal(field: string): Filter {
  return { by: 'equal', field };
}

/** Filters by the row's own number or name, or by its id when the resource has neither. */
export function localKey({ localKey: named, unique = [] }: Resource): Filter {
  return { by: 'key', field: named ?? unique[0] ?? 'id' };
}

/** @param says completes the sentence "Keeps rows …" */
export function only(says: string, keeps: (row: JsonMembers, asked: FilterContext) => boolean): Filter {
  return { by: 'only', says, keeps };
}

/** @param says completes the sentence "Keeps rows …" */
export function word(words: readonly string[], says: string, keeps: Keeps): Filter {
  return { by: 'word', words, says, keeps };
}

/** @param says completes the sentence "Keeps rows …" */
export function value(type: 'number' | 'days' | 'date' | 'text', says: string, keeps: Keeps): Filter {
  return { by: 'value', type, says, keeps };
}
