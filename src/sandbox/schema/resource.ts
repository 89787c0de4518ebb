import type { JsonObject } from '../store/json.js';
import type { Fields } from './fields.js';

/** One resource as the service declares it. */
export interface Resource {
  /** Singular, Pascal case, as in the codes of refusals. */
  readonly name: string;
  readonly fields: Fields;
  /** What a body that creates one must hold. References that are needed say so themselves. */
  readonly needed?: readonly string[];
  /** Of each of these a body that creates one must hold one; the kind itself refuses what holds none. */
  readonly alternatives?: readonly (readonly string[])[];
  /** No two in an area have the same. */
  readonly unique?: readonly string[];
  /** The field with its own number or name, where that is not the first of `unique`. */
  readonly localKey?: string;
  readonly references?: readonly Reference[];
  /** What attributes were called before, by which `PUT` still sets them; by the former name, the name of today. */
  readonly formerNames?: Readonly<Record<string, string>>;
  /** What a new one has when nobody says otherwise. */
  readonly defaults?: JsonObject;
}

/** A resource points to another by id; a client may also name it. */
export interface Reference {
  /** Field with the other's id. */
  readonly id: string;
  /** Field with the other's name or number. */
  readonly key: string;
  /** What that is called in the other resource; the same when not given. */
  readonly theirKey?: string;
  /** The other resource. */
  readonly to: string;
  /** A body that creates must name it. */
  readonly needed?: true;
  /** Fields that show what the other resource has under the same name. */
  readonly shows?: readonly string[];
}

/** What a query asks for besides one parameter, and when. */
export interface Asked {
  readonly query: URLSearchParams;
  readonly now: Date;
}

/** How a list may be narrowed by one query parameter. */
export type Filter =
  /**
   * One of these fields, or a part of it, contains the text in any case of letters; rows that have exactly it come first.
   * Members of embedded objects and of lists of such are named as `productVariantKey.size`.
   */
  | { readonly by: 'match'; readonly fields: readonly string[] }
  /** The field has exactly this value. */
  | { readonly by: 'equal'; readonly field: string }
  /** The one row whose own number or name within the area is exactly this. */
  | { readonly by: 'key'; readonly field: string }
  /** `true` keeps only these; `false` and nothing keep all. */
  | { readonly by: 'only'; readonly says: string; readonly keeps: (row: JsonObject, asked: Asked) => boolean }
  /** One of these words, in any case of letters; anything else is refused. */
  | { readonly by: 'word'; readonly words: readonly string[]; readonly says: string; readonly keeps: Keeps }
  /** A date may come in any form that bodies may have it in; `wanted` is its day, `yyyy-MM-dd`. */
  | {
      readonly by: 'value';
      readonly type: 'number' | 'days' | 'date' | 'text';
      readonly says: string;
      readonly keeps: Keeps;
    };

type Keeps = (row: JsonObject, wanted: string, asked: Asked) => boolean;

/** By the query parameter's name. */
export type Filters = Readonly<Record<string, Filter>>;

export function match(...fields: readonly string[]): Filter {
  return { by: 'match', fields };
}

export function equal(field: string): Filter {
  return { by: 'equal', field };
}

/** Its own number or name where it has one, else its id. */
export function localKey({ localKey: named, unique = [] }: Resource): Filter {
  return { by: 'key', field: named ?? unique[0] ?? 'id' };
}

/** @param says continues "keeps rows …" */
export function only(says: string, keeps: (row: JsonObject, asked: Asked) => boolean): Filter {
  return { by: 'only', says, keeps };
}

/** @param says continues "keeps rows …" */
export function word(words: readonly string[], says: string, keeps: Keeps): Filter {
  return { by: 'word', words, says, keeps };
}

/** @param says continues "keeps rows …" */
export function value(type: 'number' | 'days' | 'date' | 'text', says: string, keeps: Keeps): Filter {
  return { by: 'value', type, says, keeps };
}
