import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BookingMeasures } from '../consignment/context.js';
import { statesThat } from '../consignment/states.js';
import type { CallbackReceipt } from '../tracking/callbacks/receive.js';
import type { CountedExchange } from './counted-http.js';

/** From a step in memory to the 25 s of a call of the IMS. */
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];
/** From a quick label to a booking that was given up. */
const BOOKING_SECONDS = [0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, 1_800];
const UNKNOWN = 'none';
/** Refused and incomplete: an alert asks for their increase. */
const WATCHED_OUTCOMES = statesThat(({ newRun }) => newRun === 'by-event');
const EXPECTED_STATUSES = ['200', '401', '403', '429', '500', '502', '503', '504', UNKNOWN];

/**
 * The measures of one process, in a registry of its own. Labels name carriers, accounts and areas of the configuration,
 * states and statuses, and never a shipment or a person.
 */
export interface Metrics {
  readonly registry: Registry;
  readonly bookings: BookingMeasures & {
    /** Begins the figures of an account's bookings in an area, which alerts watch, with 0. */
    expect(booked: { readonly area: string; readonly carrier: string; readonly account: string }): void;
  };
  /** @param waitedMs how long a request to the IMS waited for its slot */
  limiter(waitedMs: number): void;
  ims(exchange: CountedExchange): void;
  carrier(account: string, exchange: CountedExchange): void;
  /** @param account one of the configuration */
  callback(account: string, receipt: CallbackReceipt | 'not-stored'): void;
  /** Rows that retention deleted or made anonymous. */
  deleted(what: string, count: number): void;
  /** What the last sample showed. */
  gauges: Gauges;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const callbacks = new Counter({
    name: 'waybridge_callbacks_total',
    help: 'Callbacks of carriers by account and what became of them.',
    labelNames: ['account', 'outcome'],
    registers,
  });
  const limiter = new Histogram({
    name: 'waybridge_ims_limiter_wait_seconds',
    help: 'Time that a request to the IMS waited for the limit of requests a second.',
    buckets: CALL_SECONDS,
    registers,
  });
  const deleted = new Counter({
    name: 'waybridge_retention_rows_total',
    help: 'Rows that were deleted or made anonymous because of their age, by kind.',
    labelNames: ['kind'],
    registers,
  });
  return {
    registry,
    bookings: bookingMeasures(registers),
    limiter: (waitedMs) => limiter.observe(waitedMs / 1_000),
    ...exchangeMeasures(registers),
    callback: (account, outcome) => callbacks.inc({ account, outcome }),
    deleted: (kind, count) => deleted.inc({ kind }, count),
    gauges: createGauges(registers),
  };
}

function bookingMeasures(registers: Registry[]): Metrics['bookings'] {
  const labelNames = ['area', 'carrier', 'account', 'outcome'];
  const bookings = new Counter({
    name: 'waybridge_bookings_total',
    help: 'Bookings that came to rest, by carrier and outcome; needs-operator: only a person can continue.',
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: 'waybridge_booking_duration_seconds',
    help: 'Time from the event to the rest of the booking.',
    labelNames: ['carrier', 'outcome'],
    buckets: BOOKING_SECONDS,
    registers,
  });
  const steps = new Histogram({
    name: 'waybridge_step_duration_seconds',
    help: 'Time of each step of a booking, with its requests.',
    labelNames: ['step'],
    buckets: CALL_SECONDS,
    registers,
  });
  return {
    // A series that begins with its first refusal would show no increase.
    expect: ({ area, carrier, account }) =>
      WATCHED_OUTCOMES.forEach((outcome) => bookings.inc({ area, carrier, account, outcome }, 0)),
    step: (step, tookMs) => steps.observe({ step }, tookMs / 1_000),
    ended: ({ area, outcome, tookMs, ...by }) => {
      const { carrier, account } = { carrier: by.carrier ?? UNKNOWN, account: by.account ?? UNKNOWN };
      bookings.inc({ area, carrier, account, outcome });
      seconds.observe({ carrier, outcome }, Math.max(0, tookMs) / 1_000);
    },
  };
}

