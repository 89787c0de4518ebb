import { CarrierUnavailable } from './errors.js';
import type { HttpPort } from './http-port.js';

export interface Clock {
  now(): Date;
}

/** What an adapter gets when it is connected; it uses nothing else from outside. */
export interface Tools {
  readonly http: HttpPort;
  readonly clock: Clock;
  /** The base address of the carrier's API, without a slash at its end. */
  readonly baseUrl: string;
  readonly numbers: NumberPort;
  readonly files: OperatorFiles;
  readonly labels: LabelDrawing;
}

type SeldomUsed = 'numbers' | 'files' | 'labels';

/**
 * What connects an account need not give what most adapters do not use: then no number is given, no file found, and no
 * label drawn.
 */
export type GivenTools = Omit<Tools, SeldomUsed> & Partial<Pick<Tools, SeldomUsed>>;

/** The most numbers in one call of `NumberPort.take`. */
export const MAX_NUMBERS_AT_ONCE = 200;

export interface WantedNumbers {
  /** The name of a series; accounts that name the same series share its numbers. At most 100 characters. */
  readonly series: string;
  /** Of the booking. */
  readonly reference: string;
  /** One for each number, all different: the ids of the parcels. At most `MAX_NUMBERS_AT_ONCE`. */
  readonly keys: readonly string[];
  /** The smallest number that may be given; a series never goes back when this becomes smaller. */
  readonly from: number;
  /** The largest number that may be given. */
  readonly to: number;
}

/**
 * Numbers that Waybridge gives out itself, for carriers whose parcels it numbers. They count up. The database keeps them: no
 * number of a series is given out twice, by any instance, whatever dies. Some are never used.
 */
export interface NumberPort {
  /**
   * Takes a number for each key. The same reference and key get the same number again, so a booking can be repeated.
   * @returns in the order of the keys, stored durably
   * @throws CarrierUnavailable nothing was taken, or it is not known; try again later
   * @throws NumbersUsedUp
   */
  take(wanted: WantedNumbers): Promise<readonly number[]>;
}

/** The series has no numbers left up to `WantedNumbers.to`. */
export class NumbersUsedUp extends Error {
  override readonly name = 'NumbersUsedUp';
}

/** Files that an operator may change: those in `templates/labels`, and files anywhere else by their absolute path. */
export interface OperatorFiles {
  /**
   * Reads a whole file, at once, when an account is connected.
   * @param name in `templates/labels`, or an absolute path
   * @throws Error naming the file, to be shown to the operator: it is missing, unreadable or larger
   */
  read(name: string, maxBytes: number): Uint8Array;
}

/** Lengths in millimetres, from the upper left corner of the label. */
export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A picture on a label. */
export interface LabelLogo {
  readonly format: 'png' | 'jpeg';
  readonly bytes: Uint8Array;
}

/** One thing on a label. */
export type LabelItem =
  | { readonly kind: 'text'; readonly lines: readonly string[]; readonly box: LabelBox; readonly bold: boolean }
  | { readonly kind: 'line'; readonly box: LabelBox }
  | { readonly kind: 'logo'; readonly file: string; readonly image: LabelLogo; readonly box: LabelBox }
  /** `elements`: names of element strings of GS1-128, in the order of the symbol. */
  | { readonly kind: 'barcode'; readonly elements: readonly string[]; readonly box: LabelBox };

/** A label that Waybridge draws itself, before values are filled in. */
export interface LabelTemplate {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly items: readonly LabelItem[];
}

/** What one label shows. */
export interface LabelValues {
  /** By the names in the texts; `''` where there is none. */
  readonly fields: ReadonlyMap<string, string>;
  /** Element strings, e.g. `(00)376104250021234569`, by the names in the barcodes; `null`: left out. */
  readonly elements: ReadonlyMap<string, string | null>;
}

/** Draws the labels of carriers that give none, in a process of its own: the service does not wait for it. */
export interface LabelDrawing {
  /**
   * One PDF with a page for each label. The same labels always give the same bytes.
   * @throws Error they could not be drawn, or not within the limits of time and memory
   */
  draw(template: LabelTemplate, labels: readonly LabelValues[]): Promise<Uint8Array>;
}

/** The tools with something in the place of what was not given. */
export function wholeTools(tools: GivenTools): Tools {
  const { numbers = NO_NUMBERS, files = NO_FILES, labels = NO_LABELS } = tools;
  return { ...tools, numbers, files, labels };
}

const NO_NUMBERS: NumberPort = {
  take: () => Promise.reject(new CarrierUnavailable('no numbers are given out here')),
};

const NO_FILES: OperatorFiles = {
  read: (name) => {
    throw new Error(`${name} cannot be read here`);
  },
};

const NO_LABELS: LabelDrawing = {
  draw: () => Promise.reject(new CarrierUnavailable('no labels are drawn here')),
};
