import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { BookingRequest, CarrierAccount } from '../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/index.js';
import { GlsDkConfig } from '../../carriers/gls-dk/config.js';
import { glsDk } from '../../carriers/gls-dk/index.js';
import { toGlsShipment } from '../../carriers/gls-dk/booking.js';
import { startGlsDkSimulator } from '../../carriers/gls-dk/simulator.js';
import { fromGlsTracking } from '../../carriers/groups/gls/tracking.js';
import { textAt, valueAt } from '../../carriers/toolkit/json.js';
import { LABEL_100_BY_150, drawLabels } from '../../carriers/toolkit/simulator/label.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient, sampleSender, twoParcels } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';
import { describeTracking } from './track-suite.js';

const config = {
  userName: '9990000001',
  password: 'gls-pass-0001',
  customerId: '9990000001',
  contactId: '208x999Test',
};

const group = { clientId: 'group-client', clientSecret: 'group-secret-0001' };

const settings = plainToInstance(GlsDkConfig, config);

const shop = bookingRequest({ deliverToPickUpPoint: true, pickUpPointId: '99999', options: { notification: 'email' } });

describeCarrier(glsDk, {
  config: (baseUrl) => ({
    ...config,
    shopFinder: `${baseUrl}/wsShopFinder.asmx`,
    tracking: { ...group, baseUrl },
  }),
  requiredKeys: ['userName', 'password', 'customerId', 'contactId'],
  secrets: [config.password, group.clientSecret],
  wrongConfig: (baseUrl) => ({ password: 'wrong', tracking: { ...group, clientSecret: 'wrong', baseUrl } }),
  startSimulator: startGlsDkSimulator,
  variants: [
    ['two parcels for a company', bookingRequest()],
    ['one parcel for a private person', bookingRequest({ parcels: [parcel()], privateDelivery: true })],
    ['parcels for a parcel shop', shop],
    ['parcels for the nearest shop', bookingRequest({ deliverToPickUpPoint: true })],
    ['parcels that may be left', bookingRequest({ unattendedDelivery: true })],
    ['parcels for the shed', bookingRequest({ unattendedDelivery: true, notesOnDelivery: 'In the shed' })],
    [
      'a parcel for Sweden',
      bookingRequest({ recipient: recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } }) }),
    ],
    [
      'a parcel for Norway with its papers',
      bookingRequest({
        recipient: recipient({ address: { countryCode: 'NO' } }),
        options: { customs: 'papers' },
      }),
    ],
    [
      'names and streets longer than a line',
      bookingRequest({
        recipient: recipient({
          address: {
            name: 'The Very Long Winded Company of Glostrup and Surroundings ApS',
            street: 'Industriområdet ved den gamle nordlige Havnevej 114 B',
            floorBlockOrSuite: '3. tv',
          },
        }),
      }),
    ],
  ],
  refused: bookingRequest({ recipient: recipient({ address: { postalCode: '2600-Glostrup' } }) }),
  parcelsMatchedBy: 'position',
  received: ({ body }) => {
    const addresses = valueAt(JSON.parse(body()), 'Addresses');
    const fields = ['Name1', 'Name2', 'Street1', 'Name3', 'City', 'Contact'];
    return Object.fromEntries(
      fields.flatMap((field) => [
        [`recipient.${field}`, textAt(addresses, 'Delivery', field)],
        [`sender.${field}`, textAt(addresses, 'AlternativeShipper', field)],
      ]),
    );
  },
  exchanges: recorded('gls-dk'),
});

describeTracking(glsDk, {
  config: (baseUrl) => ({
    ...config,
    shopFinder: `${baseUrl}/wsShopFinder.asmx`,
    tracking: { ...group, baseUrl },
  }),
  startSimulator: startGlsDkSimulator,
  request: bookingRequest(),
  otherwise: { customs: 'in-transit', returned: 'delivery-failed', 'lost-or-damaged': 'delivery-failed' },
  zone: 'stated',
});

