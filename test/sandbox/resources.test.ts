import { afterEach, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import type { Ask } from './support.js';
import { clientOf, closeAll, openSandbox } from './support.js';

afterEach(closeAll);

function shipmentIn(sandbox: Sandbox, shipment = {}): number {
  return sandbox.control.createShipment({ area: 1, shipment, containers: [{ grossWeight: 1 }] }).id;
}

/** A customer, and an item that no stock is kept of. */
async function masterData(ask: Ask): Promise<void> {
  const productNumber = 'TENT';
  await ask('POST /customers', { body: { customerNumber: 'C-1001' } });
  await ask('POST /productGroups', { body: { productGroupName: 'Camping' } });
  await ask('POST /products', { body: { productNumber, productName: 'Tent', productGroupName: 'Camping' } });
  await ask('POST /globalTradeItems', { body: { productNumber, stockKeepingUnit: 'TENT-2P', stocked: false } });
}

describe('a shipment', () => {
  it('is created with nested addresses and lines, and shown with lines, containers and its seller', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    await masterData(ask);
    const { shipment, containers } = sampleShipments.oneParcel;
    const created = await ask('POST /shipments', {
      body: { ...shipment, neverHeardOf: 1, shippingDeadline: 1772438400000 },
    });
    expect(created.body).toMatchObject({
      id: expect.any(Number),
      contextId: 1,
      shipmentNumber: '10045',
      shippingStatus: 'NEW',
    });
    const { id } = created.body;
    await ask('POST /shippingContainers', { body: { ...containers[0], shipmentId: id } });
    const { body } = await ask(`GET /shipments/${id}`);
    expect(body).toMatchObject({
      deliveryAddress: shipment['deliveryAddress'],
      customerAddress: shipment['deliveryAddress'],
      sellerAddress: { addressee: 'Fjord & Fjeld ApS' },
      sellerContactPerson: { name: 'Mikkel Dam' },
      shippingDeadline: '2026-03-02T08:00:00.000Z',
      localizedShippingDeadline: '02-03-2026',
      shipmentLines: [{ stockKeepingUnit: 'TENT-2P', shipmentId: id }],
      shippingContainers: [{ grossWeight: 2.45, shipmentNumber: '10045', dimensions: { length: 0.4 } }],
      fieldOfALaterVersion: expect.anything(),
    });
    expect(body).not.toHaveProperty('neverHeardOf');
  });

  it('without a number gets the next one that nobody has', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    await masterData(ask);
    const order = async (shipmentNumber?: string) =>
      (await ask('POST /shipments', { body: { customerNumber: 'C-1001', shipmentNumber } })).body.shipmentNumber;
    expect([await order(), await order('10047'), await order(), await order()]).toEqual([
      '10045',
      '10047',
      '10046',
      '10048',
    ]);
  });

  it('is changed by flat attributes, parts of addresses by underscore names, and one attribute by a JSON literal', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const id = shipmentIn(sandbox, sampleShipments.toSweden.shipment);
    const patched = await ask(`PATCH /shipments/${id}`, {
      body: { carrierName: 'Bring', carriersShipmentNumber: '70300000000000001', deliveryAddress_postalCode: '41125' },
    });
    expect(patched.body).toMatchObject({
      carrierName: 'Bring',
      carrierId: expect.any(Number),
      carriersShipmentNumber: '70300000000000001',
      deliveryAddress: { addressee: 'Åsa Lindqvist', postalCode: '41125' },
      shippingContainers: [{ carrierName: 'Bring' }],
    });
    const put = await ask(`PUT /shipments/${id}/cancelled`, { body: 'true' });
    expect(put.body).toMatchObject({ id, cancelled: true, shippingStatus: 'CANCELLED' });
    const carrier = await ask(`PUT /shipments/${id}/carrierName`, { body: '"GLS"' });
    expect(carrier.body).toMatchObject({ carrierName: 'GLS' });
  });

  it('is known in its own area only', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const id = shipmentIn(sandbox);
    expect(await ask(`GET /shipments/${id}`, { apiKey: 'area-2-key' })).toMatchObject({
      status: 422,
      body: { messageType: 'ERROR', messageCode: 'unknown_Shipment', messageText: expect.stringContaining(String(id)) },
    });
  });

  it('shows nulls or leaves them out, as switched', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const id = shipmentIn(sandbox);
    expect((await ask(`GET /shipments/${id}`)).body).toMatchObject({ carrierName: null, deliveryNoteId: null });
    sandbox.control.setSwitches({ nulls: 'omitted' });
    expect((await ask(`GET /shipments/${id}`)).body).not.toHaveProperty('carrierName');
  });

  it('has no packed items to show', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    expect((await ask(`GET /shipments/${shipmentIn(sandbox)}/globalTradeItemInstances`)).body).toEqual([]);
  });
});

