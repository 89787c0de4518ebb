import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { createHmac } from 'node:crypto';
import { PRODUCTION, SANDBOX } from '../../carriers/budbee/api.js';
import { BudbeeConfig } from '../../carriers/budbee/config.js';
import { budbee } from '../../carriers/budbee/index.js';
import { startBudbeeSimulator } from '../../carriers/budbee/simulator.js';
import { STATUSES, parseBudbeeCallback } from '../../carriers/budbee/tracking.js';
import type { BookingRequest, CarrierAccount, SimulatedEvent } from '../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/index.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { textAt, valueAt } from '../../carriers/toolkit/json.js';
import { describeCallbacks } from './callback-suite.js';
import { describeCarrier } from './contract-suite.js';
import { startExactCarrier } from './exact-carrier.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

const SECRET = 'sandbox-budbee-secret';
const config = { apiKey: 'sandbox', apiSecret: SECRET, collectionId: 9999 };
const TOKEN = Buffer.from(`sandbox:${SECRET}`).toString('base64');

const toLocker = bookingRequest({ deliverToPickUpPoint: true, pickUpPointId: '700002' });
const everyOption = {
  requireSignature: true,
  additionalServices: {
    ...{ identificationCheckRequired: true, recipientMinimumAge: 18, recipientMustMatchEndCustomer: true },
    ...{ numberOfMissRetries: 2, fraudDetection: false },
  },
};

describeCarrier(budbee, {
  config,
  requiredKeys: ['apiKey', 'apiSecret', 'collectionId'],
  secrets: [SECRET, TOKEN],
  wrongConfig: { apiSecret: 'wrong' },
  startSimulator: startBudbeeSimulator,
  variants: [
    ['two parcels for a home', bookingRequest()],
    ['one parcel for a locker', { ...toLocker, parcels: [parcel()] }],
    ['one parcel for the nearest locker', { ...toLocker, pickUpPointId: null, parcels: [parcel()] }],
    [
      'parcels with every option',
      bookingRequest({ service: 'home', options: everyOption, notesOnDelivery: 'Ring på' }),
    ],
    ['a parcel that nobody measured', bookingRequest({ parcels: [parcel({ lengthMm: null, widthMm: null })] })],
    [
      'a parcel for Sweden',
      bookingRequest({ recipient: recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } }) }),
    ],
  ],
  refused: { ...toLocker, pickUpPointId: 'BOX0009' },
  parcelsMatchedBy: 'id',
  received: ({ body }) => {
    const delivery = valueAt(JSON.parse(body()), 'delivery');
    const own = ['name', 'referencePerson', 'telephoneNumber', 'email'].map((name) => [name, delivery] as const);
    const placed = ['street', 'street2', 'city'].map((name) => [name, valueAt(delivery, 'address')] as const);
    return Object.fromEntries([...own, ...placed].map(([name, from]) => [`recipient.${name}`, textAt(from, name)]));
  },
  exchanges: recorded('budbee'),
});

const simulator = startBudbeeSimulator({ publicUrl: 'https://carrier.example', now: () => TEST_NOW });
const signatureOf = (body: Uint8Array, secret: string, encoding: 'hex' | 'base64') =>
  createHmac('sha1', secret).update(body).digest(encoding);

describeCallbacks('budbee', parseBudbeeCallback, {
  secrets: { current: 'budbee-callbacks-0001', previous: 'budbee-callbacks-0000', foreign: 'budbee-callbacks-0009' },
  call: (event, proof) => simulator.callback?.(event, proof) ?? { headers: {}, body: '' },
  prove: (body, { secret }) => ({ 'x-budbee-signature': signatureOf(body, secret, 'hex') }),
  needed: ['x-budbee-signature'],
  delivered: 'DELIVERED_TO_CONSUMER',
  // It has none of its own that is known.
  id: 'DELIVERED_TO_CONSUMER 2030-03-04T07:58:48.000Z',
  signed: 'without-a-moment',
});