describe('tracking of GLS', () => {
  const event = { city: 'Flensburg', postalCode: '24941', country: 'DE', description: 'Received by GLS' };
  const told = (parcel: object, requested = '600000000011') => {
    return fromGlsTracking(['600000000011'], { parcels: [{ requested, unitno: '60000000001', ...parcel }] });
  };
  const summary = (parcel: object) => told(parcel).map(({ status, code, at }) => [status, code, at]);

  it('is read with its words, place and time, whose offset gets its colon', () => {
    const events = [{ ...event, code: 'INTIAL.NORMAL', eventDateTime: '2026-03-02T18:50:22+0100' }];
    expect(told({ status: 'INTRANSIT', statusDateTime: '2026-03-02T18:50:22+0100', events })).toEqual([
      {
        trackingNumber: '600000000011',
        status: 'handed-over',
        code: 'INTIAL.NORMAL',
        text: 'Received by GLS',
        place: '24941 Flensburg DE',
        at: '2026-03-02T18:50:22+01:00',
        zone: 'stated',
        estimatedDelivery: null,
        id: null,
      },
    ]);
  });

  it('has the status as an event of its own when the history does not tell of that moment', () => {
    const events = [{ ...event, code: 'INTIAL.NORMAL', eventDateTime: '2026-03-02T18:50:22+0100' }];
    expect(summary({ status: 'INTRANSIT', statusDateTime: '2026-03-03T06:50:22+0100', events })).toEqual([
      ['in-transit', 'INTRANSIT', '2026-03-03T06:50:22+01:00'],
      ['handed-over', 'INTIAL.NORMAL', '2026-03-02T18:50:22+01:00'],
    ]);
  });

  it('knows what a strange code means by the status that it has led to', () => {
    const events = [
      { ...event, code: 'NOBODY.HOME', eventDateTime: '2026-03-03T10:00:00+0100' },
      { ...event, code: 'SOME.THING', eventDateTime: '2026-03-03T09:00:00+0100' },
    ];
    expect(summary({ status: 'NOTDELIVERED', statusDateTime: '2026-03-03T10:00:00+0100', events })).toEqual([
      ['delivery-failed', 'NOBODY.HOME', '2026-03-03T10:00:00+01:00'],
      ['unrecognised', 'SOME.THING', '2026-03-03T09:00:00+01:00'],
    ]);
  });

  it.each([
    ['is delivered when nothing says how it ended', 'OUTDEL.NORMAL', ['delivered', 'out-for-delivery']],
    ['stays cancelled', 'CANCEL.NORMAL', ['cancelled']],
    ['stays delivered, when it was', 'DELIVD.NORMAL', ['delivered']],
  ])('with a closed history %s', (_case, code, expected) => {
    const events = [{ ...event, code, eventDateTime: '2026-03-03T10:00:00+0100' }];
    const parcel = { status: 'FINAL', statusDateTime: '2026-03-13T10:00:00+0100', events };
    expect(told(parcel).map(({ status }) => status)).toEqual(expected);
  });

  it('is of the parcels that were asked for, by the number in the question', () => {
    expect(told({ status: 'INTRANSIT', statusDateTime: '2026-03-03T06:50:22+0100' }, '600000000022')).toEqual([]);
  });

  it('is asked for by up to ten numbers in one address, with a token for each call', async () => {
    const server = await startCarrierServer('gls-dk', startGlsDkSimulator, () => TEST_NOW);
    const tracking = { ...group, baseUrl: `${server.baseUrl}/` };
    const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl };
    const account = glsDk.connect(plainToInstance(GlsDkConfig, { ...config, tracking }), tools);
    await account.track?.(['90000000001', '90000000002']);
    await server.close();
    expect(server.seen.map(({ method, url, body }) => [method, url, body()])).toEqual([
      ['POST', '/oauth2/v2/token', 'grant_type=client_credentials'],
      ['GET', '/track-and-trace-v1/tracking/simple/trackids/90000000001,90000000002', ''],
    ]);
  });

  it('is not asked for without an account at GLS Group', () => {
    const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: 'http://127.0.0.1:9' };
    expect(glsDk.connect(plainToInstance(GlsDkConfig, config), tools).track).toBeUndefined();
  });

  it.each([
    ['a secret for everybody to read', { ...group, baseUrl: 'http://api.example' }],
    ['an account without a secret', { clientId: 'group-client' }],
    ['an account that is none', 'group'],
  ])('refuses %s', (_case, tracking) => {
    const problems = validateSync(plainToInstance(GlsDkConfig, { ...config, tracking }));
    expect(problems.map((problem) => problem.property)).toEqual(['tracking']);
  });
});

