import { readFileSync, readdirSync } from 'node:fs';
import type { BookingRequest } from '../../carriers/contract/index.js';

interface Sent {
  readonly method: string;
  /** Below the carrier's own base address. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, everything else as JSON. */
  readonly body: unknown;
}

interface Asked {
  readonly sent: Sent;
  readonly answer: Answer;
}

/** One story with a carrier: what we ask, exactly what goes over the wire, and what becomes of it. */
export interface Exchange {
  /** The name of its file. */
  readonly story: string;
  /** Where the answer comes from: a published example, a recording, or written by hand after which page. */
  readonly source: string;
  /** Changes to the sample request. */
  readonly request: Partial<BookingRequest>;
  readonly call: 'book' | 'returnLabel' | 'findByReference' | 'track';
  /** Of the parcels that are asked for. */
  readonly trackingNumbers?: readonly string[];
  /** The carrier's numbers of their bookings, by tracking number. */
  readonly carrierNumbers?: Readonly<Record<string, string>>;
  /** What is asked before it, and answered. */
  readonly first?: readonly Asked[];
  readonly sent: Sent;
  readonly answer: Answer;
  readonly outcome:
    /** With the bytes of labels in base64. */
    | { readonly kind: 'returns'; readonly value: unknown }
    | {
        readonly kind: 'throws';
        readonly name: 'CarrierRejected' | 'CarrierUnavailable' | 'OutcomeUnknown';
        readonly because?: 'data' | 'duplicate' | 'credentials';
        /** A part of the message. */
        readonly message: string;
      };
}

/** All exchanges in `fixtures/<carrier>/*.json`. */
export function recorded(carrier: string): readonly Exchange[] {
  const folder = new URL(`./fixtures/${carrier}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      ...(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<Exchange, 'story'>),
      story: file.replace(/\.json$/, '').replaceAll('-', ' '),
    }));
}
