import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { pageTexts } from '../../carriers/testing/page-texts.js';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { pdfOf } from '../labels/pdfs.js';
import { cancelAnswered } from '../support/endings.js';
import { type Ending, type Service, parcels, startService } from '../support/harness.js';

const { oneParcel, toSweden } = sampleShipments;

const rule = (terms: string, place: unknown) => ({
  name: `returns: ${terms}`,
  when: { carrierName: 'Pretend', termsOfDelivery: terms },
  use: { account: 'pretend', options: { withReturnLabel: place } },
});
/** A carrier that books each parcel by itself. */
const ONE_BY_ONE = {
  name: 'returns: one by one',
  when: { carrierName: 'DAO', termsOfDelivery: 'last page' },
  use: { account: 'dao', options: { withReturnLabel: true } },
};

const PRINTING = {
  mode: 'resource',
  profiles: {
    zebra: { format: 'zpl', widthMm: 100, heightMm: 150, dpi: 203 },
    office: { format: 'pdf', sheet: 'A4', perSheet: 4 },
  },
  use: [
    { when: { area: 2, country: 'SE' }, profile: 'office' },
    { when: { area: 2 }, profile: 'zebra' },
  ],
};

let service: Service;
/** Whether the carrier makes return labels as large as A4. */
let large = false;
/** Whether nobody can read the parcels' own labels. */
let broken = false;
/** Which booking the carrier was told last that a return belongs to. */
let returnOf: string | undefined;
/** What the carrier does before it answers for a return label. */
let beforeTheAnswer: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  const rules = [rule('last page', true), rule('document', 'document'), ONE_BY_ONE];
  service = await startService({
    config: (config) => ({ ...config, rules: [...rules, ...config.rules], printing: PRINTING }),
    account: enlarging,
  });
});
afterAll(() => service.stop());
afterEach(() => {
  service.control.clearFaults();
  large = false;
  broken = false;
  beforeTheAnswer = async () => undefined;
});

function enlarging(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  const returns = new Set<string | null>();
  const connect: typeof adapter.connect = (config, tools) => {
    const carrier: CarrierAccount = adapter.connect(config, tools);
    const { returnLabel, fetchLabels } = carrier;
    return {
      ...carrier,
      ...(returnLabel && {
        returnLabel: async (request) => {
          returnOf = request.returnOf;
          const answer = await returnLabel(request);
          returns.add(answer.booking.carrierNumber);
          await beforeTheAnswer();
          return answer;
        },
      }),
      ...(fetchLabels && {
        fetchLabels: async (booking, form) => {
          const isReturn = returns.has(booking.carrierNumber);
          if (large && isReturn)
            return [
              { format: 'pdf', bytes: await pdfOf({ text: 'large', widthMm: 210, heightMm: 297, framed: true }) },
            ];
          return broken && !isReturn ? [{ format: 'pdf', bytes: Buffer.from('no label') }] : fetchLabels(booking, form);
        },
      }),
    };
  };
  return { ...account, adapter: { ...adapter, connect } };
}

const RETURNS = '/returns$';

const bookOnce = (terms: string, sample = oneParcel, area?: number) =>
  service.run(sample, { carrierName: 'Pretend', termsOfDelivery: terms }, area);
/** What the worker is told where the return label was not there within five seconds, or the label within fifteen. */
const LATE = /not prepared for printing yet|is being asked for it|is not there yet|er der ikke endnu/;
const MAX_LATE = 10;
/** On a busy machine a label may be late: then another booking shows what happens to one in time. */
async function book(...given: Parameters<typeof bookOnce>): Promise<Ending> {
  let ended = await bookOnce(...given);
  for (let late = 0; late < MAX_LATE && ended.messages.some(({ text }) => LATE.test(text)); late += 1)
    ended = await bookOnce(...given);
  return ended;
}
const file = ({ documentId }: Ending, name: 'SHIPPING' | 'RETURN') =>
  service.control.attachment(documentId, `${name}_LABEL_${documentId}.pdf`);
const returnsOf = ({ consignment }: Ending) =>
  (service.control.returns('pretend') ?? []).filter(({ reference }) =>
    reference.startsWith(`${consignment.reference}-R`),
  );
const shown = async ({ consignment }: Ending) => (await service.operator(`/consignments/${consignment.id}`)).body;
const make = ({ consignment }: Ending) =>
  service.operator(`/consignments/${consignment.id}/return-label`, { method: 'POST' });

async function textsOf(bytes: Uint8Array | null | undefined): Promise<readonly string[]> {
  return bytes ? pageTexts([{ format: 'pdf', bytes }]) : [];
}

