import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import nock from 'nock';
import type { ImsArea } from '../../src/ims/calls/ims-area.js';
import { createImsClient } from '../../src/ims/calls/client.js';
import { silentLog } from '../../src/log.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { jwt, memoryUsage } from './ims-server.js';

const authorization = `Bearer ${jwt('api/full')}`;
let ims: nock.Scope;
let area: ImsArea;
let nowMs: number;

beforeEach(() => {
  nock.disableNetConnect();
  nock('https://auth.example')
    .post('/oauth2/token', 'grant_type=client_credentials')
    .reply(200, { token_type: 'Bearer', access_token: jwt('api/full') });
  ims = nock('https://ims.example', { reqheaders: { authorization, 'x-api-key': 'key-550' } });
  nowMs = Date.parse('2026-03-02T10:00:00Z');
  const client = createImsClient(
    { baseUrl: 'https://ims.example/2', authUrl: 'https://auth.example/', clientId: 'id', clientSecret: 'secret' },
    {
      http: createHttpPort({ allowPrivateAddresses: 'allowed' }),
      clock: { now: () => new Date(nowMs) },
      log: silentLog,
      usage: memoryUsage(),
      random: () => 0,
      sleep: async () => undefined,
    },
  );
  area = client.area('550', 'key-550');
});

afterAll(() => nock.restore());

afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

describe('writing to the IMS', () => {
  const time = Date.parse('2026-03-02T10:00:00Z');
  it.each<[string, (area: ImsArea) => Promise<unknown>, [string, string, object]]>([
    [
      'both numbers of a container in one change',
      (a) => a.patchShippingContainer('11', { trackingNumber: '0034', trackingUrl: 'https://track.example/0034' }),
      ['PATCH', '/2/shippingContainers/11', { trackingNumber: '0034', trackingUrl: 'https://track.example/0034' }],
    ],
    [
      'a container without an address to follow it',
      (a) => a.patchShippingContainer('11', { trackingNumber: '0034' }),
      ['PATCH', '/2/shippingContainers/11', { trackingNumber: '0034' }],
    ],
    [
      "the carrier's number of a shipment",
      (a) => a.patchShipment('1', { carriersShipmentNumber: '7001' }),
      ['PATCH', '/2/shipments/1', { carriersShipmentNumber: '7001' }],
    ],
    [
      'the carrier of a shipment',
      (a) => a.patchShipment('1', { carrierName: 'GLS' }),
      ['PATCH', '/2/shipments/1', { carrierName: 'GLS' }],
    ],
    ['a work status', (a) => a.setWorkStatus('7', 'ON_GOING'), ['PATCH', '/2/documents/7', { workStatus: 'ON_GOING' }]],
    [
      'a label of a document',
      (a) => a.attachToDocument('7', { fileName: 'SHIPPING_LABEL_7.pdf', base64EncodedContent: 'JVBERi0=' }),
      ['POST', '/2/documents/7/attachments', { fileName: 'SHIPPING_LABEL_7.pdf', base64EncodedContent: 'JVBERi0=' }],
    ],
    [
      'a label of a shipment',
      (a) => a.attachToShipment('1', { fileName: 'SHIPPING_LABEL_1.pdf', base64EncodedContent: 'JVBERi0=' }),
      ['POST', '/2/shipments/1/attachments', { fileName: 'SHIPPING_LABEL_1.pdf', base64EncodedContent: 'JVBERi0=' }],
    ],
    [
      'a message for the worker who caused the event',
      (a) =>
        a.postEventMessage('2f0c', {
          time,
          source: 'Waybridge',
          messageType: 'ERROR',
          messageText: 'Could not book.',
          userId: 12,
          deviceName: '-',
        }),
      [
        'POST',
        '/2/events/2f0c/messages',
        {
          time,
          source: 'Waybridge',
          messageType: 'ERROR',
          messageText: 'Could not book.',
          userId: 12,
          deviceName: '-',
        },
      ],
    ],
    [
      'what is to be printed',
      (a) => a.printResource({ fileName: 'x.pdf' }),
      ['POST', '/2/invocations/printResource', { fileName: 'x.pdf' }],
    ],
    ['a document to print', (a) => a.printDocument('7'), ['POST', '/2/invocations/printDocument', { documentId: 7 }]],
  ])('sends %s', async (_case, act, [method, path, body]) => {
    const exchange = ims
      .intercept(path, method, body as nock.DataMatcherMap)
      .reply(200, { id: 7, workStatus: 'ON_GOING' });
    await act(area);
    expect(exchange.isDone()).toBe(true);
  });
});

