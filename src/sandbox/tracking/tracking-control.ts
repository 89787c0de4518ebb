import type { CallbackCalls, Called } from './callback-calls.js';
import type { CallbackTarget, ShownCallbackTarget } from './callback-target.js';
import { withoutSecret } from './callback-target.js';
import type { JourneyName } from './journeys.js';
import type { HandEvent, Travellers } from './travellers.js';

/** What becomes of parcels, and who hears of it. */
export interface TrackingControl {
  /**
   * From now on carriers call these, and nobody else.
   * @throws Error for a carrier that makes no callbacks, or a secret that it cannot sign with
   */
  setCallbackTargets(targets: readonly CallbackTarget[]): void;
  callbackTargets(): readonly ShownCallbackTarget[];
  /** The latest calls that carriers made, and how they fared. */
  callbacks(): readonly Called[];
  /** Parcels that are booked under this reference from now on travel like this, also while others do not. */
  planJourney(reference: string, journey: JourneyName): void;
  /** Has something happen to a parcel, and its carrier call. @returns the event's id @throws Error for no such carrier */
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
