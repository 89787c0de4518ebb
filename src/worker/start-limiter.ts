/** Starts one piece of work. @param begun to be called when the next one of its lane may start */
export type Start = (id: string, begun: () => void) => void;

/** Limits how many pieces of work of a lane start at once, first come first served. */
export interface StartLimiter {
  join(id: string, lane: string): void;
  /** The number of waiting ids in all lanes. */
  waiting(): number;
  /** Drops all waiting ids. */
  close(): void;
}

interface Lane {
  beginning: number;
  readonly waiting: Set<string>;
}

/** @param mostBeginning how many of each lane may start at once */
export function createStartLimiter(start: Start, mostBeginning: number): StartLimiter {
  const lanes = new Map<string, Lane>();

  function begin(id: string, lane: Lane): void {
    let isBeginning = true;
    lane.beginning += 1;
    start(id, () => {
      if (!isBeginning) return;
      isBeginning = false;
      lane.beginning -= 1;
      beginNext(lane);
    });
  }

  function beginNext(lane: Lane): void {
    const [id] = lane.waiting;
    if (id === undefined) return;
    lane.waiting.delete(id);
    begin(id, lane);
  }

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? { beginning: 0, waiting: new Set() };
    lanes.set(name, lane);
    return lane;
  }

  return {
    join: (id, name) => {
      const lane = laneOf(name);
      if (lane.beginning < mostBeginning) begin(id, lane);
      else lane.waiting.add(id);
    },
    waiting: () => [...lanes.values()].reduce((sum, lane) => sum + lane.waiting.size, 0),
    close: () => lanes.forEach((lane) => lane.waiting.clear()),
  };
}
