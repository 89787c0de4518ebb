import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { WORKER } from '../../src/sandbox/events/events.js';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel, threeParcels, toSweden, toGermany } = sampleShipments;

const RULES = [
  { name: 'heavy', when: { weightKg: { $gte: 20 } }, use: { account: 'bring' } },
  {
    name: 'to Sweden, whoever is cheapest',
    when: { 'deliveryAddress.countryCode': 'SE' },
    use: { cheapest: ['bring', 'pretend'] },
  },
  {
    name: 'Danish homes',
    when: { 'deliveryAddress.countryCode': 'DK', privateDelivery: true },
    unless: { postalCode: { $gte: 3700, $lte: 3799 } },
    use: { account: 'gls' },
  },
  {
    name: 'Danish businesses',
    when: { carrierName: null, 'deliveryAddress.countryCode': 'DK', privateDelivery: false },
    use: { account: 'pretend', service: 'standard' },
  },
];

let service: Service;

beforeAll(async () => {
  service = await startService({ config: (config) => ({ ...config, rules: RULES }) });
});
afterAll(() => service.stop());
afterEach(() => service.control.clearFaults());

interface Created {
  readonly id: number;
  readonly eventId: string;
}

/** A shipment that is not packed, when all that follows from `shipmentCreated` is done. */
async function create(
  { shipment }: SampleShipment,
  changes: Readonly<Record<string, unknown>> = {},
  area = 1,
): Promise<Created> {
  const given = { ...shipment, ...changes } as SampleShipment['shipment'];
  const { id } = service.control.createShipment({ area, shipment: given, containers: [], event: 'send' });
  const eventId = String(rowOf(id)?.['shipmentCreatedEventId']);
  await until(`event ${eventId} is worked on`, () =>
    service.lines.some(({ event, fields }) => event.startsWith('task ') && fields['task'] === eventId),
  );
  return { id, eventId };
}

async function pack(shipmentId: number, grossWeight: number): Promise<void> {
  await service.ims('POST /shippingContainers', { shipmentId, containerTypeName: 'Box', grossWeight });
}

function rowOf(id: number) {
  return service.control.state().shipments.find((row) => row.id === id);
}

/** Carriers that the service has set on a shipment, in their order. */
function carriersSet(id: number): readonly unknown[] {
  return service.control
    .requests({ target: 'ims' })
    .filter(({ method, path }) => method === 'PATCH' && path.endsWith(`/shipments/${id}`))
    .flatMap(({ body }) => (body as { carrierName?: string } | null)?.carrierName ?? []);
}