describe('a refusal', () => {
  it.each([
    [
      'an empty carrier number',
      { request: 'PATCH /shipments/{shipment}', body: { carriersShipmentNumber: '' } },
      'invalid_Shipment',
    ],
    [
      'a carrier number of 37',
      { request: 'PATCH /shipments/{shipment}', body: { carriersShipmentNumber: 'x'.repeat(37) } },
      'invalid_Shipment',
    ],
    [
      'a number as text',
      { request: 'PATCH /shipments/{shipment}', body: { carriersShipmentNumber: 123 } },
      'invalid_Shipment',
    ],
    [
      'a carrier nobody has',
      { request: 'PATCH /shipments/{shipment}', body: { carrierName: 'Pigeon' } },
      'unknown_Carrier',
    ],
    [
      'an address of 256',
      { request: 'PATCH /shipments/{shipment}', body: { deliveryAddress_careOf: 'x'.repeat(256) } },
      'invalid_Shipment',
    ],
    [
      'no shipment number',
      { request: 'PATCH /shipments/{shipment}', body: { shipmentNumber: null } },
      'invalid_Shipment',
    ],
    ['an attribute that is none', { request: 'PUT /shipments/{shipment}/colour', body: 'red' }, 'invalid_Shipment'],
    [
      'a seller nobody has',
      { request: 'POST /shipments', body: { customerNumber: 'C-1001', sellerNumber: 'NOBODY' } },
      'unknown_Seller',
    ],
    [
      'a number there is',
      { request: 'POST /shipments', body: { customerNumber: 'C-1001', shipmentNumber: '10045' } },
      'duplicate_Shipment',
    ],
    ['no customer', { request: 'POST /shipments', body: { shipmentNumber: 'S-1' } }, 'invalid_Shipment'],
    [
      'too many lines',
      { request: 'POST /shipments', body: { customerNumber: 'C-1001', shipmentLines: Array(1001).fill({}) } },
      'invalid_Shipment',
    ],
    [
      'a weight of nothing',
      { request: 'PATCH /shippingContainers/{container}', body: { weight: 0 } },
      'invalid_ShippingContainer',
    ],
    [
      'four decimals',
      { request: 'PATCH /shippingContainers/{container}', body: { weight: 1.0005 } },
      'invalid_ShippingContainer',
    ],
    [
      'no container type',
      { request: 'POST /shippingContainers', body: { shipmentNumber: '10045' } },
      'invalid_ShippingContainer',
    ],
    [
      'a container of nothing',
      { request: 'POST /shippingContainers', body: { containerTypeName: 'Box', shipmentId: 7 } },
      'unknown_Shipment',
    ],
    ['a carrier there is', { request: 'POST /carriers', body: { carrierName: 'Bring' } }, 'duplicate_Carrier'],
    ['a carrier of two lines', { request: 'POST /carriers', body: { carrierName: 'A\nB' } }, 'invalid_Carrier'],
    [
      'settings that are no JSON',
      { request: 'POST /carriers', body: { carrierName: 'X', dataDocument: '{' } },
      'invalid_Carrier',
    ],
    [
      'a status there is not',
      { request: 'PATCH /documents/{document}', body: { workStatus: 'RESTING' } },
      'invalid_Document',
    ],
    ['a document there is not', { request: 'PATCH /documents/1', body: { workStatus: 'DONE' } }, 'unknown_Document'],
    [
      'a file without content',
      { request: 'POST /documents/{document}/attachments', body: { fileName: 'a.pdf' } },
      'invalid_Attachment',
    ],
    [
      'a file without name',
      { request: 'POST /documents/{document}/attachments', body: { presignedUrl: 'x' } },
      'invalid_Attachment',
    ],
    [
      'content that is no base64',
      { request: 'POST /documents/{document}/attachments', body: { fileName: 'a.pdf', base64EncodedContent: '%%%' } },
      'invalid_Attachment',
    ],
    [
      'an event there was not',
      { request: 'POST /events/0000/messages', body: { messageType: 'INFO' } },
      'unknown_Event',
    ],
    [
      'a kind of message',
      { request: 'POST /events/{event}/messages', body: { messageType: 'SHOUT' } },
      'invalid_EventMessage',
    ],
    [
      'a booking of nothing',
      { request: 'POST /invocations/createTransportBooking', body: { shipmentId: 7 } },
      'unknown_Shipment',
    ],
    ['a print of nothing', { request: 'POST /invocations/printDocument', body: { documentId: 7 } }, 'unknown_Document'],
    ['a count of rows', { request: 'GET /shipments?maxNumRows=many' }, 'invalid_Shipment'],
    ["another area's context", { request: 'GET /contexts/2' }, 'unknown_Context'],
  ])(
    'of %s says which resource and what is wrong',
    async (_case, { request, body }: { request: string; body?: unknown }, messageCode) => {
      const sandbox = await openSandbox();
      const ask = await clientOf(sandbox);
      await masterData(ask);
      const shipment = shipmentIn(sandbox);
      const names: Record<string, unknown> = {
        shipment,
        document: sandbox.control.createTransportBooking(shipment).id,
        container: sandbox.control.state().shippingContainers[0]?.id,
        event: sandbox.control.state().events[0]?.eventId,
      };
      const path = request.replace(/\{(\w+)\}/, (_all, name: string) => String(names[name]));
      const answer = await ask(path, body === undefined ? {} : { body: JSON.stringify(body) });
      expect(answer).toMatchObject({ status: 422, body: { messageType: 'ERROR', messageCode } });
      expect(answer.body.messageText).toMatch(/^\S.+\.$/);
    },
  );
});