describe('gls-dk', () => {
  let server: CarrierServer;
  let account: CarrierAccount;

  beforeEach(async () => {
    server = await startCarrierServer('gls-dk', startGlsDkSimulator, () => TEST_NOW);
    account = glsDk.connect(settings, { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl });
  });
  afterEach(() => server.close());

  function answerWith(body: unknown): void {
    server.failWith(answering(200, JSON.stringify(body), { 'content-type': 'application/json' }));
  }

  describe('the service', () => {
    it.each<readonly [string, Partial<BookingRequest>, unknown]>([
      ['none for a company', {}, {}],
      ['private delivery for a private person', { privateDelivery: true }, { PrivateDelivery: 'Y' }],
      [
        'the shop whose number is given',
        { deliverToPickUpPoint: true, pickUpPointId: '99999' },
        { ShopDelivery: '99999' },
      ],
      ['the nearest shop when none is named', { deliverToPickUpPoint: true }, { DirectShop: 'Y' }],
      ['flex delivery when nobody need be at home', { unattendedDelivery: true }, { FlexDelivery: 'Y' }],
      [
        'deposit when the notes say where',
        { unattendedDelivery: true, notesOnDelivery: 'In the shed' },
        { Deposit: 'In the shed' },
      ],
      [
        'the shop whose number is given, whatever else the shipment says',
        { deliverToPickUpPoint: false, pickUpPointId: '99999', privateDelivery: true },
        { ShopDelivery: '99999' },
      ],
      [
        'private and flex delivery where both are wished',
        { privateDelivery: true, unattendedDelivery: true },
        { PrivateDelivery: 'Y', FlexDelivery: 'Y' },
      ],
      [
        'what the rule adds to the wishes',
        { pickUpPointId: '99999', options: { services: ['private-delivery', 'flex-delivery'] } },
        { ShopDelivery: '99999', PrivateDelivery: 'Y', FlexDelivery: 'Y' },
      ],
      [
        'what the rule adds to its own service',
        { service: 'private-delivery', privateDelivery: true, options: { services: ['express-12'] } },
        { PrivateDelivery: 'Y', Express12: 'Y' },
      ],
      ['express before ten', { service: 'express-10' }, { Express10: 'Y' }],
      [
        'the service of the rule before all wishes',
        { service: 'private-delivery', deliverToPickUpPoint: true },
        { PrivateDelivery: 'Y' },
      ],
      [
        'a notification by e-mail where the options say so',
        { options: { notification: 'email' } },
        { NotificationEmail: 'recipient@example.com' },
      ],
    ])('is %s', (_case, changes, services) => {
      expect(shipmentOf(bookingRequest(changes)).Services).toEqual(services);
    });

    it('is none of a shop whose number is left over, where the account goes by the flag', () => {
      const context = { config: { ...settings, pickUpPoint: 'flag' as const }, now: TEST_NOW };
      const services = (deliverToPickUpPoint: boolean) =>
        toGlsShipment(bookingRequest({ deliverToPickUpPoint, pickUpPointId: '99999' }), context).Services;
      expect([services(false), services(true)]).toEqual([{}, { ShopDelivery: '99999' }]);
    });

    it("is the parcel shop and what rules add, nothing else of the shipment's, where the account says so", () => {
      const context = { config: { ...settings, servicesFromShipment: 'pick-up-point' as const }, now: TEST_NOW };
      const wishes = { privateDelivery: true, unattendedDelivery: true, deliverToPickUpPoint: true };
      const services = (changes: Partial<BookingRequest>) =>
        toGlsShipment(bookingRequest({ ...wishes, ...changes }), context).Services;
      expect(services({})).toEqual({});
      expect(services({ options: { services: ['flex-delivery'] } })).toEqual({ FlexDelivery: 'Y' });
      expect(services({ pickUpPointId: '99999' })).toEqual({ ShopDelivery: '99999' });
    });

    it('has the amount collected that the rule names, with the parcel', async () => {
      const request = bookingRequest({ parcels: [parcel()], options: { cashOnDelivery: '499.50' } });
      expect(shipmentOf(request).Parcels).toMatchObject([{ Weight: 2.4, Cashservice: 499.5 }]);
      expect((await account.book(request)).booking.parcels).toHaveLength(1);
    });

    it.each<readonly [string, Partial<BookingRequest>, string]>([
      ['adds what does not exist', { options: { services: ['express-moon'] } }, 'unknown-service'],
      ['adds what is no list', { options: { services: 'flex-delivery' } }, 'option-value'],
      ['has no amount collected', { parcels: [parcel()], options: { cashOnDelivery: 'all' } }, 'option-value'],
      ['has nothing collected', { parcels: [parcel()], options: { cashOnDelivery: 0 } }, 'option-value'],
      ['has one amount for two parcels', { options: { cashOnDelivery: 499 } }, 'single-parcel'],
      ['does not exist', { service: 'express-moon' }, 'unknown-service'],
      ['is a parcel shop without its number', { service: 'shop-delivery' }, 'pick-up-point-missing'],
      ['is a deposit without a place', { service: 'deposit' }, 'deposit-missing'],
    ])('is refused before anything is sent when it %s', async (_case, changes, code) => {
      await expect(account.book(bookingRequest(changes))).rejects.toMatchObject({
        name: 'CarrierRejected',
        problems: [{ code }],
      });
      expect(server.seen).toEqual([]);
    });
  });

  describe('the address', () => {
    it('continues a long street on the next line instead of losing the house number', () => {
      const street = 'Industriområdet ved den gamle nordlige Havnevej 114 B';
      const { Delivery } = shipmentOf(bookingRequest({ recipient: recipient({ address: { street } }) })).Addresses;
      expect(Delivery).toMatchObject({ Street1: 'Industriområdet ved den gamle nordlige', Name3: 'Havnevej 114 B' });
    });

    it.each([
      ['DK', '208'],
      ['AT', '040'],
      ['NO', '578'],
    ])('names the country %s by its number', (countryCode, number) => {
      const request = bookingRequest({ recipient: recipient({ address: { countryCode } }) });
      expect(shipmentOf(request).Addresses.Delivery.CountryNum).toBe(number);
    });

    it('has its postal code without the country before it', () => {
      const request = bookingRequest({
        recipient: recipient({ address: { countryCode: 'SE', postalCode: 'SE-211 45' } }),
      });
      expect(shipmentOf(request).Addresses.Delivery.ZipCode).toBe('211 45');
    });

    it('writes telephone numbers with the country', () => {
      expect(shipmentOf(bookingRequest()).Addresses.Delivery.Mobile).toBe('+4518234567');
    });

    it('leaves the sender to the account when a part of ours is missing', () => {
      const sender = { ...sampleSender, address: { ...sampleSender.address, city: null } };
      expect(shipmentOf(bookingRequest()).Addresses.AlternativeShipper?.Name1).toBe('Sample Warehouse ApS');
      expect(shipmentOf(bookingRequest({ sender })).Addresses.AlternativeShipper).toBeUndefined();
    });
  });

  it.each([
    ['the day it is meant for', '2030-03-08', '20300308'],
    ['today when that day has gone by', '2030-03-01', '20300304'],
  ])('sends a shipment with %s', (_case, shipDate, expected) => {
    expect(shipmentOf(bookingRequest({ shipDate })).ShipmentDate).toBe(expected);
  });

  it('says that it is the account which GLS does not accept', async () => {
    const stranger = glsDk.connect(
      { ...settings, password: 'wrong' },
      { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl },
    );
    await expect(stranger.book(bookingRequest())).rejects.toMatchObject({ because: 'credentials' });
  });

  it('quotes every complaint with the name of its field', async () => {
    const request = bookingRequest({ recipient: recipient({ address: { city: null, postalCode: null } }) });
    await expect(account.book(request)).rejects.toMatchObject({
      because: 'data',
      problems: [
        { code: 'Addresses.Delivery.ZipCode', text: 'Addresses.Delivery.ZipCode: The ZipCode field is required.' },
        { code: 'Addresses.Delivery.City', text: 'Addresses.Delivery.City: The City field is required.' },
      ],
    });
  });

  describe('an answer that does not fit the request', () => {
    const numbers = [{ ParcelNumber: '90000000011' }, { ParcelNumber: '90000000028' }];

    it.each<readonly [string, readonly unknown[]]>([
      ['fewer parcels', numbers.slice(0, 1)],
      ['more parcels', [...numbers, { ParcelNumber: '90000000035' }]],
      ['a parcel without a number', [numbers[0], {}]],
      ['one number for two parcels', [numbers[0], numbers[0]]],
    ])('is not taken for a refusal when it has %s, and its numbers are told', async (_case, parcels) => {
      answerWith({ ConsignmentId: '9990000001T0000001', Parcels: parcels });
      const booking = account.book(bookingRequest());
      await expect(booking).rejects.toBeInstanceOf(OutcomeUnknown);
      await expect(booking).rejects.toThrow(/9990000001T0000001.*90000000011/);
    });

    it.each<readonly [string, string | undefined]>([
      ['no PDF', undefined],
      ['an empty PDF', ''],
      ['something else than base64', '<html>maintenance</html>'],
      ['too little for a byte', 'J'],
    ])('keeps the numbers of a booking that came with %s, without a label', async (_case, pdf) => {
      answerWith({ ConsignmentId: '9990000001T0000001', Parcels: numbers, PDF: pdf });
      const { booking, labels } = await account.book(bookingRequest());
      expect(booking).toMatchObject({
        carrierNumber: '9990000001T0000001',
        parcels: [{ trackingNumber: '90000000011' }, { trackingNumber: '90000000028' }],
      });
      expect(labels).toEqual([]);
    });

    it.each<readonly [string, () => Promise<Uint8Array>]>([
      ['something else than a PDF', async () => Buffer.from('not a label')],
      ['a page less than parcels', async () => pdfOf(1)],
      ['a page more than parcels', async () => pdfOf(3)],
    ])('hands on %s as it came, for GLS does not send it again', async (_case, pdf) => {
      const bytes = new Uint8Array(await pdf());
      const lines = Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
      answerWith({ ConsignmentId: '9990000001T0000001', Parcels: numbers, PDF: lines });
      expect((await account.book(bookingRequest())).labels).toEqual([{ format: 'pdf', bytes }]);
    });

    it('keeps a parcel number that is sent as a long JSON number digit by digit', async () => {
      const body = '{"ConsignmentId":"T1","Parcels":[{"ParcelNumber":340434188193000000123}]}';
      server.failWith(answering(200, body, { 'content-type': 'application/json' }));
      const { booking } = await account.book(bookingRequest({ parcels: [parcel()] }));
      expect(booking.parcels).toMatchObject([{ trackingNumber: '340434188193000000123' }]);
    });
  });

  describe('beforehand', () => {
    it.each<readonly [string, BookingRequest, string]>([
      ['a street is missing', bookingRequest({ recipient: recipient({ address: { street: null } }) }), 'street'],
      [
        'a street does not fit on two lines',
        bookingRequest({ recipient: recipient({ address: { street: 'Vej '.repeat(30) } }) }),
        'street',
      ],
      [
        'a postal code is missing',
        bookingRequest({ recipient: recipient({ address: { postalCode: null } }) }),
        'postal',
      ],
      ['a city is missing', bookingRequest({ recipient: recipient({ address: { city: null } }) }), 'city'],
      ['a country is none', bookingRequest({ recipient: recipient({ address: { countryCode: 'ZZ' } }) }), 'country'],
      [
        'nobody could tell the recipient of a parcel at the shop',
        { ...shop, recipient: recipient({ contact: { email: null, mobile: null } }) },
        'e-mail',
      ],
      ['a service does not exist', bookingRequest({ service: 'express-moon' }), 'express-moon'],
      [
        'a postal code is of another country',
        bookingRequest({ recipient: recipient({ address: { countryCode: 'SE' } }) }),
        'no postal code of SE',
      ],
      [
        'goods need a customs declaration',
        bookingRequest({ recipient: recipient({ address: { countryCode: 'NO' } }) }),
        'no lines to declare',
      ],
      [
        'goods for the Faroe Islands need one',
        bookingRequest({ recipient: recipient({ address: { postalCode: '100', countryCode: 'FO' } }) }),
        'customs declaration',
      ],
      ['goods are dangerous', bookingRequest({ goods: [goods({ unNumbers: ['UN1950'] })] }), 'UN1950'],
      [
        'a contact is none',
        { ...shop, options: {}, recipient: recipient({ contact: { email: 'none', mobile: '-' } }) },
        'telephone',
      ],
      [
        'a notice would go to nobody',
        bookingRequest({ options: { notification: 'email' }, recipient: recipient({ contact: { email: 'none' } }) }),
        '"none"',
      ],
    ])('objects when %s', (_case, request, words) => {
      expect(account.check?.(request).map((problem) => problem.text)).toEqual([expect.stringContaining(words)]);
    });

    it.each<readonly [string, BookingRequest]>([
      [
        'nobody could tell the recipient',
        { ...shop, recipient: recipient({ contact: { email: null, mobile: null } }) },
      ],
      ['a postal code looks wrong', bookingRequest({ recipient: recipient({ address: { countryCode: 'SE' } }) })],
    ])('only warns when %s', (_case, request) => {
      expect(account.check?.(request)).toMatchObject([{ severity: 'warns' }]);
    });

    it('takes a number of a pick-up point that is not sent, however long it is', async () => {
      const request = bookingRequest({ pickUpPointId: 'another-carriers-point', service: 'private-delivery' });
      expect(account.check?.(request)).toEqual([]);
      expect((await account.book(request)).booking.parcels).toHaveLength(2);
    });

    it('counts an ordinary telephone of somebody who fetches a parcel', () => {
      const at = recipient({ contact: { email: null, mobile: null, phone: '18234567' } });
      expect(account.check?.({ ...shop, recipient: at })).toEqual([]);
    });

    it('does not mind that the seller lives beyond a customs border', () => {
      const sender = { ...sampleSender, address: { ...sampleSender.address, countryCode: 'NO' } };
      expect(account.check?.(bookingRequest({ sender }))).toEqual([]);
    });

    it('names the parcel that is too heavy, as GLS does when it is booked', async () => {
      const heavy = parcel({ id: '502', label: '10045 #2', weightGrams: 50_001 });
      const request = bookingRequest({ parcels: [parcel(), heavy] });
      expect(account.check?.(request)).toMatchObject([{ code: 'parcel-too-heavy', parcelId: '502' }]);
      await expect(account.book(request)).rejects.toBeInstanceOf(CarrierRejected);
    });
  });

  describe('what is lost', () => {
    it('is told, with what goes on in the second line left out', () => {
      const address = {
        street: 'Industriområdet ved den gamle nordlige Havnevej 114 B',
        floorBlockOrSuite: '3. tv',
        district: 'Glostrup Nordvest ved Skoven',
        stateOrProvince: 'Śląskie',
      };
      const request = bookingRequest({ recipient: recipient({ address }), notesOnDelivery: 'Ring twice' });
      expect(account.textChanges?.(request)).toEqual([
        {
          field: 'recipient.Name3',
          given: 'Havnevej 114 B, 3. tv, Glostrup Nordvest ved Skoven, Śląskie',
          sent: 'Havnevej 114 B, 3. tv, Glostrup Nordvest',
          kind: 'cut',
          meaningLost: true,
        },
        { field: 'shipment.notesOnDelivery', given: 'Ring twice', sent: '', kind: 'dropped', meaningLost: true },
      ]);
    });

    it('is nothing of notes that say where to leave a deposit', () => {
      expect(account.textChanges?.(bookingRequest({ service: 'deposit', notesOnDelivery: 'In the shed' }))).toEqual([]);
    });

    it('is no booking for an e-mail address of the sender that is too long', async () => {
      const contact = { ...sampleSender.contact, email: `${'x'.repeat(100)}@example.com` };
      const request = bookingRequest({ sender: { ...sampleSender, contact } });
      await account.book(request);
      expect(shipmentOf(request).Addresses.AlternativeShipper).toMatchObject({
        City: 'Frederiksberg',
        Email: undefined,
      });
    });

    it('sends an e-mail address without its blanks', () => {
      const at = recipient({ contact: { email: ' recipient@example.com ' } });
      const { Addresses, Services } = shipmentOf(bookingRequest({ recipient: at, options: { notification: 'email' } }));
      expect([Addresses.Delivery.Email, Services.NotificationEmail]).toEqual(Array(2).fill('recipient@example.com'));
    });

    it('is a telephone number without a digit, and a contact of the sender that is too long', () => {
      const sender = { ...sampleSender, contact: { ...sampleSender.contact, email: `${'x'.repeat(100)}@example.com` } };
      const request = bookingRequest({ sender, recipient: recipient({ contact: { phone: 'see note' } }) });
      expect(account.textChanges?.(request)).toMatchObject([
        { field: 'sender.Email', kind: 'dropped' },
        { field: 'recipient.Phone', given: 'see note', kind: 'dropped', meaningLost: true },
      ]);
    });

    it('is a sender who is not sent, as a whole', () => {
      const sender = { ...sampleSender, address: { ...sampleSender.address, name: 'Łódź', city: null } };
      expect(account.textChanges?.(bookingRequest({ sender }))).toEqual([
        expect.objectContaining({ field: 'sender.AlternativeShipper', given: 'Łódź, Prøvevej 1, 2000, DK', sent: '' }),
      ]);
    });
  });

  it('refuses another word for what sends a parcel to a shop', () => {
    const problems = validateSync(plainToInstance(GlsDkConfig, { ...config, pickUpPoint: 'always' }));
    expect(problems.map((problem) => problem.property)).toEqual(['pickUpPoint']);
  });

  describe('a probe', () => {
    it('is an empty request without an account, for which GLS books nothing', async () => {
      await account.probe?.();
      expect(server.seen.map(({ method, body }) => [method, body()])).toEqual([['POST', '{}']]);
      expect(server.simulator.bookings()).toEqual([]);
    });

    it.each([
      ['a page with status 404', answering(404, '<html>not here</html>')],
      ['an agreement', answering(200, '{"ConsignmentId":"1"}', { 'content-type': 'application/json' })],
    ])('is not answered by %s, which the web service never gives', async (_case, fault) => {
      server.failWith(fault);
      await expect(account.probe?.()).rejects.toBeInstanceOf(CarrierUnavailable);
    });
  });

  describe('the parcel shop finder', () => {
    const near = { near: { countryCode: 'DK', postalCode: '2600', street: 'Eksempelgade 22' }, limit: 10 };
    const atGls = () => {
      const read = plainToInstance(GlsDkConfig, { ...config, shopFinder: `${server.baseUrl}/wsShopFinder.asmx` });
      return glsDk.connect(read, { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl });
    };
    const xml = { 'content-type': 'text/xml' };

    it('is asked without the login, and read with its entities and opening hours', async () => {
      const [first] = (await atGls().pickupPoints?.(near)) ?? [];
      expect(first).toEqual({
        ...{ id: '700001', name: 'Testkiosken & co', street: 'Butiksvej 3', postalCode: '2600', city: 'Testby' },
        ...{ countryCode: 'DK', distanceM: 640, kind: null, openingHours: 'Monday 08:00-20:00' },
      });
      const { url } = server.seen[0] ?? { url: '' };
      expect(url).toMatch(/^\/wsShopFinder.asmx\/SearchNearestParcelShops\?/);
      expect(url).not.toContain(config.userName);
    });

    it('is asked for a postal code without the country before it', async () => {
      await atGls().pickupPoints?.({ ...near, near: { ...near.near, postalCode: 'DK-2600' } });
      expect(new URL(server.seen[0]?.url ?? '', server.baseUrl).searchParams.get('zipcode')).toBe('2600');
    });

    it.each([
      [
        'a SOAP fault',
        answering(500, '<soap:Envelope><soap:Body><soap:Fault>none</soap:Fault></soap:Body></soap:Envelope>'),
      ],
      ['a list without shops', answering(200, '<?xml version="1.0"?>\n<ArrayOfPakkeshopData />', xml)],
    ])('has none where it answers with %s', async (_case, fault) => {
      server.failWith(fault);
      expect(await atGls().pickupPoints?.(near)).toEqual([]);
    });

    it('gives no usable answer where a shop has no number', async () => {
      const shop = '<PakkeshopData><CompanyName>Kiosk</CompanyName></PakkeshopData>';
      server.failWith(answering(200, `<parcelshops>${shop}</parcelshops>`, xml));
      await expect(atGls().pickupPoints?.(near)).rejects.toBeInstanceOf(CarrierUnavailable);
    });
  });

  it('takes settings that YAML reads as numbers', () => {
    const read = plainToInstance(GlsDkConfig, { ...config, userName: 9990000001, customerId: 9990000001 });
    expect(validateSync(read)).toEqual([]);
    expect(read).toMatchObject({ userName: '9990000001', customerId: '9990000001' });
  });
});

function shipmentOf(request: BookingRequest): ReturnType<typeof toGlsShipment> {
  return toGlsShipment(request, { config: settings, now: TEST_NOW });
}

async function pdfOf(pages: number): Promise<Uint8Array> {
  const label = { carrierName: 'GLS', service: '', reference: '', sender: [], recipient: [], weightGrams: 1 };
  const labels = Array.from({ length: pages }, () => ({ ...label, trackingNumber: twoParcels[0]?.id ?? '' }));
  return drawLabels(labels, LABEL_100_BY_150);
}
