import Bottleneck from 'bottleneck';

/** A bounded number of places, and a line before them. */
export interface Places {
  /** @throws LineClosed nobody is let in any more */
  take(): Promise<void>;
  leave(): void;
  /** After `capacity` has grown: lets in as many as there is room for. */
  refill(): void;
  waiting(): number;
  /** Nobody has a place, and nobody waits for one. */
  isEmpty(): boolean;
  close(): void;
}

export class LineClosed extends Error {
  override readonly name = 'LineClosed';
}

/**
 * Who finds a place free has it at once: the library takes some milliseconds for that, even when nobody waits. It has the
 * line: whoever leaves lets the first of it in.
 * @param capacity how many places there are now
 */
export function createPlaces(capacity: () => number): Places {
  const line = new Bottleneck({ reservoir: 0 });
  /** Those who were called have a place already. */
  let taken = 0;
  let waiting = 0;
  /** Of those who wait, who may come in. */
  let called = 0;

  async function take(): Promise<void> {
    if (taken < capacity() && waiting === called) {
      taken += 1;
      return;
    }
    waiting += 1;
    const comeIn = async () => {
      waiting -= 1;
      called -= 1;
    };
    try {
      await line.schedule(comeIn);
    } catch {
      waiting -= 1;
      throw new LineClosed('nobody is let in any more');
    }
  }

  function refill(): void {
    while (taken < capacity() && waiting > called) {
      taken += 1;
      called += 1;
      void line.incrementReservoir(1);
    }
  }

  function leave(): void {
    taken -= 1;
    refill();
  }

  return {
    take,
    leave,
    refill,
    waiting: () => waiting,
    isEmpty: () => taken === 0 && waiting === 0,
    close: () => void line.stop({ dropWaitingJobs: true }).catch(() => undefined),
  };
}
