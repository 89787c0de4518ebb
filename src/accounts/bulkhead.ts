import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/errors.js';
import { LinkRefused, NoAnswer, wasNotPermitted } from '../../carriers/contract/http-port.js';
import {
  AccountCircuit,
  type Admission,
  type CircuitTools,
  type Sign,
  type VisitEnd,
  type Visitor,
} from './account-circuit.js';
import { type BookingWindow, createBookingWindow } from './booking-window.js';
import { createPlaces } from './line.js';
import type { Wait } from '../worker/backoff.js';

/** Calls to one carrier account at once: a carrier that hangs holds these and nobody else's. */
const CALLS_AT_ONCE = 16;
/** Beyond this many waiting visits a consignment waits in the ledger instead of in memory. */
const LONGEST_QUEUE = 100;
const QUEUE_FULL_RETRY_MS = 1_000;

/** Nothing left: too many wait, the carrier does not answer at the moment, or the service stops. */
export class BulkheadRejected extends Error {
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
export interface Bulkhead {
  /**
   * Does some work at the carrier when its turn comes.
   * @param consignment whose work it is, by id
   * @param work every call in it goes through `call`
   * @param purpose `booking`: what it sends may be booked
   * @throws TurnedAway before `work` began
   */
  run<Result>(
    consignment: string,
    work: (call: Call) => Promise<Result>,
    purpose?: Visitor['purpose'],
  ): Promise<Result>;
  admits(): Admission;
  /** Who has not begun is turned away, now and from now on; what has begun goes on. */
  close(): void;
  readonly circuit: AccountCircuit;
}

export interface QueueTools extends Omit<CircuitTools, 'changed'> {
  /** Instances that book beside each other; one when not given. */
  readonly instances?: () => number;
}

/**
 * At most sixteen visits at once, a bounded queue, and a circuit that opens while the carrier does not answer. Bookings at a
 * carrier that cannot be asked about them go through a narrower door before that.
 */
export function createBulkhead(tools: QueueTools): Bulkhead {
  const { account, instances = () => 1 } = tools;
  const changed = () => window?.refill();
  const circuit = new AccountCircuit({ ...tools, changed });
  const places = createPlaces(() => CALLS_AT_ONCE);
  const window: BookingWindow | null =
    circuit.rules.lostAnswers === 'person'
      ? createBookingWindow({
          isOpen: () => circuit.isOpen(),
          isCautious: () => circuit.isCautious(),
          instances,
        })
      : null;
  let closed = false;

  /** Who would be turned away at the end of the queue does not stand in it. */
  function requireRoom(): void {
    if (closed) throw stopping();
    if (places.waiting() + (window?.waiting() ?? 0) >= LONGEST_QUEUE) throw full(account);
    const forMs = circuit.turnAway();
    if (forMs !== null) throw notAnswering(account, forMs);
  }

  async function atPlace<Result>(visitor: Visitor, work: (call: Call) => Promise<Result>): Promise<Result> {
    await places.take().catch(refuseStopping);
    try {
      return await inside({ circuit, window, account }, visitor, work);
    } finally {
      places.leave();
    }
  }

  return {
    circuit,
    run: async (consignment, work, purpose = 'other') => {
      requireRoom();
      if (window === null || purpose === 'other') return atPlace({ consignment, purpose }, work);
      await window.take().catch(refuseStopping);
      try {
        return await atPlace({ consignment, purpose }, work);
      } finally {
        window.leave();
      }
    },
    admits: () => circuit.admits(),
    close: () => {
      if (!closed) for (const each of [places, window]) each?.close();
      closed = true;
    },
  };
}

interface Door {
  readonly circuit: AccountCircuit;
  readonly window: BookingWindow | null;
  readonly account: string;
}

/** The turn has come: what the circuit says now counts. */
async function inside<Result>(
  { circuit, window, account }: Door,
  visitor: Visitor,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const asked = circuit.enter(visitor);
  const entry = asked instanceof Promise ? await asked : asked;
  if (entry.kind === 'barred') throw notAnswering(account, entry.forMs);
  const signs = createSigns(visitor.purpose);
  try {
    return await work(signs.watch);
  } finally {
    const end = signs.end();
    entry.pass.ended(end);
    if (visitor.purpose === 'booking' && end.sign === 'answers') window?.answered();
  }
}

function refuseStopping(): never {
  throw stopping();
}

function full(account: string): BulkheadRejected {
  return new BulkheadRejected(`${LONGEST_QUEUE} visits to ${account} are waiting`, 'limit', {
    retryAfterMs: QUEUE_FULL_RETRY_MS,
  });
}

function notAnswering(account: string, forMs: number): BulkheadRejected {
  return new BulkheadRejected(`${account} does not answer at the moment`, 'carrier', {
    retryAfterMs: forMs,
    held: true,
  });
}

/** Whoever takes over may begin at once. */
function stopping(): BulkheadRejected {
  return new BulkheadRejected('the service stops', 'limit', { retryAfterMs: 0, held: true });
}

/** What the calls of one visit say together: a carrier that answers one of them answers. */
function createSigns(purpose: Visitor['purpose']) {
  const seen = new Set<Sign>();
  let retryAfterMs: number | null = null;
  let lost = false;
  const watch: Call = async (call) => {
    try {
      const result = await call();
      seen.add('answers');
      return result;
    } catch (error) {
      seen.add(signOf(error));
      if (error instanceof CarrierUnavailable) retryAfterMs = Math.max(retryAfterMs ?? 0, error.retryAfterMs ?? 0);
      lost ||= purpose === 'booking' && error instanceof OutcomeUnknown;
      throw error;
    }
  };
  const sign = (): Sign => (seen.has('answers') ? 'answers' : seen.has('down') ? 'down' : 'nothing');
  return { watch, end: (): VisitEnd => ({ sign: sign(), retryAfterMs, lost }) };
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
