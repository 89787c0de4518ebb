import { describe, expect, it } from '@jest/globals';
import { startBringSimulator } from '../../carriers/bring/simulator.js';
import type { StartSimulator } from '../../carriers/contract/index.js';
import { startDaoSimulator } from '../../carriers/dao/simulator.js';
import { startGlsDkSimulator } from '../../carriers/gls-dk/simulator.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { TEST_NOW } from './sample-request.js';
import type { VendorForm } from './vendor-forms.js';
import { sendForm, vendorForms } from './vendor-forms.js';

/** While the request travelled, the clock went on. */
const ON_THE_WAY_MS = 1_500;

async function answerTo(
  carrier: string,
  startSimulator: StartSimulator,
  { sent, arrivedAfterMs = ON_THE_WAY_MS }: { readonly sent: VendorForm['sent']; readonly arrivedAfterMs?: number },
) {
  const server = await startCarrierServer(carrier, startSimulator, () => new Date(TEST_NOW.getTime() + arrivedAfterMs));
  try {
    return { answer: await sendForm(server.baseUrl, sent), bookings: server.simulator.bookings() };
  } finally {
    await server.close();
  }
}

describe("what the vendor's applications send is booked", () => {
  it.each(vendorForms('bring'))('by Bring: %s', async (_story, form) => {
    const { answer, bookings } = await answerTo('bring', startBringSimulator, form);
    expect(answer).toMatchObject({ status: 200, json: { consignments: [{ correlationId: '10045', errors: null }] } });
    expect(bookings).toHaveLength(1);
  });

  it.each(vendorForms('gls-dk'))('by GLS: %s', async (_story, form) => {
    const { answer, bookings } = await answerTo('gls-dk', startGlsDkSimulator, form);
    expect(answer).toMatchObject({ status: 200, json: { ConsignmentId: expect.any(String) } });
    expect(bookings).toMatchObject([{ reference: '10045' }]);
  });

  it.each(vendorForms('dao'))('by DAO: %s', async (_story, form) => {
    const { answer, bookings } = await answerTo('dao', startDaoSimulator, form);
    expect(answer).toMatchObject({ status: 200, json: { status: 'OK' } });
    expect(bookings).toMatchObject([{ reference: '10045' }]);
  });
});

const HOUR_MS = 3_600_000;

describe('what no carrier takes is refused all the same', () => {
  const first = (carrier: string): VendorForm['sent'] => {
    const [form] = vendorForms(carrier);
    if (!form) throw new Error(`no form of ${carrier}`);
    return form[1].sent;
  };

  it('by Bring: a shipping time of an hour ago', async () => {
    const { answer, bookings } = await answerTo('bring', startBringSimulator, {
      sent: first('bring'),
      arrivedAfterMs: HOUR_MS,
    });
    expect(answer).toMatchObject({ status: 400, json: { consignments: [{ confirmation: null }] } });
    expect(bookings).toEqual([]);
  });

  it('by GLS: a parcel without a receiver, named in its own spelling', async () => {
    const { addresses, ...body } = first('gls-dk').body as Readonly<Record<string, unknown>>;
    expect(addresses).toBeDefined();
    const { answer } = await answerTo('gls-dk', startGlsDkSimulator, { sent: { ...first('gls-dk'), body } });
    expect(answer).toMatchObject({
      status: 400,
      json: { ModelState: { 'shipment.Addresses.Delivery.ZipCode': ['The ZipCode field is required.'] } },
    });
  });

  it.each([
    ['an amount that is none', { Cashservice: 'much' }, 'shipment.Parcels[0].Cashservice'],
    ['no weight', { Weight: null }, 'shipment.Parcels[0].Weight'],
  ])('by GLS: a parcel with %s', async (_case, change, field) => {
    const body = { ...(first('gls-dk').body as object), parcels: [{ weight: 1, ...change }] };
    const { answer } = await answerTo('gls-dk', startGlsDkSimulator, { sent: { ...first('gls-dk'), body } });
    expect(answer).toMatchObject({ status: 400, json: { ModelState: { [field]: [expect.any(String)] } } });
  });

  it.each([
    ['vaegt', '0'],
    ['vaegt', ''],
    ['l', 'NaN'],
    ['b', '-1'],
  ])('by DAO: %s with the value "%s"', async (field, value) => {
    const { query, ...sent } = first('dao');
    const { answer } = await answerTo('dao', startDaoSimulator, {
      sent: { ...sent, query: { ...query, [field]: value } },
    });
    expect(answer).toMatchObject({ status: 200, json: { status: 'FEJL', fejltekst: expect.stringContaining(field) } });
  });
});
