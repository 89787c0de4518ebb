import type { RequestListener } from 'node:http';

/** What a simulated carrier has on its books, for people and tests to look at. */
export interface SimulatedBooking {
  readonly reference: string;
  readonly carrierNumber: string | null;
  readonly trackingNumbers: readonly string[];
  readonly state: 'booked' | 'cancelled';
}

/**
 * A carrier's API as its fact sheet describes it, over real HTTP. It is mounted below an address of the sandbox: `url`
 * in a request is relative to that mount.
 */
export interface Simulator {
  readonly carrier: string;
  readonly handle: RequestListener;
  bookings(): readonly SimulatedBooking[];
}

export interface SimulatorSettings {
  /** Its own address as clients see it, without a slash at its end; for links in answers. */
  readonly publicUrl: string;
  readonly now: () => Date;
}

export type StartSimulator = (settings: SimulatorSettings) => Simulator;
