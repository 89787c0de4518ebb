import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, until } from '../support/harness.js';
import { type Config, type Life, type Lives, MINUTE_MS, openLives } from '../support/lives.js';

const { oneParcel } = sampleShipments;
const STALE_MS = 6 * MINUTE_MS;

/** One account, whose settings are its sellers'. */
const fromIms = (config: Config) => {
  const { pretend } = config['accounts'] as Readonly<Record<string, object>>;
  return { ...config, rules: [], accounts: { pretend: { ...pretend, config: { from: 'ims' } } } };
};

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives(fromIms);
  lives.sandbox.control.setCarrierDataDocument(1, 'Pretend', { PretendTransport: { apiKey: 'key-of-warehouse' } });
  life = await lives.begin();
  life.service.listenAgain();
});
afterEach(async () => {
  lives.sandbox.control.clearFaults();
  await fjordHas({ apiKey: 'key-of-fjord' });
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

async function fjordHas(PretendTransport: unknown): Promise<void> {
  const { sellers } = lives.sandbox.control.state();
  const fjord = sellers.find((row) => row['sellerNumber'] === 'FJORD' && row['contextId'] === 1);
  await life.service.ims(`PATCH /sellers/${String(fjord?.['id'])}/dataDocument`, { PretendTransport });
  life.forward(STALE_MS);
}

const book = (sellerNumber: string | undefined) =>
  life.service.run(oneParcel, { carrierName: 'Pretend', sellerNumber });

/** The carriers leave with these. @returns what became of the only list, and what the carrier was told */
async function leave(...taken: readonly Ending[]) {
  const { service } = life;
  const shipmentIds = taken.flatMap(({ documentId }) => service.document(documentId).shipmentIds);
  for (const shipmentId of shipmentIds) await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
  const mark = service.mark();
  const note = service.control.handOver(1, shipmentIds).id;
  const list = async () =>
    (await service.operator(`/handovers/${note}`, { headers: { accept: 'application/json' } })).body.lists?.[0];
  await until('the list is through', async () => {
    const { closeOut, attachment } = (await list()) ?? {};
    return closeOut !== undefined && closeOut.state !== 'open' && attachment.state !== 'open';
  });
  const told = service.requestsSince(mark, 'pretend').filter(({ path }) => path.includes('/manifests'));
  const bookings = told.map(({ body }) => (body as { readonly bookings: readonly string[] }).bookings);
  return { closeOut: (await list()).closeOut, bookings, messages: service.messages(service.eventOf(note)) };
}

const numberOf = ({ carriersShipmentNumber }: Ending) => carriersShipmentNumber;

it("closes out each seller's bookings with its own settings, and those of the others with the carrier's", async () => {
  await fjordHas({ apiKey: 'key-of-fjord' });
  const [own, other, none] = [await book('FJORD'), await book('ULDVARER'), await book(undefined)];
  const { closeOut, bookings, messages } = await leave(own, other, none);
  expect(bookings).toEqual([[numberOf(own)], [numberOf(other), numberOf(none)]]);
  expect(closeOut).toEqual({ state: 'done', note: expect.stringMatching(/^PM\d+, PM\d+$/) });
  expect(messages).toEqual([]);
});

it.each<readonly [string, unknown, readonly [string, string]]>([
  ['the carrier refuses', { apiKey: 'wrong' }, ['key is not known', 'Call Pretend']],
  ['can no longer be read', 'no settings', ['PretendTransport', 'tell the person who runs Waybridge']],
])(
  'closes out the others where the settings of one seller %s, and says for which shipments',
  async (_c, now, [why, todo]) => {
    await fjordHas({ apiKey: 'key-of-fjord' });
    const [own, other] = [await book('FJORD'), await book(undefined)];
    await fjordHas(now);
    const { closeOut, bookings, messages } = await leave(own, other);
    expect(bookings).toContainEqual([numberOf(other)]);
    expect(closeOut.state).toBe('refused');
    expect(closeOut.note).toContain(why);
    expect(closeOut.note).toMatch(/closed out: PM\d+/);
    const [first] = messages;
    expect(messages).toHaveLength(1);
    expect(first?.text).toContain(todo);
    expect(first?.text.includes('Pretend says')).toBe(todo === 'Call Pretend');
    expect(first?.text).toMatch(/Already closed: PM\d+\.$/);
    expect(first?.text).not.toContain('closed out: ');
    expect(first?.text).toContain(life.service.numberOf(own.documentId));
    expect(first?.text).not.toContain(life.service.numberOf(other.documentId));
  },
);