describe('return labels together with a booking', () => {
  it('are the last pages of the label file, one for each parcel, and printed with it', async () => {
    const ended = await book('last page', parcels(2));
    expect(ended).toMatchObject({ workStatus: 'DONE', pages: 4, messages: [] });
    expect(ended.prints).toHaveLength(1);
    const made = returnsOf(ended);
    expect(made).toHaveLength(2);
    const texts = await textsOf(file(ended, 'SHIPPING'));
    ended.trackingNumbers.forEach((number, place) => expect(texts[place]).toContain(number));
    const last = texts.slice(2).join(' ');
    for (const { trackingNumber } of made) expect(last).toContain(trackingNumber);
    expect(file(ended, 'RETURN') ?? null).toBeNull();
  });

  it('are a document of their own, beside the label file', async () => {
    const ended = await book('document');
    expect(ended).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
    expect(ended.prints).toHaveLength(1);
    const [made] = returnsOf(ended);
    const bytes = file(ended, 'RETURN');
    expect((await PDFDocument.load(bytes ?? new Uint8Array())).getPageCount()).toBe(1);
    expect((await textsOf(bytes)).join('')).toContain(made?.trackingNumber);
    expect(returnOf).toEqual(service.control.bookings('pretend')?.at(-1)?.carrierNumber);
    expect(await shown(ended)).toMatchObject({ labels: [0, 1], labelPages: 1 });
  });

  it('are not given as the label of the parcel, where nobody can read that one', async () => {
    broken = true;
    const ended = await book('document');
    expect(ended).toMatchObject({ workStatus: 'FAILED', pages: null });
    expect((await textsOf(file(ended, 'RETURN'))).join('')).toContain(returnsOf(ended)[0]?.trackingNumber);
    expect((await service.operator(`/consignments/${ended.consignment.id}/labels/0`)).status).toBe(404);
    expect(await shown(ended)).toMatchObject({ labels: [1] });
  });

  it('leave the label in ZPL where they do not go on its paper: they are a document of their own, and the worker is told', async () => {
    large = true;
    const ended = await book('last page', oneParcel, 2);
    expect(ended.workStatus).toBe('DONE');
    const { documentId, trackingNumbers } = ended;
    expect(ended.prints).toMatchObject([{ fileName: `SHIPPING_LABEL_${documentId}.zpl` }]);
    const zpl = service.control.attachment(documentId, `SHIPPING_LABEL_${documentId}.zpl`)?.toString('latin1');
    expect(zpl).toContain(`^FD${trackingNumbers[0]}^FS`);
    expect((await PDFDocument.load(file(ended, 'RETURN') ?? new Uint8Array())).getPage(0).getWidth()).toBeGreaterThan(
      590,
    );
    expect(ended.messages).toMatchObject([
      { type: 'WARNING', text: expect.stringContaining(`is attached as RETURN_LABEL_${documentId}.pdf`) },
    ]);
  });

  it('share a sheet with the label, and are not taken for missing labels', async () => {
    const ended = await book('last page', toSweden, 2);
    expect(ended).toMatchObject({ workStatus: 'DONE', pages: 1, messages: [] });
    expect(returnsOf(ended)).toHaveLength(1);
  });

  it('are shown as those that an operator asks for, who gets the same one', async () => {
    const ended = await book('last page');
    const [made] = returnsOf(ended);
    expect((await make(ended)).body).toMatchObject({ state: 'made', trackingNumber: made?.trackingNumber });
    expect(returnsOf(ended)).toHaveLength(1);
  });

  it('stay behind the label of their parcel when another one is cancelled', async () => {
    const ended = await service.run(parcels(2), { carrierName: 'DAO', termsOfDelivery: 'last page' });
    expect(ended).toMatchObject({ workStatus: 'DONE', pages: 4, messages: [] });
    const body = { status: 'FEJL', fejlkode: '42', fejltekst: 'Pakken er afhentet' };
    service.control.addFault({ target: 'dao', path: '/AnnullerePakke', kind: 'status', status: 200, body, after: 1 });
    await service.act(ended.consignment, 'cancel');
    const { consignment } = await cancelAnswered(service, ended);
    const { bytes } = await service.operator(`/consignments/${consignment.id}/labels/0`);
    const [own = '', returned = '', ...more] = await textsOf(bytes);
    const kept = consignment.parcels.find(({ state }: { state: string }) => state === 'booked');
    expect([own, more]).toEqual([expect.stringContaining(kept.trackingNumber), []]);
    const whole = await textsOf(file(ended, 'SHIPPING'));
    const place = ended.trackingNumbers.indexOf(kept.trackingNumber);
    expect(returned).toEqual(whole[2 + place]);
  });

  it('do not hold the label up when the carrier refuses them: the worker is told', async () => {
    const errors = [{ code: 'one-way', text: 'we drive one way only' }];
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'status', status: 422, body: { errors } });
    const ended = await bookOnce('last page');
    expect(ended).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(ended.prints).toHaveLength(1);
    expect(ended.messages).toMatchObject([
      {
        type: 'WARNING',
        text: expect.stringMatching(
          /without the return label of parcel [^"]*"[^"]*we drive one way only[^"]*"\. Send/s,
        ),
      },
    ]);
  });

  it('are not made twice when the answer was lost: the worker gets the label, and what came of it is found later', async () => {
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'drop-after' });
    const ended = await bookOnce('document');
    expect(ended).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(ended.prints).toHaveLength(1);
    expect(ended.messages).toMatchObject([
      { type: 'WARNING', text: expect.stringContaining('It is not known whether') },
    ]);
    expect(returnsOf(ended)).toHaveLength(1);
    let found = await make(ended);
    while (found.status === 409) found = await make(ended);
    expect(found.body).toMatchObject({ state: 'made', trackingNumber: returnsOf(ended)[0]?.trackingNumber });
    expect(returnsOf(ended)).toHaveLength(1);
  });

  it('are waited for five seconds, then the label goes without them', async () => {
    let answers: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answers = resolve));
    beforeTheAnswer = () => answered;
    const begin = Date.now();
    const ended = await bookOnce('last page');
    expect(Date.now() - begin).toBeGreaterThan(4_500);
    answers();
    expect(ended).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(ended.messages).toMatchObject([{ type: 'WARNING', text: expect.stringContaining('is being asked for it') }]);
  });
});
