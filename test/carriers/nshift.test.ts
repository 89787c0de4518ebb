import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import type { BookingRequest, CarrierAccount, Party, TrackingStatus } from '../../carriers/contract/index.js';
import { NshiftConfig } from '../../carriers/nshift/config.js';
import { nshift } from '../../carriers/nshift/index.js';
import { startNshiftSimulator } from '../../carriers/nshift/simulator.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { textAt, valueAt } from '../../carriers/toolkit/json.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { sentAgain } from './sent-again.js';
import { testHttpPort } from './test-http-port.js';

const PIN = 'SANDBOXNSHIFTSECRET00001';
const config = {
  user: 'SANDBOXNSHIFT001',
  pin: PIN,
  senderQuickId: '1',
  bulkId: '1',
  priceCurrency: 'DKK',
  trackBack: true,
};
const PDF = Buffer.from('%PDF-1.4').toString('base64');

const toPoint = bookingRequest({ deliverToPickUpPoint: true, pickUpPointId: '700002' });
const unnamed: BookingRequest = { ...toPoint, pickUpPointId: null };
const sweden = recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } });
const POSTI = { agentType: 'POSTI' };
const NO_POINT = 'pick-up-point-missing';
const norway = recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } });
const customsNumbers = { eori: 'DK12345678', vat: 'DK12345678', voec: '2012345', ioss: 'IM2080001234' };

describeCarrier(nshift, {
  config,
  requiredKeys: ['user', 'pin'],
  secrets: [PIN, `SANDBOXNSHIFT001-${PIN}`],
  wrongConfig: { pin: 'wrong' },
  startSimulator: startNshiftSimulator,
  variants: [
    ['two parcels for a home', bookingRequest({ notesOnDelivery: 'Ring på' })],
    ['two parcels for a pick-up point', toPoint],
    ['two parcels for the nearest pick-up point', unnamed],
    ['a parcel for a company', bookingRequest({ privateDelivery: false, parcels: [parcel()] })],
    ['a letter for Sweden', bookingRequest({ recipient: sweden, parcels: [parcel({ volumeMl: 900 })] })],
    [
      'a parcel with Posti',
      bookingRequest({
        service: 'POSTI|PO2103',
        options: { addons: [{ id: 'PUPOPT' }] },
        deliverToPickUpPoint: true,
        pickUpPointId: '700001',
      }),
    ],
    ['goods for customs', bookingRequest({ service: 'PDKEP', recipient: norway, goods: [goods()], incoterms: 'DAP' })],
  ],
  refused: bookingRequest({ service: 'PDK99' }),
  parcelsMatchedBy: 'id',
  received: ({ body }) => {
    const shipment = valueAt(JSON.parse(body()), 'shipment');
    const texts = (['sender', 'recipient'] as const).flatMap((role) => {
      const party = valueAt(shipment, role === 'sender' ? role : 'receiver');
      return Object.keys(Object(party)).map((name) => [`${role}.${name}`, textAt(party, name)] as const);
    });
    return Object.fromEntries(texts);
  },
  exchanges: recorded('nshift'),
});

