import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { Ask } from './support.js';
import { clientOf, closeAll, openSandbox } from './support.js';

const CLIENTS = ['full', 'sales', 'purchasing', 'forecasting', 'accounting', 'consignment'] as const;
type Client = (typeof CLIENTS)[number];

/** S, F, P, A and C as in the interface's tables of endpoints. */
const LETTERS: Readonly<Record<string, Client>> = {
  S: 'sales',
  F: 'full',
  P: 'purchasing',
  A: 'accounting',
  C: 'consignment',
};

const ids: Record<string, string> = {};
const asking = new Map<Client, Ask>();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
  for (const client of CLIENTS) asking.set(client, await clientOf(sandbox, client));
  const shipment = sandbox.control.createShipment({ area: 1, shipment: {} });
  ids['shipment'] = String(shipment.id);
  ids['container'] = String(sandbox.control.state().shippingContainers[0]?.id);
  ids['document'] = String(sandbox.control.createTransportBooking(shipment.id).id);
  ids['seller'] = String(sandbox.control.state().sellers[0]?.id);
  ids['event'] = sandbox.control.state().events[0]?.eventId ?? '';
});

afterAll(closeAll);

describe('each endpoint admits', () => {
  it.each([
    ['SPCF', 'GET /shipments'],
    ['SF', 'POST /shipments'],
    ['SFC', 'GET /shipments/{shipment}'],
    ['FS', 'PATCH /shipments/{shipment}'],
    ['SF', 'PUT /shipments/{shipment}/onHold'],
    ['F', 'POST /shipments/{shipment}/attachments'],
    ['FS', 'GET /shipments/{shipment}/globalTradeItemInstances'],
    ['SF', 'GET /shippingContainers'],
    ['SF', 'POST /shippingContainers'],
    ['SF', 'GET /shippingContainers/{container}'],
    ['FC', 'PATCH /shippingContainers/{container}'],
    ['SPF', 'GET /documents'],
    ['ASPF', 'GET /documents/{document}'],
    ['FS', 'PATCH /documents/{document}'],
    ['F', 'POST /documents/{document}/attachments'],
    ['F', 'GET /carriers'],
    ['F', 'POST /carriers'],
    ['FSPC', 'GET /contexts/1'],
    ['FSPC', 'GET /contexts/1/dataDocument'],
    ['F', 'PATCH /contexts/1/dataDocument'],
    ['SF', 'GET /sellers'],
    ['SF', 'GET /sellers/{seller}'],
    ['F', 'PATCH /sellers/{seller}/dataDocument'],
    ['SPFC', 'POST /events/{event}/messages'],
    ['SF', 'POST /invocations/createTransportBooking'],
    ['SF', 'POST /invocations/createDeliveryNote'],
    ['F', 'POST /invocations/printDocument'],
    ['F', 'POST /invocations/printResource'],
  ])('%s to %s', async (letters, request) => {
    const admitted: Client[] = [];
    for (const [client, ask] of asking) {
      const filled = request.replace(/\{(\w+)\}/, (_all, name: string) => ids[name] ?? '');
      const { status, body } = await ask(filled, request.startsWith('GET') ? {} : { body: {} });
      if (status === 403) expect(body).toEqual({ message: 'Forbidden' });
      else admitted.push(client);
    }
    expect(admitted.sort()).toEqual([...letters].map((letter) => LETTERS[letter]).sort());
  });

  it('transport clients to event messages only under the spelling they have, when spelling is strict', async () => {
    sandbox.control.setSwitches({ strictScopeSpelling: true });
    const message = { messageType: 'INFO', messageText: 'Booked.' };
    const answers = ['consignment', 'sales'] as const;
    const statuses = answers.map(async (client) => {
      return (await asking.get(client)?.(`POST /events/${ids['event']}/messages`, { body: message }))?.status;
    });
    expect(await Promise.all(statuses)).toEqual([403, 200]);
    sandbox.control.setSwitches({ strictScopeSpelling: false });
  });
});
