import { type Places, createPlaces } from './places.js';

/** The limit of concurrent bookings before the first answer, over all instances. */
const AT_FIRST = 2;
/** The window grows by this number with each answered booking. */
const PLACES_FOR_EACH_ANSWER = 7;
const MAX_PLACES = 16;

export interface WindowTools {
  readonly isOpen: () => boolean;
  /** Whether there was a recent outage. */
  readonly isCautious: () => boolean;
  /** The number of instances that book. */
  readonly instances: () => number;
}

export interface BookingWindow extends Pick<Places, 'take' | 'hasFreePlace' | 'refill' | 'waiting' | 'close'> {
  answered(): void;
  leave(): void;
}

/**
 * Limits concurrent bookings at a carrier without a lookup: if it has died, each one in progress costs a person's time.
 * Of many bookings at once two are sent; the others follow as answers come.
 */
export function createBookingWindow({ isOpen, isCautious, instances }: WindowTools): BookingWindow {
  let capacity: number | null = null;
  const atFirst = () => (isCautious() ? 1 : Math.max(1, Math.floor(AT_FIRST / instances())));
  // While the circuit is open it rejects by itself, so waiting bookings are let through to learn that.
  const places = createPlaces(() => (isOpen() ? MAX_PLACES : (capacity ?? atFirst())));
  return {
    take: places.take,
    hasFreePlace: places.hasFreePlace,
    refill: places.refill,
    waiting: places.waiting,
    close: places.close,
    answered: () => {
      capacity = Math.min(MAX_PLACES, (capacity ?? atFirst()) + PLACES_FOR_EACH_ANSWER);
      places.refill();
    },
    leave: () => {
      places.leave();
      if (places.isEmpty() || isOpen()) capacity = null;
    },
  };
}
