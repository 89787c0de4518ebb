import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { BookingRequest, CarrierAccount } from '../../carriers/contract/index.js';
import { fromHomerunnerTracking } from '../../carriers/homerunner/booking.js';
import { HomerunnerConfig } from '../../carriers/homerunner/config.js';
import { homerunner } from '../../carriers/homerunner/index.js';
import { startHomerunnerSimulator } from '../../carriers/homerunner/simulator.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { trackingNumbers } from '../../carriers/testing/assertions.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { textAt, valueAt } from '../../carriers/toolkit/json.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

const TOKEN = 'sandbox-homerunner-token';
const LOGIN = Buffer.from(`lager@mail.example:${TOKEN}`).toString('base64');
const config = {
  ...{ userName: 'lager@mail.example', token: TOKEN, carrier: 'dao' },
  trackingCodes: { simulated_transit: 'in-transit', simulated_delivered: 'delivered' },
};

const oneParcel = (changes: Partial<BookingRequest> = {}) => bookingRequest({ parcels: [parcel()], ...changes });
const toPoint = oneParcel({ deliverToPickUpPoint: true, pickUpPointId: '700002' });
const norway = recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } });
const sweden = recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } });

const ONE_PARCEL = 'customs-one-parcel';

describeCarrier(homerunner, {
  config,
  requiredKeys: ['userName', 'token'],
  secrets: [TOKEN, LOGIN],
  wrongConfig: { token: 'wrong' },
  startSimulator: startHomerunnerSimulator,
  variants: [
    ['a parcel for a home', oneParcel({ privateDelivery: true, notesOnDelivery: 'Ring på' })],
    ['a parcel for a pick-up point', toPoint],
    ['a parcel for the nearest pick-up point', { ...toPoint, pickUpPointId: null }],
    ['a parcel for Norway', oneParcel({ service: 'bring', recipient: norway, goods: [goods()], parcelsInShipment: 1 })],
    ['a parcel with GLS for a company', oneParcel({ service: 'gls|business|delivery' })],
    ['a parcel for Sweden', oneParcel({ service: 'bring', recipient: sweden })],
  ],
  parcelsMatchedBy: 'position',
  received: ({ body }) => {
    const json: unknown = JSON.parse(body());
    const roles = [
      ['sender', 'sender'],
      ['recipient', 'receiver'],
    ] as const;
    return Object.fromEntries(
      roles.flatMap(([ours, theirs]) =>
        Object.keys(Object(valueAt(json, theirs))).map((name) => [`${ours}.${name}`, textAt(json, theirs, name)]),
      ),
    );
  },
  exchanges: recorded('homerunner'),
});

