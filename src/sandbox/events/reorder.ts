/** Largest number of later events that may overtake an event. */
const OVERTAKEN_BY = 3;
/** The shuffler releases all held events when none has arrived for this long, in milliseconds. */
const HELD_MS = 50;

interface Held<T> {
  readonly item: T;
  /** The number of later items that must still arrive before this one is released. */
  readonly yields: number;
}

/** Reorders a stream of items: up to `OVERTAKEN_BY` later items may overtake each item. */
export class Shuffler<T> {
  private held: readonly Held<T>[] = [];
  private timer: NodeJS.Timeout | null = null;

  /** @param random gives numbers from 0 (inclusive) to 1 (exclusive) */
  constructor(
    private readonly random: () => number,
    private readonly letOut: (item: T) => void,
  ) {}

  put(item: T): void {
    const passed = this.held.map(({ item: earlier, yields }) => ({ item: earlier, yields: yields - 1 }));
    const yields = Math.floor(this.random() * (OVERTAKEN_BY + 1));
    // The newest item stands first: among items released together it goes first.
    this.held = [{ item, yields }, ...passed];
    this.release((each) => each.yields <= 0);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), HELD_MS).unref();
  }

  /** Releases all held items. */
  flush(): void {
    this.held = this.held.toSorted((one, other) => one.yields - other.yields);
    this.release(() => true);
  }

  get isEmpty(): boolean {
    return this.held.length === 0;
  }

  private release(leaves: (each: Held<T>) => boolean): void {
    const leaving = this.held.filter(leaves);
    this.held = this.held.filter((each) => !leaves(each));
    for (const { item } of leaving) this.letOut(item);
  }
}