describe('callbacks of budbee', () => {
  const event: SimulatedEvent = {
    ...{ id: '1', trackingNumber: '9000000000000011', status: 'at-pickup-point' },
    ...{ at: TEST_NOW, place: 'Locker' },
  };

  function read(body: object, encoding: 'hex' | 'base64' = 'base64') {
    const raw = Buffer.from(JSON.stringify(body));
    const headers = { 'x-budbee-signature': signatureOf(raw, SECRET, encoding) };
    return parseBudbeeCallback(raw, { headers, secrets: { current: SECRET }, now: TEST_NOW });
  }
  const call = JSON.parse(simulator.callback?.(event, { secret: SECRET, sentAt: TEST_NOW }).body ?? '{}') as object;

  it.each(['hex', 'base64'] as const)('are believed with a signature in %s', (encoding) => {
    expect(read(call, encoding)).toMatchObject({ kind: 'events', events: [{ status: 'at-pickup-point' }] });
  });

  it('have a meaning for every event that Budbee names, and are ignored where it says nothing of the delivery', () => {
    for (const [eventType, status] of STATUSES) {
      const outcome = read({ ...call, eventType });
      if (status === null) expect(outcome.kind).toBe('ignored');
      else expect(outcome).toMatchObject({ kind: 'events', events: [{ status, code: eventType }] });
    }
    expect(STATUSES.size).toBe(18);
  });

  it('take a time in ISO 8601 too', () => {
    const timestamp = '2030-03-04T08:00:00+01:00';
    expect(read({ ...call, timestamp })).toMatchObject({ events: [{ at: timestamp }] });
  });
});

