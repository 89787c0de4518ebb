import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { BookingRequest, CarrierAccount, LabelForm } from '../../carriers/contract/index.js';
import { CarrierUnavailable } from '../../carriers/contract/index.js';
import { PRODUCTION, TEST } from '../../carriers/postnord/api.js';
import { labelsOf } from '../../carriers/postnord/booking.js';
import { PostnordConfig } from '../../carriers/postnord/config.js';
import { postnord } from '../../carriers/postnord/index.js';
import { startPostnordSimulator } from '../../carriers/postnord/simulator.js';
import { SHIPMENTS, STATUSES } from '../../carriers/postnord/questions.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { readTracking } from '../../carriers/toolkit/answers/shipments.js';
import { listAt, textAt, valueAt } from '../../carriers/toolkit/json.js';
import { describeCarrier } from './contract-suite.js';
import { startExactCarrier } from './exact-carrier.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { sentAgain } from './sent-again.js';
import { testHttpPort } from './test-http-port.js';

const KEY = 'sandbox-postnord-key';
const config = { apiKey: KEY, customerNumber: '990000001', applicationId: 9999 };

const toPoint = bookingRequest({ deliverToPickUpPoint: true, pickUpPointId: '700002' });
const FLEX = { flexChange: true };
const insurance = { typeOfInsurance: 'DOMESTICDK', amount: 5000, currency: 'DKK' };
const sweden = recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } });
const anItem = { itemIdentification: { itemId: '0' } };
const inEurope = { ...insurance, typeOfInsurance: 'EUROPE' };

describeCarrier(postnord, {
  config,
  requiredKeys: ['apiKey', 'customerNumber', 'applicationId'],
  secrets: [KEY],
  wrongConfig: { apiKey: 'wrong' },
  startSimulator: startPostnordSimulator,
  variants: [
    ['two parcels for a company', bookingRequest()],
    ['a parcel for a home', bookingRequest({ privateDelivery: true, unattendedDelivery: true, parcels: [parcel()] })],
    ['two parcels for a service point', toPoint],
    ['a parcel for the nearest service point', bookingRequest({ deliverToPickUpPoint: true, parcels: [parcel()] })],
    [
      'an insured pallet with notes',
      bookingRequest({
        ...{ service: '52', notesOnDelivery: 'Ring på', parcels: [parcel({ lengthMm: null, volumeMl: 24_000 })] },
        options: { packageTypeCode: 'PE', insurance },
      }),
    ],
  ],
  parcelsMatchedBy: 'position',
  changes: ({ method, url }) => method === 'POST' && !url.includes('/labels/ids/'),
  received: ({ body }) => {
    const parties = valueAt(JSON.parse(body()), 'shipment', 0, 'parties');
    const textsOf = (role: string, ours: string) => {
      const party = valueAt(parties, role, 'party');
      const { nameIdentification, address, contact } = Object(party) as Readonly<Record<string, object>>;
      const texts = { ...nameIdentification, ...address, ...contact };
      const streets = listAt(address, 'streets').map((line, place) => [`${ours}.streets.${place}`, String(line)]);
      const others = Object.keys(texts).map((name) => [`${ours}.${name}`, textAt(texts, name)]);
      return Object.fromEntries([...others.filter(([, text]) => text !== null), ...streets]) as Record<string, string>;
    };
    return { ...textsOf('consignor', 'sender'), ...textsOf('consignee', 'recipient') };
  },
  exchanges: recorded('postnord'),
});

