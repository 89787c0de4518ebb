import type { SlotPool } from './slot-pool.js';
import { ARRIVED_AFTER_MS, REQUESTS_PER_WINDOW, WINDOW_MS, type Wanted } from './window.js';

/** A source that has nothing is asked again this soon. */
const RETRY_MS = 100;
/**
 * The time until a request has arrived passes in steps. A process that stands still writes to its connections between two
 * steps, so that no slot is free while a request of it has not left.
 */
const ARRIVAL_STEPS = 10;

/** Permission to send one request now. */
export interface SlotPermit {
  /** The request is sent now. Until then its slot is held, however long that takes. */
  leaves(): void;
  /** The request has arrived: the slot becomes free a little over a second later. */
  exchanged(): void;
  /** Returns the permit unused. */
  unused(): void;
}

export interface Granted {
  /** The permits for now, bookings first. */
  readonly permits: readonly SlotPermit[];
  /** When to ask for the rest. */
  readonly retryMs: number;
}

/** Where the slots of one key come from. */
export interface SlotSource {
  /** Never rejects. */
  take(wanted: Wanted): Promise<Granted>;
  /** The most permits in a second now. */
  perSecond(): number;
  /** The most requests that this instance sent within one second, in the running minute and the one before. */
  busiestSecond(): number;
  /** Calls the listener whenever a slot of this instance becomes free. */
  onFreed(listener: () => void): void;
}

/** This instance's share of the requests of each key. */
export interface Share {
  /** Requests in any second for each key, 0 to 50; 0: the others do not know this instance yet. */
  perSecond(): number;
}

/** The share of an instance that is alone, or knows of no others. */
export const wholeShare: Share = { perSecond: () => REQUESTS_PER_WINDOW };

const PEAK_KEPT_MS = 60_000;

/** The highest count of the running minute and of the one before. */
function createPeak(now: () => number) {
  let minute = 0;
  let peaks: readonly [current: number, before: number] = [0, 0];
  const turn = () => {
    const current = Math.floor(now() / PEAK_KEPT_MS);
    if (current !== minute) peaks = [0, current === minute + 1 ? peaks[0] : 0];
    minute = current;
  };
  return {
    count: (inUse: number) => {
      turn();
      peaks = [Math.max(peaks[0], inUse), peaks[1]];
      return inUse;
    },
    highest: () => {
      turn();
      return Math.max(...peaks);
    },
  };
}

export interface SlotTools {
  readonly keyId: string;
  readonly share: Share;
  /** The pool of all instances; `null`: each keeps to its share. */
  readonly pool: SlotPool | null;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Limits the requests of a key in any sliding second. A request holds its slot until a little over a second after it
 * arrived. Departure times would not do: the first requests open connections and arrive later than those after them.
 * The slots are our share; while the pool answers, each request takes one there too.
 */
export function createSlots({ keyId, share, pool, sleep }: SlotTools): SlotSource {
  const listeners: (() => void)[] = [];
  const peak = createPeak(() => performance.now());
  let inUse = 0;

  function free(): void {
    inUse -= 1;
    for (const listener of listeners) listener();
  }

  function permit(slot: PoolSlot): SlotPermit {
    const sent = () => {
      slot.arrived();
      void sleep(WINDOW_MS).then(free);
    };
    const notSent = () => {
      slot.unused();
      free();
    };
    const permit = eitherOnce(sent, notSent);
    const leaves = async () => {
      for (let step = 0; step < ARRIVAL_STEPS && permit.isOpen(); step += 1)
        await sleep(ARRIVED_AFTER_MS / ARRIVAL_STEPS);
      permit.exchanged();
    };
    return { exchanged: permit.exchanged, unused: permit.unused, leaves: () => void leaves() };
  }

  /** Bookings first. */
  function reserve(wanted: Wanted): Wanted {
    const left = Math.max(0, share.perSecond() - inUse);
    const booking = Math.min(wanted.booking, left);
    const background = Math.min(wanted.background, left - booking);
    inUse = peak.count(inUse + booking + background);
    return { booking, background };
  }

  async function take(wanted: Wanted): Promise<Granted> {
    const reserved = reserve(wanted);
    const count = reserved.booking + reserved.background;
    if (count === 0) return { permits: [], retryMs: RETRY_MS };
    const { slots, retryMs } = pool?.usable() === true ? await fromPool(pool, keyId, reserved) : withoutPool(count);
    // No listener is called for these: the pool would be as empty as it is now.
    inUse -= count - slots.length;
    const permits = slots.map(permit);
    // Our share may have ended while we asked: a process can be paused anywhere.
    if (share.perSecond() > 0) return { permits, retryMs };
    for (const each of permits) each.unused();
    return { permits: [], retryMs: RETRY_MS };
  }

  return {
    take,
    perSecond: share.perSecond,
    busiestSecond: peak.highest,
    onFreed: (listener) => void listeners.push(listener),
  };
}

interface PoolSlot {
  readonly arrived: () => void;
  readonly unused: () => void;
}

async function fromPool(pool: SlotPool, keyId: string, wanted: Wanted) {
  const { ids, retryMs } = await pool.take(keyId, wanted);
  const slots = ids.map((id): PoolSlot => ({
    arrived: () => pool.arrived(keyId, id),
    unused: () => pool.unused(keyId, id),
  }));
  return { slots, retryMs };
}

function withoutPool(count: number) {
  return { slots: Array.from({ length: count }, () => NO_POOL), retryMs: RETRY_MS };
}

/** A permit ends once: sent or not sent, whichever comes first. */
function eitherOnce(sent: () => void, notSent: () => void) {
  let open = true;
  const once = (then: () => void) => () => {
    if (open) {
      open = false;
      then();
    }
  };
  return { exchanged: once(sent), unused: once(notSent), isOpen: () => open };
}

const NO_POOL: PoolSlot = { arrived: nothing, unused: nothing };

function nothing(): void {}
