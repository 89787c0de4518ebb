import { describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import type { BookingRequest, Goods } from '../../carriers/contract/model.js';
import { pageTexts } from '../../carriers/testing/page-texts.js';
import { paperProblems } from '../../carriers/toolkit/customs.js';
import type { PaperKind } from '../../src/papers/customs/customs-paper.js';
import { drawPaper } from '../../src/papers/customs/draw-paper.js';
import { makePaper } from '../../src/papers/customs/make-paper.js';
import { missingOnPapers } from '../../src/papers/customs/missing-on-papers.js';
import { papersFor } from '../../src/papers/customs/which-papers.js';
import { bookingRequest, goods, parcel, recipient } from '../carriers/sample-request.js';

const NUMBERS = { eori: 'DK12345678', vat: 'DK12345678', voec: '2012345', ioss: 'IM2080001234' };
const POSTAL = { customsPapers: { form: 'postal' } } as const;

function to(countryCode: string, postalCode: string | null, changes: Partial<BookingRequest> = {}): BookingRequest {
  const request = { goods: [goods()], parcels: [parcel({ weightGrams: 900 })], ...changes };
  return bookingRequest({ ...request, recipient: recipient({ address: { countryCode, postalCode } }) });
}

function paperOf(kind: PaperKind, request: BookingRequest) {
  const about = { trackingNumbers: ['00370715000000012345'], carrierName: 'GLS', numbers: NUMBERS };
  return makePaper(kind, { requests: [request], ...about });
}

/** Without white space, since words on two lines have none between them. */
async function wordsOn(kind: PaperKind, request: BookingRequest): Promise<readonly string[]> {
  const pages = await pageTexts([{ format: 'pdf', bytes: await drawPaper(paperOf(kind, request)) }]);
  return pages.map((text) => text.replace(/\s+/g, ''));
}

describe('papers for customs', () => {
  it.each([
    ['Norway', 'NO', '0150'],
    ['Great Britain', 'GB', 'SW1A 1AA'],
    ['Switzerland', 'CH', '8001'],
    ['Åland, by its postal code in Finland', 'FI', '22100'],
    ['the Canary Islands', 'ES', '35001'],
    ['Greenland', 'GL', '3900'],
    ['the Faroe Islands', 'FO', '100'],
  ])('are needed for %s', (_place, countryCode, postalCode) => {
    expect(papersFor({ customsPapers: { form: 'invoice' } }, [to(countryCode, postalCode)])).toEqual([
      'commercial-invoice',
    ]);
  });

  it.each([
    ['inside the EU', {}, to('DE', '24937')],
    ['for Northern Ireland', {}, to('GB', 'BT1 1AA')],
    ['where the rule says that they are made elsewhere', {}, to('NO', '0150', { options: { customs: 'papers' } })],
    ['where the parcels are collected beyond the border', { from: 'NO' }, to('NO', '0150')],
  ])('are not needed %s', (_when, more, request) => {
    expect(papersFor({ customsPapers: { form: 'invoice', ...more } }, [request])).toEqual([]);
  });

  it('are not made for a carrier that takes the data itself', () => {
    expect(papersFor({}, [to('NO', '0150')])).toEqual([]);
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly PaperKind[]]>([
    ['a CN 22 for goods of low value', {}, ['cn22']],
    ['a CN 23 above its value', { goods: [goods({ unitValue: '1300' })] }, ['cn23', 'commercial-invoice']],
    ['a CN 23 above its weight', { parcels: [parcel({ weightGrams: 2_001 })] }, ['cn23', 'commercial-invoice']],
    ['a CN 23 for more lines than it has', { goods: Array<Goods>(5).fill(goods()) }, ['cn23', 'commercial-invoice']],
    [
      'a CN 23 in a currency whose limit is not known',
      { goods: [goods({ currency: 'JPY' })] },
      ['cn23', 'commercial-invoice'],
    ],
  ])('are, with a postal carrier, %s', (_what, changes, kinds) => {
    expect(papersFor(POSTAL, [to('NO', '0150', changes)])).toEqual(kinds);
  });

  it('are postal for letters of a carrier whose parcels have an invoice', () => {
    const traits = { customsPapers: { form: 'invoice', postalServices: ['4'] } } as const;
    const kinds = ['4', '17', null].map((service) => papersFor(traits, [to('NO', '0150', { service })]));
    expect(kinds).toEqual([['cn22'], ['commercial-invoice'], ['commercial-invoice']]);
  });

  it('are not made for a booking that carries the data', () => {
    const traits = {
      customsPapers: { form: 'postal', declares: ({ service }: BookingRequest) => service === '4' },
    } as const;
    const kinds = ['4', '5'].map((service) => papersFor(traits, [to('NO', '0150', { service })]));
    expect(kinds).toEqual([[], ['cn22']]);
  });

  it('are chosen for goods counted by a part of a metre, too', () => {
    const metres = (unitValue: string) => to('NO', '0150', { goods: [goods({ unitValue, quantity: 2.5 })] });
    expect(papersFor(POSTAL, [metres('10')])).toEqual(['cn22']);
    expect(papersFor(POSTAL, [metres('2000')])).toEqual(['cn23', 'commercial-invoice']);
  });

  const codesOf = (problems: ReturnType<typeof missingOnPapers>) =>
    problems.map(({ code, severity }) => [code, severity]);
  const INVOICE = { customsPapers: { form: 'invoice' } } as const;
  const bare = { incoterms: null };

  it('are told to lack terms of delivery and the number of the exporter, which can be written on them', () => {
    expect(codesOf(missingOnPapers(INVOICE, {}, [to('NO', '0150', bare)]))).toEqual([
      ['customs-incoterms', 'warns'],
      ['customs-eori', 'warns'],
    ]);
    expect(missingOnPapers(INVOICE, NUMBERS, [to('NO', '0150', { incoterms: 'DAP' })])).toEqual([]);
  });

  it.each([
    ['no terms of delivery on a CN 22', POSTAL, to('NO', '0150', bare), ['customs-eori']],
    ['nothing inside the EU', INVOICE, to('DE', '24937', bare), []],
    ['nothing where the carrier takes the data', {}, to('NO', '0150', bare), []],
    [
      'no EORI number of an exporter in Norway',
      INVOICE,
      { ...to('DK', '2600', bare), sender: recipient({ address: { countryCode: 'NO', postalCode: '0150' } }) },
      ['customs-incoterms'],
    ],
  ])('lack %s', (...[, traits, request, codes]) => {
    expect(missingOnPapers(traits, {}, [request]).map(({ code }) => code)).toEqual(codes);
  });

  it('are missed before packing by field, with the lines that lack it', () => {
    const lines = [
      goods({ description: 'Tent', tariffNumberAtDestination: null, countryOfOrigin: null }),
      goods({ description: null, unitValue: null, unitWeightGrams: null }),
      goods({ description: 'Stove', tariffNumberAtDestination: null }),
    ];
    const problems = paperProblems(to('NO', '0150', { goods: lines }));
    expect(problems.map(({ code, values }) => [code, values?.['lines']])).toEqual([
      ['customs-description', '#2'],
      ['customs-value', '#2'],
      ['customs-weight', '#2'],
      ['customs-tariff-number', 'Tent, Stove'],
      ['customs-origin', 'Tent'],
    ]);
    expect(paperProblems(to('NO', '0150', { goods: [] })).map(({ code }) => code)).toEqual(['customs-no-lines']);
    expect(paperProblems(to('DE', '24937', { goods: [] }))).toEqual([]);
  });

  it('add up exactly, in whole cents', () => {
    const lines = [goods({ unitValue: '0.1', quantity: 3 }), goods({ unitValue: '1299.9999', quantity: 2 })];
    const paper = paperOf('commercial-invoice', to('NO', '0150', { goods: lines }));
    expect(paper.lines.map(({ unitValue, value }) => [unitValue, value])).toEqual([
      ['0.10', '0.30'],
      ['1299.9999', '2600.00'],
    ]);
    expect(paper).toMatchObject({ totalValue: '2600.30', currency: 'DKK', parcels: 1, grossWeightGrams: 900 });
  });

  it('count goods by a part of a metre, too', () => {
    const lines = [goods({ unitValue: '10', quantity: 2.5, unitWeightGrams: 333 })];
    const paper = paperOf('commercial-invoice', to('NO', '0150', { goods: lines }));
    expect(paper.lines.map(({ quantity, value, weightGrams }) => [quantity, value, weightGrams])).toEqual([
      [2.5, '25.00', 833],
    ]);
  });

  it('have a total of metres without the tail of a sum of fractions', async () => {
    const lines = [1.1, 2.2].map((quantity) => goods({ quantity, unitWeightGrams: 1_000, unitValue: '10' }));
    const [words = ''] = await wordsOn('commercial-invoice', to('NO', '0150', { goods: lines }));
    expect(words).toMatch(/Total3\.33\.300DKK33\.00/);
  });

  it.each<PaperKind>(['commercial-invoice', 'cn22', 'cn23'])('say on the %s what customs ask for', async (kind) => {
    const [words = ''] = await wordsOn(kind, to('NO', '0150', { incoterms: 'DAP', shipmentNumber: 'S-10045' }));
    for (const text of ['Cottonshirts', '610910', 'PT', '259.00', 'DKK', '0.900', 'S-10045', 'EORI:DK12345678'])
      expect(words).toContain(text);
    expect(words).toContain('VOEC:2012345');
    expect(words).not.toContain('IM2080001234');
  });

  it('have every line on some page, with Danish and Norwegian letters, however many and long they are', async () => {
    const lines = Array.from({ length: 80 }, (_none, index) =>
      goods({ description: `Nr${index}: Ærø-telt på ${'øverste åbredde '.repeat(12)}` }),
    );
    const request = to('NO', '0150', { goods: lines });
    for (const kind of ['commercial-invoice', 'cn23'] as const) {
      const pages = await wordsOn(kind, request);
      expect(pages.length).toBeGreaterThan(3);
      for (const [index] of lines.entries()) expect(pages.join('')).toContain(`Nr${index}:Ærø-teltpåøversteåbredde`);
      const bytes = await drawPaper(paperOf(kind, request));
      expect(Buffer.from(bytes).equals(Buffer.from(await drawPaper(paperOf(kind, request))))).toBe(true);
      expect((await PDFDocument.load(bytes)).getPageCount()).toBe(pages.length);
    }
  });
});
