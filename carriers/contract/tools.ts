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
}

/** What connects an account need not give what most adapters do not use: then no number is given, and no file found. */
export type GivenTools = Omit<Tools, 'numbers' | 'files'> & Partial<Pick<Tools, 'numbers' | 'files'>>;

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

/** The tools with something in the place of what was not given. */
export function wholeTools(tools: GivenTools): Tools {
  return { ...tools, numbers: tools.numbers ?? NO_NUMBERS, files: tools.files ?? NO_FILES };
}

const NO_NUMBERS: NumberPort = {
  take: () => Promise.reject(new CarrierUnavailable('no numbers are given out here')),
};

const NO_FILES: OperatorFiles = {
  read: (name) => {
    throw new Error(`${name} cannot be read here`);
  },
};
