import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { askForReprint } from '../../src/cli/reprint/reprint.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { pdfOf } from '../labels/pdfs.js';
import { cancelAnswered } from '../support/endings.js';
import { type Ending, type Service, parcels, startService } from '../support/harness.js';

const { oneParcel, toSweden } = sampleShipments;

const PRINTING = {
  mode: 'resource',
  profiles: {
    thermal: { format: 'pdf', widthMm: 100, heightMm: 150, copies: 2 },
    office: { format: 'pdf', sheet: 'A4', perSheet: 4 },
    zebra: { format: 'zpl', widthMm: 100, heightMm: 150, dpi: 203 },
    stamp: { format: 'pdf', widthMm: 50, heightMm: 50 },
    wide: { format: 'pdf', widthMm: 150, heightMm: 100 },
  },
  use: [
    { when: { area: 2 }, profile: 'zebra' },
    { when: { carrier: 'dao', deviceName: { $regex: '^Nowhere' } }, profile: 'thermal' },
    { when: { carrier: 'dao' }, profile: 'wide' },
    { when: { carrier: 'gls-dk' }, profile: 'office' },
    { when: { carrier: 'bring' }, profile: 'stamp' },
    { when: { carrier: 'pretend', area: 1, country: 'DK' }, profile: 'thermal' },
  ],
};

interface Parcel {
  readonly containerId: string;
  readonly trackingNumber: string;
}

interface HistoryEntry {
  readonly fields: Readonly<Record<string, unknown>>;
}

let service: Service;
/** Whether GLS leaves out the label of the last parcel. */
let oneIsMissing = false;

beforeAll(async () => {
  service = await startService({ config: (config) => ({ ...config, printing: PRINTING }), account: leavingOut });
});

function leavingOut(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  if (adapter.id !== 'gls-dk') return account;
  const connect: typeof adapter.connect = (config, tools) => {
    const carrier = adapter.connect(config, tools);
    const book: typeof carrier.book = async (request) => {
      const answer = await carrier.book(request);
      if (!oneIsMissing) return answer;
      const bytes = await pdfOf({ text: 'label', pages: request.parcels.length - 1 });
      return { ...answer, labels: [{ format: 'pdf', bytes }] };
    };
    return { ...carrier, book };
  };
  return { ...account, adapter: { ...adapter, connect } };
}
afterAll(() => service.stop());

describe('a printing profile', () => {
  it('prints as many copies as it names, each asked for once, and sets the document to DONE', async () => {
    const { documentId, workStatus, prints, consignment } = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(workStatus).toBe('DONE');
    expect(prints).toHaveLength(2);
    expect(prints[0]).toEqual(prints[1]);
    expect(prints[0]).toMatchObject({ documentId, fileName: `SHIPPING_LABEL_${documentId}.pdf` });
    expect(consignment.printed).toBe('yes');
  });

  it('tells once of copies that are not printed', async () => {
    const body = { messageCode: 'invalid_Resource', messageText: 'The printer has no paper.' };
    const fault = { target: 'ims', path: 'printResource', kind: 'status', status: 422, body, times: 2 } as const;
    service.control.addFault(fault);
    const { workStatus, messages, prints } = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(workStatus).toBe('DONE');
    expect(prints).toEqual([]);
    expect(messages).toMatchObject([{ type: 'WARNING', text: expect.stringContaining('The printer has no paper.') }]);
  });

  it('leaves a booking that no entry matches as it was', async () => {
    const { prints, consignment } = await service.run(toSweden, { carrierName: 'Pretend' });
    expect(prints).toHaveLength(1);
    expect(consignment.printing).toBeNull();
  });

  it('has the carrier asked for labels in the size of its paper, where the carrier has it', async () => {
    const { documentId, prints } = await service.run(oneParcel, { carrierName: 'DAO' });
    expect(prints).toHaveLength(1);
    const file = service.control.attachment(documentId, `SHIPPING_LABEL_${documentId}.pdf`);
    const page = (await PDFDocument.load(file ?? new Uint8Array())).getPage(0);
    expect(Math.round((page.getWidth() * 25.4) / 72)).toBe(150);
    expect(Math.round((page.getHeight() * 25.4) / 72)).toBe(100);
  });

  it('puts the labels of a shipment on one sheet, and does not take that for missing labels', async () => {
    const { workStatus, pages, messages } = await service.run(parcels(3), { carrierName: 'GLS' });
    expect({ workStatus, pages, messages }).toEqual({ workStatus: 'DONE', pages: 1, messages: [] });
  });

  it('tells the worker of a label that is missing on a sheet with places left', async () => {
    oneIsMissing = true;
    const { workStatus, pages, messages } = await service.run(parcels(3), { carrierName: 'GLS' });
    oneIsMissing = false;
    expect({ workStatus, pages }).toEqual({ workStatus: 'DONE', pages: 1 });
    expect(messages).toMatchObject([{ type: 'WARNING', text: expect.stringContaining('has 2 pages for 3 parcels') }]);
  });

  it('tells the worker once of a label that does not fit, and prints it as it came', async () => {
    const { workStatus, prints, messages } = await service.run(oneParcel, { carrierName: 'Bring' });
    expect(workStatus).toBe('DONE');
    expect(prints).toHaveLength(1);
    expect(messages).toMatchObject([
      {
        type: 'WARNING',
        text: expect.stringMatching(/could not be made for paper of 50 × 50 mm.*: label 1\. Look at/s),
      },
    ]);
  });

  it('is shown with the consignment', async () => {
    const { consignment } = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(consignment.printing).toMatchObject({ profile: 'thermal', copies: 2, target: { widthMm: 100 } });
  });
});

