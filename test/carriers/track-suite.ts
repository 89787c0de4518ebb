import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  BookingRequest,
  CarrierAccount,
  CarrierAdapter,
  StartSimulator,
  TrackingStatus,
} from '../../carriers/contract/index.js';
import { TRACKING_STATUSES } from '../../carriers/contract/index.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { trackingNumbers } from '../../carriers/testing/assertions.js';
import { accountSettings } from './contract-suite.js';
import { TEST_NOW } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

export interface TrackSuite {
  /** The account's `config`, given where its simulator is. */
  readonly config: (baseUrl: string) => Readonly<Record<string, unknown>>;
  readonly startSimulator: StartSimulator;
  readonly request: BookingRequest;
  /** What the carrier has no word for, and what comes in its stead; `null`: nothing. */
  readonly otherwise: Partial<Readonly<Record<TrackingStatus, TrackingStatus | null>>>;
  readonly zone: 'stated' | 'assumed';
}

/** Each status in our words, beside what the contract's cases try of every carrier. */
export function describeTracking<Settings extends object>(adapter: CarrierAdapter<Settings>, suite: TrackSuite): void {
  describe(`${adapter.id}, asked what became of parcels`, () => {
    let server: CarrierServer;

    beforeEach(async () => {
      server = await startCarrierServer(adapter.id, suite.startSimulator, () => TEST_NOW);
    });
    afterEach(() => server.close());

    function connect(): CarrierAccount {
      const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl };
      return adapter.connect(accountSettings(adapter, suite.config(server.baseUrl)), tools);
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
    async function track(numbers: readonly string[]) {
      return (await connect().track?.(numbers)) ?? [];
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
  });
}
