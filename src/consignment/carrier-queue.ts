import Bottleneck from 'bottleneck';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/errors.js';
import { LinkRefused, NoAnswer, wasNotPermitted } from '../../carriers/contract/http-port.js';
import { type Admission, Circuit, type CircuitTools, type Sign } from './circuit.js';
import type { Wait } from './retry.js';

/** Calls to one carrier account at once: a carrier that hangs holds these and nobody else's. */
const CALLS_AT_ONCE = 16;
/** Beyond this many waiting visits a consignment waits in the ledger instead of in memory. */
const LONGEST_QUEUE = 100;
const QUEUE_FULL_RETRY_MS = 1_000;

/** Nothing left: too many wait, the carrier does not answer at the moment, or the service stops. */
export class TurnedAway extends Error {
  override readonly name = 'TurnedAway';

  /** @param waitingFor `limit`: it only waits for its turn */
  constructor(
    message: string,
    readonly waitingFor: 'carrier' | 'limit',
    readonly wait: Wait,
  ) {
    super(message);
  }
}

/** Makes one call to the carrier and notes what it says about the carrier; what it throws comes through unchanged. */
export type Call = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** The way to one carrier account, shared by everything that talks to it. */
export interface CarrierQueue {
  /**
   * Does some work at the carrier when its turn comes.
   * @param consignment whose work it is, by id
   * @param work every call in it goes through `call`
   * @throws TurnedAway before `work` began
   */
  visit<Result>(consignment: string, work: (call: Call) => Promise<Result>): Promise<Result>;
  admits(): Admission;
  /** Who has not begun is turned away, now and from now on; what has begun goes on. */
  close(): void;
}

/** At most sixteen visits at once, a bounded queue, and a circuit that opens while the carrier does not answer. */
export function createCarrierQueue(tools: CircuitTools): CarrierQueue {
  const circuit = new Circuit(tools);
  const places = createPlaces();
  let closed = false;

  /** Who would be turned away at the end of the queue does not stand in it. */
  function requireRoom(): void {
    if (closed) throw stopping();
    if (places.waiting() >= LONGEST_QUEUE) throw full(tools.account);
    const forMs = circuit.turnAway();
    if (forMs !== null) throw notAnswering(tools.account, forMs);
  }

  return {
    visit: async (consignment, work) => {
      requireRoom();
      await places.take();
      try {
        return await inside(circuit, { account: tools.account, consignment }, work);
      } finally {
        places.leave();
      }
    },
    admits: () => circuit.admits(),
    close: () => {
      if (!closed) places.close();
      closed = true;
    },
  };
}

/**
 * Who finds a place free has it at once: the library takes some milliseconds for that, even when nobody waits. It has the
 * line: whoever leaves lets the first of it in.
 */
function createPlaces() {
  const line = new Bottleneck({ reservoir: 0 });
  let free = CALLS_AT_ONCE;
  let waiting = 0;
  /** Of those who wait, who may come in. */
  let called = 0;

  /** @throws TurnedAway nobody is let in any more */
  async function take(): Promise<void> {
    if (free > 0) {
      free -= 1;
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
      throw stopping();
    }
  }

  function leave(): void {
    if (waiting === called) {
      free += 1;
      return;
    }
    called += 1;
    void line.incrementReservoir(1);
  }

  const close = () => void line.stop({ dropWaitingJobs: true }).catch(() => undefined);
  return { take, leave, close, waiting: () => waiting };
}

/** The turn has come: what the circuit says now counts. */
async function inside<Result>(
  circuit: Circuit,
  { account, consignment }: { readonly account: string; readonly consignment: string },
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const entry = circuit.enter(consignment);
  if (entry.kind === 'barred') throw notAnswering(account, entry.forMs);
  const signs = createSigns();
  try {
    return await work(signs.watch);
  } finally {
    entry.pass.ended(signs.sum(), signs.retryAfterMs());
  }
}

function full(account: string): TurnedAway {
  return new TurnedAway(`${LONGEST_QUEUE} visits to ${account} are waiting`, 'limit', {
    retryAfterMs: QUEUE_FULL_RETRY_MS,
  });
}

function notAnswering(account: string, forMs: number): TurnedAway {
  return new TurnedAway(`${account} does not answer at the moment`, 'carrier', { retryAfterMs: forMs, held: true });
}

/** Whoever takes over may begin at once. */
function stopping(): TurnedAway {
  return new TurnedAway('the service stops', 'limit', { retryAfterMs: 0, held: true });
}

/** What the calls of one visit say together: a carrier that answers one of them answers. */
function createSigns() {
  const seen = new Set<Sign>();
  let retryAfterMs: number | null = null;
  const watch: Call = async (call) => {
    try {
      const result = await call();
      seen.add('answers');
      return result;
    } catch (error) {
      seen.add(signOf(error));
      if (error instanceof CarrierUnavailable) retryAfterMs = Math.max(retryAfterMs ?? 0, error.retryAfterMs ?? 0);
      throw error;
    }
  };
  const sum = (): Sign => (seen.has('answers') ? 'answers' : seen.has('down') ? 'down' : 'nothing');
  return { watch, sum, retryAfterMs: () => retryAfterMs };
}

/**
 * Who refuses, be it our access, answers. What is not an error of talking is our own, and says nothing of the carrier; nor
 * does what we held back ourselves.
 */
function signOf(error: unknown): Sign {
  if (wasNotPermitted(error)) return 'nothing';
  if (error instanceof CarrierRejected || error instanceof LinkRefused) return 'answers';
  return [CarrierUnavailable, OutcomeUnknown, NoAnswer].some((kind) => error instanceof kind) ? 'down' : 'nothing';
}
