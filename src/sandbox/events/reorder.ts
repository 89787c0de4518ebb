/** As many later events may overtake one. */
const OVERTAKEN_BY = 3;
/** Without later events, one that is to be overtaken leaves after so long. */
const HELD_MS = 50;

interface Held<T> {
  readonly item: T;
  /** How many later ones it still lets pass. */
  readonly yields: number;
}

/** Lets items out in another order than they came: each may be overtaken by the next few. */
export class Shuffler<T> {
  private held: readonly Held<T>[] = [];
  private timer: NodeJS.Timeout | null = null;

  /** @param random from 0 up to but without 1 */
  constructor(
    private readonly random: () => number,
    private readonly letOut: (item: T) => void,
  ) {}

  put(item: T): void {
    const passed = this.held.map(({ item: earlier, yields }) => ({ item: earlier, yields: yields - 1 }));
    const yields = Math.floor(this.random() * (OVERTAKEN_BY + 1));
    // The newest stands first: among those that leave together it overtakes the others.
    this.held = [{ item, yields }, ...passed];
    this.release((each) => each.yields <= 0);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), HELD_MS).unref();
  }

  /** Lets out all that are held. */
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
