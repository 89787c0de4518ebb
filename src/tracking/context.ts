import type { CallbackAccount } from '../../carriers/contract/tracking.js';
import type { BookingContext } from '../consignment/context.js';

/** What an area wants to know beyond trouble. */
export interface TrackingOptions {
  readonly tellDelivered: boolean;
  readonly keepStatus: boolean;
}

/** Everything around the parcels on their way; put together once, in `src/app/app.ts`. */
export interface TrackingContext {
  readonly booking: BookingContext;
  /** By the account's name. */
  readonly callbacks: ReadonlyMap<string, CallbackAccount>;
  /** How many calls of `track` a day an account's carrier answers, by name; `null` or missing: any number. */
  readonly callsPerDay: ReadonlyMap<string, number | null>;
  /** By the area's contextId. */
  readonly options: ReadonlyMap<string, TrackingOptions>;
}