describe('nshift', () => {
  let server: CarrierServer;
  let now: Date;

  beforeEach(async () => {
    now = TEST_NOW;
    server = await startCarrierServer('nshift', startNshiftSimulator, () => now);
  });
  afterEach(() => server.close());

  const settingsOf = (changes: object) => plainToInstance(NshiftConfig, { ...config, ...changes });
  const connect = (changes: object = {}): CarrierAccount =>
    nshift.connect(settingsOf(changes), {
      ...{ http: testHttpPort, clock: { now: () => now }, baseUrl: server.baseUrl },
    });
  const sent = (...path: readonly (string | number)[]) =>
    valueAt(JSON.parse(server.seen.at(-1)?.body() ?? '{}'), ...path);
  const codesOf = (changes: Partial<BookingRequest>, settings: object = {}) =>
    connect(settings)
      .check?.(bookingRequest({ parcels: [parcel()], ...changes }))
      .map(({ code }) => code);

  it.each<readonly [string, Partial<BookingRequest>, string]>([
    ['a home in Denmark', {}, 'PDK17'],
    ['a company', { privateDelivery: false }, 'PDKEP'],
    ['a pick-up point', toPoint, 'P19DK'],
    ['another country', { recipient: sweden, parcels: [parcel()] }, 'PDKBREVI'],
    ['what a rule says', { service: 'BRING|BPBUSI' }, 'BPBUSI'],
  ])('books for %s what the vendor’s app books', async (_case, changes, service) => {
    await connect().book(bookingRequest(changes));
    expect(sent('shipment', 'service', 'id')).toBe(service);
    expect(sent('shipment', 'bulkId')).toBe(service === 'PDKBREVI' ? '1' : undefined);
  });

  it('tells nothing to the recipient where a rule says so, and leaves other carriers’ add-ons to the rule', async () => {
    await connect().book(bookingRequest({ options: { notification: 'none', addons: [{ id: 'INSU', amount: 500 }] } }));
    expect(sent('shipment', 'service', 'addons')).toEqual([{ id: 'INSU', amount: 500 }]);
    await connect().book(bookingRequest({ service: 'POSTI|PO2104' }));
    expect(sent('shipment', 'service', 'addons')).toEqual([]);
  });

  it('sends to the pick-up point of PostNord that is found first where the shipment names none', async () => {
    await connect().book(unnamed);
    expect(sent('shipment', 'agent')).toEqual({ quickId: '700001' });
    expect(sent('shipment', 'service', 'addons', 0)).toEqual({ id: 'PUPOPT' });
    const nowhere = recipient({ address: { countryCode: 'DE' } });
    await expect(connect().book({ ...unnamed, recipient: nowhere })).rejects.toMatchObject({
      ...{ name: 'CarrierRejected', problems: [{ code: 'pick-up-point-missing' }] },
    });
    expect(server.simulator.bookings()).toHaveLength(1);
  });

  it('names the partner with its customer number', async () => {
    const settings = { partner: 'PDK', customerNumber: '10001' };
    await connect(settings).book(bookingRequest());
    expect(sent('shipment', 'senderPartners')).toEqual([{ id: 'PDK', custNo: '10001' }]);
    await connect(settings).book(bookingRequest({ service: 'POSTI|PO2104' }));
    expect(sent('shipment', 'senderPartners')).toEqual([{ id: 'POSTI' }]);
  });

  it('sends measures in metres with PostNord, in centimetres with others, or in the unit of the account', async () => {
    await connect().book(bookingRequest());
    expect(sent('shipment', 'parcels', 1)).toMatchObject({ length: 0.301, width: 0.2, height: 0.095, weight: 1.105 });
    for (const [settings, service] of [[{ dimensions: 'cm' }], [{}, 'POSTI|PO2104']] as const) {
      await connect(settings).book(bookingRequest({ service: service ?? null }));
      expect(sent('shipment', 'parcels', 1)).toMatchObject({ length: 31, width: 20, height: 10 });
    }
    await connect({ dimensions: 'm' }).book(bookingRequest({ service: 'POSTI|PO2104' }));
    expect(sent('shipment', 'parcels', 1)).toMatchObject({ length: 0.301, width: 0.2, height: 0.095 });
  });

  it('says on which day parcels leave, where that is not today', async () => {
    await connect().book(bookingRequest({ shipDate: '2030-03-01', options: { service: { pickupBooking: true } } }));
    expect([sent('shipment', 'shipDate'), sent('shipment', 'service', 'pickupDate')]).toEqual([
      undefined,
      '2030-03-04',
    ]);
    await connect().book(bookingRequest({ shipDate: '2030-03-05' }));
    expect(sent('shipment', 'shipDate')).toBe('2030-03-05');
  });

  it('declares goods for customs, and asks for their papers on A4', async () => {
    const options = { customsDeclaration: { printSet: ['cn23'], importExportType: 'permanent' } };
    await connect().book(bookingRequest({ service: 'PDKEP', recipient: norway, goods: [goods()], options }));
    expect(sent('printConfig', 'target2Media')).toBe('laser-a4');
    expect(sent('shipment', 'customsDeclaration')).toEqual({
      ...{ printSet: ['cn23'], invoiceType: 'STANDARD', invoiceNo: '10045', currencyCode: 'DKK' },
      importExportType: 'permanent',
      lines: [
        {
          ...{ statNo: '610910', contents: 'Cotton shirts', copies: 2, valuesPerItem: true, value: 129.5 },
          ...{ netWeight: 0.2, sourceCountryCode: 'PT' },
        },
      ],
    });
  });

  it.each<readonly [string, Partial<BookingRequest>, string]>([
    ['a parcel of PostNord', { service: 'PDKEP' }, 'proformaplabedi'],
    ['a light letter of low value', { service: 'PDKBREVI' }, 'cn22'],
    ['a heavy letter', { service: 'PDKBREVI', parcels: [parcel({ weightGrams: 2_001 })] }, 'cn23'],
    ['a letter of high value', { service: 'PDKBREVI', goods: [goods({ unitValue: '1250.5' })] }, 'cn23'],
    ['another carrier', { service: 'POSTI|PO2104' }, 'proforma'],
  ])('asks for the papers of %s where no rule says which', async (_case, changes, paper) => {
    const light = { recipient: norway, goods: [goods()], parcels: [parcel({ weightGrams: 450 })] };
    await connect().book(bookingRequest({ ...light, ...changes }));
    expect(sent('shipment', 'customsDeclaration', 'printSet')).toEqual([paper]);
  });

  it.each<readonly [string, Party, string | undefined]>([
    ['the VOEC number into Norway', norway, '2012345'],
    ['the VAT number elsewhere', recipient({ address: { postalCode: '3000', countryCode: 'CH' } }), 'DK12345678'],
    ['none where nothing is declared', sweden, undefined],
  ])('names %s of those of the exporter', async (_case, to, vatNo) => {
    await connect().book(bookingRequest({ service: 'PDKEP', recipient: to, goods: [goods()], customsNumbers }));
    expect(sent('shipment', 'sender', 'vatNo')).toBe(vatNo);
  });

  it('names the IOSS number into the EU', async () => {
    await connect().book(bookingRequest({ service: 'PDKEP', sender: norway, goods: [goods()], customsNumbers }));
    expect(sent('shipment', 'sender', 'vatNo')).toBe('IM2080001234');
  });

  it('names no number in a return, whose goods are not declared', async () => {
    const parties = { sender: norway, recipient: bookingRequest().sender };
    await connect().returnLabel?.(bookingRequest({ service: 'PDKEP', ...parties, goods: [goods()], customsNumbers }));
    expect(sent('shipment', 'sender', 'vatNo')).toBeUndefined();
  });

  it('declares dangerous goods that a rule announces', async () => {
    const dangerousGoods = { adrClass: '9', netWeight: 0.5, limitedQuantities: true };
    const request = { goods: [goods({ unNumbers: ['UN3480'] })], options: { dangerousGoods }, parcels: [parcel()] };
    expect(codesOf(request)).toEqual([]);
    await connect().book(bookingRequest(request));
    expect(sent('shipment', 'parcels', 0, 'dangerousGoods')).toEqual({ ...dangerousGoods, unCode: '3480' });
    expect(sent('shipment', 'service', 'addons')).toContainEqual({ id: 'DNG' });
  });

  it('has nShift write to the recipient where a rule says so', async () => {
    const preNotification = { from: 'shop@mail.example', languageCode: 'dk' };
    await connect().book(bookingRequest({ options: { preNotification } }));
    expect(sent('shipment', 'options')).toEqual([{ id: 'ENOT', to: 'recipient@example.com', ...preNotification }]);
  });

  it('books a return with the parties of the shipment that went out', async () => {
    await connect().returnLabel?.(
      bookingRequest({ sender: recipient({}), recipient: bookingRequest().sender, parcels: [parcel()] }),
    );
    expect(sent('shipment')).toMatchObject({
      ...{ sender: { quickId: '1', name: 'Sample Warehouse ApS' }, receiver: { name: 'Test Modtager' } },
      service: { id: 'PDK17', returnShipment: true, normalShipment: false },
    });
  });

  describe('labels', () => {
    it.each([
      ['thermo-se', [107, 251]],
      ['laser-a5', [210, 297]],
    ])('are for %s where the account says so', async (media) => {
      await connect({ media }).book(bookingRequest());
      expect(sent('printConfig')).toMatchObject({ target1Media: media, target1Type: 'pdf' });
      expect(sent('printConfig', 'target1Options')).toEqual(
        media === 'thermo-se' ? [{ key: 'mode', value: 'DT' }] : undefined,
      );
    });

    const documented = (documents: object) =>
      JSON.stringify([
        { id: '50000001', orderNo: '10045-1', parcels: [{ parcelNo: '0037', reference: '501' }], ...documents },
      ]);

    it.each([
      ['the newer API', { prints: [{ id: '6', description: 'Label', data: PDF }] }, 1],
      ['the older API', { pdfs: [{ id: '6', description: 'Label', pdf: PDF }] }, 1],
      [
        'an account that has to fetch one of them',
        {
          prints: [
            { id: '6', data: PDF },
            { id: '7', href: 'x' },
          ],
        },
        0,
      ],
    ])('are taken from an answer of %s', async (_api, documents, count) => {
      server.failWith(answering(201, documented(documents), { 'content-type': 'application/json' }));
      expect((await connect().book(bookingRequest({ parcels: [parcel()] }))).labels).toHaveLength(count);
    });

    it('stand before other documents', async () => {
      const invoice = Buffer.from('%PDF-1.4 invoice').toString('base64');
      const prints = [
        { id: '6', description: 'Proforma', data: invoice },
        { id: '7', description: 'Label', data: PDF },
      ];
      server.failWith(answering(201, documented({ prints }), { 'content-type': 'application/json' }));
      const { labels } = await connect().book(bookingRequest({ parcels: [parcel()] }));
      expect(labels.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['%PDF-1.4', '%PDF-1.4 invoice']);
    });

    it('are fetched within the hour for which nShift keeps them, and not after it', async () => {
      const { booking } = await connect().book(bookingRequest());
      now = new Date(TEST_NOW.getTime() + 3_600_000);
      expect(await connect().fetchLabels?.(booking)).toHaveLength(1);
      now = new Date(TEST_NOW.getTime() + 3_600_001);
      await expect(connect().fetchLabels?.(booking)).rejects.toThrow('keeps for one hour');
    });
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[], object?]>([
    ['nothing to the nearest pick-up point of PostNord', { deliverToPickUpPoint: true }, []],
    ['another carrier’s pick-up point without its id', { ...unnamed, service: 'POSTI|PO2103' }, [NO_POINT]],
    ['one of PostNord where the account finds those of others', unnamed, [NO_POINT], POSTI],
    ['a service that does not exist', { service: 'PDK71' }, ['unknown-service']],
    ['a letter without a bulk id', { service: 'PDKBREVI' }, ['account-setting'], { bulkId: undefined }],
    [
      'a sender without a city',
      { sender: recipient({ address: { city: null } }) },
      ['sender-city-missing'],
      { senderQuickId: undefined },
    ],
    ['nothing to that of an account with a sender', { sender: recipient({ address: { city: null } }) }, []],
    [
      'a notice by SMS without a mobile number',
      { options: { addons: [{ id: 'NOTSMS' }] }, recipient: recipient({ contact: { mobile: null } }) },
      ['mobile-missing'],
    ],
    ['goods for customs without lines', { service: 'PDKEP', recipient: norway }, ['customs-no-lines']],
    [
      'nothing to papers that are made elsewhere',
      { service: 'PDKEP', recipient: norway, options: { customs: 'papers' } },
      [],
    ],
    [
      'dangerous goods that the rule does not announce',
      { goods: [goods({ unNumbers: ['UN3480'] })] },
      ['dangerous-goods-unannounced'],
    ],
    [
      'dangerous goods of two kinds',
      { goods: [goods({ unNumbers: ['UN3480', 'UN1950'] })], options: { dangerousGoods: { adrClass: '9' } } },
      ['dangerous-goods-alone'],
    ],
  ])('objects beforehand to %s', (...[, changes, codes, settings]) => {
    expect(codesOf(changes, settings)).toEqual(codes);
  });

  it.each([
    ['PDK18', {}, 'perhaps PDK17'],
    ['PDK17', { addons: [{ id: 'NOTSM' }] }, 'perhaps NOTSMS'],
    ['PDK17', { addons: [{ id: 'COD', ammount: 5 }] }, 'perhaps amount'],
    ['PDK17', { customsDeclaration: { printSet: ['cn24'] } }, '"cn24" is perhaps cn2'],
    ['POSTI|PO2104', { addons: [{ id: '3101', missc: 'x' }] }, 'perhaps misc'],
    ['PDK17', { dangerousGoods: { adrClas: '9' } }, 'perhaps dangerousGoods.adrClass'],
  ])('says at the start what is wrong with %s and %j', (service, options, meant) => {
    expect(nshift.checkRule?.({ service, options })).toMatchObject([{ text: expect.stringContaining(meant) }]);
  });

  it('asks for prices only where the account says their currency', async () => {
    expect(await connect().quote?.(bookingRequest())).toMatchObject({ amount: '56.7', currency: 'DKK' });
    expect(connect({ priceCurrency: undefined }).quote).toBeUndefined();
  });

  describe('what changed in the account', () => {
    const numbers = async () => {
      const { booking } = await connect().book(bookingRequest());
      return booking.parcels.map((each) => (each.kind === 'booked' ? each.trackingNumber : ''));
    };
    const happen = (trackingNumber: string, status: TrackingStatus, minute: number) => {
      const at = new Date(TEST_NOW.getTime() + minute * 60_000);
      server.happen({ id: `${trackingNumber}-${minute}`, trackingNumber, status, at, place: 'Odense' });
    };

    it('is told of each parcel from the first question on, and again only after five minutes', async () => {
      const [first = '', second = ''] = await numbers();
      happen(first, 'registered', 0);
      expect(await connect().trackChanges?.(null)).toEqual({ events: [], cursor: '1', waitMs: 300_000 });
      happen(first, 'at-pickup-point', 5);
      await expect(connect().trackChanges?.('1')).rejects.toMatchObject({ name: 'CarrierUnavailable' });
      now = new Date(TEST_NOW.getTime() + 300_000);
      const event = { status: 'at-pickup-point', code: 'delivering' };
      const at = new Date(TEST_NOW.getTime() + 300_000).toISOString().replace('Z', '+00:00');
      expect(await connect().trackChanges?.('1')).toMatchObject({
        events: [first, second].map((trackingNumber) => ({ ...event, at, trackingNumber, zone: 'stated', id: null })),
        ...{ cursor: '2', waitMs: 300_000 },
      });
    });

    it('is asked for again at once while more than a hundred shipments wait', async () => {
      await connect().trackChanges?.(null);
      const [first = ''] = await numbers();
      for (let minute = 0; minute < 101; minute += 1) happen(first, 'in-transit', minute);
      now = new Date(TEST_NOW.getTime() + 300_000);
      expect(await connect().trackChanges?.('0')).toMatchObject({ cursor: '100', waitMs: 0 });
      expect(await connect().trackChanges?.('100')).toMatchObject({ cursor: '101', waitMs: 300_000 });
    });

    it.each([
      ['printed', 'registered'],
      ['dispatching', 'in-transit'],
      ['outfordelivery', 'out-for-delivery'],
      ['delivering', 'at-pickup-point'],
      ['delivered', 'delivered'],
      ['partdelivered', 'in-transit'],
      ['returned', 'returned'],
      ['cancelled', 'cancelled'],
      ['mislaid', 'unrecognised'],
    ])('tells of "%s" in our words, for the number of a return too', async (status, ours) => {
      const parcels = [{ parcelNo: null, returnParcelNo: '0038' }, {}];
      const shipments = [{ id: '5', status, changed: '2026-03-04T11:02:00.000+0000', parcels }, { status }];
      const body = JSON.stringify({ fetchId: '7', minDelay: 400_000, done: true, shipments });
      server.failWith(answering(200, body, { 'content-type': 'application/json' }));
      expect(await connect().trackChanges?.('6')).toMatchObject({
        events: [{ trackingNumber: '0038', status: ours, code: status, at: '2026-03-04T11:02:00.000+00:00' }],
        ...{ cursor: '7', waitMs: 400_000 },
      });
    });

    it('is not asked for by an account without the licence', () => {
      expect(connect({ trackBack: false }).trackChanges).toBeUndefined();
    });
  });

  it('prints references without spaces', async () => {
    await connect().book(bookingRequest({ sendersReference: 'ORDER 10045', customersReference: 'PO 7 / A' }));
    expect(sent('shipment')).toMatchObject({ senderReference: 'ORDER10045', receiverReference: 'PO7/A' });
  });

  it.each([
    ['takes P19DK to Denmark', recipient({}), 201],
    ['takes P19DK to Sweden', sweden, 201],
    ['refuses P19DK to Norway', norway, 422],
  ])('has a simulator that %s without a chosen pick-up point', async (_case, to, status) => {
    await connect().book(bookingRequest());
    const { postalCode: zipcode, countryCode: country } = to.address;
    const shipment = Object(sent('shipment')) as Record<string, unknown>;
    const receiver = { ...Object(shipment.receiver), zipcode, country };
    const answer = await testHttpPort.send({
      ...{ method: 'POST', url: `${server.baseUrl}/shipments`, timeoutMs: 5_000 },
      headers: { authorization: `Bearer SANDBOXNSHIFT001-${PIN}` },
      json: { ...Object(sent()), shipment: { ...shipment, receiver, service: { id: 'P19DK', addons: [] } } },
    });
    expect(answer.status).toBe(status);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['a declaration with its kinds of papers alone', { 'shipment.customsDeclaration': { printSet: ['proforma'] } }],
    [
      'an instruction of more than 30 characters',
      { 'shipment.deliveryInstruction': 'Ring på hos naboen til højre, nr. 3' },
    ],
  ])('has a simulator that takes %s, which nShift does not refuse', async (_case, changes) => {
    await connect().book(bookingRequest());
    const answer = await sentAgain(server, changes, { authorization: `Bearer SANDBOXNSHIFT001-${PIN}` });
    expect(answer.status).toBe(201);
  });

  it('finds pick-up points as they are, and none where there are none', async () => {
    const near = { countryCode: 'DK', postalCode: '2600', street: 'Eksempelgade 22' };
    expect(await connect().pickupPoints?.({ near, limit: 1 })).toEqual([
      {
        ...{ id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', postalCode: '2600', city: 'Testby' },
        ...{ countryCode: 'DK', distanceM: null, kind: null, openingHours: null },
      },
    ]);
    expect(server.seen[0]?.url).toBe(
      '/addresses/agents?type=POSTNORD&countryCode=DK&zip=2600&street=Eksempelgade%2022',
    );
    expect(await connect().pickupPoints?.({ near: { ...near, countryCode: 'DE' }, limit: 1 })).toEqual([]);
  });
});
