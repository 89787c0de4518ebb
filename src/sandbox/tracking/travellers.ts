import type { Journeys, SimulatedEvent } from '../../../carriers/contract/simulator.js';
import type { TrackingStatus } from '../../../carriers/contract/tracking.js';
import type { RandomStreams } from '../control/random.js';
import type { Switches } from '../control/switches.js';
import type { CallbackCalls, CallbackManner } from './callback-calls.js';
import type { JourneyName } from './journeys.js';
import { journeyBy, timetable } from './journeys.js';

/**
 * Delay of a late callback, in hours of the parcel's time: long enough that callbacks about later steps overtake it.
 */
const LATE_HOURS = 30;

interface Traveller {
  readonly carrier: string;
  readonly trackingNumber: string;
  /** The events of its journey, past and future, in order. */
  plan: readonly SimulatedEvent[];
  /** Events that the control interface added. */
  byHand: readonly SimulatedEvent[];
  timer: NodeJS.Timeout | null;
}

/** A tracking event that the control interface adds to a parcel. */
export interface HandEvent {
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly status: TrackingStatus;
  /** The time of the event; now when not given. */
  readonly at?: Date;
  readonly manner: CallbackManner;
  /** Delay before the callback is sent, in milliseconds. */
  readonly delayMs: number;
}

export interface TravelSettings {
  readonly random: RandomStreams;
  readonly switches: () => Switches;
  readonly now: () => Date;
  readonly calls: CallbackCalls;
}

/** The journeys of all carriers' parcels. */
export class Travellers {
  private readonly travellers = new Map<string, Traveller>();
  private readonly planned = new Map<string, JourneyName>();
  private handEvents = 0;

  constructor(private readonly settings: TravelSettings) {}

  /** The view that a carrier's simulator has of its own parcels. */
  of(carrier: string): Journeys {
    return {
      begin: ({ reference, trackingNumbers }) => {
        for (const trackingNumber of trackingNumbers) this.begin({ carrier, trackingNumber, reference });
      },
      end: (trackingNumbers) => {
        for (const trackingNumber of trackingNumbers) this.end(carrier, trackingNumber);
      },
      soFar: (trackingNumber) => this.soFar(carrier, trackingNumber),
    };
  }

  /**
   * Plans the journey of parcels that are booked with this reference later. They travel even while the switch
   * `parcelsTravel` is off.
   */
  plan(reference: string, journey: JourneyName): void {
    this.planned.set(reference, journey);
  }

  /** @returns the event's id */
  happen({ carrier, trackingNumber, status, at, manner, delayMs }: HandEvent): string {
    this.handEvents += 1;
    const id = `${carrier}-${trackingNumber}-hand-${this.handEvents}`;
    const event = { id, trackingNumber, status, at: at ?? this.settings.now(), place: 'Control' };
    if (manner !== 'forged') {
      const traveller = this.travellerOf(carrier, trackingNumber);
      traveller.byHand = [...traveller.byHand, event];
    }
    this.settings.calls.make({ carrier, event, manner, delayMs });
    return id;
  }

  close(): void {
    for (const { timer } of this.travellers.values()) clearTimeout(timer ?? undefined);
  }

  private begin(parcel: {
    readonly carrier: string;
    readonly trackingNumber: string;
    readonly reference: string;
  }): void {
    const { carrier, trackingNumber, reference } = parcel;
    const { parcelsTravel, parcelHourMs } = this.settings.switches();
    const planned = this.planned.get(reference);
    if (planned === undefined && !parcelsTravel) return;
    // Each parcel has its own random stream, so its journey does not depend on other bookings.
    const chance = () => this.settings.random.next(`journey of ${carrier} ${trackingNumber}`);
    const drawn = journeyBy(chance());
    const begin = this.settings.now().getTime();
    const traveller = this.travellerOf(carrier, trackingNumber);
    traveller.plan = timetable(planned ?? drawn, chance).map(({ hours, status, place }, index) => ({
      ...{ id: `${carrier}-${trackingNumber}-${index}`, trackingNumber, status, place },
      at: new Date(begin + Math.round(hours * parcelHourMs)),
    }));
    this.awaitStep(traveller, 0);
  }

  private awaitStep(traveller: Traveller, index: number): void {
    const event = traveller.plan[index];
    if (!event) return;
    const waitMs = Math.max(0, event.at.getTime() - this.settings.now().getTime());
    traveller.timer = setTimeout(() => {
      this.tell(traveller.carrier, event);
      this.awaitStep(traveller, index + 1);
    }, waitMs).unref();
  }

  private tell(carrier: string, event: SimulatedEvent): void {
    const { callbackTrouble, parcelHourMs } = this.settings.switches();
    const { calls, random } = this.settings;
    const chance = random.next(`callbacks for ${carrier} ${event.trackingNumber}`);
    const trouble = chance < callbackTrouble ? Math.floor((chance / callbackTrouble) * 3) : null;
    const make = (manner: CallbackManner, delayMs = 0) => calls.make({ carrier, event, manner, delayMs });
    if (trouble === 0) return make('twice');
    if (trouble === 1) return make('once', LATE_HOURS * parcelHourMs);
    if (trouble === 2) make('forged');
    make('once');
  }

  private end(carrier: string, trackingNumber: string): void {
    const traveller = this.travellers.get(keyOf(carrier, trackingNumber));
    if (!traveller) return;
    clearTimeout(traveller.timer ?? undefined);
    const now = this.settings.now();
    traveller.plan = traveller.plan.filter(({ at }) => at <= now);
  }

  private soFar(carrier: string, trackingNumber: string): readonly SimulatedEvent[] {
    const { plan = [], byHand = [] } = this.travellers.get(keyOf(carrier, trackingNumber)) ?? {};
    const now = this.settings.now();
    return [...plan, ...byHand]
      .filter(({ at }) => at <= now)
      .sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  private travellerOf(carrier: string, trackingNumber: string): Traveller {
    const key = keyOf(carrier, trackingNumber);
    const known = this.travellers.get(key);
    if (known) return known;
    const traveller: Traveller = { carrier, trackingNumber, plan: [], byHand: [], timer: null };
    this.travellers.set(key, traveller);
    return traveller;
  }
}

function keyOf(carrier: string, trackingNumber: string): string {
  return `${carrier} ${trackingNumber}`;
}