function exchangeMeasures(registers: Registry[]): Pick<Metrics, 'ims' | 'carrier'> {
  const requests = (name: string, labelNames: string[]) => ({
    total: new Counter({
      name: `waybridge_${name}_requests_total`,
      help: `Requests to ${name === 'ims' ? 'the IMS' : 'carriers'} by status; none: no answer came.`,
      labelNames: [...labelNames, 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: `waybridge_${name}_request_duration_seconds`,
      help: 'Time of a request until its answer, or until none came.',
      labelNames,
      buckets: CALL_SECONDS,
      registers,
    }),
  });
  const ims = requests('ims', []);
  // A series that begins with its first failure would show no increase.
  for (const status of EXPECTED_STATUSES) ims.total.inc({ status }, 0);
  const carrier = requests('carrier', ['account']);
  return {
    ims: ({ status, tookMs }) => {
      ims.total.inc({ status: statusLabel(status) });
      ims.seconds.observe(tookMs / 1_000);
    },
    carrier: (account, { status, tookMs }) => {
      carrier.total.inc({ account, status: statusLabel(status) });
      carrier.seconds.observe({ account }, tookMs / 1_000);
    },
  };
}

/** A server may answer with any number: only those that HTTP has become labels. */
function statusLabel(status: number | null): string {
  if (status === null) return UNKNOWN;
  return Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : 'other';
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registers: Registry[]) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name: `waybridge_${name}`, help, labelNames, registers });
  return {
    databaseUp: gauge('database_up', '1: the database answered the last sample; 0: figures from the database are old.'),
    queue: gauge('queue_consignments', 'Bookings that Waybridge continues by itself, by state.', ['state']),
    oldest: gauge('queue_oldest_age_seconds', 'Age of the oldest booking that Waybridge continues by itself.'),
    inDoubt: gauge('consignments_in_doubt', 'Bookings of which it is not known whether the carrier has them.'),
    needsOperator: gauge('consignments_need_operator', 'Bookings that continue only by resolve.'),
    returnsInDoubt: gauge(
      'return_labels_in_doubt',
      'Return labels of which it is not known whether the carrier has made them.',
    ),
    tasks: gauge('queue_tasks', 'Open tasks: events that book nothing.'),
    updates: gauge('queue_ims_updates', 'Updates about parcels that the IMS has not taken yet.'),
    undelivered: gauge('undelivered', 'What was given up and needs a person, by kind.', ['kind']),
    circuit: gauge('circuit_open', '1: the carrier does not answer, and its bookings wait.', ['account']),
    dailyRequests: gauge('ims_daily_requests', 'Requests of the UTC day for the key of an area.', ['area']),
    dailyLimit: gauge('ims_daily_requests_limit', 'Requests that the IMS takes in a UTC day for each key.'),
    callbacksMissing: gauge('callbacks_missing', '1: no callback for a day, with older parcels on their way.', [
      'account',
    ]),
    trackingLoginRefused: gauge(
      'tracking_login_refused',
      '1: the carrier refuses the login of requests about parcels.',
      ['account'],
    ),
    diskFree: gauge('disk_free_bytes', 'Free space where DATA_DIR is; only with the embedded database.'),
    diskSize: gauge('disk_size_bytes', 'Size of the disk where DATA_DIR is; only with the embedded database.'),
    loopDelay: gauge('event_loop_delay_seconds', 'Delay of the event loop since the last scrape.', ['quantile']),
    memory: new Gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory.', registers }),
    started: new Gauge({
      name: 'process_start_time_seconds',
      help: 'Start of the process, in seconds since 1970.',
      registers,
    }),
    cpu: new Counter({ name: 'process_cpu_seconds_total', help: 'Processor time of the process.', registers }),
  };
}