describe('a profile for printers of labels', () => {
  const zplOf = (documentId: number) =>
    service.control.attachment(documentId, `SHIPPING_LABEL_${documentId}.zpl`)?.toString('latin1') ?? '';

  it('gets ZPL from a carrier that draws it', async () => {
    const { documentId, workStatus, prints, trackingNumbers, consignment } = await service.run(
      parcels(2),
      { carrierName: 'Pretend' },
      2,
    );
    expect(workStatus).toBe('DONE');
    expect(prints).toMatchObject([{ fileName: `SHIPPING_LABEL_${documentId}.zpl` }]);
    const [first = '', second = ''] = trackingNumbers.map(String);
    expect(zplOf(documentId)).toMatch(new RegExp(`^\\^XA[^]*\\^FD${first}\\^FS[^]*\\^FD${second}\\^FS[^]*\\^XZ\\s*$`));
    const label = await service.operator(`/consignments/${consignment.id}/labels/0`);
    expect([label.type, label.headers.get('content-disposition')]).toEqual([
      expect.stringContaining('application/zpl'),
      `inline; filename="SHIPPING_LABEL_${documentId}.zpl"`,
    ]);
  });

  it('has a label that comes as PDF drawn in dots', async () => {
    const { documentId, workStatus, messages } = await service.run(oneParcel, { carrierName: 'GLS' }, 2);
    expect({ workStatus, messages }).toEqual({ workStatus: 'DONE', messages: [] });
    expect(zplOf(documentId)).toMatch(/^\^XA[^]*\^GFA[^]*\^XZ\s*$/);
  });
});

describe('explain', () => {
  it('says which profile a booking would get, and why', async () => {
    const id = service.ship(oneParcel, { carrierName: 'DAO' });
    const { body } = await service.operator(`/shipments/${id}/explain?area=1&deviceName=Packing-3`);
    expect(body.printing).toMatchObject({
      profile: 'wide',
      target: { format: 'pdf', widthMm: 150, heightMm: 100 },
      copies: 1,
      provisional: false,
      labelForm: { format: 'pdf', widthMm: 150, heightMm: 100 },
    });
    expect(body.printing.use).toEqual([
      expect.objectContaining({ profile: 'zebra', outcome: 'failed' }),
      expect.objectContaining({
        profile: 'thermal',
        outcome: 'failed',
        reasons: [{ field: 'deviceName', condition: '$regex "^Nowhere"', value: 'Packing-3' }],
      }),
      expect.objectContaining({ profile: 'wide', outcome: 'matched' }),
      ...['office', 'stamp', 'thermal'].map((name) => ({ profile: name, outcome: 'not-reached', reasons: [] })),
    ]);
  });

  it('says that it depends on who books, where that is not said', async () => {
    const id = service.ship(oneParcel, { carrierName: 'DAO' });
    const { body } = await service.operator(`/shipments/${id}/explain?area=1`);
    expect(body.printing).toMatchObject({ profile: 'wide', provisional: true });
    expect(body.printing.use[1]).toMatchObject({ outcome: 'not-known-yet', reasons: [{ why: 'no-event' }] });
  });

  it('refuses a parameter that it does not know', async () => {
    const answer = await service.operator('/shipments/1/explain?area=1&device=x');
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain('deviceName');
  });
});

