import { afterEach, expect, it } from '@jest/globals';
import type { SenderChoice } from '../../carriers/contract/adapter.js';
import { sourcesOf } from '../../src/planning/sources.js';
import type { ImsShipment } from '../../src/ims/resources.js';
import { type Scripted, type TestIms, jwt, startTestIms } from '../ims/ims-server.js';

const FULL = 'api/full';
const CONTEXT = { id: 550, address: { addressee: 'The warehouse' } };

let ims: TestIms;

afterEach(() => ims.close());

/** Who sends a shipment that names its seller and no more. */
async function sendersWhenSeller(answers: Scripted, scope: string, sender: SenderChoice = 'seller') {
  ims = await startTestIms({
    token: () => ({ status: 200, json: { access_token: jwt(scope), expires_in: 3600 } }),
    api: ({ url }) => {
      if (url.includes('/shipments/')) return { status: 200, json: { id: 601, sellerId: 3 } };
      return url.includes('/contexts/') ? { status: 200, json: CONTEXT } : answers;
    },
  });
  const area = ims.area();
  const shipment: ImsShipment = await area.loadShipment('601');
  return sourcesOf(area, shipment).senders(sender);
}

it.each<[string, Scripted, string]>([
  ['there is none', { status: 404 }, FULL],
  ['it is refused', { status: 422, json: { messageCode: 'unknown_Seller', messageText: 'There is none.' } }, FULL],
  ['we may not read it', { status: 403 }, 'api/consignment'],
])('takes the area for the sender of a shipment whose seller cannot be had: %s', async (_why, answers, scope) => {
  expect(await sendersWhenSeller(answers, scope)).toMatchObject({ seller: null, context: { id: '550' } });
});

it.each<[string, Scripted]>([
  ['503', { status: 503 }],
  ['429', { status: 429 }],
  ['401', { status: 401 }],
  ['nothing', 'reset'],
  ['a redirect', { status: 302, headers: { location: 'https://login.example' } }],
  ['a page for people', { status: 200, text: '<h1>Log in</h1>', headers: { 'content-type': 'text/html' } }],
  ['no words', { status: 200 }],
])('takes nobody for the sender while the seller cannot be read: %s', async (_what, answers) => {
  await expect(sendersWhenSeller(answers, FULL)).rejects.toThrow(/Could not read a seller|The IMS does not accept/);
  expect(ims.calls.map(({ url }) => url)).not.toContain('/2/contexts/550');
});

it('does not ask for the seller where the area is the sender', async () => {
  expect(await sendersWhenSeller('reset', FULL, 'area')).toMatchObject({ seller: null, context: { id: '550' } });
  expect(ims.calls.filter(({ url }) => url.includes('/sellers/'))).toEqual([]);
});
