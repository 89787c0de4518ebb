import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Config, type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';

const { oneParcel } = sampleShipments;

const GLS = { userName: 'warehouse', password: 'pw-of-warehouse', contactId: 'C0', customerId: 'K0' };
const FJORD = { userName: 'fjord', password: 'pw-of-fjord', contactId: 'C1', customerId: 'K1' };
const BRING = { apiKey: 'bring-key-of-carrier', apiUid: 'lager@mail.example', customerNumber: 6, testIndicator: true };
const DAO = { customerId: '9999', code: 'dao-code-of-carrier', test: '1', paper: 'A4Foldable' };
/** Longer than what is read of carriers and sellers counts as fresh. */
const STALE_MS = 6 * MINUTE_MS;

const GIVEN: Readonly<Record<string, object>> = { gls: {}, bring: { customerNumber: '5' }, dao: {} };

/** Their settings are in the IMS; what is given here stands in waybridge.yaml too. */
const fromIms = (config: Config) => {
  const accounts = config['accounts'] as Readonly<Record<string, object>>;
  const changed = Object.entries(accounts).map(([name, account]) =>
    GIVEN[name] === undefined ? [name, account] : [name, { ...account, config: { from: 'ims', ...GIVEN[name] } }],
  );
  return { ...config, rules: [], accounts: Object.fromEntries(changed) as object };
};

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives(fromIms);
  carrierHas('GLS', { GLSTransport: GLS });
  carrierHas('GLS', { GLSTransport: { ...GLS, customerId: 'K-of-area-2' } }, 2);
  carrierHas('Bring', { BringTransport: BRING, OtherApp: { apiKey: 'of-another-app' } });
  carrierHas('DAO', { DAOTransport: DAO });
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

function carrierHas(name: string, dataDocument: object, area = 1) {
  lives.sandbox.control.setCarrierDataDocument(area, name, dataDocument as never);
}

function seller(sellerNumber: string, area = 1) {
  const { sellers } = lives.sandbox.control.state();
  const found = sellers.find((row) => row['sellerNumber'] === sellerNumber && row['contextId'] === area);
  if (!found) throw new Error(`no seller ${sellerNumber}`);
  return found;
}

/** Answers the seller with this data document, which need not be one that the IMS would keep. */
function sellerHas(sellerNumber: string, dataDocument: unknown, area = 1) {
  const row = seller(sellerNumber, area);
  const path = `^/sellers/${String(row['id'])}$`;
  lives.sandbox.control.addFault({
    ...{ target: 'ims', method: 'GET', kind: 'status', path, times: 'always', status: 200 },
    body: { ...row, dataDocument } as never,
  });
}

const TARGETS = { GLS: 'gls-dk', Bring: 'bring', DAO: 'dao' };

async function book(carrierName: keyof typeof TARGETS, changes: object = {}, area = 1) {
  const { service } = life;
  const mark = service.mark();
  const ending = await service.run(oneParcel, { carrierName, sellerNumber: undefined, ...changes }, area);
  const asked = service.requestsSince(mark);
  return { ending, asked, sent: asked.filter(({ target }) => target === TARGETS[carrierName]) };
}

it("takes an account's settings from the data document of its carrier, in each area its own", async () => {
  const first = await book('GLS');
  expect(first.ending.workStatus).toBe('DONE');
  expect(first.sent).toMatchObject([{ body: { UserName: 'warehouse', Customerid: 'K0', Contactid: 'C0' } }]);
  const second = await book('GLS', {}, 2);
  expect(second.sent).toMatchObject([{ body: { Customerid: 'K-of-area-2' } }]);
});

it("takes a seller's own settings before the carrier's, so that one account books for many sellers", async () => {
  sellerHas('FJORD', JSON.stringify({ GLSTransport: FJORD }));
  sellerHas('ULDVARER', JSON.stringify({ GLSTransport: { contactId: 'C2' } }));
  const fjord = await book('GLS', { sellerNumber: 'FJORD' });
  expect(fjord.sent).toMatchObject([{ body: { UserName: 'fjord', Customerid: 'K1', Contactid: 'C1' } }]);
  const other = await book('GLS', { sellerNumber: 'ULDVARER' });
  expect(other.sent).toMatchObject([{ body: { UserName: 'warehouse', Customerid: 'K0', Contactid: 'C2' } }]);
});

