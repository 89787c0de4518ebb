import { afterEach, describe, expect, it } from '@jest/globals';
import type { Ask } from './support.js';
import { clientOf, closeAll, openSandbox } from './support.js';

/** Of a sandbox of its own for each test, on a busy machine. */

afterEach(() => closeAll());

/** What a transport application of the vendor knows when it is told of a booking. */
interface Told {
  readonly shipmentId: number;
  readonly documentId: number;
  readonly containerId: number;
  readonly sellerId: number;
  readonly eventId: string;
}

interface Step {
  readonly request: string;
  readonly body?: unknown;
}

interface Application {
  readonly name: string;
  /** What it sends when it is installed. */
  readonly installs: readonly Step[];
  /** What it sends for a booking that goes well, in its order. */
  readonly books: (told: Told) => readonly Step[];
  readonly leaves: { readonly tracked: boolean; readonly carriersShipmentNumber: string | null };
}

const PDF = Buffer.from('%PDF-1.4 a label').toString('base64');
const LINK = 'https://labels.example/1.pdf';

const carrier = (carrierName: string, dataDocument: object): Step => ({
  request: 'POST /carriers',
  body: { carrierName, dataDocument: JSON.stringify(dataDocument) },
});
const work = ({ documentId }: Told, workStatus: string): Step => ({
  request: `PATCH /documents/${documentId}`,
  body: { workStatus },
});
const shipment = ({ shipmentId }: Told): Step => ({ request: `GET /shipments/${shipmentId}` });
const seller = ({ sellerId }: Told): Step => ({ request: `GET /sellers/${sellerId}` });
const context: Step = { request: 'GET /contexts/1' };
const carriers: Step = { request: 'GET /carriers' };
const tracked = ({ containerId }: Told, more: object = { trackingUrl: 'https://carrier.example/T1' }): Step => ({
  request: `PATCH /shippingContainers/${containerId}`,
  body: { trackingNumber: 'T1', ...more },
});
const numbered = ({ shipmentId }: Told, carriersShipmentNumber: string): Step => ({
  request: `PATCH /shipments/${shipmentId}`,
  body: { carriersShipmentNumber },
});
const attached = ({ documentId }: Told, content: object): Step => ({
  request: `POST /documents/${documentId}/attachments`,
  body: { fileName: `SHIPPING_LABEL_${documentId}.pdf`, ...content },
});

/** Written by hand after the public applications of `thetis-apps`; all values are invented. */
const APPLICATIONS: readonly Application[] = [
  {
    name: 'BringTransport',
    installs: [carrier('Bring', { BringTransport: { apiKey: 'key', apiUid: 'me@example.com', testIndicator: true } })],
    books: (told) => [
      ...[work(told, 'ON_GOING'), shipment(told), context, carriers, tracked(told), numbered(told, 'C1')],
      ...[attached(told, { presignedUrl: LINK }), work(told, 'DONE')],
    ],
    leaves: { tracked: true, carriersShipmentNumber: 'C1' },
  },
  {
    name: 'GLSTransport',
    installs: [
      carrier('GLS', { GLSTransport: { userName: '1', password: 'p', contactId: 'c', customerId: '1' } }),
      {
        request: 'POST /dataExtensions',
        body: {
          entityName: 'seller',
          dataExtensionName: 'GLSTransport',
          dataSchema: JSON.stringify({ type: 'object', properties: { userName: { type: 'string' } } }),
        },
      },
      { request: 'GET /dataExtensions' },
    ],
    books: (told) => [
      ...[work(told, 'ON_GOING'), shipment(told), seller(told), tracked(told), numbered(told, 'C1')],
      ...[attached(told, { base64EncodedContent: PDF }), work(told, 'DONE')],
    ],
    leaves: { tracked: true, carriersShipmentNumber: 'C1' },
  },
  {
    name: 'DAOTransport',
    installs: [carrier('DAO', { DAOTransport: { customerId: '9999', code: 'c', test: true, paper: '100x150' } })],
    books: (told) => [
      ...[work(told, 'ON_GOING'), carriers, shipment(told), tracked(told, {}), numbered(told, 'T1')],
      ...[attached(told, { base64EncodedContent: PDF }), work(told, 'DONE')],
    ],
    leaves: { tracked: true, carriersShipmentNumber: 'T1' },
  },
  {
    name: 'BudbeeTransport',
    installs: [carrier('Budbee', { BudbeeTransport: { apiKey: 'k', apiSecret: 's', test: true, collectionId: 1 } })],
    books: (told) => [
      ...[work(told, 'ON_GOING'), shipment(told), seller(told), tracked(told), numbered(told, 'C1')],
      ...[attached(told, { presignedUrl: LINK }), work(told, 'DONE'), shipment(told)],
    ],
    leaves: { tracked: true, carriersShipmentNumber: 'C1' },
  },
  {
    name: 'CoolRunnerTransport, its older handler too',
    installs: [carrier('CoolRunner', { CoolRunnerTransport: { userName: 'u', token: 't' } })],
    books: (told) => [
      ...[work(told, 'ON_GOING'), shipment(told), seller(told), tracked(told), numbered(told, '<none>')],
      ...[attached(told, { base64EncodedContent: PDF }), work(told, 'DONE')],
    ],
    leaves: { tracked: true, carriersShipmentNumber: '<none>' },
  },
  {
    name: 'DFTransport',
    installs: [carrier('Danske Fragtmænd', { DFTransport: { url: 'https://df.example', clientId: 'c' } })],
    books: (told) => [
      ...[work(told, 'ON_GOING'), shipment(told), seller(told)],
      { request: `GET /shipments/${told.shipmentId}/globalTradeItemInstances` },
      ...[numbered(told, 'C1'), attached(told, { base64EncodedContent: PDF }), work(told, 'DONE')],
    ],
    leaves: { tracked: false, carriersShipmentNumber: 'C1' },
  },
  {
    name: 'UnifaunTransport',
    installs: [carrier('Postnord', { PostnordTransport: { user: 'u', pin: 'p', test: true } })],
    books: (told) => [
      ...[work(told, 'ON_GOING'), shipment(told), carriers, context, tracked(told), numbered(told, 'C1')],
      ...[attached(told, { base64EncodedContent: PDF }), work(told, 'DONE')],
    ],
    leaves: { tracked: true, carriersShipmentNumber: 'C1' },
  },
  {
    name: 'WebshipperIntegration',
    installs: [],
    books: (told) => [
      ...[{ request: 'GET /contexts/1/dataDocument' }, shipment(told)],
      { request: `GET /shipments/${told.shipmentId}/globalTradeItemInstances` },
      { request: `PUT /shipments/${told.shipmentId}/termsOfDelivery`, body: 'Webshipper' },
      {
        request: `PATCH /shipments/${told.shipmentId}`,
        body: {
          deliveryDate: 1_898_841_600_000,
          deliveryAddress_countryCode: 'DK',
          contactPerson_email: 'a@example.com',
        },
      },
      ...[tracked(told), numbered(told, 'C1')],
      {
        request: `POST /shipments/${told.shipmentId}/attachments`,
        body: { fileName: `RETURN_LABEL_${told.shipmentId}_1_1.pdf`, base64EncodedContent: PDF },
      },
    ],
    leaves: { tracked: true, carriersShipmentNumber: 'C1' },
  },
];

