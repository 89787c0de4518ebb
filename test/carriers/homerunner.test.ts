import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { BookingRequest, CarrierAccount } from '../../carriers/contract/index.js';
import { fromHomerunnerTracking } from '../../carriers/homerunner/booking.js';
import { HomerunnerConfig } from '../../carriers/homerunner/config.js';
import { homerunner } from '../../carriers/homerunner/index.js';
import { startHomerunnerSimulator } from '../../carriers/homerunner/simulator.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { textAt, valueAt } from '../../carriers/toolkit/json.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

const TOKEN = 'sandbox-homerunner-token';
const config = {
  ...{ userName: 'lager@mail.example', token: TOKEN, carrier: 'dao' },
  trackingCodes: { simulated_transit: 'in-transit', simulated_delivered: 'delivered' },
};

const oneParcel = (changes: Partial<BookingRequest> = {}) => bookingRequest({ parcels: [parcel()], ...changes });
const toPoint = oneParcel({ deliverToPickUpPoint: true, pickUpPointId: '700002' });
const sweden = recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } });

describeCarrier(homerunner, {
  config,
  requiredKeys: ['userName', 'token'],
  secrets: [TOKEN, Buffer.from(`lager@mail.example:${TOKEN}`).toString('base64')],
  wrongConfig: { token: 'wrong' },
  startSimulator: startHomerunnerSimulator,
  variants: [
    ['a parcel for a home', oneParcel({ privateDelivery: true, notesOnDelivery: 'Ring på' })],
    ['a parcel for a pick-up point', toPoint],
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
    ['what a rule says', { service: 'gls|business|express' }, ['gls', 'business', 'express']],
  ])('books %s', async (_case, changes, product) => {
    await connect().book(oneParcel(changes));
    const sent: unknown = JSON.parse(server.seen[0]?.body() ?? '{}');
    expect(['carrier', 'carrier_product', 'carrier_service'].map((name) => valueAt(sent, name))).toEqual(product);
  });

  it('fetches the label of a return where HomeRunner has it', async () => {
    const { booking } = await connect().returnLabel!(oneParcel({ sender: recipient({}) }));
    expect(await connect().fetchLabels?.(booking)).toHaveLength(1);
    expect(server.seen.at(-1)?.url).toMatch(/^\/v3\/return\/\d+\/label$/);
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['nothing to a parcel for a pick-up point', toPoint, []],
    ['a pick-up point without its id', { service: 'gls|private|droppoint' }, ['pick-up-point-missing']],
    ['a carrier that does not exist', { service: 'gsl' }, ['unknown-service']],
    ['a parcel that nobody measured', { parcels: [parcel({ heightMm: null })] }, ['measures']],
    ['a recipient without telephone', { recipient: recipient({ contact: { mobile: null } }) }, ['mobile-missing']],
    ['a recipient without e-mail', { recipient: recipient({ contact: { email: null } }) }, ['email-missing']],
    ['a sender without telephone', { sender: recipient({ contact: { mobile: null } }) }, ['sender-phone']],
    [
      'goods for customs',
      { recipient: recipient({ address: { postalCode: '0150', countryCode: 'NO' } }) },
      ['customs'],
    ],
    ['dangerous goods', { goods: [goods({ unNumbers: ['UN3480'] })] }, ['dangerous-goods']],
  ])('objects beforehand to %s', (_case, changes, codes) => {
    expect(codesOf(changes)).toEqual(codes);
  });

  it('needs a carrier, of the account or of the rule, and finds pick-up points with one only', () => {
    expect(codesOf({}, { carrier: undefined })).toEqual(['unknown-service']);
    expect(codesOf({ service: 'gls' }, { carrier: undefined })).toEqual([]);
    expect(connect({ carrier: undefined }).pickupPoints).toBeUndefined();
  });

  it.each([
    ['gsl', {}, 'perhaps gls'],
    ['gls|private', {}, 'carrier|product|service'],
    ['gls', { notification: 'none' }, 'does not know'],
  ])('says at the start what is wrong with %s and %j', (service, options, meant) => {
    expect(homerunner.checkRule?.({ service, options })).toMatchObject([{ text: expect.stringContaining(meant) }]);
  });

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
