import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { pageTexts } from '../../carriers/testing/page-texts.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { WORKER } from '../../src/sandbox/events/events.js';
import { readPdf, readZpl, scans } from '../labels/zbar.js';
import { type Ending, type Service, startService, until } from '../support/harness.js';

const { oneParcel, withoutPostalCode } = sampleShipments;
const ZEBRA = { format: 'zpl', widthMm: 102, heightMm: 152, dpi: 203 } as const;
const PRINTING = {
  ...{ mode: 'resource', errorSheet: true },
  ...{ profiles: { zebra: ZEBRA }, use: [{ when: { carrier: 'dao' }, profile: 'zebra' }] },
};

let service: Service;

beforeAll(async () => {
  service = await startService({
    config: (config) => ({ ...config, printing: PRINTING }),
  });
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

const sheetName = (documentId: number) => `NO_LABEL_${documentId}.pdf`;

function sheetOf({ documentId }: Ending): Buffer {
  const file = service.control.attachment(documentId, sheetName(documentId));
  if (file === null) throw new Error(`document ${documentId} has no error sheet`);
  return file;
}

const fileNames = ({ prints }: Ending) => prints.map((body) => (body as { readonly fileName: string }).fileName);

const squeezed = (text: string) => text.replace(/\s+/g, '');

async function wordsOn(ending: Ending): Promise<string> {
  return squeezed((await pageTexts([{ format: 'pdf', bytes: sheetOf(ending) }])).join(''));
}

function pretending(termsOfDelivery: string) {
  return { carrierName: 'Pretend', termsOfDelivery };
}

function askAgain(documentId: number): Promise<void> {
  const [shipmentId = 0] = service.document(documentId).shipmentIds;
  const detail = { documentId, documentType: 'TRANSPORT_BOOKING', shipmentId };
  service.control.emitEvent({ contextId: 1, type: 'documentCreated', detail });
  return service.control.eventsDelivered();
}

describe('a booking that fails where error sheets are printed', () => {
  it.each([
    ['is refused for certain', { area: 1, sample: withoutPostalCode, changes: { carrierName: 'GLS' } }],
    ['is refused, in Danish', { area: 2, sample: withoutPostalCode, changes: { carrierName: 'GLS' } }],
    ['is refused by the carrier', { area: 1, sample: oneParcel, changes: pretending('refused') }],
    ['ends without a label', { area: 1, sample: oneParcel, changes: pretending('nolabel') }],
  ])('prints one sheet that says the same as the message: %s', async (_what, { area, sample, changes }) => {
    const ending = await service.run(sample, changes, area);
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null });
    const fileName = sheetName(ending.documentId);
    expect(ending.prints).toEqual([expect.objectContaining({ documentId: ending.documentId, fileName, ...WORKER })]);
    const [page] = (await PDFDocument.load(sheetOf(ending))).getPages();
    expect([page?.getWidth(), page?.getHeight()].map((points) => Math.round((points ?? 0) * (25.4 / 72)))).toEqual([
      102, 152,
    ]);
    const words = await wordsOn(ending);
    expect(words).toContain('NOLABEL');
    expect(words).toContain(service.numberOf(ending.documentId));
    for (const { text } of ending.messages) expect(words).toContain(squeezed(text));
    if (area === 2) expect(words).toContain(squeezed('INGEN LABEL: Sæt ikke dette ark på en pakke.'));
  });

  (scans ? it : it.skip)(`has the shipment's number as a barcode${scans ? '' : ' (skipped: no zbarimg)'}`, async () => {
    const ending = await service.run(withoutPostalCode, { carrierName: 'GLS' });
    expect(readPdf(sheetOf(ending), 203)).toEqual([`CODE-128:${service.numberOf(ending.documentId)}`]);
  });

  it('prints it as ZPL where the profile is for printers of labels, in signs that all of them read alike', async () => {
    const { documentId, prints, workStatus } = await service.run(withoutPostalCode, { carrierName: 'DAO' });
    const fileName = `NO_LABEL_${documentId}.zpl`;
    expect({ workStatus, prints }).toMatchObject({ workStatus: 'FAILED', prints: [{ documentId, fileName }] });
    const bytes = service.control.attachment(documentId, fileName) ?? Buffer.alloc(0);
    if (scans) expect(await readZpl(bytes)).toEqual([`CODE-128:${service.numberOf(documentId)}`]);
    // The sign that fills a row with black; some readers draw stripes for it.
    expect(bytes.toString()).not.toContain('!');
  });

  it('prints the label when it is booked after all, and no sheet more', async () => {
    const shipmentId = service.ship(withoutPostalCode, { carrierName: 'GLS' });
    const documentId = service.book(shipmentId);
    await service.ending(documentId);
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress_postalCode: '6760' });
    await askAgain(documentId);
    const ending = await service.ending(documentId);
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect(fileNames(ending)).toEqual([sheetName(documentId), `SHIPPING_LABEL_${documentId}.pdf`]);
  });

  it('prints the same failure once, and another one anew, when it is tried again', async () => {
    const first = await service.run(withoutPostalCode, { carrierName: 'GLS' });
    const { documentId, consignment } = first;
    expect((await service.act(consignment, 'retry')).status).toBe(202);
    await until('it has failed again', async () => (await service.ending(documentId)).consignment.run === 2);
    expect(fileNames(await service.ending(documentId))).toHaveLength(1);
    const [shipmentId = 0] = service.document(documentId).shipmentIds;
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress_countryCode: null });
    expect((await service.act(consignment, 'retry')).status).toBe(202);
    await until('it has failed otherwise', async () => (await service.ending(documentId)).consignment.run === 3);
    const last = await service.ending(documentId);
    expect(fileNames(last)).toEqual([sheetName(documentId), sheetName(documentId)]);
    expect(await wordsOn(last)).toContain(squeezed(last.messages.at(-1)?.text ?? '-'));
  });

  it('asks the person with a sheet where it may be booked', async () => {
    service.control.addFault({ target: 'gls-dk', kind: 'drop-after' });
    const ending = await service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', consignment: { needsOperator: true } });
    expect(fileNames(ending)).toEqual([sheetName(ending.documentId)]);
    expect(await wordsOn(ending)).toContain(squeezed('It may be booked or not'));
  });

  it('does not print a sheet again whose answer was lost', async () => {
    service.control.addFault({ target: 'ims', path: 'printResource', kind: 'drop-after', times: 1 });
    const ending = await service.run(withoutPostalCode, { carrierName: 'GLS' });
    expect(ending.workStatus).toBe('FAILED');
    expect(fileNames(ending)).toHaveLength(1);
    expect(ending.consignment.notDone).toContainEqual(
      expect.objectContaining({ what: 'print-error-sheet', state: 'unknown' }),
    );
  });

  it('tells the worker and fails the document all the same where the sheet cannot be attached', async () => {
    // A busy machine may get the answer too late, and attaches the sheet again.
    service.control.addFault({
      ...{ target: 'ims', method: 'POST', path: '/attachments$', kind: 'status', status: 422, times: 'always' },
      body: { messageCode: 'invalid_Attachment', messageText: 'no more files' },
    });
    const ending = await service.run(withoutPostalCode, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', prints: [], messages: [{ type: 'ERROR' }] });
  });
});
