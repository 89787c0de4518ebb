import type { CallbackDelivery, CallbackOutcome, CallbackSecrets } from '../../carriers/contract/tracking.js';
import type { World } from '../consignment/world.js';

/** An account whose carrier calls us. */
export interface CallbackAccount {
  readonly secrets: CallbackSecrets;
  /** The carrier's form, or the plain one. */
  parse(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome;
}

/** What an area wants to know beyond trouble. */
export interface TrackingWishes {
  readonly tellDelivered: boolean;
  readonly keepStatus: boolean;
}

/** Everything around the parcels on their way; put together once, in `src/app.ts`. */
export interface TrackingWorld {
  readonly world: World;
  /** By the account's name. */
  readonly callbacks: ReadonlyMap<string, CallbackAccount>;
  /** How many calls of `track` a day an account's carrier answers, by name; `null` or missing: any number. */
  readonly callsPerDay: ReadonlyMap<string, number | null>;
  /** By the area's contextId. */
  readonly wishes: ReadonlyMap<string, TrackingWishes>;
}
