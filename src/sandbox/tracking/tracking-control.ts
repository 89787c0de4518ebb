import type { CallbackCalls, Called } from './callback-calls.js';
import type { CallbackTarget, ShownCallbackTarget } from './callback-target.js';
import { withoutSecret } from './callback-target.js';
import type { JourneyName } from './journeys.js';
import type { HandEvent, Travellers } from './travellers.js';

/** Controls the journeys of parcels and the subscribers of callbacks. */
export interface TrackingControl {
  /**
   * Replaces the subscribers of callbacks.
   * @throws Error for an unknown carrier, a carrier without callbacks, or a secret that it cannot sign with
   */
  setCallbackTargets(targets: readonly CallbackTarget[]): void;
  callbackTargets(): readonly ShownCallbackTarget[];
  /** The latest callbacks, with their outcomes. */
  callbacks(): readonly Called[];
  /**
   * Plans the journey of parcels that are booked with this reference later. They travel even while the switch
   * `parcelsTravel` is off.
   */
  planJourney(reference: string, journey: JourneyName): void;
  /**
   * Adds a tracking event to a parcel and sends the carrier's callback about it. @returns the event's id @throws Error
   * for an unknown carrier
   */
  happen(event: HandEvent): string;
}

export interface TrackingParts {
  readonly calls: CallbackCalls;
  readonly travellers: Travellers;
  readonly carriers: () => readonly string[];
}

export function trackingControl({ calls, travellers, carriers }: TrackingParts): TrackingControl {
  return {
    setCallbackTargets: (targets) => calls.setTargets(targets),
    callbackTargets: () => calls.allTargets().map(withoutSecret),
    callbacks: () => calls.all(),
    planJourney: (reference, journey) => travellers.plan(reference, journey),
    happen: (event) => {
      if (!carriers().includes(event.carrier)) throw new Error(`carrier: there is no "${event.carrier}"`);
      return travellers.happen(event);
    },
  };
}
