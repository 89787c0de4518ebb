import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel, toSweden, toNorway } = sampleShipments;

const RULES = [
  { name: 'a person chose it', when: { carrierName: 'Pretend' }, use: { account: 'pretend', service: 'express' } },
  {
    name: 'early',
    when: { carrierName: null, text1: 'early' },
    use: { account: 'pretend', service: 'standard' },
  },
  { name: 'late', when: { text1: 'late' }, use: { account: 'pretend', service: 'express' } },
  {
    name: 'Sweden by price',
    when: { 'deliveryAddress.countryCode': 'SE' },
    use: { cheapest: ['bring', 'pretend'] },
  },
  { name: 'Norway by price', when: { 'deliveryAddress.countryCode': 'NO' }, use: { cheapest: ['gls', 'bring'] } },
  { name: 'Denmark', when: { 'deliveryAddress.countryCode': 'DK' }, use: { account: 'gls' } },
];

let service: Service;

function start(): Promise<Service> {
  return startService({
    config: (config) => ({
      ...config,
      rules: RULES,
      areas: config.areas.map((area) => ({ ...area, dangerousGoods: 'check' })),
    }),
  });
}

beforeAll(async () => {
  service = await start();
});
afterAll(() => service.stop());
afterEach(() => service.control.clearFaults());

function begin({ shipment }: SampleShipment, changes: Readonly<Record<string, unknown>> = {}) {
  const given = { ...shipment, ...changes } as SampleShipment['shipment'];
  const { id } = service.control.createShipment({ area: 1, shipment: given, containers: [], event: 'send' });
  return { id, eventId: String(rowOf(id)?.['shipmentCreatedEventId']) };
}

/** When all that follows from `shipmentCreated` is done. */
async function create(sample: SampleShipment, changes: Readonly<Record<string, unknown>> = {}) {
  const created = begin(sample, changes);
  await workedOn(created.eventId);
  return created;
}

function workedOn(eventId: string) {
  return until(`event ${eventId} is worked on`, () =>
    service.lines.some(({ event, fields }) => event === 'task done' && fields['task'] === eventId),
  );
}

function pack(shipmentId: number) {
  return service.ims('POST /shippingContainers', { shipmentId, containerTypeName: 'Box', grossWeight: 2 });
}

function rowOf(id: number) {
  return service.control.state().shipments.find((row) => row.id === id);
}

function wasAsked(mark: number, target: string, path: RegExp) {
  return service.requestsSince(mark, target).some((request) => path.test(request.path));
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function explain(id: number): Promise<any> {
  return (await service.operator(`/shipments/${id}/explain?area=1`)).body;
}

describe('a carrier that a person chooses while we think', () => {
  it('stays, before anyone packs', async () => {
    const others = service;
    // Instructions are read after the shipment, and then kept for a while: that is when the person comes.
    service = await start();
    service.control.addFault({ target: 'ims', method: 'GET', path: '/carriers', kind: 'delay', ms: 5_000, times: 1 });
    const mark = service.mark();
    const { id, eventId } = begin(toSweden);
    await until('instructions are asked for', () => wasAsked(mark, 'ims', /\/carriers$/));
    await service.ims(`PATCH /shipments/${id}`, { carrierName: 'DAO' });
    await workedOn(eventId);
    expect(rowOf(id)).toMatchObject({ carrierName: 'DAO' });
    await service.stop();
    service = others;
  });

  it('stays and is booked, when prices were asked for meanwhile', async () => {
    const { id } = await create(toSweden);
    await pack(id);
    service.control.addFault({ target: 'pretend', path: '/quotes', kind: 'delay', ms: 2_500, times: 1 });
    const mark = service.mark();
    const documentId = service.book(id);
    await until('prices are asked for', () => wasAsked(mark, 'bring', /shippingguide/i));
    await service.ims(`PATCH /shipments/${id}`, { carrierName: 'DAO' });
    await service.ending(documentId);
    expect(rowOf(id)).toMatchObject({ carrierName: 'DAO' });
    const number = service.numberOf(documentId);
    expect([...service.bookings('bring', number), ...service.bookings('pretend', number)]).toEqual([]);
  });
});

it('a carrier that a person took away is not set again by another event', async () => {
  const { id } = await create(oneParcel);
  expect(rowOf(id)).toMatchObject({ carrierName: 'GLS' });
  await service.ims(`PATCH /shipments/${id}`, { carrierName: null });
  expect(rowOf(id)?.carrierName ?? null).toBeNull();
  const again = service.control.emitEvent({ contextId: 1, type: 'shipmentCreated', detail: { shipmentId: id } });
  await workedOn(again);
  expect(rowOf(id)?.carrierName ?? null).toBeNull();
  expect((await explain(id)).carrier).toEqual({ name: null, chosenBy: 'removed', refused: null });
});

describe('a carrier that we have set for good', () => {
  it('is booked with the product of its rule, whatever other rules say by then, and explained so', async () => {
    const { id } = await create(oneParcel, { text1: 'early' });
    expect(rowOf(id)).toMatchObject({ carrierName: 'Pretend' });
    await pack(id);
    const found = await explain(id);
    expect(found.choice).toMatchObject({ rule: 'early', service: 'standard', keptSince: expect.any(String) });
    expect(found.rules.find(({ outcome }: { outcome: string }) => outcome === 'matched')).toMatchObject({
      rule: 'early',
    });
    await service.ims(`PATCH /shipments/${id}`, { text1: 'late' });
    expect((await explain(id)).choice).toMatchObject({ rule: 'early', service: 'standard' });
    const mark = service.mark();
    await service.ending(service.book(id));
    const [booked] = service.requestsSince(mark, 'pretend');
    expect(booked?.body).toMatchObject({ service: 'standard' });
  });
});

describe('an account that would refuse the shipment anyway', () => {
  it('is not taken because nobody made an offer', async () => {
    const { id } = await create(toNorway);
    expect(rowOf(id)).toMatchObject({ carrierName: 'Bring' });
    service.control.addFault({ target: 'bring', path: '/shippingguide', kind: 'status', status: 503 });
    const ending = await service.run(toNorway);
    expect(ending).toMatchObject({ workStatus: 'DONE', consignment: { account: 'bring' } });
  });
});

it('dangerous goods are found without a rule that asks for them, where the area wants it', async () => {
  const shipmentLines = [{ stockKeepingUnit: 'PAINT', numItemsOrdered: 1 }];
  const id = service.ship(oneParcel, { carrierName: 'GLS', shipmentLines });
  const [container] = service.containersOf(id);
  const [line] = (await explain(id)).fields.shipmentLines;
  await service.ims('POST /invocations/pack', { shipmentLineId: line.id, shippingContainerId: container?.id });
  await service.ims(`PATCH /products/${line.productId}`, { dangerousGoodsNumber: 'UN1263' });
  const ending = await service.ending(service.book(id));
  expect(ending).toMatchObject({ workStatus: 'FAILED', messages: [{ text: expect.stringContaining('UN1263') }] });
  expect(service.bookings('gls-dk', service.numberOf(ending.documentId))).toEqual([]);
});

it('a carrier that the IMS refuses to set is told, with what it answered', async () => {
  // A busy machine may get the answer too late, and sets the carrier again.
  const refused = { path: '/shipments/', kind: 'status', status: 422, times: 'always' } as const;
  service.control.addFault({ target: 'ims', method: 'PATCH', ...refused });
  const { eventId } = await create(oneParcel);
  expect(service.messages(eventId)).toMatchObject([
    { type: 'WARNING', text: expect.stringMatching(/Could not set the carrier of shipment \S+ to GLS\./) },
  ]);
});
