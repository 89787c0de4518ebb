import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, parcels, startService } from '../support/harness.js';

const { oneParcel, toSweden } = sampleShipments;

const PRINTING = {
  mode: 'resource',
  profiles: {
    thermal: { format: 'pdf', widthMm: 100, heightMm: 150, copies: 2 },
    office: { format: 'pdf', sheet: 'A4', perSheet: 4 },
    stamp: { format: 'pdf', widthMm: 50, heightMm: 50 },
    wide: { format: 'pdf', widthMm: 150, heightMm: 100 },
  },
  use: [
    { when: { carrier: 'dao', deviceName: { $regex: '^Nowhere' } }, profile: 'thermal' },
    { when: { carrier: 'dao' }, profile: 'wide' },
    { when: { carrier: 'gls-dk' }, profile: 'office' },
    { when: { carrier: 'bring' }, profile: 'stamp' },
    { when: { carrier: 'pretend', area: 1, country: 'DK' }, profile: 'thermal' },
  ],
};

let service: Service;

beforeAll(async () => {
  service = await startService({ config: (config) => ({ ...config, printing: PRINTING }) });
});
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

  it('tells the worker once of a label that does not fit, and prints it as it came', async () => {
    const { workStatus, prints, messages } = await service.run(oneParcel, { carrierName: 'Bring' });
    expect(workStatus).toBe('DONE');
    expect(prints).toHaveLength(1);
    expect(messages).toMatchObject([
      { type: 'WARNING', text: expect.stringMatching(/does not fit on paper of 50 × 50 mm.*: page 1\. Look at/s) },
    ]);
  });

  it('is shown with the consignment', async () => {
    const { consignment } = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(consignment.printing).toMatchObject({ profile: 'thermal', copies: 2, target: { widthMm: 100 } });
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
    expect(body.printing.use[0]).toMatchObject({ outcome: 'not-known-yet', reasons: [{ why: 'no-event' }] });
  });

  it('refuses a parameter that it does not know', async () => {
    const answer = await service.operator('/shipments/1/explain?area=1&device=x');
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain('deviceName');
  });
});