describe('budbee', () => {
  let server: CarrierServer;
  let now: Date;

  beforeEach(async () => {
    now = TEST_NOW;
    server = await startCarrierServer('budbee', startBudbeeSimulator, () => now);
  });
  afterEach(() => server.close());

  const settingsOf = (changes: object) => plainToInstance(BudbeeConfig, { ...config, ...changes });

  function connect(changes: object = {}, baseUrl = server.baseUrl): CarrierAccount {
    return budbee.connect(settingsOf(changes), { http: testHttpPort, clock: { now: () => now }, baseUrl });
  }
  const codesOf = (request: BookingRequest) =>
    connect()
      .check?.(request)
      .map(({ code }) => code);

  it('asks for a postal code, and sends it, without the country before it', async () => {
    const at = recipient({ address: { postalCode: 'SE-211 45', countryCode: 'SE' } });
    await connect().book(bookingRequest({ recipient: at }));
    const [question, order] = server.seen;
    expect(question?.url).toBe('/postalcodes/validate/SE/21145');
    expect(textAt(JSON.parse(order?.body() ?? ''), 'delivery', 'address', 'postalCode')).toBe('211 45');
  });

  it('looks for the nearest locker by the postal code without the country before it', async () => {
    const at = recipient({ address: { postalCode: 'SE-211 45', countryCode: 'SE' } });
    await connect().book({ ...toLocker, pickUpPointId: null, recipient: at });
    expect(server.seen[0]?.url).toBe('/boxes/postalcodes/validate/SE/21145?collectionPointId=9999');
  });

  describe('labels', () => {
    const askedFor = (path: string) =>
      server.seen.filter(({ method, url }) => `${method} ${url}`.startsWith(path)).length;

    it('are fetched by the links of the booking while these are good', async () => {
      const { booking } = await connect().book(toLocker);
      expect(await connect().fetchLabels?.(booking)).toHaveLength(2);
      expect(askedFor('GET /multiple/orders/')).toBe(0);
    });

    it('are fetched by new links after the first ones have ended', async () => {
      const { booking } = await connect().book(toLocker);
      now = new Date(now.getTime() + 49 * 3_600_000);
      expect(await connect().fetchLabels?.(booking)).toHaveLength(2);
      expect(askedFor('GET /multiple/orders/')).toBe(1);
    });

    it('stand at links that are signed in their query, as Budbee gives them', async () => {
      const { booking } = await connect().book(toLocker);
      expect(booking.labelSource).toMatch(
        /\?X-Budbee-Algorithm=[^&]+&X-Budbee-Date=\d+&X-Budbee-Expires=172800&X-Budbee-Signature=[^&+/=]+%3D /,
      );
    });

    it('are fetched for a booking that was found by its reference', async () => {
      await connect().book(toLocker);
      now = new Date(now.getTime() + budbee.traits.bookingVisibleAfterMs);
      const found = await connect().findByReference?.(toLocker);
      const [one, two] = (found?.parcels ?? []).map((parcel) => ({
        kind: 'booked' as const,
        ...parcel,
        parcelId: '501',
      }));
      if (!found || !one || !two) throw new Error('it was not found');
      expect(await connect().fetchLabels?.({ ...found, parcels: [one, two] })).toHaveLength(2);
    });

    it('are not to be had of an order that was cancelled', async () => {
      const { booking } = await connect().book(toLocker);
      await connect().cancel?.(booking);
      await expect(connect().fetchLabels?.(booking)).rejects.toBeInstanceOf(CarrierRejected);
    });
  });

  it('tells a worker of an invalid value, and the operator of a wrong key', async () => {
    await expect(connect({ collectionId: 1 }).book(toLocker)).rejects.toMatchObject({ because: 'data' });
    await expect(connect({ apiSecret: 'wrong' }).book(toLocker)).rejects.toMatchObject({ because: 'credentials' });
  });

  it('books nothing where homes are not served, and says so in words that have a translation', async () => {
    const request = bookingRequest({ recipient: recipient({ address: { postalCode: '0000' } }) });
    await expect(connect().book(request)).rejects.toMatchObject({
      name: 'CarrierRejected',
      problems: [{ code: 'postal-code-not-served', values: { postalCode: '0000', country: 'DK' } }],
    });
    expect(server.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each<Partial<BookingRequest>>([{ deliverToPickUpPoint: true }, { service: 'DLVBOX' }])(
    'sends to the nearest locker that the warehouse reaches where the shipment names none: %j',
    async (changes) => {
      await connect().book(bookingRequest(changes));
      const sent = JSON.parse(server.seen.at(-1)?.body() ?? '{}') as object;
      expect(sent).toMatchObject({ productCodes: ['DLVBOX'], boxDelivery: { selectedBox: '700001' } });
      expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'GET /boxes/postalcodes/validate/DK/2600?collectionPointId=9999',
        'POST /multiple/orders',
      ]);
    },
  );

  it('books nothing where no locker is near', async () => {
    server.failWith(answering(200, '{"lockers":[]}', { 'content-type': 'application/json' }));
    await expect(connect().book(bookingRequest({ deliverToPickUpPoint: true }))).rejects.toMatchObject({
      ...{ name: 'CarrierRejected', problems: [{ code: 'pick-up-point-missing' }] },
    });
  });

  it('books nothing and waits where the postal code cannot be asked for', async () => {
    server.failWith(answering(503, ''));
    await expect(connect().book(bookingRequest())).rejects.toBeInstanceOf(CarrierUnavailable);
    expect(server.simulator.bookings()).toEqual([]);
  });

  it('does not take "not among the first hundred" for "not booked"', async () => {
    const others = Array.from({ length: 100 }, () => ({ id: '1', cart: { cartId: 'another' }, parcels: [] }));
    server.failWith(answering(200, JSON.stringify(others), { 'content-type': 'application/json' }));
    await expect(connect().findByReference?.(toLocker)).rejects.toBeInstanceOf(CarrierUnavailable);
  });

  it.each([
    [SANDBOX, true],
    [SANDBOX, 'true'],
    [PRODUCTION, false],
  ])('asks %s with the setting test: %p', async (host, test) => {
    const carrier = startExactCarrier(host, { status: 404, body: '' });
    await connect({ test }, PRODUCTION).probe?.();
    carrier.close();
    expect(carrier.arrived).toMatchObject([{ method: 'GET', url: `${host}/postalcodes/validate/DK/2600` }]);
  });

  it.each([
    ['collectionId', 'north'],
    ['collectionId', -1],
    ['collectionId', null],
    ['test', 'perhaps'],
  ])('does not take the setting %s: %p', (key, value) => {
    expect(validateSync(settingsOf({ [key]: value })).map(({ property }) => property)).toEqual([key]);
  });

  it('takes the number of the collection point as text, as the environment has it', () => {
    expect(settingsOf({ collectionId: '9999' }).collectionId).toBe(9999);
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['nothing to a locker', toLocker, []],
    ['nothing to a home that a rule names for a shipment to a locker', { ...toLocker, service: 'home' }, []],
    ['nothing to the nearest locker', { deliverToPickUpPoint: true }, []],
    ['a service that does not exist', { service: 'drone' }, ['unknown-service']],
    ['a recipient without telephone', contact({ mobile: null }), ['mobile-missing']],
    ['nothing to an ordinary telephone', contact({ mobile: null, phone: '43 96 00 00' }), []],
    ['a recipient without e-mail address', contact({ email: null }), ['email-missing']],
    ['an e-mail address that is none', contact({ email: 'none' }), ['notification-email']],
    [
      'another country',
      { recipient: recipient({ address: { countryCode: 'DE' } }) },
      ['country-not-served', 'postal-code-format'],
    ],
    ['dangerous goods', { goods: [goods({ unNumbers: ['UN3480'] })] }, ['dangerous-goods']],
    ['an option of another type', { options: { requireSignature: 'yes' } }, ['option-value']],
    ['additional services that are none', { options: { additionalServices: ['x'] } }, ['option-value']],
    ['an age that is none', { options: { additionalServices: { recipientMinimumAge: '18' } } }, ['option-value']],
    ['nothing to papers for customs', { options: { customs: 'papers' } }, []],
  ])('objects beforehand to %s', (_case, changes, codes) => {
    expect(codesOf(bookingRequest(changes))).toEqual(codes);
  });

  it.each([
    ['requireSignatur', { requireSignatur: true }, 'requireSignature'],
    [
      'recipientMinAge',
      { additionalServices: { recipientMinAge: 18 } },
      'perhaps additionalServices.recipientMinimumAge is meant:',
    ],
    [
      'toString',
      { toString: true },
      'requireSignature, additionalServices, additionalServices.identificationCheckRequired, ',
    ],
    [
      'identificationCheckRequired in the wrong place',
      { identificationCheckRequired: true },
      'perhaps additionalServices.identificationCheckRequired is meant:',
    ],
  ])('names the option that is perhaps meant by %s', (_case, options, meant) => {
    const problems = connect().check?.(bookingRequest({ options }));
    expect(problems).toMatchObject([{ code: 'unknown-option', text: expect.stringContaining(meant) }]);
    expect(problems?.[0]?.severity).toBeUndefined();
  });

  it('finds lockers as they are, and none where there are none or another country is asked for', async () => {
    const near = { countryCode: 'DK', postalCode: '26 00', street: null };
    expect(await connect().pickupPoints?.({ near, limit: 1 })).toEqual([
      {
        ...{ id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', postalCode: '2600', city: 'Testby' },
        ...{ countryCode: 'DK', distanceM: 640, kind: 'locker', openingHours: null },
      },
    ]);
    expect(server.seen.map(({ url }) => url)).toEqual(['/boxes/postalcodes/validate/DK/2600?collectionPointId=9999']);
    expect(await connect().pickupPoints?.({ near: { ...near, postalCode: '0000' }, limit: 1 })).toEqual([]);
    expect(await connect().pickupPoints?.({ id: '700001', countryCode: 'SE' })).toEqual([]);
    const asked = server.seen.length;
    expect(await connect().pickupPoints?.({ near: { ...near, countryCode: 'DE' }, limit: 1 })).toEqual([]);
    expect(server.seen).toHaveLength(asked);
  });

  it('refuses a second cancellation in the words of Budbee', async () => {
    const { booking } = await connect().book(toLocker);
    expect(await connect().cancel?.(booking)).toEqual({ kind: 'cancelled' });
    expect(await connect().cancel?.(booking)).toMatchObject({
      kind: 'refused',
      problems: [{ text: 'Order not found' }],
    });
  });

  it.each([
    ['without a vendor type', { 'content-type': 'application/json', accept: 'application/json' }, 415],
    ['without a login', { authorization: '' }, 401],
  ])('has a simulator that refuses a request %s', async (_case, headers, status) => {
    const type = 'application/vnd.budbee.multiple.orders-v1+json';
    const answer = await testHttpPort.send({
      ...{ method: 'GET', url: `${server.baseUrl}/multiple/orders`, timeoutMs: 5_000 },
      headers: { authorization: `Basic ${TOKEN}`, accept: type, 'content-type': type, ...headers },
    });
    expect(answer.status).toBe(status);
  });
});

function contact(changes: Partial<BookingRequest['recipient']['contact']>): Partial<BookingRequest> {
  return { recipient: recipient({ contact: changes }) };
}
