import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { BookingRequest } from '../../carriers/contract/model.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
/** More than hang at the carrier and wait in line for it (100). */
const HANGING = 124;
/** At a carrier that has not answered yet and cannot be asked about bookings. */
const AT_ONCE = 2;

let service: Service;

afterEach(() => service.stop());

/** A carrier that takes every request and answers none, until it is closed. */
async function startHangingCarrier() {
  const seen = { requests: 0 };
  const server = createServer(() => void (seen.requests += 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { seen, close, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a carrier that hangs on every call', () => {
  let carrier: Awaited<ReturnType<typeof startHangingCarrier>>;

  // What hangs ends with it: otherwise the service, when it stops, would wait for that as long as it may.
  afterEach(() => carrier.close());

  it('holds up none of the bookings of another one', async () => {
    carrier = await startHangingCarrier();
    service = await startService({
      config: ({ accounts, ...rest }) => ({
        ...rest,
        accounts: { ...accounts, gls: { ...accounts['gls'], baseUrl: carrier.baseUrl } },
      }),
    });
    const hanging = Array.from({ length: HANGING }, () =>
      service.book(service.ship(oneParcel, { carrierName: 'GLS' }, 2)),
    );
    await until('all its turns are taken', () => carrier.seen.requests >= AT_ONCE);
    await until('the rest waits', async () => (await service.consignmentOf(hanging.at(-1) ?? 0))?.state === 'planned');

    for (let n = 0; n < 5; n += 1) {
      expect(await service.run(oneParcel, { carrierName: 'Pretend' })).toMatchObject({
        workStatus: 'DONE',
        messages: [],
      });
    }
    expect(hanging.map((id) => service.document(id).workStatus)).not.toContain('DONE');
    expect(carrier.seen.requests).toBe(AT_ONCE);
  });
});

describe('a shipment that our own code stumbles over', () => {
  const POISON = 'Poisoned ApS';

  function stumbles(request: BookingRequest): void {
    if (JSON.stringify(request).includes(POISON)) throw new TypeError('cannot read properties of undefined');
  }

  /** As a mistake in an adapter would: it throws what it never should. */
  function withMistake(account: ConfiguredAccount): ConfiguredAccount {
    const { adapter } = account;
    const connect = (...args: Parameters<typeof adapter.connect>): CarrierAccount => {
      const carrier = adapter.connect(...args);
      return {
        ...carrier,
        book: async (request) => {
          stumbles(request);
          return carrier.book(request);
        },
        findByReference: async (request) => {
          stumbles(request);
          return (await carrier.findByReference?.(request)) ?? null;
        },
      };
    };
    return adapter.id === 'pretend' ? { ...account, adapter: { ...adapter, connect } } : account;
  }

  it('delays none of its neighbours', async () => {
    service = await startService({ account: withMistake });
    const deliveryAddress = { ...Object(oneParcel.shipment['deliveryAddress']), addressee: POISON };
    const shipments = Array.from({ length: 24 }, (_none, n) =>
      service.ship(oneParcel, { carrierName: 'Pretend', ...(n % 2 === 0 ? { deliveryAddress } : {}) }),
    );
    const documents = shipments.map((id) => service.book(id));
    const healthy = documents.filter((_id, n) => n % 2 === 1);
    await until('its neighbours are done', () => healthy.every((id) => service.document(id).workStatus === 'DONE'));
    expect(await service.run(oneParcel, { carrierName: 'Pretend' })).toMatchObject({
      workStatus: 'DONE',
      messages: [],
    });
    expect(documents.filter((id) => service.document(id).workStatus === 'DONE')).toEqual(healthy);
    expect(service.lines.filter(({ event }) => event === 'carrier does not answer')).toEqual([]);
  });
});

describe('wishes for one shipment that come at once', () => {
  async function begun(script: string, path: RegExp): Promise<number> {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'Pretend', termsOfDelivery: script }));
    await until('the carrier is asked', () => service.requestsSince(0, 'pretend').some((one) => path.test(one.path)));
    return documentId;
  }

  function carriersBooks(documentId: number) {
    return service.bookings('pretend', service.numberOf(documentId)).map(({ state }) => state);
  }

  it('a cancellation while it is being booked takes back what was booked', async () => {
    service = await startService();
    const documentId = await begun('slow:5000', /bookings/);
    service.control.cancelDocument(documentId);
    const ending = await service.ending(documentId);
    expect(ending.consignment.state).toBe('cancelled');
    expect(ending.prints).toEqual([]);
    expect(carriersBooks(documentId)).toEqual(['cancelled']);
  });

  it('a retry while it is being cancelled books nothing', async () => {
    service = await startService();
    const { documentId, consignment } = await service.run(oneParcel, { carrierName: 'Pretend' });
    service.control.addFault({ target: 'pretend', method: 'DELETE', kind: 'delay', ms: 1_000 });
    service.control.cancelDocument(documentId);
    await until('the carrier is asked', () =>
      service.requestsSince(0, 'pretend').some(({ method }) => method === 'DELETE'),
    );
    expect((await service.act(consignment, 'retry')).status).toBe(409);
    await until('it is cancelled', async () => (await service.consignmentOf(documentId))?.state === 'cancelled');
    expect((await service.act(consignment, 'retry')).status).toBe(409);
    expect(carriersBooks(documentId)).toEqual(['cancelled']);
  });

  it('retries of what is refused book it once, however many come', async () => {
    service = await startService();
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'refused' });
    const { documentId, consignment } = await service.ending(service.book(shipmentId));
    await service.ims(`PATCH /shipments/${shipmentId}`, { termsOfDelivery: 'slow:600' });
    await Promise.all(Array.from({ length: 5 }, () => service.act(consignment, 'retry')));
    await until('it is booked', async () => (await service.consignmentOf(documentId))?.state === 'closed');
    expect(carriersBooks(documentId)).toEqual(['booked']);
  });

  it('numbers and labels of shipments that are booked together stay with their own', async () => {
    service = await startService();
    const documents = Array.from({ length: 20 }, (_none, n) =>
      service.book(service.ship(n % 2 === 0 ? sampleShipments.threeParcels : oneParcel, { carrierName: 'Pretend' })),
    );
    for (const documentId of documents) {
      const ending = await service.ending(documentId);
      const booked = service.bookings('pretend', service.numberOf(documentId)).flatMap((one) => one.trackingNumbers);
      expect(ending).toMatchObject({ workStatus: 'DONE', pages: booked.length, timesAttached: 1 });
      expect([...ending.trackingNumbers].sort()).toEqual([...booked].sort());
    }
  });
});
