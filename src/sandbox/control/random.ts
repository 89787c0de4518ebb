export const MAX_SEED = 2 ** 32 - 1;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const MULBERRY_STEP = 0x6d2b79f5;

/**
 * Reproducible pseudo-random numbers: the same seed gives the same numbers. Each stream has its own sequence, so draws
 * from one stream do not change another.
 */
export class RandomStreams {
  private readonly streams = new Map<string, () => number>();

  /** @param seed a whole number from 0 to `MAX_SEED` */
  constructor(private seed: number) {}

  /** Restarts every stream with this seed. */
  restart(seed: number): void {
    this.seed = seed;
    this.streams.clear();
  }

  /** The stream's next number, from 0 (inclusive) to 1 (exclusive). */
  next(stream: string): number {
    const known = this.streams.get(stream);
    if (known !== undefined) return known();
    const created = mulberry32(seedOf(stream, this.seed));
    this.streams.set(stream, created);
    return created();
  }
}

/** The FNV-1a hash of the stream's name, with the seed mixed into its offset. */
function seedOf(stream: string, seed: number): number {
  let hash = FNV_OFFSET ^ seed;
  for (const byte of Buffer.from(stream)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + MULBERRY_STEP) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