describe('reprint', () => {
  const post = (id: string, body: object) => service.operator(`/consignments/${id}/reprint`, { method: 'POST', body });
  const printsSince = (mark: number) =>
    service
      .requestsSince(mark, 'ims')
      .filter(({ path }) => path.includes('printResource'))
      .map(({ body }) => body as Readonly<Record<string, unknown>>);
  let ending: Ending;

  beforeAll(async () => {
    ending = await service.run(parcels(3), { carrierName: 'GLS' });
  });

  it('prints at another device, as often as it is told, and the history says who asked for it and why', async () => {
    const { consignment, documentId } = ending;
    const mark = service.mark();
    const asked = { deviceName: 'Packing table 9', copies: 2, reason: 'the printer jammed' };
    const { status, body } = await post(consignment.id, asked);
    expect(status).toBe(202);
    const printed = { documentId, deviceName: 'Packing table 9', fileName: `SHIPPING_LABEL_${documentId}.pdf` };
    expect(printsSince(mark)).toMatchObject([printed, printed]);
    expect(body.lastAction).toMatchObject({ by: 'operator', result: 'done', reason: 'the printer jammed' });
    const entries = body.history.filter(({ fields }: HistoryEntry) => fields['action'] === 'reprint');
    expect(entries).toMatchObject([
      { what: 'reprint requested by operator', fields: { ...asked, by: 'operator', result: 'unknown' } },
      { what: 'reprinted by operator', fields: { ...asked, by: 'operator', result: 'done' } },
    ]);
  });

  it.each([
    ['container', (parcel: Parcel) => parcel.containerId],
    ['tracking number', (parcel: Parcel) => parcel.trackingNumber],
  ])('prints the label of one parcel by its %s, beside the label of the booking', async (_what, idOf) => {
    const { consignment, documentId } = ending;
    const mark = service.mark();
    expect((await post(consignment.id, { parcel: idOf(consignment.parcels[1]), profile: 'wide' })).status).toBe(202);
    const [print] = printsSince(mark);
    expect(print?.['fileName']).toMatch(new RegExp(`^SHIPPING_LABEL_${documentId}_[0-9a-f]{8}\\.pdf$`));
    const file = service.control.attachment(documentId, String(print?.['fileName'])) ?? new Uint8Array();
    const pages = (await PDFDocument.load(file)).getPages();
    expect(pages.map((page) => Math.round((page.getWidth() * 25.4) / 72))).toEqual([150]);
    expect((await service.look(documentId)).timesAttached).toBe(1);
  });

  it.each<[string, object, RegExp]>([
    ['a profile that is not there', { profile: 'huge' }, /"huge" is not a profile.*there are: thermal, office/],
    ['a parcel that is not its own', { parcel: '1' }, /"1" is none of its parcels, which are \d+ \(\w+\), /],
  ])('is not possible for %s, and nothing is printed', async (_what, body, words) => {
    const mark = service.mark();
    const answer = await post(ending.consignment.id, body);
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringMatching(words)]);
    expect(printsSince(mark)).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['a hundred copies', { copies: 100 }, /copies is a whole number from 1 to 10/],
    ['a field that is misspelt', { device: 'x' }, /do you mean "deviceName"\?|"device" is none of/],
    ['a reason of two lines', { reason: 'a\nb' }, /reason is text/],
    ['no device', { deviceName: '' }, /deviceName is text/],
    ['a word of every object', JSON.parse('{ "constructor": "x" }'), /"constructor" is none of/],
    ['a list', [], /the body is an object/],
  ])('cannot be read with %s', async (_what, body, words) => {
    const answer = await post(ending.consignment.id, body as object);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringMatching(words)]);
  });

  it('leaves out the label of a parcel that is cancelled, while another one could not be', async () => {
    const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
    const { documentId, consignment } = await service.ending(service.book(shipmentId));
    const body = { status: 'FEJL', fejlkode: '42', fejltekst: 'Pakken er afhentet' };
    service.control.addFault({ target: 'dao', path: '/AnnullerePakke', kind: 'status', status: 200, body, after: 1 });
    service.control.cancelDocument(documentId);
    await cancelAnswered(service, { documentId });
    const mark = service.mark();
    expect((await post(consignment.id, {})).status).toBe(202);
    const [print] = printsSince(mark);
    const file = service.control.attachment(documentId, String(print?.['fileName'])) ?? new Uint8Array();
    expect((await PDFDocument.load(file)).getPageCount()).toBe(1);
  });

  it('hands no second copy to a printer that did not answer for the first', async () => {
    service.control.addFault({ target: 'ims', path: 'printResource', kind: 'drop-after' });
    const mark = service.mark();
    const { body } = await post(ending.consignment.id, { copies: 3 });
    expect(printsSince(mark)).toHaveLength(1);
    expect(body.lastAction).toMatchObject({ result: 'unknown', text: expect.stringContaining('look at the printer') });
  });

  it('says which label the IMS did not take, and prints nothing then', async () => {
    const refusal = { messageCode: 'invalid_Attachment', messageText: 'The file is too large.' };
    // A busy machine may get the answer too late, and attaches the label again.
    const refused = { path: 'attachments', kind: 'status', status: 422, body: refusal, times: 'always' } as const;
    service.control.addFault({ target: 'ims', ...refused });
    const mark = service.mark();
    const answer = await post(ending.consignment.id, { profile: 'thermal' });
    service.control.clearFaults();
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('The file is too large.')]);
    expect(printsSince(mark)).toEqual([]);
  });

  it('is a command', async () => {
    const lines: string[] = [];
    const log = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const environment = { OPERATOR_TOKEN: sandboxSecrets.OPERATOR_TOKEN };
    const mark = service.mark();
    await askForReprint(ending.consignment.id, { device: 'Office', reason: 'lost', url: service.url }, environment);
    log.mockRestore();
    expect(printsSince(mark)).toMatchObject([{ deviceName: 'Office' }]);
    expect(lines).toEqual(['done: The label was handed to the printer once more.']);
  });
});
