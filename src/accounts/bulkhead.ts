import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/errors.js';
import { LinkRefused, NoAnswer, wasNotPermitted } from '../../carriers/contract/http-port.js';
import {
  AccountCircuit,
  type BreakerState,
  type CircuitTools,
  type CallOutcome,
  type CallEnd,
  type Caller,
} from './account-circuit.js';
import { type BookingWindow, createBookingWindow } from './booking-window.js';
import { createPlaces } from './places.js';
import type { Wait } from '../worker/backoff.js';

/** Concurrent runs for one account, so that a carrier that hangs delays no other. */
const CALLS_AT_ONCE = 16;
/** The longest queue in memory; more consignments wait in the ledger. */
const MAX_QUEUE = 100;
const QUEUE_FULL_RETRY_MS = 1_000;

/** Nothing was sent: the queue is full, the circuit is open, or the service stops. */
export class BulkheadRejected extends Error {
  override readonly name = 'BulkheadRejected';

  /** @param waitingFor `limit`: only the queue is full */
  constructor(
    message: string,
    readonly waitingFor: 'carrier' | 'limit',
    readonly wait: Wait,
  ) {
    super(message);
  }
}

/** Makes one call to the carrier and records what it shows about the carrier; errors come through unchanged. */
export type RecordedCall = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** Limits the calls to one account; shared by everything that calls the carrier. */
export interface Bulkhead {
  /**
   * Runs some work at the carrier when a place is free.
   * @param consignment the id of the consignment
   * @param work every call in it goes through `call`
   * @param purpose `booking`: what it sends may be booked
   * @throws BulkheadRejected before `work` began
   */
  run<Result>(
    consignment: string,
    work: (call: RecordedCall) => Promise<Result>,
    purpose?: Caller['purpose'],
  ): Promise<Result>;
  /** Whether `run` would begin a booking at once. */
  hasFreePlace(): boolean;
  circuitState(): BreakerState;
  /** Rejects work that has not begun, now and later; running work continues. */
  close(): void;
  readonly circuit: AccountCircuit;
}

export interface BulkheadTools extends Omit<CircuitTools, 'changed'> {
  /** The number of instances that book; default: one. */
  readonly instances?: () => number;
}

/**
 * At most sixteen concurrent runs, a bounded queue, and a circuit breaker. Bookings at a carrier without a lookup also
 * pass a booking window.
 */
export function createBulkhead(tools: BulkheadTools): Bulkhead {
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

  /** Rejects at once what the circuit would reject at the end of the queue. */
  function requireRoom(): void {
    if (closed) throw stopping();
    if (places.waiting() + (window?.waiting() ?? 0) >= MAX_QUEUE) throw full(account);
    const forMs = circuit.rejectsFor();
    if (forMs !== null) throw notAnswering(account, forMs);
  }

  async function atPlace<Result>(caller: Caller, work: (call: RecordedCall) => Promise<Result>): Promise<Result> {
    await places.take().catch(refuseStopping);
    try {
      return await inside({ circuit, window, account }, caller, work);
    } finally {
      places.leave();
    }
  }

  return {
    circuit,
    run: async (consignment, work, purpose = 'other') => {
      requireRoom();
      if (window === null || purpose !== 'booking') return atPlace({ consignment, purpose }, work);
      await window.take().catch(refuseStopping);
      try {
        return await atPlace({ consignment, purpose }, work);
      } finally {
        window.leave();
      }
    },
    hasFreePlace: () => !closed && !circuit.isOpen() && places.hasFreePlace() && (window?.hasFreePlace() ?? true),
    circuitState: () => circuit.circuitState(),
    close: () => {
      if (!closed) for (const each of [places, window]) each?.close();
      closed = true;
    },
  };
}

/** What a call to an account passes. */
interface Gates {
  readonly circuit: AccountCircuit;
  readonly window: BookingWindow | null;
  readonly account: string;
}

/** Checks the circuit again after the wait in the queue. */
async function inside<Result>(
  { circuit, window, account }: Gates,
  caller: Caller,
  work: (call: RecordedCall) => Promise<Result>,
): Promise<Result> {
  const asked = circuit.enter(caller);
  const entry = asked instanceof Promise ? await asked : asked;
  if (entry.kind === 'rejected') throw notAnswering(account, entry.forMs);
  const watched = createCallWatch(caller.purpose);
  try {
    return await work(watched.call);
  } finally {
    const end = watched.end();
    entry.permit.ended(end);
    if (caller.purpose === 'booking' && end.outcome === 'answers') window?.answered();
  }
}

function refuseStopping(): never {
  throw stopping();
}

function full(account: string): BulkheadRejected {
  return new BulkheadRejected(`${MAX_QUEUE} calls to ${account} are waiting`, 'limit', {
    retryAfterMs: QUEUE_FULL_RETRY_MS,
  });
}

function notAnswering(account: string, forMs: number): BulkheadRejected {
  return new BulkheadRejected(`${account} does not answer at the moment`, 'carrier', {
    retryAfterMs: forMs,
    parked: true,
  });
}

/** The next owner may continue at once. */
function stopping(): BulkheadRejected {
  return new BulkheadRejected('the service stops', 'limit', { retryAfterMs: 0, parked: true });
}

/** Combines the results of one run's calls: a carrier that answers one of them answers. */
function createCallWatch(purpose: Caller['purpose']) {
  const seen = new Set<CallOutcome>();
  let retryAfterMs: number | null = null;
  let lost = false;
  const watch: RecordedCall = async (call) => {
    try {
      const result = await call();
      seen.add('answers');
      return result;
    } catch (error) {
      seen.add(outcomeOf(error));
      if (error instanceof CarrierUnavailable) retryAfterMs = Math.max(retryAfterMs ?? 0, error.retryAfterMs ?? 0);
      lost ||= purpose === 'booking' && error instanceof OutcomeUnknown;
      throw error;
    }
  };
  const outcome = (): CallOutcome => (seen.has('answers') ? 'answers' : seen.has('down') ? 'down' : 'nothing');
  return { call: watch, end: (): CallEnd => ({ outcome: outcome(), retryAfterMs, lost }) };
}

/**
 * A refusal is an answer, also of our login. An error that is not about communication is ours and shows nothing about
 * the carrier; nor does a request that we held back.
 */
function outcomeOf(error: unknown): CallOutcome {
  if (wasNotPermitted(error)) return 'nothing';
  if (error instanceof CarrierRejected || error instanceof LinkRefused) return 'answers';
  return [CarrierUnavailable, OutcomeUnknown, NoAnswer].some((kind) => error instanceof kind) ? 'down' : 'nothing';
}