it("takes what stands in waybridge.yaml before both, and Bring's and DAO's keys as they stand in the IMS", async () => {
  const bring = await book('Bring');
  expect(bring.ending.workStatus).toBe('DONE');
  const asked = { testIndicator: true, consignments: [{ product: { customerNumber: '5' } }] };
  expect(bring.sent[0]).toMatchObject({ body: asked });
  const dao = await book('DAO');
  expect(dao.ending.workStatus).toBe('DONE');
  expect(dao.sent.map(({ query }) => query)).toMatchObject([{ kundeid: '9999', test: '1' }, { papir: 'A4Foldable' }]);
});

it('asks the IMS for nothing more for the next booking, and sees a change within five minutes', async () => {
  await book('GLS', { sellerNumber: 'FJORD' });
  const { asked } = await book('GLS', { sellerNumber: 'FJORD' });
  expect(asked.filter(({ path }) => /^\/(sellers|carriers)/.test(path))).toEqual([]);
  carrierHas('GLS', { GLSTransport: { ...GLS, contactId: 'C9' } });
  life.forward(STALE_MS);
  expect((await book('GLS')).sent).toMatchObject([{ body: { Contactid: 'C9' } }]);
  carrierHas('GLS', { GLSTransport: GLS });
});

it.each<[string, unknown, string]>([
  ['lacks a setting', { GLSTransport: { ...FJORD, contactId: undefined } }, 'GLSTransport.contactId'],
  ['has an empty one', { GLSTransport: { ...FJORD, password: '' } }, 'GLSTransport.password'],
  [
    'has one that GLS would not take',
    { GLSTransport: { ...FJORD, password: 'x'.repeat(21) } },
    'GLSTransport.password',
  ],
  ['has one of the wrong type', { GLSTransport: { ...FJORD, userName: ['fjord'] } }, 'GLSTransport.userName'],
  ['has a text where settings belong', { GLSTransport: 'pw-of-fjord' }, 'GLSTransport'],
])('refuses to book for a seller that %s, and names the setting and never a value', async (_case, document, key) => {
  sellerHas('FJORD', JSON.stringify(document));
  const { ending, sent } = await book('GLS', { sellerNumber: 'FJORD' });
  expect(sent).toEqual([]);
  expect(ending.workStatus).toBe('FAILED');
  // On a slow machine it was told to wait before.
  const { type, text } = ending.messages.at(-1) ?? { type: null, text: '' };
  expect(type).toBe('ERROR');
  expect(text).toContain('seller FJORD');
  expect(text).toMatch(new RegExp(`\\(${key}\\)`));
  expect(JSON.stringify([ending, life.service.lines])).not.toMatch(/pw-of-|xxxxx/);
  const logged = life.service.lines.filter(({ event }) => event === 'settings in the IMS cannot be used');
  expect(logged.at(-1)).toMatchObject({ level: 'error', fields: { area: '1', account: 'gls', of: 'seller FJORD' } });
});

it('refuses to book for a seller whose data document is no JSON', async () => {
  sellerHas('FJORD', '{"GLSTransport": {');
  const { ending, sent } = await book('GLS', { sellerNumber: 'FJORD' });
  expect(sent).toEqual([]);
  expect(ending.messages.at(-1)?.text).toContain('dataDocument');
});

it.each<[string, unknown]>([
  ['no data document', null],
  ['an empty one', ''],
  ['null for the application', JSON.stringify({ GLSTransport: null })],
  ['a form that was saved without a word', JSON.stringify({ GLSTransport: { userName: '', password: null } })],
])("books with the carrier's settings for a seller with %s", async (_case, document) => {
  sellerHas('FJORD', document);
  const { sent } = await book('GLS', { sellerNumber: 'FJORD' });
  expect(sent).toMatchObject([{ body: { UserName: 'warehouse', Customerid: 'K0' } }]);
});