describe('reading from the IMS', () => {
  it('gives a shipment with its containers, ids as text, and nothing invented', async () => {
    ims.get('/2/shipments/20000001').reply(
      200,
      `{"id":20000001,"contextId":550,"shipmentNumber":"10045","sellerId":12345678901234567890,"cancelled":"false",
        "deliveryAddress":{"addressee":"Test Person","countryCode":"DK","postalCode":8000},"contactPerson":null,
        "deliverToPickUpPoint":true,"pickUpPointId":"95558","privateDelivery":"perhaps","someNewField":{"x":1},
        "shippingContainers":[{"id":10000012,"grossWeight":1.25,"weight":"heavy","dimensions":{"length":"0.3","width":0.2}}]}`,
    );
    const shipment = await area.loadShipment('20000001');
    expect(shipment).toMatchObject({
      id: '20000001',
      contextId: '550',
      sellerId: '12345678901234567890',
      cancelled: false,
      contactPerson: null,
      sellerAddress: null,
      privateDelivery: null,
      deliverToPickUpPoint: true,
      pickUpPointId: '95558',
    });
    expect(shipment.deliveryAddress).toMatchObject({ addressee: 'Test Person', postalCode: '8000', careOf: null });
    expect(shipment.fields).toHaveProperty('someNewField', { x: 1 });
    expect(shipment.shippingContainers).toEqual([
      {
        id: '10000012',
        trackingNumber: null,
        trackingUrl: null,
        containerTypeName: null,
        weight: null,
        grossWeight: 1.25,
        netWeight: null,
        tareWeight: null,
        dimensions: { length: 0.3, width: 0.2, height: null },
        outerVolume: null,
        platformType: null,
        volume: null,
      },
    ]);
  });

  it('gives a document with the event that messages go to', async () => {
    ims.get('/2/documents/7').reply(200, { id: 7, documentType: 'TRANSPORT_BOOKING', documentCreatedEventId: '2f0c' });
    await expect(area.loadDocument('7')).resolves.toEqual({
      id: '7',
      documentType: 'TRANSPORT_BOOKING',
      documentNumber: null,
      workStatus: null,
      cancelled: null,
      timeCreated: null,
      documentCreatedEventId: '2f0c',
    });
  });

  it('asks a list for its filter and as many rows as it may', async () => {
    ims
      .get('/2/documents')
      .query({ documentType: 'TRANSPORT_BOOKING', workStatus: 'PENDING', maxNumRows: '1000' })
      .reply(200, [{ id: 7 }, { documentNumber: 3 }, null, { id: 8 }]);
    const ids: string[] = [];
    for await (const { id } of area.listDocuments({ documentType: 'TRANSPORT_BOOKING', workStatus: 'PENDING' }))
      ids.push(id);
    expect(ids).toEqual(['7', '8']);
  });
});

describe('what changes rarely', () => {
  it('is read once for everybody, and again after some minutes', async () => {
    const first = ims.get('/2/contexts/550').delay(5).reply(200, { id: 550, contextName: 'Old' });
    const [one, two] = await Promise.all([area.loadContext('550'), area.loadContext('550')]);
    expect([one.contextName, two.contextName]).toEqual(['Old', 'Old']);
    expect(first.isDone()).toBe(true);
    nowMs += 6 * 60_000;
    ims.get('/2/contexts/550').reply(200, { id: 550, contextName: 'New' });
    await expect(area.loadContext('550')).resolves.toMatchObject({ contextName: 'New' });
  });

  it('stays known while the IMS is down, and nobody waits for it again and again', async () => {
    ims.get('/2/sellers/3').reply(200, { id: 3, address: { addressee: 'Shop' } });
    await area.loadSeller('3');
    nowMs += 6 * 60_000;
    const down = ims.get('/2/sellers/3').times(4).reply(503);
    await expect(area.loadSeller('3')).resolves.toMatchObject({ address: { addressee: 'Shop' } });
    expect(down.isDone()).toBe(true);
    await expect(area.loadSeller('3')).resolves.toMatchObject({ id: '3' });
  });

  it.each<[string, (area: ImsArea) => Promise<unknown>]>([
    ['/2/contexts/550', (a) => a.loadContext('550')],
    ['/2/sellers/3', (a) => a.loadSeller('3')],
  ])('is not asked for again for half a minute when it is refused: %s', async (path, load) => {
    ims.get(path).reply(404);
    await expect(load(area)).rejects.toThrow('status 404');
    ims.get(path).reply(200, { id: 5 });
    nowMs += 29_000;
    await expect(load(area)).rejects.toThrow('status 404');
    nowMs += 2_000;
    await expect(load(area)).resolves.toMatchObject({ id: '5' });
  });

  it.each([
    ['the IMS is down', 4, 500],
    ['the key is not accepted', 2, 401],
  ])('is asked for by the next who needs it when it could not be asked for: %s', async (_why, calls, status) => {
    nock('https://auth.example')
      .post('/oauth2/token')
      .reply(200, { access_token: jwt('api/full') });
    const broken = ims.get('/2/contexts/550').times(calls).reply(status);
    await expect(area.loadContext('550')).rejects.toThrow(`status ${status}`);
    expect(broken.isDone()).toBe(true);
    ims.get('/2/contexts/550').reply(200, { id: 5 });
    await expect(area.loadContext('550')).resolves.toMatchObject({ id: '5' });
  });

  it('fails for one key only', async () => {
    ims.get('/2/sellers/3').reply(404).get('/2/sellers/4').reply(200, { id: 4 });
    await expect(area.loadSeller('3')).rejects.toThrow('status 404');
    await expect(area.loadSeller('4')).resolves.toMatchObject({ id: '4' });
  });

  it('is asked for again after an error in the list of carriers', async () => {
    ims
      .get('/2/carriers')
      .query(true)
      .reply(404)
      .get('/2/carriers')
      .query(true)
      .reply(200, [{ id: 1, carrierName: 'GLS' }]);
    await expect(area.listCarriers()).rejects.toThrow('status 404');
    await expect(area.listCarriers()).resolves.toEqual([{ id: '1', carrierName: 'GLS', dataDocument: null }]);
  });
});
