/** A product as it stands in a catalogue. */
export interface CatalogueEntry {
  /** Beginning of product numbers and stock keeping units. */
  readonly code: string;
  readonly name: string;
  readonly group: string;
  /** Net, of one piece. */
  readonly weightKg: number;
  /** Of one piece in its sales packaging. */
  readonly sizeM: readonly [length: number, width: number, height: number];
  /** Danish kroner with VAT. */
  readonly price: number;
  readonly harmonizedSystemCode: string;
  readonly origin: string;
  readonly colors?: readonly string[];
  readonly sizes?: readonly string[];
  readonly dangerous?: { readonly number: string; readonly packingGroup?: 'II' | 'III' };
  /** Whether its lots have a batch and an expiration date. */
  readonly expires?: 'yes';
}

/** An entry in short. */
export type Line = readonly [
  code: string,
  name: string,
  group: string,
  weightKg: number,
  sizeM: readonly [number, number, number],
  price: number,
  harmonizedSystemCode: string,
  origin: string,
  more?: Pick<CatalogueEntry, 'colors' | 'sizes' | 'dangerous' | 'expires'>,
];