it('reads a data document that comes as an object, and the older name of the customer id', async () => {
  const { customerId: customerNumber, ...others } = FJORD;
  sellerHas('FJORD', { GLSTransport: { ...others, customerNumber } });
  const { sent } = await book('GLS', { sellerNumber: 'FJORD' });
  expect(sent).toMatchObject([{ body: { UserName: 'fjord', Customerid: 'K1' } }]);
});

it('hides a secret of the IMS that a carrier quotes, from logs, messages and operators', async () => {
  sellerHas('FJORD', JSON.stringify({ GLSTransport: FJORD }));
  lives.sandbox.control.addFault({
    ...{ target: 'gls-dk', method: 'POST', kind: 'status', path: 'CreateShipment', times: 1, status: 400 },
    body: { Message: 'The password pw-of-fjord has expired.', ModelState: {} },
  });
  const { ending } = await book('GLS', { sellerNumber: 'FJORD' });
  expect(ending.workStatus).toBe('FAILED');
  expect(ending.messages.at(-1)?.text).toContain('has expired');
  expect(JSON.stringify([ending, life.service.lines])).not.toContain('pw-of-fjord');
});

it('says before anyone packs that settings are missing', async () => {
  sellerHas('FJORD', JSON.stringify({ GLSTransport: { userName: 'fjord' } }));
  const { service } = life;
  const id = service.ship(oneParcel, { carrierName: 'GLS', sellerNumber: 'FJORD' });
  const explained = await service.operator(`/shipments/${id}/explain?area=1`);
  expect(explained.body.messages[0]).toContain('GLSTransport.password');
  expect(explained.body.requests).toEqual([]);
});

it('shows the request with the settings of the seller, without secrets', async () => {
  sellerHas('FJORD', JSON.stringify({ GLSTransport: FJORD }));
  const { service } = life;
  const id = service.ship(oneParcel, { carrierName: 'GLS', sellerNumber: 'FJORD' });
  const { body } = await service.operator(`/shipments/${id}/explain?area=1`);
  expect(body.requests).toMatchObject([{ json: { UserName: 'fjord', Customerid: 'K1', Password: '***' } }]);
});

/** Nothing of what settings are in can be read; all else of the IMS is well. */
function settingsAreAway(): void {
  lives.sandbox.control.addFault({
    ...{ target: 'ims', method: 'GET', kind: 'status', path: '^/(sellers|carriers)', times: 'always', status: 503 },
  });
}

it('books with the settings that were read last while the IMS is away', async () => {
  sellerHas('FJORD', JSON.stringify({ GLSTransport: FJORD }));
  await book('GLS', { sellerNumber: 'FJORD' });
  lives.sandbox.control.clearFaults();
  settingsAreAway();
  life.forward(STALE_MS);
  const { ending, sent } = await book('GLS', { sellerNumber: 'FJORD' });
  expect(ending.workStatus).toBe('DONE');
  expect(sent).toMatchObject([{ body: { UserName: 'fjord', Customerid: 'K1' } }]);
});

it('sees a change of the carrier and of a seller when five minutes have passed, not before it needs them', async () => {
  const FIVE_MINUTES_MS = 5 * MINUTE_MS;
  sellerHas('FJORD', JSON.stringify({ GLSTransport: FJORD }));
  await book('GLS', { sellerNumber: 'FJORD' });
  await book('GLS');
  lives.sandbox.control.clearFaults();
  sellerHas('FJORD', JSON.stringify({ GLSTransport: { ...FJORD, contactId: 'C7' } }));
  carrierHas('GLS', { GLSTransport: { ...GLS, contactId: 'C8' } });
  life.forward(FIVE_MINUTES_MS);
  expect((await book('GLS', { sellerNumber: 'FJORD' })).sent).toMatchObject([{ body: { Contactid: 'C7' } }]);
  expect((await book('GLS')).sent).toMatchObject([{ body: { Contactid: 'C8' } }]);
  carrierHas('GLS', { GLSTransport: GLS });
});
