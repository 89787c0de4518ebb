import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { inspect } from 'node:util';
import type {
  Address,
  Booking,
  BookingRequest,
  CarrierAccount,
  CarrierAdapter,
  HttpPort,
  Label,
  Loss,
  StartSimulator,
} from '../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/index.js';
import type { CarrierServer, Fault, SeenRequest } from './carrier-server.js';
import {
  answering,
  closedAddress,
  cuttingShort,
  losingTheAnswer,
  neverAnswering,
  resetting,
  startCarrierServer,
} from './carrier-server.js';
import { startExactCarrier } from './exact-carrier.js';
import type { Exchange } from './exchanges.js';
import { anyRequest, danishParty } from './random-request.js';
import { TEST_NOW, bookingRequest } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

export interface CarrierSuite {
  /** The account's `config` as it stands in the configuration file. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Keys of `config` without which it is not accepted. */
  readonly requiredKeys: readonly string[];
  /** Values of `config` that must appear in no error. */
  readonly secrets: readonly string[];
  /** Changes to `config` with which the carrier does not let us in. */
  readonly wrongConfig: Readonly<Record<string, unknown>>;
  readonly startSimulator: StartSimulator;
  /** Requests that the carrier books, the ordinary one first; the names continue "books ...". */
  readonly variants: readonly (readonly [string, BookingRequest])[];
  /** A request that the carrier refuses. */
  readonly refused: BookingRequest;
  /** Whether the carrier's answer names our id of each parcel. */
  readonly parcelsMatchedBy: 'id' | 'position';
  /** Which requests change something; by default all but GET. */
  readonly changes?: (request: SeenRequest) => boolean;
  /**
   * The texts of the parties in a request that arrived, by the names that `losses` has for their fields; those of an
   * address beside each other in the order in which one reads them.
   */
  readonly received: (seen: SeenRequest) => Readonly<Record<string, string | null>>;
  readonly exchanges?: readonly Exchange[];
}

const SHORT_MS = 500;

/** Waits no longer than a test can for an answer which never comes. */
const impatient: HttpPort = {
  send: (request) => testHttpPort.send({ ...request, timeoutMs: SHORT_MS }),
  fetchLink: (url, limits) => testHttpPort.fetchLink(url, { ...limits, timeoutMs: SHORT_MS }),
};

/** Only where no answer comes is the wait short: a busy machine may be late with any other. */
export function portFor(fault: Fault | null): HttpPort {
  return fault === neverAnswering ? impatient : testHttpPort;
}

export const LOST: readonly (readonly [string, Fault])[] = [
  ['status 500', answering(500, 'oops')],
  ['status 502 without a body', answering(502)],
  ['status 504 with a page', answering(504, '<html>gateway</html>')],
  ['status 408', answering(408)],
  ['a connection that is reset', resetting],
  ['an answer cut short', cuttingShort],
  ['no answer in time', neverAnswering],
];

const INTERNAL_AT_BRING = JSON.stringify({
  consignments: [{ confirmation: null, errors: [{ code: 'BOOK-INTERNAL-001', messages: [] }] }],
});

export const UNREADABLE: readonly (readonly [string, Fault])[] = [
  ['a page with status 200', answering(200, '<html>maintenance</html>', { 'content-type': 'text/html' })],
  ['status 200 without a body', answering(200)],
  ['an empty object with status 200', answering(200, '{}', { 'content-type': 'application/json' })],
  ['an empty list with status 200', answering(200, '[]', { 'content-type': 'application/json' })],
  ['null with status 200', answering(200, 'null', { 'content-type': 'application/json' })],
  ['a redirect', answering(302, '', { location: '/elsewhere' })],
];