describe('homerunner', () => {
  let server: CarrierServer;

  beforeEach(async () => {
    server = await startCarrierServer('homerunner', startHomerunnerSimulator, () => TEST_NOW);
  });
  afterEach(() => server.close());

  const settingsOf = (changes: object) => plainToInstance(HomerunnerConfig, { ...config, ...changes });
  const connect = (changes: object = {}): CarrierAccount =>
    homerunner.connect(settingsOf(changes), {
      ...{ http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl },
    });
  const codesOf = (changes: Partial<BookingRequest>, settings: object = {}) =>
    connect(settings)
      .check?.(oneParcel(changes))
      .map(({ code }) => code);

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['the account’s carrier to a home', {}, ['dao', 'private', 'delivery_package']],
    ['the account’s carrier to a pick-up point', toPoint, ['dao', 'private', 'droppoint']],
    ['another carrier', { service: 'gls' }, ['gls', 'private', 'delivery']],
    ['HomeRunner’s own in Europe', { service: 'coolrunner' }, ['coolrunner', 'private', 'europe']],
    ['what a rule says', { service: 'gls|business|delivery' }, ['gls', 'business', 'delivery']],
  ])('books %s', async (_case, changes, product) => {
    await connect().book(oneParcel(changes));
    const sent: unknown = JSON.parse(server.seen[0]?.body() ?? '{}');
    expect(['carrier', 'carrier_product', 'carrier_service'].map((name) => valueAt(sent, name))).toEqual(product);
  });

  it('sends to the nearest pick-up point where the shipment names none, and books nothing where there is none', async () => {
    await connect().book({ ...toPoint, pickUpPointId: null });
    expect(server.simulator.bookings()).toHaveLength(1);
    expect(JSON.parse(server.seen.at(-1)?.body() ?? '{}')).toMatchObject({ servicepoint_id: '700001' });
    server.failWith(answering(200, '{"servicepoints":[]}', { 'content-type': 'application/json' }));
    await expect(connect().book({ ...toPoint, pickUpPointId: null })).rejects.toMatchObject({
      ...{ name: 'CarrierRejected', problems: [{ code: 'pick-up-point-missing' }] },
    });
  });

  it('books nothing, and can be asked again, where the nearest pick-up point cannot be asked for', async () => {
    server.failWith(answering(500, 'oops'), ({ method }) => method === 'GET');
    await expect(connect().book({ ...toPoint, pickUpPointId: null })).rejects.toMatchObject({
      name: 'CarrierUnavailable',
    });
    expect(server.simulator.bookings()).toEqual([]);
  });

  it.each([
    ['the mobile number', { mobile: '20123456', phone: '33123456' }, '20123456'],
    ['another number, since one is required,', { mobile: null, phone: '33123456' }, '33123456'],
  ])('sends %s for text messages', async (_what, contact, number) => {
    await connect().book(oneParcel({ recipient: recipient({ contact }) }));
    expect(valueAt(JSON.parse(server.seen[0]?.body() ?? '{}'), 'receiver', 'notify_sms')).toBe(number);
  });

  it.each(['book', 'returnLabel'] as const)(
    'is simulated with what it answered to %s behind its link',
    async (call) => {
      const answered = await connect()[call]?.(oneParcel());
      const headers = { authorization: `Basic ${LOGIN}`, 'x-developer-id': 'Waybridge' };
      const [number] = answered ? trackingNumbers(answered.booking) : [];
      const answer = await fetch(`${server.baseUrl}/v3/shipments/${number}`, { headers });
      expect(await answer.json()).toMatchObject({
        ...{ package_number: number, reference: '10045-1' },
        _links: {
          label: expect.stringContaining(`${call === 'book' ? 'shipments' : 'return'}/${number}/label`),
        },
      });
    },
  );

  it('sends no pick-up point of the shipment with a service to an address', async () => {
    await connect().book({ ...toPoint, service: 'dao|private|delivery_package' });
    expect(JSON.parse(server.seen.at(-1)?.body() ?? '{}')).toMatchObject({ servicepoint_id: '' });
  });

  it('sends no lines for customs with papers, nor with one of several parcels', async () => {
    const abroad = { service: 'bring', recipient: norway, goods: [goods()] };
    const without = [
      { ...abroad, parcelsInShipment: 2 },
      { ...abroad, parcelsInShipment: 1, options: { customs: 'papers' } },
    ];
    for (const changes of without) {
      await connect().book(oneParcel(changes));
      expect(JSON.parse(server.seen.at(-1)?.body() ?? '{}')).not.toHaveProperty('order_lines');
    }
  });

  it('reads prices in the list of products, in the currency of the account', async () => {
    const price = { amount: '35.00', currency: 'DKK', workingDays: null, estimatedDelivery: null };
    expect(await connect().quote?.(oneParcel())).toEqual(price);
    expect(await connect({ currency: 'SEK' }).quote?.(toPoint)).toEqual({ ...price, currency: 'SEK' });
    for (const changes of [
      { recipient: norway },
      { parcels: [parcel({ weightGrams: 20_001 })] },
      { service: 'gls|x|y' },
    ])
      await expect(connect().quote?.(oneParcel(changes))).rejects.toMatchObject({ name: 'CarrierRejected' });
  });

  it('books a line of goods whose value rounds to nothing, as the check takes it', async () => {
    const cheap = [goods({ quantity: 1, unitValue: '0.004' })];
    const request = oneParcel({ service: 'bring', recipient: norway, goods: cheap, parcelsInShipment: 1 });
    expect(connect().check?.(request)).toEqual([]);
    await connect().book(request);
    expect(server.simulator.bookings()).toHaveLength(1);
  });

  it('fetches the label of a return where HomeRunner has it', async () => {
    const { booking } = await connect().returnLabel!(oneParcel({ sender: recipient({}) }));
    expect(await connect().fetchLabels?.(booking)).toHaveLength(1);
    expect(server.seen.at(-1)?.url).toMatch(/^\/v3\/return\/\d+\/label$/);
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['nothing to a parcel for a pick-up point', toPoint, []],
    ['nothing to one for the nearest pick-up point', { service: 'gls|private|droppoint' }, []],
    ['a carrier that does not exist', { service: 'gsl' }, ['unknown-service']],
    ['a parcel that nobody measured', { parcels: [parcel({ heightMm: null })] }, ['measures']],
    ['a recipient without telephone', { recipient: recipient({ contact: { mobile: null } }) }, ['mobile-missing']],
    ['a recipient without e-mail', { recipient: recipient({ contact: { email: null } }) }, ['email-missing']],
    ['a sender without telephone', { sender: recipient({ contact: { mobile: null } }) }, ['sender-phone']],
    ['a sender without e-mail', { sender: recipient({ contact: { email: null } }) }, ['sender-email']],
    ['one of several parcels for customs', { recipient: norway, goods: [goods()], parcelsInShipment: 2 }, [ONE_PARCEL]],
    ['a parcel for customs that may be one of several', { recipient: norway, goods: [goods()] }, [ONE_PARCEL]],
    ['nothing to papers for customs', { recipient: norway, options: { customs: 'papers' } }, []],
    ['nothing to the only parcel for customs', { recipient: norway, goods: [goods()], parcelsInShipment: 1 }, []],
    [
      'goods that customs know too little of',
      { recipient: norway, goods: [goods({ countryOfOrigin: null })], parcelsInShipment: 1 },
      ['customs-data'],
    ],
    ['dangerous goods', { goods: [goods({ unNumbers: ['UN3480'] })] }, ['dangerous-goods']],
  ])('objects beforehand to %s', (_case, changes, codes) => {
    expect(codesOf(changes)).toEqual(codes);
  });

  it('needs a carrier, of the account or of the rule, and finds pick-up points with one only', () => {
    expect(codesOf({}, { carrier: undefined })).toEqual(['unknown-service']);
    expect(codesOf({ service: 'gls' }, { carrier: undefined })).toEqual([]);
    expect(codesOf({}, { carrier: 'gsl' })).toEqual(['unknown-service']);
    expect(connect({ carrier: undefined }).pickupPoints).toBeUndefined();
  });

  it.each([
    ['gsl', {}, 'perhaps gls'],
    ['gls|private', {}, 'carrier|product|service'],
    ['gls|privat|droppoint', {}, 'perhaps gls|private|droppoint'],
    ['dao|private|delivery_pakage', {}, 'perhaps dao|private|delivery_package'],
    ['postnrd|private|', {}, 'perhaps postnord|private|'],
    ['gls', { notification: 'none' }, 'does not know'],
  ])('says at the start what is wrong with %s and %j', (service, options, meant) => {
    expect(homerunner.checkRule?.({ service, options })).toMatchObject([{ text: expect.stringContaining(meant) }]);
  });

  it.each(['gls|private|droppoint', 'dpd|private|parcelshop', 'gls|return|', 'bring|b2b|express9'])(
    'does not know of %s that the account does not have it',
    (service) => {
      expect(homerunner.checkRule?.({ service, options: {} })).toEqual([]);
    },
  );

  it('takes the settings of the vendor’s app as they stand', () => {
    expect(validateSync(plainToInstance(HomerunnerConfig, { userName: 'a@b.example', token: 't' }))).toEqual([]);
    expect(validateSync(settingsOf({ trackingCodes: { x: 'gone' } })).map(({ property }) => property)).toEqual([
      'trackingCodes',
    ]);
  });

  it('keeps events that the account says nothing of for a person', () => {
    const events = [{ timestamp: '2030-07-05 06:12:00', event: 'sorted', details: 'Sorted in Taulov' }];
    expect(fromHomerunnerTracking('0005', { events }, {})).toMatchObject([
      {
        status: 'unrecognised',
        code: 'sorted',
        text: 'Sorted in Taulov',
        at: '2030-07-05T06:12:00+02:00',
        zone: 'assumed',
      },
    ]);
  });

  it('finds pick-up points as they are', async () => {
    const near = { countryCode: 'DK', postalCode: '2600', street: 'Eksempelgade 22' };
    expect(await connect().pickupPoints?.({ near, limit: 1 })).toEqual([
      {
        ...{ id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', postalCode: '2600', city: 'Testby' },
        ...{ countryCode: 'DK', distanceM: 640, kind: null, openingHours: 'monday 08:00-22:00' },
      },
    ]);
    expect(server.seen[0]?.url).toBe('/v3/servicepoints/dao?country_code=DK&zip_code=2600&street=Eksempelgade%2022');
    expect(await connect().pickupPoints?.({ id: '700001', countryCode: 'SE' })).toEqual([]);
  });
});
