/** A product of a catalogue. */
export interface CatalogueEntry {
  /** Prefix of product numbers and stock keeping units. */
  readonly code: string;
  readonly name: string;
  readonly group: string;
  /** Net weight of one piece. */
  readonly weightKg: number;
  /** Outer dimensions of one piece in its sales packaging, in metres. */
  readonly sizeM: readonly [length: number, width: number, height: number];
  /** In Danish kroner, including VAT. */
  readonly price: number;
  readonly harmonizedSystemCode: string;
  readonly origin: string;
  readonly colors?: readonly string[];
  readonly sizes?: readonly string[];
  readonly dangerous?: { readonly number: string; readonly packingGroup?: 'II' | 'III' };
  /** Set when lots of the product have a batch number and an expiration date. */
  readonly expires?: 'yes';
}

/** A catalogue entry as a tuple. */
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
