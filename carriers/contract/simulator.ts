import type { RequestListener } from 'node:http';
import type { TrackingStatus } from './tracking.js';

/** What a simulated carrier has on its books, for people and tests to look at. */
export interface SimulatedBooking {
  readonly reference: string;
  readonly carrierNumber: string | null;
  readonly trackingNumbers: readonly string[];
  /** As the customer calls the parcels, in the order of the numbers; missing: the customer does not say. */
  readonly parcelIds?: readonly string[];
  readonly state: 'booked' | 'cancelled';
}

/** A return that a simulated carrier has made a label for. */
export interface SimulatedReturn {
  readonly reference: string;
  readonly trackingNumber: string;
  /** Lines of the address as the carrier read them, the name first. */
  readonly sender: readonly string[];
  readonly recipient: readonly string[];
}

/** Something that happens to a simulated parcel. */
export interface SimulatedEvent {
  /** Its own; the same whenever it is told again. */
  readonly id: string;
  readonly trackingNumber: string;
  readonly status: TrackingStatus;
  readonly at: Date;
  readonly place: string;
}

/** What becomes of simulated parcels after they are booked. */
export interface Journeys {
  /** They are booked, and set out. */
  begin(booking: Pick<SimulatedBooking, 'reference' | 'trackingNumbers'>): void;
  /** They are cancelled: nothing happens to them any more. */
  end(trackingNumbers: readonly string[]): void;
  /** What has happened to a parcel by now, oldest first; nothing to parcels that do not travel. */
  soFar(trackingNumber: string): readonly SimulatedEvent[];
}

/** A callback, ready to be sent by POST. */
export interface SimulatedCall {
  /** Besides the content type, which is JSON. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a callback shows that it is the carrier's. */
export interface CallProof {
  readonly secret: string;
  readonly sentAt: Date;
}

/**
 * A carrier's API as its fact sheet describes it, over real HTTP. It is mounted below an address of the sandbox: `url`
 * in a request is relative to that mount.
 */
export interface Simulator {
  readonly carrier: string;
  readonly handle: RequestListener;
  /** Without returns. */
  bookings(): readonly SimulatedBooking[];
  /** Missing: it makes no return labels. */
  returns?(): readonly SimulatedReturn[];
  /** How it tells its customers of an event. Missing: it makes no callbacks. */
  callback?(event: SimulatedEvent, proof: CallProof): SimulatedCall;
}

export interface SimulatorSettings {
  /** Its own address as clients see it, without a slash at its end; for links in answers. */
  readonly publicUrl: string;
  readonly now: () => Date;
  /** Missing: its parcels never leave. */
  readonly journeys?: Journeys;
}

export type StartSimulator = (settings: SimulatorSettings) => Simulator;
