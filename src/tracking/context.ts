import type { CallbackAccount } from '../../carriers/contract/tracking.js';
import type { BookingContext } from '../consignment/context.js';

/** An area's options beyond warnings. */
export interface TrackingOptions {
  readonly tellDelivered: boolean;
  readonly keepStatus: boolean;
}

/** What tracking uses; put together once, in `src/app/app.ts`. */
export interface TrackingContext {
  readonly booking: BookingContext;
  /** By the account's name. */
  readonly callbacks: ReadonlyMap<string, CallbackAccount>;
  /** Daily limit of `track` calls, by the account's name; `null` or missing: none. */
  readonly callsPerDay: ReadonlyMap<string, number | null>;
  /** By the area's contextId. */
  readonly options: ReadonlyMap<string, TrackingOptions>;
  /** How many days ended parcels and callbacks are kept. */
  readonly keptDays: { readonly parcels: number; readonly callbacks: number };
}