describe('a new shipment', () => {
  it('gets the carrier of the first rule that matches, for the time being where an earlier one cannot be judged yet', async () => {
    const { id, eventId } = await create(oneParcel);
    expect(rowOf(id)).toMatchObject({ carrierName: 'GLS' });
    expect(service.messages(eventId)).toEqual([]);
    await pack(id, 2);
    expect(await service.ending(service.book(id))).toMatchObject({ workStatus: 'DONE' });
    expect(carriersSet(id)).toEqual(['GLS']);
  });

  it('gets another carrier at the booking, once, when what was packed leads there', async () => {
    const { id } = await create(oneParcel);
    await pack(id, 24);
    const ending = await service.ending(service.book(id));
    expect(ending).toMatchObject({ workStatus: 'DONE', consignment: { account: 'bring' } });
    expect(rowOf(id)).toMatchObject({ carrierName: 'Bring' });
    expect(carriersSet(id)).toEqual(['GLS', 'Bring']);
    expect(service.bookings('gls-dk', service.numberOf(ending.documentId))).toEqual([]);
  });

  it('keeps the carrier that a person chose after us', async () => {
    const { id } = await create(oneParcel);
    await service.ims(`PATCH /shipments/${id}`, { carrierName: 'DAO' });
    await pack(id, 24);
    const ending = await service.ending(service.book(id));
    expect(service.bookings('bring', service.numberOf(ending.documentId))).toEqual([]);
    expect(rowOf(id)).toMatchObject({ carrierName: 'DAO' });
  });

  it('is booked with the product of the rule that chose its carrier', async () => {
    const changes = { ...oneParcel.shipment, privateDelivery: false, vatNumber: 'DK10101010' };
    const { id } = await create({ ...oneParcel, shipment: changes });
    await pack(id, 2);
    const mark = service.mark();
    await service.ending(service.book(id));
    const [booked] = service.requestsSince(mark, 'pretend');
    expect(booked?.body).toMatchObject({ service: 'standard' });
  });

  it.each([
    [1, 'Could not find a carrier', ['delivery country is "DE"', 'wanted is "SE"', 'nothing is packed yet']],
    [2, 'ikke fundet en transportør', ['leveringslandet er "DE"', 'skal være "SE"', 'ikke pakket noget']],
  ])(
    'that no rule matches is told once with every rule and why, in the language of area %i',
    async (area, what, words) => {
      const { id, eventId } = await create(toGermany, {}, area);
      expect(rowOf(id)?.carrierName ?? null).toBeNull();
      const [warning, ...more] = service.messages(eventId);
      expect(more).toEqual([]);
      expect(warning).toMatchObject({ type: 'WARNING', text: expect.stringContaining(what), ...WORKER });
      for (const word of [...words, ...RULES.map(({ name }) => `"${name}"`)]) expect(warning?.text).toContain(word);
    },
  );

  it('says that a rule was excepted, and by what', async () => {
    const onBornholm = { deliveryAddress: { ...Object(oneParcel.shipment['deliveryAddress']), postalCode: '3700' } };
    const { eventId } = await create(oneParcel, onBornholm);
    expect(service.messages(eventId)[0]?.text).toContain('"Danish homes" (is excepted because postal code is 3700');
  });

  it('is told what is lost at its carrier, once: not again at the booking, which goes on', async () => {
    const { id, eventId } = await create(threeParcels, { carrierName: 'GLS' });
    const warning = { type: 'WARNING', text: expect.stringContaining('notes on delivery') };
    expect(service.messages(eventId)).toMatchObject([warning]);
    await pack(id, 2);
    expect(await service.ending(service.book(id))).toMatchObject({ workStatus: 'DONE', messages: [] });
  });

  it('gets its carrier although the IMS fails while it is set, and no message twice', async () => {
    service.control.addFault({
      target: 'ims',
      method: 'PATCH',
      path: '/shipments/',
      kind: 'status',
      status: 503,
      times: 5,
    });
    const { id, eventId } = await create(threeParcels, { privateDelivery: true, deliveryAddress: withoutCity() });
    await until('the carrier is set', () => rowOf(id)?.carrierName === 'GLS');
    await until('the task is done', () =>
      service.lines.some(({ event, fields }) => event === 'task done' && fields['task'] === eventId),
    );
    const texts = service.messages(eventId).map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

function withoutCity() {
  return { ...Object(threeParcels.shipment['deliveryAddress']), cityTownOrVillage: null };
}

describe('a choice by price', () => {
  it('is made when there are parcels, and asked for once', async () => {
    const { id } = await create(toSweden);
    expect(rowOf(id)).toMatchObject({ carrierName: 'Bring' });
    await pack(id, 2);
    const mark = service.mark();
    const ending = await service.ending(service.book(id));
    expect(ending).toMatchObject({ consignment: { account: 'pretend' } });
    expect(carriersSet(id)).toEqual(['Bring', 'Pretend']);
    const asked = service.requestsSince(mark).filter(({ path }) => /quotes|shippingguide/i.test(path));
    expect(asked.map(({ target }) => target).sort()).toEqual(['bring', 'pretend']);
  });

  it.each([
    ['fails', { kind: 'status', status: 503 } as const],
    ['is late', { kind: 'delay', ms: 60_000 } as const],
  ])('leaves out a quote that %s, and does not wait for it', async (_how, fault) => {
    const { id } = await create(toSweden);
    await pack(id, 2);
    service.control.addFault({ target: 'pretend', path: '/quotes', ...fault });
    const begin = Date.now();
    const ending = await service.ending(service.book(id));
    expect(ending).toMatchObject({ workStatus: 'DONE', consignment: { account: 'bring' } });
    expect(Date.now() - begin).toBeLessThan(60_000);
    expect(service.lines.some(({ event, fields }) => event === 'no quote' && fields['account'] === 'pretend')).toBe(
      true,
    );
  });

  it('is not made again when setting the carrier has to be tried again', async () => {
    const { id } = await create(toSweden);
    await pack(id, 2);
    const mark = service.mark();
    service.control.addFault({
      ...{ target: 'ims', method: 'PATCH', path: `/shipments/${id}$` },
      ...{ kind: 'status', status: 503, times: 5 },
    });
    const ending = await service.ending(service.book(id));
    expect(ending).toMatchObject({ workStatus: 'DONE', consignment: { account: 'pretend' } });
    expect(rowOf(id)).toMatchObject({ carrierName: 'Pretend' });
    const asked = service.requestsSince(mark).filter(({ path }) => /quotes|shippingguide/i.test(path));
    expect(asked).toHaveLength(2);
  });

  it('takes the first account when nobody makes an offer', async () => {
    service.control.addFault({ target: 'pretend', path: '/quotes', kind: 'status', status: 503 });
    service.control.addFault({ target: 'bring', path: '/shippingguide', kind: 'status', status: 503 });
    const ending = await service.run(toSweden);
    expect(ending).toMatchObject({ workStatus: 'DONE', consignment: { account: 'bring' } });
  });
});
