/** What a template of one carrier may name. */
export interface TemplateWords {
  /** Between braces in a text. */
  readonly fields: readonly string[];
  /** In a barcode. */
  readonly elements: readonly string[];
  /** The element that some barcode must have. */
  readonly needed: string;
}