describe('a list', () => {
  async function withFive() {
    const sandbox = await openSandbox();
    for (let n = 1; n <= 5; n += 1)
      shipmentIn(sandbox, { shipmentNumber: `S-${n}`, carrierName: n % 2 === 0 ? 'GLS' : 'Bring', cancelled: n === 5 });
    const ask = await clientOf(sandbox);
    const numbers = async (query: string) =>
      (await ask(`GET /shipments${query}`)).body.map((row: { shipmentNumber: string }) => row.shipmentNumber);
    return { sandbox, ask, numbers };
  }

  it.each([
    [0, '?maxNumRows=2', ['S-1', 'S-2']],
    [0, '?maxNumRows=2&firstRow=2', ['S-3', 'S-4']],
    [0, '?maxNumRows=2&firstRow=4', ['S-5']],
    [1, '?maxNumRows=2', ['S-1', 'S-2']],
    [1, '?maxNumRows=2&firstRow=1', ['S-1', 'S-2']],
    [1, '?maxNumRows=2&firstRow=3', ['S-3', 'S-4']],
    [1, '?maxNumRows=2&firstRow=5', ['S-5']],
  ] as const)('counts rows from %s: %s', async (firstRowOrigin, query, expected) => {
    const { sandbox, numbers } = await withFive();
    sandbox.control.setSwitches({ firstRowOrigin });
    expect(await numbers(query)).toEqual(expected);
  });

  it('never has more than 1000 rows', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    for (let n = 0; n < 1001; n += 1) sandbox.control.createShipment({ area: 1, shipment: {}, containers: [] });
    expect((await ask('GET /shipments?maxNumRows=2000')).body).toHaveLength(1000);
    expect((await ask('GET /shipments?firstRow=1000')).body).toHaveLength(1);
  });

  it.each([
    ['?carrierName=GLS', ['S-2', 'S-4']],
    ['?onlyNotCancelled=true', ['S-1', 'S-2', 'S-3', 'S-4']],
    ['?onlyNotCancelled=false&carrierName=Bring', ['S-1', 'S-3', 'S-5']],
    ['?shipmentNumberMatch=s-3', ['S-3']],
    ['?shipmentNumberMatch=', ['S-1', 'S-2', 'S-3', 'S-4', 'S-5']],
    ['?carriersShipmentNumberMatch=9', []],
    ['?neverHeardOf=1&maxNumRows=1', ['S-1']],
  ])('of shipments can be narrowed by %s', async (query, expected) => {
    const { numbers } = await withFive();
    expect(await numbers(query)).toEqual(expected);
  });

  it('of matches has the exact ones first', async () => {
    const sandbox = await openSandbox();
    for (const shipmentNumber of ['A-10', 'A-1', 'XA-1']) shipmentIn(sandbox, { shipmentNumber });
    const ask = await clientOf(sandbox);
    const { body } = await ask('GET /shipments?shipmentNumberMatch=a-1');
    expect(body.map((row: { shipmentNumber: string }) => row.shipmentNumber)).toEqual(['A-1', 'A-10', 'XA-1']);
  });

  it('of shipments has their containers only when asked for', async () => {
    const { ask } = await withFive();
    expect((await ask('GET /shipments')).body[0]).toMatchObject({ shippingContainers: null });
    expect((await ask('GET /shipments?piggyback=true')).body[0].shippingContainers).toHaveLength(1);
  });

  it('of documents finds bookings that wait, and of shipments the one they are for', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const shipment = shipmentIn(sandbox);
    const { id } = sandbox.control.createTransportBooking(shipment);
    sandbox.control.createTransportBooking(shipmentIn(sandbox));
    const second = sandbox.control.createTransportBooking(shipmentIn(sandbox)).id;
    sandbox.control.cancelDocument(second);
    await ask(`PATCH /documents/${id}`, { body: { workStatus: 'ON_GOING' } });
    const query = 'documentType=TRANSPORT_BOOKING&onlyNotCancelled=true&maxNumRows=10';
    const waiting = await ask(`GET /documents?${query}&workStatus=PENDING`);
    expect(waiting.body).toMatchObject([{ documentNumber: 2, documentCreatedEventId: expect.any(String) }]);
    expect(waiting.body[0]).not.toHaveProperty('shipmentIds');
    expect((await ask(`GET /documents?${query}&documentNumber=1`)).body).toMatchObject([
      { id, workStatus: 'ON_GOING' },
    ]);
    const shipments = await ask('GET /shipments?onlyNotCancelled=true&onlyNoConsignmentNote=true');
    expect(shipments.body.find((row: { transportBookingId: number }) => row.transportBookingId === id).id).toBe(
      shipment,
    );
  });
});

