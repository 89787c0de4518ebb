import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { operatorNeeded } from '../support/endings.js';
import { until } from '../support/harness.js';
import { type Config, type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';

const { oneParcel } = sampleShipments;
const DAO = { customerId: '9999', code: 'dao-code-of-carrier' };
const BRING = { apiKey: 'bring-key', apiUid: 'lager@mail.example', customerNumber: '6' };
const STALE_MS = 6 * MINUTE_MS;

const fromIms = (config: Config) => {
  const { bring, dao } = config['accounts'] as Readonly<Record<string, object>>;
  const settled = (account: object | undefined) => ({ ...account, config: { from: 'ims' } });
  return { ...config, rules: [], accounts: { bring: settled(bring), dao: settled(dao) } };
};

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives(fromIms);
  carrierHas('DAO', { DAOTransport: DAO });
  carrierHas('Bring', { BringTransport: BRING });
  life = await lives.begin();
  life.service.listenAgain();
});
afterAll(async () => {
  await life.end();
  await lives.end();
});
afterEach(() => {
  lives.sandbox.control.clearFaults();
  life.forward(STALE_MS);
});

function carrierHas(name: string, dataDocument: object) {
  lives.sandbox.control.setCarrierDataDocument(1, name, dataDocument as never);
}

async function sellerHas(sellerNumber: string, dataDocument: object) {
  const { sellers } = lives.sandbox.control.state();
  const found = sellers.find((row) => row['sellerNumber'] === sellerNumber && row['contextId'] === 1);
  await life.service.ims(`PATCH /sellers/${String(found?.['id'])}/dataDocument`, dataDocument);
  life.forward(STALE_MS);
}

const book = (carrierName: string, sellerNumber: string | undefined) =>
  life.service.run(oneParcel, { carrierName, sellerNumber });

it("cancels and follows each parcel with its seller's settings, also with a new password", async () => {
  const { service } = life;
  await sellerHas('FJORD', { DAOTransport: { customerId: '1111', code: 'dao-code-of-fjord' } });
  const fjord = await book('DAO', 'FJORD');
  const common = await book('DAO', undefined);
  const mark = service.mark();
  life.forward(180 * MINUTE_MS);
  const followed = () =>
    service
      .requestsSince(mark, 'dao')
      .filter(({ query }) => [fjord, common].some(({ trackingNumbers: [n] }) => n === query['stregkode']))
      .map(({ query }) => `${query['kundeid']} ${query['stregkode']}`);
  await until('both are asked for', () => new Set(followed()).size === 2);
  expect(new Set(followed())).toEqual(
    new Set([`1111 ${fjord.trackingNumbers[0]}`, `9999 ${common.trackingNumbers[0]}`]),
  );
  await sellerHas('FJORD', { DAOTransport: { customerId: '1111', code: 'another-code-of-fjord' } });
  const again = service.mark();
  await service.act(fjord.consignment, 'cancel');
  await until('it is cancelled', async () => (await service.look(fjord.documentId)).consignment.state === 'cancelled');
  const cancels = service.requestsSince(again, 'dao').filter(({ path }) => path.includes('Annuller'));
  expect(cancels).toMatchObject([{ query: { kundeid: '1111' } }]);
});

it('cancels nothing with the settings of another customer, and says so', async () => {
  const { service } = life;
  await sellerHas('ULDVARER', { DAOTransport: { customerId: '2222', code: 'dao-code-of-uldvarer' } });
  const ending = await book('DAO', 'ULDVARER');
  await sellerHas('ULDVARER', { DAOTransport: { customerId: '3333', code: 'dao-code-of-uldvarer' } });
  const mark = service.mark();
  await service.act(ending.consignment, 'cancel');
  const texts = () => service.messages(service.eventOf(ending.documentId)).map(({ text }) => text);
  await until('it is told', () => texts().some((text) => text.includes('another customer of DAO')));
  expect(service.requestsSince(mark, 'dao').filter(({ path }) => path.includes('Annuller'))).toEqual([]);
});

it("makes a return label with its seller's settings, and none with those of another customer", async () => {
  const { service } = life;
  await sellerHas('FJORD', { DAOTransport: { customerId: '4444', code: 'dao-code-of-fjord' } });
  const [first, second] = [await book('DAO', 'FJORD'), await book('DAO', 'FJORD')];
  const mark = service.mark();
  const asked = () => service.requestsSince(mark, 'dao').filter(({ path }) => path.includes('returordre'));
  expect(await service.act(first.consignment, 'return-label')).toMatchObject({ status: 200, body: { state: 'made' } });
  expect(asked()).toMatchObject([{ query: { kundeid: '4444' } }]);
  await sellerHas('FJORD', { DAOTransport: { customerId: '5555', code: 'dao-code-of-fjord' } });
  const { status, body } = await service.act(second.consignment, 'return-label');
  expect([status, body.detail]).toEqual([409, expect.stringMatching(/another customer of DAO.*portal of DAO/)]);
  expect(asked()).toHaveLength(1);
});

it('leaves a lost answer to a person when the settings are of another customer by then: "not there" would be no answer', async () => {
  const { service } = life;
  lives.sandbox.control.addFault({ target: 'bring', method: 'POST', path: 'booking', kind: 'drop-after' });
  // Else it would be found before the settings change.
  lives.sandbox.control.addFault({
    ...{ target: 'bring', method: 'GET', path: 'tracking', kind: 'status', times: 'always', status: 503 },
  });
  const documentId = service.book(service.ship(oneParcel, { carrierName: 'Bring', sellerNumber: undefined }));
  await until('it is in doubt', async () => (await service.consignmentOf(documentId))?.state === 'in-doubt');
  carrierHas('Bring', { BringTransport: { ...BRING, customerNumber: '7' } });
  life.forward(STALE_MS);
  await operatorNeeded(service, documentId);
  expect(service.requestsSince(0, 'bring').filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('books nothing beside what another customer has booked when it is tried again, and says what stays booked', async () => {
  const { service } = life;
  await sellerHas('ULDVARER', { DAOTransport: { customerId: '6666', code: 'dao-code-of-uldvarer' } });
  const body = { messageCode: 'invalid_Attachment', messageText: 'The file is too odd.' };
  // A busy machine may get the answer too late, and attaches the label again.
  const refused = { path: '/attachments', kind: 'status', status: 422, body, times: 'always' } as const;
  lives.sandbox.control.addFault({ target: 'ims', ...refused });
  const shipmentId = service.ship(oneParcel, { carrierName: 'DAO', sellerNumber: 'ULDVARER' });
  const first = await service.ending(service.book(shipmentId));
  lives.sandbox.control.clearFaults();
  expect(first.consignment.state).toBe('incomplete');
  await sellerHas('ULDVARER', { DAOTransport: { customerId: '7777', code: 'dao-code-of-uldvarer' } });
  const [container] = oneParcel.containers;
  await service.ims('POST /shippingContainers', { ...container, shipmentId });
  const mark = service.mark();
  expect((await service.act(first.consignment, 'retry')).status).toBe(202);
  const again = await service.ending(first.documentId);
  expect(again.messages.at(-1)?.text).toContain(`still booked with DAO, as ${first.trackingNumbers[0]}`);
  expect(service.requestsSince(mark, 'dao').filter(({ path }) => path.includes('leveringsordre'))).toEqual([]);
});