/** What every carrier must do, against its simulator over real HTTP and against exact exchanges. */
export function describeCarrier<Settings extends object>(adapter: CarrierAdapter<Settings>, suite: CarrierSuite): void {
  describe(`${adapter.id}, as every carrier`, () => {
    const settings = accountSettings(adapter, suite.config);
    const [, ordinary] = suite.variants[0] ?? [];
    if (!ordinary) throw new Error('the first variant is the ordinary request');
    const changes = suite.changes ?? ((request: SeenRequest) => request.method !== 'GET');
    let server: CarrierServer;
    let now: Date;

    beforeEach(async () => {
      now = TEST_NOW;
      server = await startCarrierServer(adapter.id, suite.startSimulator, () => now);
    });
    afterEach(() => server.close());

    function connect(http: HttpPort = testHttpPort, config: Settings = settings): CarrierAccount {
      return adapter.connect(config, { http, clock: { now: () => now }, baseUrl: server.baseUrl });
    }
    function untilVisible(): void {
      now = new Date(now.getTime() + adapter.traits.bookingVisibleAfterMs);
    }

    describe('settings', () => {
      it('takes the configuration of the sample account', () => {
        expect(validateSync(settings)).toEqual([]);
      });

      it.each([...suite.requiredKeys])('asks for %s when it is missing', (key) => {
        const rest = Object.fromEntries(Object.entries(suite.config).filter(([name]) => name !== key));
        const problems = validateSync(accountSettings(adapter, rest));
        expect(problems.map((problem) => problem.property)).toContain(key);
      });
    });

    describe('booking', () => {
      it.each([...suite.variants])('books %s and returns every parcel in its order', async (_case, request) => {
        const { booking } = await connect().book(deepFreeze(request));

        expect(booking.parcels.map((parcel) => parcel.parcelId)).toEqual(request.parcels.map((parcel) => parcel.id));
        expect(server.simulator.bookings()).toMatchObject([
          {
            reference: request.reference,
            carrierNumber: booking.carrierNumber,
            trackingNumbers: trackingNumbers(booking),
            state: 'booked',
          },
        ]);
      });

      it.each([...suite.variants])('finds nothing to object to beforehand in %s', (_case, request) => {
        expect(connect().check?.(request) ?? []).toEqual([]);
      });

      it('sends one changing request for a booking', async () => {
        await connect().book(ordinary);
        expect(server.seen.filter(changes)).toHaveLength(1);
      });

      it('takes a reference as long as its traits promise', async () => {
        const reference = 'R'.padEnd(adapter.traits.maxReferenceLength, '0123456789');
        await connect().book({ ...ordinary, reference });
        expect(server.simulator.bookings().map((booking) => booking.reference)).toEqual([reference]);
      });

      it('does with a repeated reference what its traits say', async () => {
        const first = await connect().book(ordinary);
        const second = connect().book(ordinary);
        switch (adapter.traits.repeatedBooking) {
          case 'books-again':
            expect(trackingNumbers((await second).booking)).not.toEqual(trackingNumbers(first.booking));
            return;
          case 'returns-first':
            expect(trackingNumbers((await second).booking)).toEqual(trackingNumbers(first.booking));
            return;
          case 'refused':
            await expect(second).rejects.toMatchObject({ name: 'CarrierRejected', because: 'duplicate' });
        }
      });

      if (ordinary.parcels.length > 1 && suite.parcelsMatchedBy === 'id')
        it('gives each parcel its own number when the answer names them in another order', async () => {
          const { booking } = await connect(rewriting(reversed)).book(ordinary);
          const [booked] = server.simulator.bookings();
          expect(booking.parcels.map((parcel) => parcel.parcelId)).toEqual(ordinary.parcels.map((each) => each.id));
          expect(trackingNumbers(booking)).toEqual(booked?.trackingNumbers);
        });

      if (ordinary.parcels.length > 1)
        it('does not know what became of a booking when the answer leaves out a parcel', async () => {
          await expect(connect(rewriting(withoutLast)).book(ordinary)).rejects.toBeInstanceOf(OutcomeUnknown);
        });
    });

    describe('a booking that fails', () => {
      it('is rejected with problems when the carrier refuses it', async () => {
        const error = await errorOf(connect().book(suite.refused));
        expect(error).toBeInstanceOf(CarrierRejected);
        expect((error as CarrierRejected).problems.length).toBeGreaterThan(0);
        expect(server.simulator.bookings()).toEqual([]);
      });

      it('is rejected when the carrier does not let us in', async () => {
        const stranger = accountSettings(adapter, { ...suite.config, ...suite.wrongConfig });
        await expect(connect(testHttpPort, stranger).book(ordinary)).rejects.toBeInstanceOf(CarrierRejected);
        expect(server.simulator.bookings()).toEqual([]);
      });

      it.each([...LOST, ...UNREADABLE])('has an unknown outcome after %s', async (_case, fault) => {
        server.failWith(fault);
        await expect(connect(portFor(fault)).book(ordinary)).rejects.toBeInstanceOf(OutcomeUnknown);
        expect(server.seen).toHaveLength(1);
      });

      it('was certainly not made after status 429, and waits as long as the carrier asks', async () => {
        server.failWith(answering(429, '', { 'retry-after': '7' }));
        await expect(connect().book(ordinary)).rejects.toMatchObject({
          name: 'CarrierUnavailable',
          retryAfterMs: 7_000,
        });
      });

      it.each([
        ['503', 503, 'Service Unavailable'],
        ['503 with a code', 503, '{"errors":[{"code":"closed","text":"closed"}]}'],
        ['an internal error in a 200', 200, INTERNAL_AT_BRING],
        ['an internal error in a 500', 500, INTERNAL_AT_BRING],
      ])('was certainly not made after %s only where the traits say so', async (_case, status, body) => {
        server.failWith(answering(status, body, { 'content-type': 'application/json' }));
        const answer = { status, headers: {}, body: new TextEncoder().encode(body) };
        const proven = adapter.traits.nothingBookedAfter?.(answer) === true;
        const error = await errorOf(connect().book(ordinary));
        expect(error).toBeInstanceOf(proven ? CarrierUnavailable : OutcomeUnknown);
      });

      it('was certainly not made when the connection is refused', async () => {
        const tools = { http: testHttpPort, clock: { now: () => now }, baseUrl: await closedAddress() };
        await expect(adapter.connect(settings, tools).book(ordinary)).rejects.toBeInstanceOf(CarrierUnavailable);
      });

      it.each<readonly [string, Fault | null]>([
        ['a refusal', null],
        ['status 401', answering(401, 'who are you')],
        ['status 429', answering(429)],
        ...LOST,
        ...UNREADABLE,
      ])('shows no secret after %s', async (_case, fault) => {
        server.failWith(fault);
        const error = await errorOf(connect(portFor(fault)).book(suite.refused));
        expect(secretsIn(error, suite.secrets)).toEqual([]);
      });
    });

    const able = connectable(adapter, settings);

    describe('beforehand', () => {
      it('judges every request, always in the same way, with a code and words for each problem', () => {
        fc.assert(
          fc.property(anyRequest, (request) => {
            const problems = able.check?.(deepFreeze(request)) ?? [];
            const ids = [null, ...request.parcels.map((each) => each.id)];
            for (const { code, text, parcelId } of problems) {
              expect(code).toMatch(/^[a-z-]+$/);
              expect(text).toMatch(/\.$/);
              expect(ids).toContain(parcelId);
            }
            expect(able.check?.(request) ?? []).toEqual(problems);
          }),
        );
      });

      it('judges a request that was frozen before goods were part of it', () => {
        const frozen: BookingRequest = JSON.parse(JSON.stringify({ ...ordinary, goods: undefined }));
        expect(able.check?.(frozen) ?? []).toEqual([]);
      });

      it('tells of every request what the carrier gets otherwise', () => {
        fc.assert(
          fc.property(anyRequest, (request) => {
            const losses = able.losses?.(deepFreeze(request)) ?? [];
            for (const { given, sent, kind } of losses) {
              expect(sent).not.toBe(given);
              expect(sent === '' || kind !== 'dropped').toBe(true);
            }
            expect(able.losses?.(request) ?? []).toEqual(losses);
          }),
        );
      });

      it('sends what it told, no part of an address is missing from both, and what it takes is booked', async () => {
        const parties = fc.record({ sender: danishParty, recipient: danishParty });
        await fc.assert(
          fc.asyncProperty(parties, async ({ sender, recipient }) => {
            const request = { ...ordinary, sender, recipient };
            const objections = connect().check?.(request) ?? [];
            fc.pre(objections.length === 0);

            await connect().book(request);

            const last = server.seen.filter(changes).at(-1);
            if (!last) throw new Error('nothing arrived');
            const received = suite.received(last);
            const losses = connect().losses?.(request) ?? [];
            const ofParties = losses.filter(({ field }) => /^(sender|recipient)\./.test(field));
            for (const { field, sent } of ofParties) expect([field, received[field] ?? '']).toEqual([field, sent]);
            expect(missingParts(recipient.address, received, ofParties)).toEqual([]);
          }),
          { numRuns: 40 },
        );
      });
    });

    if (able.quote)
      describe('a quote', () => {
        it('has a price in a currency and books nothing', async () => {
          const quote = await connect().quote?.(ordinary);
          expect(quote?.amount).toMatch(/^\d+(\.\d+)?$/);
          expect(quote?.currency).toMatch(/^[A-Z]{3}$/);
          expect(quote?.estimatedDelivery ?? '2030-03-05').toMatch(/^\d{4}-\d\d-\d\d$/);
          expect(server.simulator.bookings()).toEqual([]);
        });

        it.each([...LOST, ...UNREADABLE, ['status 429', answering(429)] as const])(
          'is not to be had just now after %s',
          async (_case, fault) => {
            server.failWith(fault);
            await expect(connect(portFor(fault)).quote?.(ordinary)).rejects.toBeInstanceOf(CarrierUnavailable);
          },
        );

        it('is not to be had from a carrier that is not there', async () => {
          const tools = { http: testHttpPort, clock: { now: () => now }, baseUrl: await closedAddress() };
          await expect(adapter.connect(settings, tools).quote?.(ordinary)).rejects.toBeInstanceOf(CarrierUnavailable);
        });

        it('shows no secret', async () => {
          server.failWith(answering(500, 'oops'));
          expect(secretsIn(await errorOf(connect().quote?.(ordinary) ?? Promise.resolve()), suite.secrets)).toEqual([]);
        });
      });

    if (able.probe)
      describe('a probe', () => {
        it('is answered by a carrier that answers, books nothing and asks for nothing that could be booked', async () => {
          await connect().probe?.();
          expect(server.seen).toHaveLength(1);
          expect(server.simulator.bookings()).toEqual([]);
        });

        it('is answered too where the carrier does not let us in', async () => {
          const stranger = accountSettings(adapter, { ...suite.config, ...suite.wrongConfig });
          await expect(connect(testHttpPort, stranger).probe?.()).resolves.toBeUndefined();
        });

        it.each([
          ...LOST,
          ['status 429', answering(429)] as const,
          ['status 503', answering(503, 'down')] as const,
          ['a page with status 200', answering(200, '<html>maintenance</html>')] as const,
          ['a redirect', answering(302, '', { location: '/elsewhere' })] as const,
        ])('is not answered after %s, and shows no secret', async (_case, fault) => {
          server.failWith(fault);
          const error = await errorOf(connect(portFor(fault)).probe?.() ?? Promise.resolve());
          expect(error).toBeInstanceOf(CarrierUnavailable);
          expect(secretsIn(error, suite.secrets)).toEqual([]);
          expect(server.simulator.bookings()).toEqual([]);
        });

        it('is not answered by a carrier that is not there', async () => {
          const tools = { http: testHttpPort, clock: { now: () => now }, baseUrl: await closedAddress() };
          await expect(adapter.connect(settings, tools).probe?.()).rejects.toBeInstanceOf(CarrierUnavailable);
        });
      });

    if (able.findByReference)
      describe('finding a booking again', () => {
        it('finds what was booked', async () => {
          const { booking } = await connect().book(ordinary);
          untilVisible();
          const found = await connect().findByReference?.(ordinary);
          expect(found?.carrierNumber).toEqual(booking.carrierNumber);
          expect(found?.parcels.map((parcel) => parcel.trackingNumber)).toEqual(trackingNumbers(booking));
          const ids = found?.parcels.map((parcel) => parcel.parcelId) ?? [];
          if (ids.some((id) => id !== null)) expect(ids).toEqual(ordinary.parcels.map((parcel) => parcel.id));
        });

        it('finds a booking whose answer was lost', async () => {
          server.failWith(losingTheAnswer);
          await expect(connect().book(ordinary)).rejects.toBeInstanceOf(OutcomeUnknown);
          server.failWith(null);
          untilVisible();
          const found = await connect().findByReference?.(ordinary);
          expect(found?.parcels.map((parcel) => parcel.trackingNumber)).toEqual(
            server.simulator.bookings()[0]?.trackingNumbers,
          );
        });

        it('finds none where nothing was booked under this reference', async () => {
          await connect().book({ ...ordinary, reference: `${ordinary.reference}9` });
          untilVisible();
          expect(await connect().findByReference?.(ordinary)).toBeNull();
        });

        it.each([...LOST, ...UNREADABLE, ['status 429', answering(429)] as const])(
          'can be asked again after %s',
          async (_case, fault) => {
            server.failWith(fault);
            await expect(connect(portFor(fault)).findByReference?.(ordinary)).rejects.toBeInstanceOf(
              CarrierUnavailable,
            );
          },
        );
      });

    describe('labels', () => {
      it.each([...suite.variants])('are PDFs with a page for each parcel of %s', async (_case, request) => {
        const account = connect();
        const { booking, labels } = await account.book(request);
        const all = labels.length > 0 ? labels : ((await account.fetchLabels?.(booking)) ?? []);
        expect(await pageCount(all)).toBe(request.parcels.length);
      });

      if (able.fetchLabels)
        it.each([
          ...LOST,
          ['status 429', answering(429)] as const,
          [
            'a page with status 200',
            answering(200, '<html>maintenance</html>', { 'content-type': 'text/html' }),
          ] as const,
          ['no PDF under its name', answering(200, 'moved', { 'content-type': 'application/pdf' })] as const,
        ])('can be fetched again after %s', async (_case, fault) => {
          const { booking } = await connect().book(ordinary);
          server.failWith(fault);
          await expect(connect(portFor(fault)).fetchLabels?.(booking)).rejects.toBeInstanceOf(CarrierUnavailable);
          server.failWith(null);
          expect(await pageCount((await connect().fetchLabels?.(booking)) ?? [])).toBe(ordinary.parcels.length);
        });
    });

    if (able.closeOut)
      describe('closing out', () => {
        it('takes what was booked, and again without harm', async () => {
          const { booking } = await connect().book(ordinary);
          const first = await connect().closeOut?.([booking]);
          expect(await connect().closeOut?.([booking])).toEqual(first);
        });

        it.each([...LOST])('has an unknown outcome after %s', async (_case, fault) => {
          const { booking } = await connect().book(ordinary);
          server.failWith(fault);
          await expect(connect(portFor(fault)).closeOut?.([booking])).rejects.toBeInstanceOf(OutcomeUnknown);
        });
      });

    if (able.cancel)
      describe('cancelling', () => {
        it('cancels what was booked, and again without harm', async () => {
          const { booking } = await connect().book(ordinary);
          expect(await connect().cancel?.(booking)).toEqual({ kind: 'cancelled' });
          expect(server.simulator.bookings().map((each) => each.state)).toEqual(['cancelled']);
          await expect(connect().cancel?.(booking)).resolves.toBeDefined();
        });

        it.each([...LOST])('has an unknown outcome after %s', async (_case, fault) => {
          const { booking } = await connect().book(ordinary);
          server.failWith(fault);
          await expect(connect(portFor(fault)).cancel?.(booking)).rejects.toBeInstanceOf(OutcomeUnknown);
        });
      });

    if (suite.exchanges) describeExchanges(adapter, settings, suite.exchanges);
  });
}

