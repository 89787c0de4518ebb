import { type Places, createPlaces } from './line.js';

/** Bookings that may be under way while nothing is known of the carrier, of all instances together. */
const AT_FIRST = 2;
/** An answered booking makes room for so many more. */
const ROOM_FOR_EACH_ANSWER = 7;
const MOST = 16;

export interface WindowTools {
  readonly isOpen: () => boolean;
  /** Whether there was an outage lately. */
  readonly isCautious: () => boolean;
  /** Instances that book beside each other. */
  readonly instances: () => number;
}

export interface BookingWindow extends Pick<Places, 'take' | 'refill' | 'waiting' | 'close'> {
  answered(): void;
  leave(): void;
}

/**
 * How many bookings are under way at a carrier that cannot be asked about them: should it have died meanwhile, each costs a
 * person's time. A burst begins with two; the first answer makes room for the rest of it.
 */
export function createBookingWindow({ isOpen, isCautious, instances }: WindowTools): BookingWindow {
  let room: number | null = null;
  const atFirst = () => (isCautious() ? 1 : Math.max(1, Math.floor(AT_FIRST / instances())));
  // An open circuit turns away by itself: whoever waits shall learn it.
  const places = createPlaces(() => (isOpen() ? MOST : (room ?? atFirst())));
  return {
    take: places.take,
    refill: places.refill,
    waiting: places.waiting,
    close: places.close,
    answered: () => {
      room = Math.min(MOST, (room ?? atFirst()) + ROOM_FOR_EACH_ANSWER);
      places.refill();
    },
    leave: () => {
      places.leave();
      if (places.isEmpty() || isOpen()) room = null;
    },
  };
}
