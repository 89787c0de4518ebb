/** Lengths in millimetres, from the upper left corner of the label. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One thing on a label. */
export type Item =
  | { readonly kind: 'text'; readonly lines: readonly string[]; readonly box: Box; readonly bold: boolean }
  | { readonly kind: 'line'; readonly box: Box }
  | { readonly kind: 'logo'; readonly file: string; readonly image: Logo; readonly box: Box }
  /** `elements`: names of element strings, in the order of the symbol. */
  | { readonly kind: 'barcode'; readonly elements: readonly string[]; readonly box: Box };

export interface Logo {
  readonly format: 'png' | 'jpeg';
  readonly bytes: Uint8Array;
}

export interface LabelTemplate {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly items: readonly Item[];
}

/** What a template of one carrier may name. */
export interface TemplateWords {
  /** Between braces in a text. */
  readonly fields: readonly string[];
  /** In a barcode. */
  readonly elements: readonly string[];
  /** The element that some barcode must have. */
  readonly needed: string;
}