describe('settings of applications', () => {
  it('are changed by their names, to any depth, in contexts and sellers', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    await ask('PATCH /contexts/1/dataDocument', {
      body: { Webhook: { url: 'https://a.example', auth: 'oauth2' }, Other: 1 },
    });
    await ask('PATCH /contexts/1/dataDocument', { body: { Webhook: { url: 'https://b.example' } } });
    const expected = { Webhook: { url: 'https://b.example', auth: 'oauth2' }, Other: 1 };
    expect((await ask('GET /contexts/1/dataDocument')).body).toEqual(expected);
    expect(JSON.parse((await ask('GET /contexts/1')).body.dataDocument)).toEqual(expected);
    const [seller] = (await ask('GET /sellers?sellerNumberMatch=FJORD')).body;
    const patched = await ask(`PATCH /sellers/${seller.id}/dataDocument`, {
      body: { GLSTransport: { customerId: '1' } },
    });
    expect(patched.body).toMatchObject({ id: seller.id, dataDocument: '{"GLSTransport":{"customerId":"1"}}' });
  });

  it('of carriers come with the carrier, or from behind the curtain', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const dataDocument = '{"BringTransport":{"customerNumber":"5"}}';
    await ask('POST /carriers', { body: { carrierName: 'Bring 2', dataDocument } });
    sandbox.control.setCarrierDataDocument(1, 'DAO', { DAOTransport: { customerId: '7' } });
    const carriers = (await ask('GET /carriers')).body;
    expect(carriers.map((row: { carrierName: string }) => row.carrierName)).toEqual([
      'Pretend',
      'Bring',
      'GLS',
      'DAO',
      'Bring 2',
    ]);
    expect(carriers[3].dataDocument).toBe('{"DAOTransport":{"customerId":"7"}}');
    expect(carriers[4]).toMatchObject({ dataDocument });
  });
});

describe('a file', () => {
  it('is kept on its document, and overwritten by one of the same name', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const { id } = sandbox.control.createTransportBooking(shipmentIn(sandbox));
    const attach = (content: string) =>
      ask(`POST /documents/${id}/attachments`, {
        body: { fileName: 'SHIPPING_LABEL_1.pdf', base64EncodedContent: Buffer.from(content).toString('base64') },
      });
    await attach('%PDF-1.4 first');
    expect((await attach('%PDF-1.4 second one')).body).toMatchObject({ fileName: 'SHIPPING_LABEL_1.pdf', size: 19 });
    expect(sandbox.control.state().attachments).toMatchObject([{ ownerId: id, size: 19, timesAttached: 2 }]);
    const file = await fetch(`${sandbox.url}/control/documents/${id}/attachments/SHIPPING_LABEL_1.pdf`);
    expect(file.headers.get('content-type')).toContain('application/pdf');
    expect(await file.text()).toBe('%PDF-1.4 second one');
  });

  it('may be nine megabytes long, or only an address, on shipments too', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const id = shipmentIn(sandbox);
    const content = Buffer.alloc(6_900_000).toString('base64');
    const large = await ask(`POST /shipments/${id}/attachments`, {
      body: { fileName: 'a.pdf', base64EncodedContent: content },
    });
    expect(large).toMatchObject({ status: 200, body: { size: 6_900_000 } });
    const linked = await ask(`POST /shipments/${id}/attachments`, {
      body: { fileName: 'b.pdf', presignedUrl: 'https://carrier.example/b.pdf' },
    });
    expect(linked.body).toMatchObject({ presignedUrl: 'https://carrier.example/b.pdf' });
  });
});
