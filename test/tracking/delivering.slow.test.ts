import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { BookingWithLabels } from '../../carriers/contract/model.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, type ServiceOptions, startService, until } from '../support/harness.js';
import { SECRET, signed } from './callers.js';

const { oneParcel } = sampleShipments;
/** What fails is repeated by itself within one try. */
const ALL_OF_ONE_TRY = 4;
const FOUND = 'https://carrier.example/found';

let service: Service;

afterEach(() => service.stop());

async function start(options: ServiceOptions = {}): Promise<Ending> {
  service = await startService({
    config: (config) => ({
      ...config,
      areas: config.areas.map((area) => ({ ...area, tracking: { tellDelivered: true, keepStatus: true } })),
      accounts: { ...config.accounts, pretend: { ...config.accounts['pretend'], callbacks: { secret: SECRET } } },
    }),
    ...options,
  });
  return service.run(oneParcel, { carrierName: 'Pretend', shipmentNumber: `t-${randomUUID().slice(0, 8)}` });
}

/** The same carrier, which names no tracking address when it is booked. */
function withoutAddress(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  const connect: CarrierAdapter['connect'] = (config, tools) => {
    const carrier = adapter.connect(config, tools);
    return { ...carrier, book: async (request) => stripped(await carrier.book(request)) };
  };
  return { ...account, adapter: { ...adapter, connect } };
}

function stripped({ booking, labels }: BookingWithLabels): BookingWithLabels {
  const parcels = booking.parcels.map((parcel) =>
    parcel.kind === 'booked' ? { ...parcel, trackingUrl: null } : parcel,
  );
  return { booking: { ...booking, parcels }, labels };
}

async function call(trackingNumber: unknown, status: string, more: object = {}): Promise<void> {
  const at = new Date().toISOString();
  const { body, headers } = signed({ trackingNumber, status, at, ...more });
  expect((await service.ask('/callbacks/pretend', { method: 'POST', body, headers })).status).toBe(200);
}

interface Told {
  readonly kind: string;
  readonly state: string;
  readonly note: string | null;
}

async function parcelOf(trackingNumber: unknown) {
  return (await service.operator(`/parcels/${trackingNumber}`)).body.parcels?.[0];
}

/** The operator finds it without knowing its number: the newest first, page by page. */
async function expectPages(trackingNumber: unknown): Promise<void> {
  const { body: first } = await service.operator('/tracking/given-up?limit=1&area=1');
  expect(first.givenUp).toMatchObject([{ kind: 'kept-status', trackingNumber, area: '1', account: 'pretend' }]);
  const { body: second } = await service.operator(`/tracking/given-up?limit=1&cursor=${first.cursor}`);
  expect(second).toMatchObject({ givenUp: [{ kind: 'message', status: 'delivery-failed' }], cursor: null });
  expect((await service.operator('/tracking/given-up?area=2')).body).toEqual({ givenUp: [], cursor: null });
  for (const wrong of ['limit=0', 'limit=201', 'cursor=x', 'area=%00', 'areas=2'])
    expect((await service.operator(`/tracking/given-up?${wrong}`)).status).toBe(400);
  expect((await service.operator('/tracking/failed')).body).toEqual({ callbacks: [], cursor: null });
  expect((await service.operator('/tracking/failed?cursor=x')).status).toBe(400);
  expect((await service.operator('/tracking/accounts')).body.accounts).toContainEqual({
    ...{ account: 'pretend', lastCallAt: expect.any(String), openParcels: 1, silent: false },
  });
}

async function toldOf(trackingNumber: unknown): Promise<readonly Told[]> {
  return (await service.operator(`/parcels/${trackingNumber}`)).body.parcels?.[0]?.told ?? [];
}

async function untilToldOf(trackingNumber: unknown, kind: string): Promise<Told | undefined> {
  const find = async () => (await toldOf(trackingNumber)).find((told) => told.kind === kind && told.state !== 'open');
  await until(`${kind} has ended`, async () => (await find()) !== undefined);
  return find();
}

describe('the tracking address', () => {
  it('is written to the container once, when an event names one and the booking had none', async () => {
    const booked = await start({ account: withoutAddress });
    const [number] = booked.trackingNumbers;
    const [container] = service.containersOf(service.document(booked.documentId).shipmentIds[0]);
    expect(container?.['trackingUrl'] ?? null).toBeNull();
    const mark = service.mark();
    await call(number, 'in-transit', { trackingUrl: FOUND });
    await call(number, 'out-for-delivery', { trackingUrl: FOUND });
    expect(await untilToldOf(number, 'tracking-url')).toMatchObject({ state: 'done' });
    const patches = service
      .requestsSince(mark, 'ims')
      .filter(({ method, path }) => method === 'PATCH' && path.endsWith(`/shippingContainers/${container?.id}`));
    expect(patches).toHaveLength(1);
    const [written] = service.containersOf(service.document(booked.documentId).shipmentIds[0]);
    expect(written).toMatchObject({ trackingUrl: FOUND, trackingNumber: number });
  });
});