describe('postnord', () => {
  let server: CarrierServer;
  let now: Date;

  beforeEach(async () => {
    now = TEST_NOW;
    server = await startCarrierServer('postnord', startPostnordSimulator, () => now);
  });
  afterEach(() => server.close());

  const settingsOf = (changes: object) => plainToInstance(PostnordConfig, { ...config, ...changes });

  function connect(changes: object = {}, baseUrl = server.baseUrl): CarrierAccount {
    return postnord.connect(settingsOf(changes), { http: testHttpPort, clock: { now: () => now }, baseUrl });
  }
  const problemsOf = (changes: Partial<BookingRequest>, settings: object = {}) =>
    connect(settings).check?.(bookingRequest(changes)) ?? [];
  const lastShipment = () => valueAt(JSON.parse(server.seen.at(-1)?.body() ?? '{}'), 'shipment', 0);

  it.each<readonly [string, readonly [Partial<BookingRequest>, object], readonly string[]]>([
    ['to a company', [{}, {}], ['18']],
    ['to a home', [{ privateDelivery: true }, {}], ['17', 'A3', 'A4']],
    ['to a home that is not told', [{ privateDelivery: true, options: { notification: 'none' } }, {}], ['17']],
    ['left at a home', [{ privateDelivery: true, unattendedDelivery: true }, FLEX], ['17', 'A3', 'A4', 'A6']],
    ['to a home with FlexChange', [{ privateDelivery: true }, FLEX], ['17', 'A3', 'A4', 'C7']],
    ['to the nearest service point', [{ deliverToPickUpPoint: true }, {}], ['19', 'A3', 'A4']],
    ['to a service point', [toPoint, {}], ['19', 'A7', 'A3', 'A4']],
    ['what a rule names', [{ options: { additionalServices: ['D6'], insurance } }, {}], ['18', 'D6', '62']],
  ])('books %s', async (_case, [changes, settings], codes) => {
    await connect(settings).book(bookingRequest(changes));
    const { basicServiceCode, additionalServiceCode = [] } = Object(valueAt(lastShipment(), 'service'));
    expect([basicServiceCode, ...additionalServiceCode.sort()]).toEqual([codes[0], ...codes.slice(1).sort()]);
  });

  it('prints all that comes for a parcel: a CN 22 of its own goes with the label', () => {
    const printed = (data: string, itemIds = '00370') => ({
      itemIds: [{ itemIds, status: 'OK' }],
      printout: { encoding: 'none', data },
    });
    const parcels = [{ kind: 'booked', parcelId: '1', trackingNumber: '00370', trackingUrl: null }] as const;
    const printouts = [printed('^XA label ^XZ'), printed('^XA CN 22 ^XZ'), printed('^XA of another ^XZ', '00371')];
    const labels = labelsOf({ carrierNumber: '1', parcels, labelSource: null }, printouts);
    expect(labels.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['^XA label ^XZ', '^XA CN 22 ^XZ']);
  });

  it('sends the address of the service point as PostNord has it, and books nothing where there is no such point', async () => {
    await connect().book(toPoint);
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(valueAt(lastShipment(), 'parties', 'deliveryParty')).toEqual({
      partyIdentification: { partyId: '700002', partyIdType: '156' },
      party: {
        nameIdentification: { name: 'Pakkeboks 7' },
        address: { streets: ['Stationsvej 1'], postalCode: '2600', city: 'Testby', countryCode: 'DK' },
      },
    });
    await expect(connect().book({ ...toPoint, pickUpPointId: '999' })).rejects.toMatchObject({
      problems: [{ code: 'pick-up-point-missing', text: expect.stringContaining('999') }],
    });
    expect(server.simulator.bookings()).toHaveLength(1);
  });

  it('books nothing and waits where the service point cannot be asked for', async () => {
    server.failWith(answering(503, ''));
    await expect(connect().book(toPoint)).rejects.toBeInstanceOf(CarrierUnavailable);
    expect(server.simulator.bookings()).toEqual([]);
  });

  it('takes FAIL in an answer with status 200 for a refusal, in the words of PostNord', async () => {
    const untold = bookingRequest({ service: '19', options: { notification: 'none' } });
    await expect(connect().book(untold)).rejects.toMatchObject({
      ...{ name: 'CarrierRejected', because: 'data', problems: [{ text: 'A2, A3 or A4 is required' }] },
    });
  });

  it('takes a booking with numbers for booked, whatever else is said about it, such as a label that could not be printed', async () => {
    const ids = [
      { idType: 'itemId', value: '00370000000000000011' },
      { idType: 'shipmentId', value: '00000000000000001' },
    ];
    const compositeFault = { faults: [{ faultCode: 'X', explanationText: 'No label could be printed' }] };
    const bookingResponse = { idInformation: [{ status: 'OK', ids, errorResponse: null }] };
    server.failWith(answering(200, JSON.stringify({ bookingResponse, labelPrintout: null, compositeFault })));
    await expect(connect().book(bookingRequest({ parcels: [parcel()] }))).resolves.toMatchObject({
      ...{ booking: { parcels: [{ trackingNumber: '00370000000000000011' }] }, labels: [] },
    });
  });

  it('says which type an insurance out of Denmark has, which PostNord refuses as one inside Denmark', async () => {
    const abroad = { recipient: sweden, options: { insurance } };
    expect(problemsOf(abroad)).toMatchObject([
      {
        text: expect.stringMatching(/typeOfInsurance: "DOMESTICDK"", where EUROPE \(SE\), RESTOFTHEWORLD is expected/),
      },
    ]);
    await expect(connect().book(bookingRequest(abroad))).rejects.toMatchObject({
      problems: [{ text: 'Insurance 62 is for Denmark only' }],
    });
    await connect().book(bookingRequest({ ...abroad, options: { insurance: inEurope } }));
    expect(valueAt(lastShipment(), 'service', 'additionalServiceCode')).toEqual(['A5']);
  });

  it('says what a key that PostNord does not know is perhaps not for', async () => {
    await expect(connect({ apiKey: 'wrong' }).book(bookingRequest())).rejects.toMatchObject({
      because: 'credentials',
      problems: [{ text: 'Invalid API Key: is the key for this API of PostNord?' }],
    });
  });

  it('books no shipment with a test indicator', async () => {
    const { labels } = await connect({ testIndicator: 'true' }).book(bookingRequest());
    expect(labels).toHaveLength(2);
    expect(server.simulator.bookings()).toEqual([]);
  });

  it('fetches the labels of a booking that was found, each by the number of its parcel', async () => {
    await connect().book(bookingRequest());
    now = new Date(now.getTime() + postnord.traits.bookingVisibleAfterMs);
    const found = await connect().findByReference?.(bookingRequest());
    const parcels = (found?.parcels ?? []).map((each) => ({ kind: 'booked' as const, ...each, parcelId: '501' }));
    expect(await connect().fetchLabels?.({ carrierNumber: '1', labelSource: null, parcels })).toHaveLength(2);
    const unknown = {
      carrierNumber: '1',
      labelSource: null,
      parcels: parcels.map((each) => ({ ...each, trackingNumber: '9' })),
    };
    await expect(connect().fetchLabels?.(unknown)).rejects.toMatchObject({ problems: [{ text: 'Unknown item' }, {}] });
  });

  it('finds a booking by any of its references of the consignor: "nothing was booked" would book it twice', async () => {
    const { reference } = bookingRequest();
    const shipmentReferences = ['PO-7', reference].map((value) => ({ type: 'CU', value }));
    const shipments = [{ shipmentId: '1', shipmentReferences, items: [{ itemId: '0037' }] }];
    server.failWith(answering(200, JSON.stringify({ TrackingInformationResponse: { shipments } })));
    const found = await connect().findByReference?.(bookingRequest());
    expect(found).toMatchObject({ carrierNumber: '1', parcels: [{ trackingNumber: '0037' }] });
  });

  it('takes a search that failed with status 200 for no answer, not for "nothing was booked"', async () => {
    const compositeFault = { faults: [{ faultCode: 'X', explanationText: 'The service is busy' }] };
    const body = JSON.stringify({ TrackingInformationResponse: { shipments: [], compositeFault } });
    server.failWith(answering(200, body));
    await expect(connect().findByReference?.(bookingRequest())).rejects.toMatchObject({
      problems: [{ text: 'The service is busy' }],
    });
  });

  it.each([
    ['a page of a gateway', '<html>404 Not Found</html>'],
    ['a gateway that has no such path', JSON.stringify({ error: { status_code: 404, message: 'Not Found' } })],
    ['no body', ''],
  ])('does not take a 404 with %s for "nothing was booked"', async (_what, body) => {
    server.failWith(answering(404, body));
    await expect(connect().findByReference?.(bookingRequest())).rejects.toThrow();
  });

  const ZPL: LabelForm = { format: 'zpl', widthMm: 105, heightMm: 190, dpi: 203 };

  it('asks for ZPL where the printer wants it, with the booking and afterwards', async () => {
    expect(postnord.traits.labels).toContainEqual(ZPL);
    const { booking, labels } = await connect().book(bookingRequest({ labelForm: ZPL }));
    const { url } = server.seen.at(-1) ?? { url: '' };
    expect(url).toContain('/rest/shipment/v3/edi/labels/zpl?');
    expect(Object.fromEntries(new URL(url, 'http://x').searchParams)).toEqual({
      ...{ apikey: KEY, dpmm: '8dpmm', multiZPL: 'false', locale: 'da' },
    });
    const again = (await connect().fetchLabels?.(booking, ZPL)) ?? [];
    expect(server.seen.at(-1)?.url).toContain('/rest/shipment/v3/labels/ids/zpl?');
    for (const found of [labels, again]) {
      expect(found.map(({ format }) => format)).toEqual(['zpl', 'zpl']);
      const texts = found.map(({ bytes }) => new TextDecoder().decode(bytes));
      expect(texts).toEqual(
        booking.parcels.map((each) =>
          expect.stringMatching(`^\\^XA[^]*\\^FD${Object(each).trackingNumber}\\^FS[^]*\\^XZ\\s*$`),
        ),
      );
    }
  });

  it.each([
    ['pdf', '', 200],
    ['pdf', 'paperSize=A4', 200],
    ['pdf', 'paperSize=LETTER', 200],
    ['pdf', 'paperSize=A3', 400],
    ['zpl', '', 200],
    ['zpl', 'dpmm=12dpmm', 400],
  ])('is simulated with the forms of labels that PostNord has: %s with "%s" is a %p', async (form, query, status) => {
    await connect().book(bookingRequest());
    const body = server.seen.at(-1)?.body() ?? '';
    const url = `${server.baseUrl}/rest/shipment/v3/edi/labels/${form}?apikey=${KEY}&${query}`;
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.status).toBe(status);
  });

  const nuuk = recipient({ address: { postalCode: '3900', city: 'Nuuk', countryCode: 'DK' } });
  const told = { ...nuuk.contact, mobile: '+299234567' };

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['an insurance for Denmark', { options: { insurance } }, ['option-value']],
    ['a service point that PostNord chooses', { deliverToPickUpPoint: true }, ['pick-up-point-missing']],
    ['no mobile number of Greenland', { privateDelivery: true }, []],
  ])('refuses for Greenland as abroad, also where the address says DK: %s', (_what, changes, codes) => {
    const found = problemsOf({ ...changes, recipient: { ...nuuk, contact: told }, parcels: [parcel()] });
    expect(found.map(({ code }) => code).filter((code) => code !== 'customs-no-lines')).toEqual(codes);
  });

  it('has postal papers for letters only', () => {
    const { customsPapers } = postnord.traits;
    expect(customsPapers).toMatchObject({ form: 'invoice', postalServices: expect.arrayContaining(['4', '91']) });
    expect(customsPapers?.postalServices).not.toContain('17');
  });

  const norway = recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } });
  const letter = { ...bookingRequest({ service: '4', recipient: norway, goods: [goods()] }), parcelsInShipment: 1 };
  const declared = { ...letter, parcels: [parcel({ weightGrams: 900 })], customsNumbers: { eori: 'DK12345678' } };

  it('declares a letter across a border of customs, which has no papers then', async () => {
    expect(postnord.traits.customsPapers?.declares?.(declared)).toBe(true);
    await connect().book(declared);
    expect(valueAt(lastShipment(), 'customsDeclarationCN22', 'EORIorPersonalIdNumber')).toBe('DK12345678');
  });

  it.each<readonly [string, Partial<BookingRequest>]>([
    ['a parcel', { service: '18' }],
    ['a letter inside the EU', { recipient: recipient({}) }],
    ['an exporter without a number', { customsNumbers: { vat: 'DK12345678', ioss: 'IM2080001234' } }],
    ['14 lines', { goods: Array.from({ length: 14 }, () => goods({ unitValue: '1' })) }],
    ['a higher value', { goods: [goods({ unitValue: '1300' })] }],
    ['one of two parcels', { parcelsInShipment: 2 }],
    ['papers that are made elsewhere', { options: { customs: 'papers' } }],
  ])('declares nothing of %s', async (_what, changes) => {
    const request = { ...declared, ...changes };
    expect(postnord.traits.customsPapers?.declares?.(request)).toBe(false);
    await connect().book(request);
    expect(valueAt(lastShipment(), 'customsDeclarationCN22')).toBeUndefined();
  });

  it('makes a return of the customer to the warehouse, and none without both ways to tell the customer', async () => {
    const back = bookingRequest({ sender: recipient({}), parcels: [parcel()], reference: 'R10045-1' });
    await connect().returnLabel?.(back);
    const { url } = server.seen.at(-1) ?? { url: '' };
    expect(url).toContain('/rest/shipment/v3/returns/edi/labels/pdf?');
    expect(lastShipment()).toMatchObject({
      service: { basicServiceCode: '24' },
      parties: { consignee: { issuerCode: 'Z11', partyIdentification: { partyId: '990000001', partyIdType: '160' } } },
    });
    expect(valueAt(lastShipment(), 'parties', 'consignor', 'partyIdentification')).toBeUndefined();
    const silent = { ...back, sender: recipient({ contact: { email: null } }) };
    await expect(connect().returnLabel?.(silent)).rejects.toMatchObject({ problems: [{ code: 'email-missing' }] });
  });

  it.each([
    [TEST, true],
    [PRODUCTION, false],
  ])('asks %s with the setting test: %p', async (host, test) => {
    const carrier = startExactCarrier(host, { status: 200, body: 'VALID' });
    await connect({ test }, PRODUCTION).probe?.();
    carrier.close();
    expect(carrier.arrived).toMatchObject([{ url: `${host}/rest/shipment/v1/validate/customernumber` }]);
    expect(carrier.arrived[0]?.query).toEqual({ apikey: KEY, customerNumber: '990000001', countryCode: 'DK' });
  });

  it.each([
    ['customerNumber', '99'],
    ['applicationId', 'nine'],
    ['issuerCode', 'Z99'],
    ['test', 'perhaps'],
  ])('does not take the setting %s: %p', (key, value) => {
    expect(validateSync(settingsOf({ [key]: value })).map(({ property }) => property)).toEqual([key]);
  });

  const finland = recipient({ address: { postalCode: '00100', city: 'Helsinki', countryCode: 'FI' } });
  const germany = recipient({ address: { postalCode: '20095', city: 'Hamburg', countryCode: 'DE' } });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['nothing to the nearest service point in Sweden', { deliverToPickUpPoint: true, recipient: sweden }, []],
    [
      'the nearest service point in Finland',
      { deliverToPickUpPoint: true, recipient: finland },
      ['pick-up-point-missing'],
    ],
    ['nothing to a home that a rule names for a shipment to a service point', { ...toPoint, service: '17' }, []],
    ['a service that does not exist', { service: '83' }, ['unknown-service']],
    [
      'a home where nothing can be told',
      { privateDelivery: true, ...contact({ mobile: null, email: null }) },
      ['recipient-contact'],
    ],
    ['nothing to a home that is told by e-mail', { privateDelivery: true, ...contact({ mobile: null }) }, []],
    [
      'a recipient without telephone number, whom the driver is asked to call',
      { service: '18', options: { additionalServices: ['B8'] }, ...contact({ mobile: null }) },
      ['recipient-contact'],
    ],
    [
      'nothing to a recipient with a mobile number, whom the driver is asked to call',
      { service: '18', options: { additionalServices: ['B8'] } },
      [],
    ],
    ['a service point where nothing is told', { ...toPoint, options: { notification: 'none' } }, ['recipient-contact']],
    [
      'nothing to a letter in its place',
      { ...toPoint, options: { notification: 'none', additionalServices: ['A2'] } },
      [],
    ],
    [
      'a message to no mobile number',
      { options: { additionalServices: ['A3'] }, ...contact({ mobile: null }) },
      ['mobile-missing'],
    ],
    ['a Swedish number in Denmark', contact({ mobile: '+46701234567' }), ['mobile-not-danish']],
    ['an e-mail address that is none', contact({ email: 'none' }), ['notification-email']],
    [
      'a company abroad without telephone',
      { recipient: { ...germany, contact: { ...germany.contact, mobile: null } } },
      ['recipient-contact'],
    ],
    [
      'goods for customs',
      { recipient: recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } }) },
      ['customs-no-lines'],
    ],
    ['dangerous goods', { goods: [goods({ unNumbers: ['UN3480'] })] }, ['dangerous-goods-unannounced']],
    [
      'nothing to announced ones',
      { goods: [goods({ unNumbers: ['UN3480'] })], options: { additionalServices: ['A8'] } },
      [],
    ],
    ['an insurance for Denmark to Sweden', { recipient: sweden, options: { insurance } }, ['option-value']],
    ['nothing to one for Europe to Sweden', { recipient: sweden, options: { insurance: inEurope } }, []],
    ['an insurance of no type', { options: { insurance: { amount: 5000, currency: 'DKK' } } }, ['option-value']],
    ['an insurance without a sum', { options: { insurance: { ...insurance, amount: '5000' } } }, ['option-value']],
  ])('objects beforehand to %s', (_case, changes, codes) => {
    expect(problemsOf(changes).map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    [{ additionalServices: ['A33'] }, '"A33" is perhaps A3'],
    [{ additionalServices: ['A4', 'ZZZ'] }, '"ZZZ" is none'],
    [{ aditionalServices: ['A3'] }, 'perhaps additionalServices'],
    [{ insurance: { typeOfInsurance: 'DOMESTIC', amount: 1, currency: 'DKK' } }, 'DOMESTICDK, EUROPE, RESTOFTHEWORLD'],
  ])('names what is perhaps meant by %j', (options, meant) => {
    expect(postnord.checkRule?.({ service: null, options })).toMatchObject([{ text: expect.stringContaining(meant) }]);
  });

  const OF_ALL = 'shipment.0';
  const LINE = `${OF_ALL}.customsDeclarationCN22.detailedDescription.0`;

  it.each<readonly [string, Partial<BookingRequest>, Readonly<Record<string, unknown>>]>([
    ['no day of loading', {}, { [`${OF_ALL}.dateAndTimes`]: undefined }],
    ['a time with the offset of its zone', {}, { messageDate: '2030-03-04T09:00:00+01:00' }],
    ['no weights', {}, { [`${OF_ALL}.totalGrossWeight`]: undefined, [`${OF_ALL}.goodsItem.0.items`]: [anItem] }],
    ['a service point without A7', toPoint, { [`${OF_ALL}.service.additionalServiceCode`]: ['A3'] }],
    ['no country from which a letter comes', declared, { [`${OF_ALL}.customsDeclarationCN22.countryOfOrigin`]: null }],
    ['a long tariff number', declared, { [`${LINE}.hsTariffNumber`]: '610910009012' }],
  ])('is simulated with %s, which PostNord does not refuse', async (_case, changes, sent) => {
    await connect().book(bookingRequest(changes));
    const answer = await sentAgain(server, sent);
    expect([answer.status, valueAt(JSON.parse(answer.text), 'bookingResponse', 'idInformation', 0, 'status')]).toEqual([
      ...[200, 'OK'],
    ]);
  });

  const UNREACHED = { phoneNo: '', smsNo: '' };

  it.each<readonly [string, readonly [Partial<BookingRequest>, string, unknown], readonly [number, string]]>([
    [
      'to a company outside the Nordic countries without telephone',
      [{ recipient: germany }, `${OF_ALL}.parties.consignee.party.contact`, UNREACHED],
      [200, 'phoneNo or smsNo is required'],
    ],
    [
      'with a customer number of another type',
      [{}, `${OF_ALL}.parties.consignor.partyIdentification.partyIdType`, '167'],
      [400, 'partyIdType is not valid'],
    ],
    [
      'with a service point of another type',
      [toPoint, `${OF_ALL}.parties.deliveryParty.partyIdentification.partyIdType`, '160'],
      [400, 'partyIdType is not valid'],
    ],
  ])('is simulated with a refusal %s', async (_case, [changes, path, value], [status, words]) => {
    await connect().book(bookingRequest(changes));
    const answer = await sentAgain(server, { [path]: value });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
    expect(server.simulator.bookings()).toHaveLength(1);
  });

  it('books a line of goods whose value rounds to nothing, with a long tariff number, as the check takes it', async () => {
    const cheap = goods({ quantity: 1, unitValue: '0.004', tariffNumberAtDestination: '6109.10.00.9012' });
    const request = { ...declared, goods: [cheap] };
    expect(connect().check?.(request)).toEqual([]);
    await expect(connect().book(request)).resolves.toMatchObject({ labels: [{}] });
  });

  it('finds service points as they are, by street and number', async () => {
    const near = { countryCode: 'DK', postalCode: '2600', street: 'Eksempelgade 22' };
    expect(await connect().pickupPoints?.({ near, limit: 1 })).toEqual([
      {
        ...{ id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', postalCode: '2600', city: 'Testby' },
        ...{ countryCode: 'DK', distanceM: 640, kind: 'manned', openingHours: 'Monday 08:00-20:00' },
      },
    ]);
    expect(Object.fromEntries(new URL(server.seen[0]?.url ?? '', 'http://x').searchParams)).toEqual({
      ...{ apikey: KEY, returnType: 'json', context: 'optionalservicepoint', responseFilter: 'public' },
      ...{ countryCode: 'DK', postalCode: '2600', numberOfServicePoints: '1' },
      ...{ streetName: 'Eksempelgade', streetNumber: '22' },
    });
    expect(await connect().pickupPoints?.({ id: '700001', countryCode: 'SE' })).toEqual([]);
  });

  it('is simulated with service points for a city alone', async () => {
    const query = `apikey=${KEY}&countryCode=DK&city=Testby`;
    const answer = await fetch(`${server.baseUrl}/rest/businesslocation/v5/servicepoints/nearest/byaddress?${query}`);
    expect(answer.status).toBe(200);
  });

  describe('tracking', () => {
    const event = (status: string, changes: object = {}) => ({
      ...{
        eventTime: '2030-07-05T08:15:00',
        status,
        eventDescription: 'Told',
        location: { city: 'Taulov', countryCode: 'DK' },
      },
      ...changes,
    });
    const tracked = (answer: unknown) => readTracking(answer, '0037', SHIPMENTS);
    const told = (service: string, ...events: readonly object[]) =>
      tracked({
        TrackingInformationResponse: {
          shipments: [
            {
              ...{ shipmentId: '1', service: { code: service }, consignee: { address: { countryCode: 'FI' } } },
              estimatedTimeOfArrival: '2030-07-06T12:00:00',
              items: [
                { itemId: '0037', events },
                { itemId: '0038', events: [event('DELIVERED')] },
              ],
            },
          ],
        },
      });

    it('has a meaning for each status that PostNord names', () => {
      for (const [status, meaning] of STATUSES)
        expect(told('19', event(status)).map((each) => each.status)).toEqual(meaning === null ? [] : [meaning]);
      expect(STATUSES.size).toBe(13);
    });

    it('takes what is available for a service point otherwise than for a home', () => {
      expect(told('17', event('AVAILABLE_FOR_DELIVERY'))).toMatchObject([{ status: 'in-transit' }]);
    });

    it('reads times by the clocks of their country', () => {
      const inFinland = { location: { city: 'Vantaa', countryCode: 'FI' } };
      expect(told('18', event('DELIVERED'), event('EN_ROUTE', inFinland))).toMatchObject([
        {
          at: '2030-07-05T08:15:00+02:00',
          zone: 'assumed',
          place: 'Taulov DK',
          estimatedDelivery: '2030-07-06T12:00:00+03:00',
        },
        { at: '2030-07-05T08:15:00+03:00', place: 'Vantaa FI', text: 'Told' },
      ]);
    });
  });
});

function contact(changes: Partial<BookingRequest['recipient']['contact']>): Partial<BookingRequest> {
  return { recipient: recipient({ contact: changes }) };
}
