import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Config, type Life, type Lives, openLives } from '../support/lives.js';

const GLS = { userName: 'warehouse', password: 'pw-of-warehouse', contactId: 'C0', customerId: 'K0' };
const BUDBEE = { apiKey: 'sandbox', apiSecret: 'sandbox-budbee-secret', collectionId: 9999 };
const DAO = { customerId: '9999', code: 'dao-code-of-carrier' };

const fromIms = (config: Config) => {
  const { gls, dao, budbee } = config['accounts'] as Readonly<Record<string, object>>;
  const settled = (account: object | undefined) => ({ ...account, config: { from: 'ims' } });
  return { ...config, rules: [], accounts: { gls: settled(gls), dao: settled(dao), budbee: settled(budbee) } };
};

let lives: Lives;
let life: Life;

/** An IMS whose tokens do not say what they allow, and that lets us read no seller. */
beforeAll(async () => {
  lives = await openLives(fromIms);
  const { control } = lives.sandbox;
  control.setSwitches({ tokenFormat: 'opaque' });
  control.setCarrierDataDocument(1, 'GLS', { GLSTransport: GLS });
  control.setCarrierDataDocument(1, 'Budbee', { BudbeeTransport: BUDBEE });
  control.setCarrierDataDocument(1, 'DAO', { DAOTransport: DAO });
  control.addFault({ target: 'ims', method: 'GET', kind: 'status', path: '^/sellers', times: 'always', status: 403 });
  life = await lives.begin();
  life.service.listenAgain();
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

const FOLDERS = { GLS: 'gls-dk', DAO: 'dao', Budbee: 'budbee' } as const;

async function book(carrierName: keyof typeof FOLDERS, sellerNumber: string | undefined) {
  const mark = life.service.mark();
  const ending = await life.service.run(sampleShipments.oneParcel, { carrierName, sellerNumber });
  return { ending, sent: life.service.requestsSince(mark, FOLDERS[carrierName]) };
}

const logged = (event: string) => life.service.lines.filter((line) => line.event === event);

it("books with the carrier's settings where sellers may not be read, as the vendor's app for DAO does, and logs it once", async () => {
  for (const sellerNumber of ['FJORD', 'ULDVARER']) {
    const { ending, sent } = await book('DAO', sellerNumber);
    expect(ending.workStatus).toBe('DONE');
    expect(sent[0]).toMatchObject({ query: { kundeid: '9999' } });
  }
  expect(logged('settings of sellers not read')).toMatchObject([{ level: 'warn', fields: { account: 'dao' } }]);
  expect(JSON.stringify(logged('settings of sellers not read'))).toContain('api/full or api/sales');
});

it.each([
  ['GLS', { body: { UserName: 'warehouse' } }],
  ['Budbee', {}],
] as const)(
  "books nothing at %s for a seller that may not be read, whose login it would be, and goes on with the carrier's for none",
  async (name, seen) => {
    const { ending, sent } = await book(name, 'FJORD');
    expect(sent).toEqual([]);
    expect(ending.workStatus).toBe('FAILED');
    expect(ending.messages.at(-1)?.text).toMatch(/\(GET \/sellers\/\d+: 403\)/);
    expect(JSON.stringify(logged('settings in the IMS cannot be used'))).toContain('needs api/full or api/sales');
    expect((await book(name, undefined)).sent[0]).toMatchObject(seen);
  },
);