async function bookingIn(ask: Ask, create: () => string | number): Promise<Told> {
  const shipmentId = Number(create());
  const document = (await ask('POST /invocations/createTransportBooking', { body: { shipmentId } })).body;
  const { shippingContainers } = (await ask(`GET /shipments/${shipmentId}`)).body;
  const [first] = (await ask('GET /sellers')).body;
  const { documentCreatedEventId } = (await ask(`GET /documents/${document.id}`)).body;
  return {
    shipmentId,
    documentId: document.id,
    containerId: shippingContainers[0].id,
    sellerId: first.id,
    eventId: documentCreatedEventId,
  };
}

async function opened() {
  const sandbox = await openSandbox();
  const ask = await clientOf(sandbox);
  const told = await bookingIn(ask, () => {
    return sandbox.control.createShipment({ area: 1, shipment: { shipmentNumber: '10045' }, containers: [{}] }).id;
  });
  return { sandbox, ask, told };
}

async function statuses(ask: Ask, steps: readonly Step[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const { request, body } of steps) {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? JSON.stringify(body) : body };
    const { status, body: said } = await ask(request, sent);
    if (status >= 300) answers.push(`${request}: ${status} ${JSON.stringify(said)}`);
  }
  return answers;
}

const INSTALLED = APPLICATIONS.filter(({ installs }) => installs.length > 0);

describe("an application of the vendor's, by the requests that it sends to the IMS", () => {
  it.each(APPLICATIONS.map((application) => [application.name, application] as const))(
    'ends a booking: %s',
    async (_name, { books, leaves }) => {
      const { ask, told } = await opened();
      expect(await statuses(ask, books(told))).toEqual([]);
      const { carriersShipmentNumber, shippingContainers } = (await ask(`GET /shipments/${told.shipmentId}`)).body;
      expect(carriersShipmentNumber).toBe(leaves.carriersShipmentNumber);
      expect(shippingContainers[0].trackingNumber ?? null).toBe(leaves.tracked ? 'T1' : null);
    },
  );

  it.each(INSTALLED.map((application) => [application.name, application] as const))(
    'is installed in an area without carriers: %s',
    async (_name, { installs }) => {
      const { sandbox } = await opened();
      const body = JSON.stringify({ contextId: 9, apiKey: 'area-9-key' });
      const headers = { 'content-type': 'application/json' };
      expect((await fetch(`${sandbox.url}/control/areas`, { method: 'POST', headers, body })).status).toBeLessThan(300);
      const full = await clientOf(sandbox);
      expect(await statuses((request, call) => full(request, { ...call, apiKey: 'area-9-key' }), installs)).toEqual([]);
    },
  );

  it('fails a booking with a message for the device of the worker, told in milliseconds', async () => {
    const { ask, told } = await opened();
    const message = {
      ...{ time: 1_898_841_600_000, source: 'BringTransport', messageType: 'ERROR' },
      ...{ messageText: 'Could not book 10045', deviceName: '-', userId: 12 },
    };
    const steps = [work(told, 'ON_GOING'), { request: `POST /events/${told.eventId}/messages`, body: message }];
    expect(await statuses(ask, [...steps, work(told, 'FAILED')])).toEqual([]);
    expect((await ask(`GET /documents/${told.documentId}`)).body.workStatus).toBe('FAILED');
  });

  it('writes numbers by the older names of an attribute at a time', async () => {
    const { ask, told } = await opened();
    const steps = [
      { request: `PUT /shipments/${told.shipmentId}/consignmentId`, body: 'C1' },
      { request: `PUT /shippingContainers/${told.containerId}/trackingNumber`, body: 'T1' },
      {
        request: `POST /shipments/${told.shipmentId}/attachments`,
        body: { fileName: `SHIPPING_LABEL_${told.shipmentId}.pdf`, base64EncodedContent: PDF },
      },
    ];
    expect(await statuses(ask, steps)).toEqual([]);
    expect((await ask(`GET /shipments/${told.shipmentId}`)).body).toMatchObject({
      carriersShipmentNumber: 'C1',
      shippingContainers: [{ trackingNumber: 'T1' }],
    });
  });
});