describe('the tracking address of a parcel that was cancelled', () => {
  it('is not written over that of the parcel which the container has now', async () => {
    const first = await start({ account: withoutAddress });
    const [shipmentId] = service.document(first.documentId).shipmentIds;
    const [old] = first.trackingNumbers;
    await until('it is registered', async () => (await parcelOf(old)) !== undefined);
    await service.act(first.consignment, 'cancel');
    await until('it is cancelled', async () => (await parcelOf(old))?.status === 'cancelled');
    const second = await service.ending(service.book(Number(shipmentId)));
    const [number] = second.trackingNumbers;
    expect(number).not.toBe(old);
    await call(old, 'in-transit', { trackingUrl: `${FOUND}/old` });
    expect(await untilToldOf(old, 'tracking-url')).toMatchObject({ note: expect.stringContaining('cancelled') });
    await call(number, 'in-transit', { trackingUrl: FOUND });
    expect(await untilToldOf(number, 'tracking-url')).toMatchObject({ state: 'done', note: null });
    const [container] = service.containersOf(shipmentId);
    expect(container).toMatchObject({ trackingNumber: number, trackingUrl: FOUND });
  });

  it('is not written onto a container that somebody has given another number', async () => {
    const booked = await start({ account: withoutAddress });
    const [number] = booked.trackingNumbers;
    const [container] = service.containersOf(service.document(booked.documentId).shipmentIds[0]);
    await service.ims(`PATCH /shippingContainers/${container?.id}`, { trackingNumber: 'by-hand' });
    await call(number, 'in-transit', { trackingUrl: FOUND });
    expect(await untilToldOf(number, 'tracking-url')).toMatchObject({ note: expect.stringContaining('another') });
    const [written] = service.containersOf(service.document(booked.documentId).shipmentIds[0]);
    expect(written).toMatchObject({ trackingNumber: 'by-hand' });
    expect(written?.['trackingUrl'] ?? null).toBeNull();
  });
});

describe('a message that the IMS gives no answer to', () => {
  it.each([
    ['fails', 500],
    ['sends elsewhere, as a gateway does', 302],
  ])('is told when the IMS, which %s, is back', async (_what, status) => {
    const booked = await start();
    const [number] = booked.trackingNumbers;
    const eventId = service.eventOf(booked.documentId);
    const mark = service.mark();
    service.control.addFault({
      ...{ target: 'ims', method: 'POST', path: '/messages$', kind: 'status', status, times: 'always', body: {} },
    });
    await call(number, 'lost-or-damaged');
    const tried = () => service.requestsSince(mark, 'ims').filter(({ path }) => path.endsWith('/messages')).length;
    await until('it was tried in vain', () => tried() >= (status === 500 ? ALL_OF_ONE_TRY : 1));
    expect((await toldOf(number)).filter(({ kind }) => kind === 'message')).toMatchObject([{ state: 'open' }]);
    service.control.clearFaults();
    await until('it is told', () => service.messages(eventId).length === 1);
    expect(await untilToldOf(number, 'message')).toMatchObject({ state: 'done' });
  });
});

describe('what a client is not allowed to tell', () => {
  it('is given up and shown: messages, and the status in the shipment', async () => {
    const booked = await start({ client: 'consignment' });
    const [number] = booked.trackingNumbers;
    service.control.setSwitches({ strictScopeSpelling: true });
    const before = service.messages(service.eventOf(booked.documentId)).length;
    await call(number, 'delivery-failed');
    expect(await untilToldOf(number, 'message')).toMatchObject({
      state: 'given-up',
      note: expect.stringContaining('does not let this client post a message'),
    });
    expect(await untilToldOf(number, 'kept-status')).toMatchObject({
      state: 'given-up',
      note: expect.stringContaining('does not let this client change a shipment'),
    });
    expect(service.messages(service.eventOf(booked.documentId))).toHaveLength(before);
    expect(service.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'tracking update not delivered',
        fields: expect.objectContaining({ kind: 'message', status: 'delivery-failed', again: false }),
      }),
    );
    await expectPages(number);
  });

  it('is given up and shown: the tracking address on the container', async () => {
    const booked = await start({ client: 'sales', account: withoutAddress });
    const [booking] = service.bookings('pretend', service.numberOf(booked.documentId));
    const number = booking?.trackingNumbers[0];
    await call(number, 'in-transit', { trackingUrl: FOUND });
    expect(await untilToldOf(number, 'tracking-url')).toMatchObject({
      state: 'given-up',
      note: expect.stringContaining('does not let this client change a shipping container'),
    });
  });
});
