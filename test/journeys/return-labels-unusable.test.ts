import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { BookingWithLabels } from '../../carriers/contract/model.js';
import type { ConfiguredAccount } from '../../src/config/config-file.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, startService } from '../support/harness.js';

const { oneParcel } = sampleShipments;

/** What becomes of a carrier's answers about returns before we see them; the return has been made by then. */
let bend: (answer: BookingWithLabels) => BookingWithLabels = (answer) => answer;
let service: Service;

beforeAll(async () => {
  service = await startService({ account: bending });
});
afterAll(() => service.stop());
afterEach(() => {
  bend = (answer) => answer;
});

function bending(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  const connect: typeof adapter.connect = (config, tools) => {
    const carrier: CarrierAccount = adapter.connect(config, tools);
    const { returnLabel } = carrier;
    return { ...carrier, ...(returnLabel && { returnLabel: async (request) => bend(await returnLabel(request)) }) };
  };
  return { ...account, adapter: { ...adapter, connect } };
}

const numbered =
  (trackingNumber: string): typeof bend =>
  ({ booking, ...answer }) => ({
    ...answer,
    booking: {
      ...booking,
      parcels: booking.parcels.map((parcel) => (parcel.kind === 'booked' ? { ...parcel, trackingNumber } : parcel)),
    },
  });

const book = (carrierName = 'Pretend') => service.run(oneParcel, { carrierName });
const make = ({ consignment }: Ending) =>
  service.operator(`/consignments/${consignment.id}/return-label`, { method: 'POST' });

describe('an answer about a return that cannot be believed', () => {
  it.each<readonly [string, (booked: Ending) => typeof bend]>([
    ['has a number that is none', () => numbered('PP\n1')],
    [
      'has the number of the parcel on its way to the customer',
      (booked) => numbered(String(booked.trackingNumbers[0])),
    ],
    [
      'has no parcel',
      () =>
        ({ booking, ...answer }) => ({ ...answer, booking: { ...booking, parcels: [] } }),
    ],
    ['is about another reference', () => (answer) => ({ ...answer, answersReference: '4711' })],
  ])('leaves it in doubt when it %s, and is not asked for again', async (_what, bent) => {
    const booked = await book('DAO');
    bend = bent(booked);
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await make(booked);
      expect([status, body.detail]).toEqual([409, expect.stringMatching(/not known whether.*portal of DAO/)]);
    }
    const made = service.control
      .returns('dao')
      ?.filter(({ reference }) => reference.startsWith(booked.consignment.reference));
    expect(made).toHaveLength(1);
  });

  it('that has no readable label is made, and its label is fetched later', async () => {
    const booked = await book();
    bend = (answer) => ({ ...answer, labels: [{ format: 'pdf', bytes: new TextEncoder().encode('<html>') }] });
    expect((await make(booked)).body).toMatchObject({
      state: 'made',
      label: null,
      whatToDo: expect.stringMatching(/POST again/),
    });
    expect((await make(booked)).body).toMatchObject({ state: 'made', label: expect.any(String) });
  });
});
