import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  BookingRequest,
  CarrierAccount,
  CarrierAdapter,
  HttpPort,
  StartSimulator,
  TrackingStatus,
} from '../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable, TRACKING_STATUSES } from '../../carriers/contract/index.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, closedAddress, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { errorOf, trackingNumbers } from '../../carriers/testing/assertions.js';
import { LOST, UNREADABLE, portFor } from '../../carriers/testing/faults.js';
import { accountSettings, secretsIn } from './contract-suite.js';
import { TEST_NOW } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

export interface TrackSuite {
  /** The account's `config`, given where its simulator is. */
  readonly config: (baseUrl: string) => Readonly<Record<string, unknown>>;
  /** Changes to it with which the carrier does not let us in. */
  readonly wrongConfig: (baseUrl: string) => Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly startSimulator: StartSimulator;
  readonly request: BookingRequest;
  /** What the carrier has no word for, and what comes in its stead; `null`: nothing. */
  readonly otherwise: Partial<Readonly<Record<TrackingStatus, TrackingStatus | null>>>;
  readonly zone: 'stated' | 'assumed';
}

/** What every carrier must do that can be asked for parcels, against its simulator over real HTTP. */
export function describeTracking<Settings extends object>(adapter: CarrierAdapter<Settings>, suite: TrackSuite): void {
  describe(`${adapter.id}, asked what became of parcels`, () => {
    let server: CarrierServer;

    beforeEach(async () => {
      server = await startCarrierServer(adapter.id, suite.startSimulator, () => TEST_NOW);
    });
    afterEach(() => server.close());

    function connect(http: HttpPort = testHttpPort, config = suite.config(server.baseUrl)): CarrierAccount {
      const tools = { http, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl };
      return adapter.connect(accountSettings(adapter, config), tools);
    }
    async function booked(): Promise<readonly string[]> {
      const { booking } = await connect().book(suite.request);
      return trackingNumbers(booking);
    }
    function happen(trackingNumber: string, status: TrackingStatus, minute: number): Date {
      const at = new Date(TEST_NOW.getTime() + minute * 60_000);
      server.happen({ id: `${trackingNumber}-${minute}`, trackingNumber, status, at, place: 'Odense' });
      return at;
    }
    async function track(numbers: readonly string[], account = connect()) {
      return (await account.track?.(numbers)) ?? [];
    }

    it.each([...TRACKING_STATUSES])('tells of "%s" in our words, with its code and time', async (status) => {
      const [number = ''] = await booked();
      happen(number, 'registered', 0);
      const at = happen(number, status, 7);

      const told = await track([number]);
      const expected = suite.otherwise[status] === undefined ? status : suite.otherwise[status];

      const newest = told.find((event) => Date.parse(event.at) === at.getTime());
      expect(newest?.status ?? null).toBe(expected);
      if (newest === undefined) return;
      expect(newest).toMatchObject({ trackingNumber: number, zone: suite.zone });
      expect(newest.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
      if (status === 'unrecognised') expect(newest.code).toEqual(expect.any(String));
    });

    it('tells of what happened before, too, and the same whenever it is asked', async () => {
      const [number = ''] = await booked();
      happen(number, 'registered', 0);
      happen(number, 'in-transit', 5);
      happen(number, 'out-for-delivery', 9);
      const first = await track([number]);
      expect(first.map((event) => event.status).toSorted()).toEqual(['in-transit', 'out-for-delivery', 'registered']);
      expect(await track([number])).toEqual(first);
    });

    it('answers for as many parcels at once as its traits promise, each under its number', async () => {
      const atOnce = adapter.traits.trackAtOnce ?? 1;
      const numbers: string[] = [];
      while (numbers.length < atOnce) numbers.push(...(await booked()));
      const asked = numbers.slice(0, atOnce);
      for (const number of numbers) happen(number, 'delivered', 3);
      const told = await track(asked);
      expect(told.map((event) => event.trackingNumber).toSorted()).toEqual(asked.toSorted());
    });

    it('knows nothing of a parcel that the carrier does not know', async () => {
      expect(await track(['70000000000'])).toEqual([]);
    });

    it('does nothing at the carrier', async () => {
      const [number = ''] = await booked();
      happen(number, 'delivered', 3);
      const before = server.simulator.bookings();
      await track([number]);
      expect(server.simulator.bookings()).toEqual(before);
    });

    it.each([...LOST, ...UNREADABLE, ['status 429', answering(429)] as const])(
      'can be asked again after %s, and shows no secret',
      async (_case, fault) => {
        server.failWith(fault);
        const error = await errorOf(track(['70000000000'], connect(portFor(testHttpPort, fault))));
        expect(error).toBeInstanceOf(CarrierUnavailable);
        expect(secretsIn(error, suite.secrets)).toEqual([]);
      },
    );

    it('can be asked again when nobody is there', async () => {
      const nowhere = await closedAddress();
      const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: nowhere };
      const account = adapter.connect(accountSettings(adapter, suite.config(nowhere)), tools);
      await expect(track(['70000000000'], account)).rejects.toBeInstanceOf(CarrierUnavailable);
    });

    it('is rejected when the carrier does not let us in', async () => {
      const stranger = { ...suite.config(server.baseUrl), ...suite.wrongConfig(server.baseUrl) };
      const error = await errorOf(track(['70000000000'], connect(testHttpPort, stranger)));
      expect(error).toBeInstanceOf(CarrierRejected);
      expect(secretsIn(error, suite.secrets)).toEqual([]);
    });
  });
}
