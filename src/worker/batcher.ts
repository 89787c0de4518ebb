import { setTimeout as pause } from 'node:timers/promises';

export interface BatchSize {
  readonly count: number;
  readonly bytes: number;
}

export interface Batching<Item, Result> {
  readonly sizeOf: (item: Item) => BatchSize;
  /** The limit of one write; a single item may be larger. */
  readonly limit: BatchSize;
  /** Stores all or none. @returns the results in the order of the items */
  readonly storeAll: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Called in order for each item of a write that failed. @throws to reject the item */
  readonly storeAlone: (item: Item, error: unknown) => Promise<Result>;
  /** The pause after a write that leaves less than a full one waiting; 0: none. */
  readonly gatherMs: number;
}

export interface Batcher<Item, Result> {
  /** Resolves when the item is stored, rejects when it is not. */
  add(item: Item): Promise<Result>;
  /** The number of items whose write has not begun. */
  waiting(): number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly stored: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

/** Items that arrive during a write share the next one; a single item does not wait. */
export function createBatcher<Item, Result>(batching: Batching<Item, Result>): Batcher<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await write(batching, waiting.splice(0, countOfFirst(batching, waiting)));
      if (batching.gatherMs > 0 && waiting.length < batching.limit.count) await pause(batching.gatherMs);
    }
    writing = false;
  }

  return {
    waiting: () => waiting.length,
    add: (item) =>
      new Promise((stored, failed) => {
        waiting.push({ item, stored, failed });
        if (writing) return;
        writing = true;
        // Waits for the other items that arrive in this turn of the event loop.
        setImmediate(() => void writeAll());
      }),
  };
}

/** The number of items in the next write; at least one. */
function countOfFirst<Item, Result>(
  { sizeOf, limit }: Batching<Item, Result>,
  waiting: readonly Waiting<Item, Result>[],
): number {
  let count = 0;
  let bytes = 0;
  const end = waiting.findIndex(({ item }, place) => {
    const size = sizeOf(item);
    count += size.count;
    bytes += size.bytes;
    return place > 0 && (count > limit.count || bytes > limit.bytes);
  });
  return end === -1 ? waiting.length : end;
}

/** Resolves or rejects every item of the batch; never throws. */
async function write<Item, Result>(
  { storeAll, storeAlone }: Batching<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await storeAll(batch.map(({ item }) => item));
    if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`);
    results.forEach((result, place) => batch[place]?.stored(result));
  } catch (error) {
    for (const { item, stored, failed } of batch) await storeAlone(item, error).then(stored, failed);
  }
}
