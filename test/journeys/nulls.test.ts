import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService } from '../support/harness.js';

/** The IMS may answer a field without a value as null or leave it out; `mixed`: now so, now so. */
const FORMS = ['omitted', 'explicit', 'mixed'] as const;
type Form = (typeof FORMS)[number];

const { oneParcel, toPickUpPoint, toSweden } = sampleShipments;

/** Nothing but what the carrier must know: as much as possible is null, or not there. */
const sparse: SampleShipment = {
  shipment: {
    customerNumber: 'C-1000',
    privateDelivery: true,
    deliveryAddress: oneParcel.shipment['deliveryAddress'] ?? null,
    contactPerson: oneParcel.shipment['contactPerson'] ?? null,
  },
  containers: oneParcel.containers,
};

const CASES = [
  { carrierName: 'GLS', id: 'gls-dk', what: 'a private parcel', sample: sparse },
  { carrierName: 'GLS', id: 'gls-dk', what: 'a parcel to a pick-up point', sample: toPickUpPoint },
  { carrierName: 'DAO', id: 'dao', what: 'a private parcel', sample: sparse },
  { carrierName: 'Bring', id: 'bring', what: 'a parcel abroad', sample: toSweden },
  { carrierName: 'Pretend', id: 'pretend', what: 'a private parcel', sample: sparse },
];

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

/** Books in this form. @returns how it ended, and what the carrier was sent, but for labels that were fetched */
async function bookedIn(form: Form, { carrierName, id, sample }: (typeof CASES)[number]) {
  service.control.setSwitches({ nulls: form });
  const mark = service.mark();
  const shipmentId = service.ship(sample, { carrierName });
  const { documentId, workStatus, messages, pages, carriersShipmentNumber } = await service.ending(
    service.book(shipmentId),
  );
  const asked = service
    .requestsSince(mark, id)
    .filter(({ path }) => !path.startsWith('/labels'))
    .map(({ method, path, query, body }) => `${method} ${path} ${JSON.stringify([query, body])}`)
    .map((request) => alike(request, [service.numberOf(documentId), String(carriersShipmentNumber)]));
  return { workStatus, messages, pages, asked };
}

/** Without what is another for each booking: numbers, ids and times. */
function alike(request: string, numbers: readonly string[]): string {
  const named = numbers.reduce((text, number) => text.replaceAll(number, '<number>'), request);
  return named.replaceAll(/\b1\d{7}\b/g, '<id>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>');
}

describe('a field without a value', () => {
  it.each(CASES)('is the same to $carrierName, null or left out: $what', async (one) => {
    const asked: (readonly string[])[] = [];
    for (const form of FORMS) {
      const ending = await bookedIn(form, one);
      expect(ending).toMatchObject({ workStatus: 'DONE', messages: [], pages: 1 });
      asked.push(ending.asked);
    }
    expect(asked[0]?.length).toBeGreaterThan(0);
    expect(asked).toEqual(FORMS.map(() => asked[0]));
  });

  it.each(FORMS)('keeps no carrier from being chosen by the rules: %s', async (form) => {
    service.control.setSwitches({ nulls: form });
    const ending = await service.run(sparse);
    expect(ending).toMatchObject({ workStatus: 'DONE', messages: [] });
    expect(service.bookings('gls-dk', service.numberOf(ending.documentId))).toHaveLength(1);
  });
});