function describeExchanges<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  settings: Settings,
  exchanges: readonly Exchange[],
): void {
  describe('exact exchanges', () => {
    it.each(exchanges.map((exchange) => [exchange.story, exchange] as const))('%s', async (_story, exchange) => {
      const { sent, outcome } = exchange;
      const baseUrl = adapter.baseUrl.replace(/\/$/, '');
      const carrier = startExactCarrier(new URL(baseUrl).origin, exchange.answer);
      try {
        const account = adapter.connect(settings, { http: carrier.http, clock: { now: () => TEST_NOW }, baseUrl });
        const call = callOf(account, exchange);

        if (outcome.kind === 'returns') expect(await call).toEqual(outcome.value);
        else {
          const { name, message, because } = outcome;
          const expected = { name, message: expect.stringContaining(message), ...(because ? { because } : {}) };
          await expect(call).rejects.toMatchObject(expected);
        }
        expect(carrier.arrived).toEqual([
          {
            method: sent.method,
            url: baseUrl + sent.path,
            query: sent.query ?? {},
            headers: expect.objectContaining(sent.headers ?? {}),
            body: sent.body,
          },
        ]);
      } finally {
        carrier.close();
      }
    });
  });
}

async function callOf(account: CarrierAccount, exchange: Exchange): Promise<unknown> {
  const request = bookingRequest(exchange.request);
  switch (exchange.call) {
    case 'book':
      return account.book(request);
    case 'findByReference':
      return account.findByReference?.(request);
    case 'track':
      return account.track?.(exchange.trackingNumbers ?? []);
  }
}

