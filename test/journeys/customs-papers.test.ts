import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pageTexts } from '../../carriers/testing/page-texts.js';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { textsOf } from '../support/endings.js';
import { type Service, startService, until } from '../support/harness.js';

const { toNorway } = sampleShipments;
const TENT = {
  ...{ stockKeepingUnit: 'PAPER-TENT', productName: 'Tent for two persons', numItemsOrdered: 2, salesPrice: 1299.5 },
  ...{ weight: 2.45, countryOfOriginCode: 'CN', harmonizedSystemCode: '630622' },
};
const declared: SampleShipment = { ...toNorway, shipment: { ...toNorway.shipment, shipmentLines: [TENT] } };
const undeclared: SampleShipment = {
  ...toNorway,
  shipment: { ...toNorway.shipment, shipmentLines: [{ stockKeepingUnit: 'PAPER-NONE', numItemsOrdered: 1 }] },
};

let service: Service;
/** The settings of an account, as the running service has them. */
let customs: { eori?: string };

beforeAll(async () => {
  service = await startService({
    config: (config) => {
      const { gls = {} } = config.accounts;
      const numbers = { eori: 'DK12345678', voec: '2012345' };
      return { ...config, accounts: { ...config.accounts, gls: { ...gls, customs: numbers } } };
    },
    account: (account) => {
      customs = account.customs ?? customs;
      return account;
    },
  });
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

const invoiceName = (documentId: number) => `COMMERCIAL_INVOICE_${documentId}.pdf`;

const filesOf = (documentId: number) =>
  service.control
    .state()
    .attachments.filter((row) => row.ownerId === documentId)
    .map(({ fileName, timesAttached }) => [fileName, timesAttached]);

describe('a shipment that leaves the customs area', () => {
  it('has its commercial invoice beside the label, once, and the worker is told', async () => {
    const ending = await service.run(declared, { carrierName: 'GLS' });
    const { documentId } = ending;
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 2 });
    expect(filesOf(documentId).sort()).toEqual([
      [invoiceName(documentId), 1],
      [`SHIPPING_LABEL_${documentId}.pdf`, 1],
    ]);
    expect(ending.messages).toEqual([
      expect.objectContaining({ type: 'WARNING', text: expect.stringContaining(invoiceName(documentId)) }),
    ]);
    const bytes = service.control.attachment(documentId, invoiceName(documentId)) ?? Buffer.alloc(0);
    const [words = ''] = await pageTexts([{ format: 'pdf', bytes }]);
    for (const text of [
      ...['COMMERCIAL INVOICE', service.numberOf(documentId), 'Tent for two persons', '630622', 'NOK 2599.00', '4.900'],
      ...['Fjelltur AS', 'Norway (NO)', 'DAP', 'EORI: DK12345678', 'VOEC: 2012345', String(ending.trackingNumbers[0])],
    ])
      expect(words).toContain(text);
  });

  it('is told before packing which fields are missing, and is not booked without them', async () => {
    const shipmentNumber = 'papers-lack';
    const shipment = { ...undeclared.shipment, carrierName: 'GLS', shipmentNumber };
    const { id } = service.control.createShipment({ area: 1, shipment, containers: [], event: 'send' });
    await service.control.eventsDelivered();
    const ending = await service.run(undeclared, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', prints: [], trackingNumbers: [undefined, undefined] });
    const texts = textsOf(ending);
    for (const field of ['no price', 'no weight', 'no tariff number', 'no country of origin'])
      expect(texts).toContain(field);
    const told = () =>
      service.control.state().messages.filter((row) => String(row['messageText']).includes(shipmentNumber));
    await until('it is told', () => told().length > 0);
    const before = told();
    expect(before.map((row) => row['messageType'])).toContain('WARNING');
    expect(before.map((row) => String(row['messageText'])).join('\n')).toContain('no tariff number');
    expect(id).toBeGreaterThan(0);
  });

  it('is booked without terms of delivery, of which the worker is told before packing and with the invoice', async () => {
    const shipment = { ...declared.shipment, carrierName: 'GLS', shipmentNumber: 'papers-terms', incoterms: null };
    service.control.createShipment({ area: 1, shipment, containers: [], event: 'send' });
    await service.control.eventsDelivered();
    const told = () =>
      service.control.state().messages.filter((row) => String(row['messageText']).includes('papers-terms'));
    await until('it is told', async () => told().length > 0);
    expect(told().map((row) => String(row['messageText']))).toEqual([expect.stringContaining('no terms of delivery')]);
    const ending = await service.run(declared, { carrierName: 'GLS', incoterms: null });
    expect(ending.workStatus).toBe('DONE');
    expect(textsOf(ending)).toContain('no terms of delivery (incoterms)');
  });

  it('is incomplete, and the worker is told, where the IMS refuses the paper', async () => {
    // A busy machine may get an answer too late, and attaches the file again.
    service.control.addFault({
      ...{ target: 'ims', method: 'POST', path: '/attachments$', kind: 'status', status: 422, times: 'always' },
      body: { messageCode: 'invalid_Attachment', messageText: 'no more files' },
    });
    const ending = await service.run(declared, { carrierName: 'GLS' });
    expect(ending).toMatchObject({ workStatus: 'FAILED', prints: [], consignment: { state: 'incomplete' } });
    expect(textsOf(ending)).toContain(invoiceName(ending.documentId));
  });

  it('has the numbers of the exporter that the account had when it was booked', async () => {
    const refused = { target: 'ims', method: 'POST', path: '/attachments$', kind: 'status', status: 503 } as const;
    service.control.addFault({ ...refused, times: 2 });
    const documentId = service.book(service.ship(declared, { carrierName: 'GLS' }));
    const isBooked = () =>
      service.control.bookings('gls-dk')?.some(({ reference }) => reference === service.numberOf(documentId)) === true;
    await until('it is booked', async () => isBooked());
    customs.eori = 'DK99999999';
    const { workStatus } = await service.ending(documentId).finally(() => {
      customs.eori = 'DK12345678';
    });
    expect(workStatus).toBe('DONE');
    const bytes = service.control.attachment(documentId, invoiceName(documentId)) ?? Buffer.alloc(0);
    expect(await pageTexts([{ format: 'pdf', bytes }])).toEqual([expect.stringContaining('EORI: DK12345678')]);
  });

  it('has no paper of ours where the carrier takes the data itself, or the rule says so', async () => {
    const pretend = await service.run(declared, { carrierName: 'Pretend' });
    expect(filesOf(pretend.documentId).map(([name]) => name)).toEqual([`SHIPPING_LABEL_${pretend.documentId}.pdf`]);
  });
});
