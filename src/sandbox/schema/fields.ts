/** What the service checks of a value that is sent to it, and what a client may count on. Lengths are in characters. */
export type FieldType =
  | { readonly kind: 'text'; readonly min?: number; readonly max?: number; readonly singleLine?: 'yes' }
  /** Text of so many digits. */
  | { readonly kind: 'digits'; readonly count: number }
  | {
      readonly kind: 'number';
      readonly min?: number;
      readonly max?: number;
      readonly fractionDigits?: number;
      /** It is an id, which may also be sent as digits in text. */
      readonly isId?: true;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'date' }
  | { readonly kind: 'date-time' }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  /** Text that holds a JSON object. */
  | { readonly kind: 'json-text' }
  /** Without `fields`: any object. One that several resources have bears a name. */
  | { readonly kind: 'object'; readonly fields: Fields | null; readonly name?: string }
  /** Of resources of that name. With `fields`, those that come with what they stand in and have no life of their own. */
  | { readonly kind: 'list'; readonly of: string; readonly fields?: Fields; readonly max?: number }
  | { readonly kind: 'ids' };

export interface FieldTraits {
  /** Who gives the value; clients, at any time, when not said. What somebody else sends is silently ignored. */
  readonly set?: 'on-create' | 'by-service';
  /** Never null. */
  readonly always?: true;
  /** What its description must say. */
  readonly says?: string;
}

export type Field = FieldType & FieldTraits;
export type Fields = Readonly<Record<string, Field>>;

export const TEXT: FieldType = { kind: 'text' };
export const TEXT_255: FieldType = { kind: 'text', max: 255 };
export const NAME_1_36: FieldType = { kind: 'text', min: 1, max: 36, singleLine: 'yes' };
export const NUMBER: FieldType = { kind: 'number' };
/** Pieces, as they are sent. */
export const COUNT: FieldType = { kind: 'number', min: 0, max: 9_999_999, fractionDigits: 0 };
/** Pieces, as they are counted here: of sums and differences, so there is no limit. */
export const WHOLE: FieldType = { kind: 'number', fractionDigits: 0 };
export const PRICE: FieldType = { kind: 'number', min: 0, max: 99_999_999.9999 };
/** A weight, a volume or a length. */
export const MEASURE: FieldType = { kind: 'number', min: 0, max: 999_999.999 };
export const ID: FieldType = {
  kind: 'number',
  ...{ min: 1, max: Number.MAX_SAFE_INTEGER, fractionDigits: 0, isId: true },
};
export const BOOLEAN: FieldType = { kind: 'boolean' };
export const DATE: FieldType = { kind: 'date' };
export const DATE_TIME: FieldType = { kind: 'date-time' };
export const JSON_TEXT: FieldType = { kind: 'json-text' };
export const ANY_OBJECT: FieldType = { kind: 'object', fields: null };
export const IDS: FieldType = { kind: 'ids' };

/** ISO 3166-1 alpha-2, or `UNDEFINED`; whether such a country exists is not checked. */
export const COUNTRY: FieldType = { kind: 'text', max: 9 };
/** ISO 4217, or `UNDEFINED`. */
export const CURRENCY: FieldType = { kind: 'text', max: 9 };

export function textOf(min: number, max: number): FieldType {
  return { kind: 'text', min, max };
}

export function numberOf(limits: {
  readonly min?: number;
  readonly max?: number;
  readonly fractionDigits?: number;
}): FieldType {
  return { kind: 'number', ...limits };
}

export function oneOf(values: readonly string[]): FieldType {
  return { kind: 'one-of', values };
}

export function digitsOf(count: number): FieldType {
  return { kind: 'digits', count };
}

/** An object as it stands in several resources. */
export function objectOf(name: string, fields: Fields): FieldType {
  return { kind: 'object', fields, name };
}

export function listOf(of: string, limits: { readonly max?: number } = {}): FieldType {
  return { kind: 'list', of, ...limits };
}

/** A list whose entries are given along with what they stand in. */
export function entriesOf(of: string, fields: Fields): FieldType {
  return { kind: 'list', of, fields };
}

/** The name of a field's twin for display: dates and enumerations have one. `null` when it has none. */
export function twinOf(name: string, field: Field): string | null {
  const shown = field.kind === 'date' || field.kind === 'date-time' || field.kind === 'one-of';
  return shown ? `localized${name[0]?.toUpperCase()}${name.slice(1)}` : null;
}
