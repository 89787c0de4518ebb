import type { CarrierAccount, CarrierAdapter, Clock, Traits } from '../../carriers/contract/adapter.js';
import { createHeldLeases } from '../../src/worker/held-leases.js';
import { createClaimedRows } from '../../src/consignment/claimed-rows.js';
import { createReservedReferences } from '../../src/consignment/reserved-references.js';
import { createUnwrittenAnswers } from '../../src/consignment/unwritten-answers.js';
import { type RecordedCall, createBulkhead } from '../../src/accounts/bulkhead.js';
import type { Consignment, Effect, Part } from '../../src/consignment/consignment.js';
import type { TransitionContext } from '../../src/consignment/machine/facts.js';
import { compileRules } from '../../src/routing/choose-carrier.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { silentLog } from '../../src/log.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';

export const NOON = new Date('2030-03-04T12:00:00Z');

/** A consignment that has just arrived. */
export function consignment(changes: Partial<Consignment> = {}): Consignment {
  return {
    id: 'c-1',
    area: '1',
    bookedOn: 'transport-booking',
    documentId: 'd-1',
    shipmentId: 's-1',
    shipmentNumber: '10045',
    eventCarrierName: null,
    addressee: { eventId: 'e-1', userId: 7, deviceName: 'desk-1' },
    state: 'received',
    version: 1,
    plan: null,
    reference: null,
    parts: [],
    effects: [],
    shortfalls: [],
    outcome: null,
    claimed: false,
    needsOperator: false,
    cancelRequest: null,
    compensating: false,
    attempts: 0,
    run: 1,
    runStartedAt: NOON,
    dueAt: NOON,
    parkedUntil: null,
    areaMissingSince: null,
    waitingFor: null,
    leaseUntil: null,
    createdAt: NOON,
    ...changes,
  };
}

/** What is fixed when a shipment of these containers is planned. */
export function plan(containers: readonly string[]): NonNullable<Consignment['plan']> {
  return { account: 'main', carrierId: 'test', carrierName: 'Test Carrier', rule: null, containers, contextId: '1' };
}

export function part(n: number, changes: Partial<Part> = {}): Part {
  return {
    n,
    run: 1,
    state: 'planned',
    request: bookingRequest({ reference: `10045-${n}`, parcels: [parcel({ id: `box-${n}` })] }),
    attempt: 0,
    sentAt: null,
    quietFrom: null,
    booking: null,
    problems: [],
    unmatched: [],
    labels: 'missing',
    ...changes,
  };
}

/** A part the carrier has confirmed, with one number for each of its parcels. */
export function bookedPart(n: number, changes: Partial<Part> = {}): Part {
  const { parcels } = changes.request ?? part(n).request;
  return part(n, {
    state: 'booked',
    attempt: 1,
    booking: {
      carrierNumber: `C-${n}`,
      parcels: parcels.map(({ id }) => ({
        kind: 'booked',
        parcelId: id,
        trackingNumber: `T-${id}`,
        trackingUrl: null,
      })),
      labelSource: null,
    },
    ...changes,
  });
}

export function effect(key: string, changes: Partial<Effect> = {}): Effect {
  return { key, wave: 1, call: { kind: 'print' }, state: 'open', note: null, ...changes };
}

export function transitionContext(changes: Partial<TransitionContext> = {}): TransitionContext {
  return {
    now: NOON,
    random: 0.5,
    giveUpAfterMs: 30 * 60_000,
    printing: 'resource',
    numberPattern: null,
    bookingEndsWithinMs: 60_000,
    canCancel: true,
    labelLink: () => 'https://waybridge.example/labels/c-1',
    ...changes,
  };
}

/** A carrier of which only the traits that matter here are said. */
export function adapter(traits: Partial<Traits>): CarrierAdapter {
  return {
    id: 'test',
    name: 'Test Carrier',
    fields: {},
    sample: { account: 'test', config: () => ({}), secrets: {}, request: bookingRequest() },
    baseUrl: 'https://carrier.example',
    traits: {
      repeatedBooking: 'books-again',
      bookingVisibleAfterMs: 0,
      maxParcels: 1,
      maxReferenceLength: 35,
      labels: [{ format: 'pdf' }],
      ...traits,
    },
    Config: Object,
    connect: () => {
      throw new Error('it is connected already');
    },
  };
}

/** Just enough around a consignment for the steps that talk to its carrier. */
export function bookingContext(carrier: CarrierAccount, traits: Partial<Traits>, clock: Clock): BookingContext {
  const account = {
    name: 'main',
    imsCarrierName: 'Test Carrier',
    adapter: adapter(traits),
    carrier,
    bulkhead: {
      ...createBulkhead({ account: 'main', clock, random: () => 0.5, log: silentLog }),
      run: <Result>(_who: string, work: (call: RecordedCall) => Promise<Result>) => work((call) => call()),
      circuitState: () => 'closed' as const,
      close: () => undefined,
    },
    dryRun: async () => [],
    probeOnce: async () => null,
  };
  const unused = () => {
    throw new Error('this test has no database');
  };
  return {
    database: { kind: 'embedded', query: unused, script: unused, transaction: unused, close: unused },
    clock,
    random: () => 0.5,
    log: silentLog,
    configuredAt: clock.now(),
    areas: new Map(),
    accounts: new Map([['main', account]]),
    rules: compileRules([], [account]),
    printing: { mode: 'none' },
    assemble: unused,
    beginAssembly: () => undefined,
    drawPaper: async () => new Uint8Array(),
    drawPage: async () => new Uint8Array(),
    mask: (text) => text,
    labelLink: () => '',
    lease: { owner: 'test', lengthMs: 1_000_000, held: createHeldLeases() },
    claimed: createClaimedRows(),
    reserved: createReservedReferences(),
    unwritten: createUnwrittenAnswers(),
    ahead: { event: () => undefined, booking: () => undefined },
  };
}