export function accountSettings<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  config: Readonly<Record<string, unknown>>,
): Settings {
  return plainToInstance(adapter.Config, config);
}

/** An account that talks to nobody, to see what it can do. */
function connectable<Settings extends object>(adapter: CarrierAdapter<Settings>, settings: Settings): CarrierAccount {
  return adapter.connect(settings, {
    http: testHttpPort,
    clock: { now: () => TEST_NOW },
    baseUrl: adapter.baseUrl.replace(/\/$/, ''),
  });
}

export function trackingNumbers(booking: Booking): readonly string[] {
  return booking.parcels.map((parcel) => (parcel.kind === 'booked' ? parcel.trackingNumber : 'refused'));
}

async function pageCount(labels: readonly Label[]): Promise<number> {
  const pages = await Promise.all(
    labels.map(async (label) => (await PDFDocument.load(new Uint8Array(label.bytes))).getPageCount()),
  );
  return pages.reduce((sum, count) => sum + count, 0);
}

/** The real exchange, with the JSON of the answer changed on its way. */
function rewriting(change: (json: unknown) => unknown): HttpPort {
  return {
    ...testHttpPort,
    send: async (request) => {
      const answer = await testHttpPort.send(request);
      const json: unknown = JSON.parse(new TextDecoder().decode(answer.body));
      return { ...answer, body: new TextEncoder().encode(JSON.stringify(change(json))) };
    },
  };
}

