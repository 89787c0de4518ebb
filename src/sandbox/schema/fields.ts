/**
 * The type of a field: the service validates sent values by it, and clients may rely on it in responses. Lengths are in
 * characters.
 */
export type FieldType =
  | { readonly kind: 'text'; readonly min?: number; readonly max?: number; readonly singleLine?: 'yes' }
  /** Text of exactly `count` digits. */
  | { readonly kind: 'digits'; readonly count: number }
  | {
      readonly kind: 'number';
      readonly min?: number;
      readonly max?: number;
      readonly fractionDigits?: number;
      /** The number is an id, which clients may also send as text of digits. */
      readonly isId?: true;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'date' }
  | { readonly kind: 'date-time' }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  /** Text that holds a JSON object. */
  | { readonly kind: 'json-text' }
  /** `fields` is `null`: any object. An object type that several resources share has a name. */
  | { readonly kind: 'object'; readonly fields: Fields | null; readonly name?: string }
  /**
   * A list of resources named `of`. With `fields`, the entries are part of their owner and have no endpoints of their
   * own.
   */
  | { readonly kind: 'list'; readonly of: string; readonly fields?: Fields; readonly max?: number }
  | { readonly kind: 'ids' };

export interface FieldTraits {
  /**
   * Who may set the field: a client when it creates the row, or only the service. When not given, clients may set it at
   * any time. The service silently ignores values that a client may not set.
   */
  readonly set?: 'on-create' | 'by-service';
  /** Never null. */
  readonly always?: true;
  /** The field's description in the OpenAPI document. */
  readonly says?: string;
}

export type Field = FieldType & FieldTraits;
export type Fields = Readonly<Record<string, Field>>;

export const TEXT: FieldType = { kind: 'text' };
export const TEXT_255: FieldType = { kind: 'text', max: 255 };
export const NAME_1_36: FieldType = { kind: 'text', min: 1, max: 36, singleLine: 'yes' };
export const DECIMAL: FieldType = { kind: 'number' };
/** A number of pieces in a request. */
export const QUANTITY: FieldType = { kind: 'number', min: 0, max: 9_999_999, fractionDigits: 0 };
/** A number of pieces that the service computes; sums and differences have no limits. */
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

/** ISO 3166-1 alpha-2, or `UNDEFINED`; the service does not check that the country exists. */
export const COUNTRY_CODE: FieldType = { kind: 'text', max: 9 };
/** ISO 4217, or `UNDEFINED`. */
export const CURRENCY_CODE: FieldType = { kind: 'text', max: 9 };

export function textType(min: number, max: number): FieldType {
  return { kind: 'text', min, max };
}

export function numberType(limits: {
  readonly min?: number;
  readonly max?: number;
  readonly fractionDigits?: number;
}): FieldType {
  return { kind: 'number', ...limits };
}

export function enumType(values: readonly string[]): FieldType {
  return { kind: 'one-of', values };
}

export function digitsType(count: number): FieldType {
  return { kind: 'digits', count };
}

/** An object type that several resources share. */
export function objectType(name: string, fields: Fields): FieldType {
  return { kind: 'object', fields, name };
}

export function listType(of: string, limits: { readonly max?: number } = {}): FieldType {
  return { kind: 'list', of, ...limits };
}

/** A list whose entries clients send as part of its owner. */
export function entriesType(of: string, fields: Fields): FieldType {
  return { kind: 'list', of, fields };
}

/** The name of the display twin of a field. Dates and enumerations have one; `null` for other fields. */
export function twinOf(name: string, field: Field): string | null {
  const shown = field.kind === 'date' || field.kind === 'date-time' || field.kind === 'one-of';
  return shown ? `localized${name[0]?.toUpperCase()}${name.slice(1)}` : null;
}
