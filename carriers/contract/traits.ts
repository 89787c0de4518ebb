/** `zpl`: in the language of label printers. */
export const LABEL_FORMATS = ['pdf', 'zpl'] as const;

export type LabelFormat = (typeof LABEL_FORMATS)[number];

/** A form in which a carrier gives labels. What no source states is missing. */
export interface LabelForm {
  readonly format: LabelFormat;
  /** Of a page, in millimetres; both sides or none. */
  readonly widthMm?: number;
  readonly heightMm?: number;
  /** Dots per inch of the printer that a ZPL label is made for. */
  readonly dpi?: number;
  /** Codes of the services that have it; missing: all. */
  readonly services?: readonly string[];
}

/** A service that a rule or a shipment can ask for. */
export interface CarrierService {
  /** As `BookingRequest.service` has it; a word such as `<n>` in it stands for a value. */
  readonly code: string;
  /** As people call it, in English. */
  readonly name: string;
}

export const CONFIDENCE_LEVELS = ['high', 'medium', 'low'] as const;

/** How sure it is that the carrier does what its adapter expects. */
export interface Confidence {
  /** Where the description of the carrier comes from. */
  readonly source: string;
  /** Of booking and labels. */
  readonly level: (typeof CONFIDENCE_LEVELS)[number];
  /** A line for each assumption that matters to those who choose the carrier, and for what is less sure than `level`. */
  readonly assumed: readonly string[];
}
