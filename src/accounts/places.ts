import Bottleneck from 'bottleneck';

/** A bounded number of places, and a queue before them. */
export interface Places {
  /** @throws PlacesClosed no place is given any more */
  take(): Promise<void>;
  leave(): void;
  /** Whether `take` would give a place at once. */
  hasFreePlace(): boolean;
  /** Gives waiting callers the places that are free after `capacity` has grown. */
  refill(): void;
  waiting(): number;
  /** No place is taken, and no caller waits. */
  isEmpty(): boolean;
  close(): void;
}

class PlacesClosed extends Error {
  override readonly name = 'PlacesClosed';
}

/**
 * Gives a free place at once: the library takes some milliseconds even for an empty queue. The library keeps the queue;
 * whoever leaves a place gives it to the first caller in the queue.
 * @param capacity the number of places now
 */
export function createPlaces(capacity: () => number): Places {
  const queue = new Bottleneck({ reservoir: 0 });
  /** Taken places, including those given to callers that the library has not let out of its queue yet. */
  let taken = 0;
  let waiting = 0;
  /** Waiting callers that have a place: the library lets them out of its queue in a moment. */
  let placed = 0;

  const hasFreePlace = () => taken < capacity() && waiting === placed;

  async function take(): Promise<void> {
    if (hasFreePlace()) {
      taken += 1;
      return;
    }
    waiting += 1;
    const comeIn = async () => {
      waiting -= 1;
      placed -= 1;
    };
    try {
      await queue.schedule(comeIn);
    } catch {
      waiting -= 1;
      throw new PlacesClosed('the queue is closed');
    }
  }

  function refill(): void {
    while (taken < capacity() && waiting > placed) {
      taken += 1;
      placed += 1;
      void queue.incrementReservoir(1);
    }
  }

  function leave(): void {
    taken -= 1;
    refill();
  }

  return {
    take,
    leave,
    hasFreePlace,
    refill,
    waiting: () => waiting,
    isEmpty: () => taken === 0 && waiting === 0,
    close: () => void queue.stop({ dropWaitingJobs: true }).catch(() => undefined),
  };
}