function reversed(json: unknown): unknown {
  return changeLists(json, (list) => [...list].reverse());
}

function withoutLast(json: unknown): unknown {
  return changeLists(json, (list) => (list.length > 1 ? list.slice(0, -1) : list));
}

function changeLists(json: unknown, change: (list: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(json)) return change(json.map((item) => changeLists(item, change)));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, changeLists(value, change)]));
}

/** The parts of an address whose letters stand neither in what arrived nor in what was told to be lost. */
function missingParts(
  address: Address,
  received: Readonly<Record<string, string | null>>,
  losses: readonly Loss[],
): readonly string[] {
  const bare = (text: string): string => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');
  const told = Object.fromEntries(losses.map(({ field, given }) => [field, given]));
  const lines = Object.entries({ ...received, ...told }).filter(([field]) => field.startsWith('recipient.'));
  const accountedFor = bare(lines.map(([, text]) => text ?? '').join(''));
  const { name, careOf, street, floorBlockOrSuite, district, city, stateOrProvince } = address;
  return [name, careOf, street, floorBlockOrSuite, district, city, stateOrProvince]
    .filter((part) => part !== null)
    .filter((part) => !accountedFor.includes(bare(part)));
}

export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('expected an error');
    },
    (error: unknown) => error,
  );
}

export function secretsIn(error: unknown, secrets: readonly string[]): readonly string[] {
  const text = inspect(error, { depth: 8, showHidden: true });
  return secrets.filter((secret) => text.includes(secret));
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
