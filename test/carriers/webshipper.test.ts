import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { createHmac } from 'node:crypto';
import type { BookingRequest, CarrierAccount } from '../../carriers/contract/index.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { textAt, valueAt } from '../../carriers/toolkit/json.js';
import { DEMO } from '../../carriers/webshipper/api.js';
import { WebshipperConfig } from '../../carriers/webshipper/config.js';
import { webshipper } from '../../carriers/webshipper/index.js';
import { startWebshipperSimulator } from '../../carriers/webshipper/simulator.js';
import { STATUSES, parseWebshipperCallback } from '../../carriers/webshipper/tracking.js';
import { describeCallbacks } from './callback-suite.js';
import { describeCarrier } from './contract-suite.js';
import { startExactCarrier } from './exact-carrier.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { sentAgain } from './sent-again.js';
import { testHttpPort } from './test-http-port.js';

const TOKEN = 'sandbox-webshipper-token';
/** `WebshipperIntegration` of a `dataDocument`, as the vendor's app has it. */
const dataDocument = { apiKey: TOKEN, serverName: 'demo', webhookSecret: 'sandbox-webshipper-calls' };
const config = { ...dataDocument, service: '501', dropPointService: '502', returnService: '503' };

const oneParcel = (changes: Partial<BookingRequest> = {}) => bookingRequest({ parcels: [parcel()], ...changes });
const toPoint = oneParcel({ deliverToPickUpPoint: true, pickUpPointId: '700002' });
const norway = recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } });

describeCarrier(webshipper, {
  config,
  requiredKeys: ['apiKey', 'serverName'],
  secrets: [TOKEN, 'sandbox-webshipper-calls'],
  wrongConfig: { apiKey: 'wrong' },
  startSimulator: startWebshipperSimulator,
  variants: [
    ['two parcels', bookingRequest()],
    ['a parcel for a home', oneParcel({ privateDelivery: true, notesOnDelivery: 'Ring på' })],
    ['a parcel for a pick-up point', toPoint],
    ['a parcel for the nearest pick-up point', { ...toPoint, pickUpPointId: null }],
    ['a parcel with a carrier for a company', oneParcel({ service: '12|HOME', options: { add_ons: ['flex'] } })],
    ['a parcel that was not measured', oneParcel({ parcels: [parcel({ heightMm: null })] })],
    ['two parcels for Norway', bookingRequest({ recipient: norway, goods: [goods()] })],
  ],
  parcelsMatchedBy: 'position',
  changes: ({ method, url }) => method === 'POST' && url.endsWith('/shipments'),
  received: ({ body }) => {
    const roles = [
      ['sender', 'sender_address'],
      ['recipient', 'delivery_address'],
    ] as const;
    const json: unknown = JSON.parse(body());
    return Object.fromEntries(
      roles.flatMap(([ours, theirs]) => {
        const address = valueAt(json, 'data', 'attributes', theirs);
        return Object.keys(Object(address)).map((name) => [`${ours}.${name}`, textAt(address, name)]);
      }),
    );
  },
  exchanges: recorded('webshipper'),
});

const simulator = startWebshipperSimulator({ publicUrl: 'https://carrier.example', now: () => TEST_NOW });
const prove = (body: string | Uint8Array, secret: string, topic = 'trackingevent/created') => ({
  'x-webshipper-topic': topic,
  'x-webshipper-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
});

describeCallbacks('webshipper', parseWebshipperCallback, {
  secrets: { current: 'webshipper-calls-0001', previous: 'webshipper-calls-0000', foreign: 'webshipper-calls-0009' },
  call: (event, proof) => simulator.callback?.(event, proof) ?? { headers: {}, body: '' },
  prove: (body, { secret }) => prove(body, secret),
  needed: ['x-webshipper-hmac-sha256'],
  id: 'event-1 delivered 2030-03-04T07:58:48.000Z',
  signed: 'without-a-moment',
});

describe('callbacks of webshipper', () => {
  const attributes = { tracking_number: '60000000001', status: 'in_transit', time: '2030-03-04T08:00:00.000Z' };

  function read(changes: object, topic = 'trackingevent/updated') {
    const event = { id: '31', type: 'tracking_events', attributes: { ...attributes, ...changes } };
    const body = JSON.stringify({ data: event });
    const secret = 'webshipper-calls-0001';
    const delivery = { headers: prove(body, secret, topic), secrets: { current: secret }, now: TEST_NOW };
    return parseWebshipperCallback(Buffer.from(body), delivery);
  }

  it('have a meaning for every status that Webshipper names, and are ignored where it says nothing', () => {
    for (const [code, status] of STATUSES) {
      const expected = status === null ? { kind: 'ignored' } : { kind: 'events', events: [{ status, code }] };
      expect(read({ status: code })).toMatchObject(expected);
    }
    expect(STATUSES.size).toBe(11);
  });

  it('are two events where Webshipper changes what one says', () => {
    const ids = [read({}), read({ status: 'delivered' })].map((outcome) => valueAt(outcome, 'events', 0, 'id'));
    expect(new Set(ids).size).toBe(2);
  });

  it.each(['trackingevent/deleted', 'shipment/updated', 'order/created', ''])(
    'of the topic "%s" are ignored',
    (topic) => {
      expect(read({}, topic).kind).toBe('ignored');
    },
  );
});

describe('webshipper', () => {
  let server: CarrierServer;
  let now: Date;

  beforeEach(async () => {
    now = TEST_NOW;
    server = await startCarrierServer('webshipper', startWebshipperSimulator, () => now);
  });
  afterEach(() => server.close());

  const settingsOf = (changes: object) => plainToInstance(WebshipperConfig, { ...config, ...changes });
  const connect = (changes: object = {}): CarrierAccount =>
    webshipper.connect(settingsOf(changes), {
      ...{ http: testHttpPort, clock: { now: () => now }, baseUrl: server.baseUrl },
    });
  const sentBy = async (request: BookingRequest) => {
    await connect().book(request);
    const body: unknown = JSON.parse(server.seen.at(-1)?.body() ?? '{}');
    return valueAt(body, 'data', 'attributes') as Record<string, unknown>;
  };

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['nothing to a parcel for a pick-up point', toPoint, []],
    ['a service that is no number', { service: 'GLS' }, ['unknown-service']],
    ['a carrier without its service', { service: '12|' }, ['unknown-service']],
    ['additional services of a shipping rate', { options: { add_ons: ['flex'] } }, ['not-sent']],
    [
      'a recipient without street',
      { recipient: recipient({ address: { street: null } }) },
      ['recipient-street-missing'],
    ],
    [
      'goods that customs know too little of',
      { recipient: norway, goods: [goods({ unitValue: null })] },
      ['customs-data'],
    ],
    ['goods without lines for customs', { recipient: norway }, ['customs-no-lines']],
    ['nothing to goods with papers', { recipient: norway, options: { customs: 'papers' } }, []],
    ['dangerous goods', { goods: [goods({ unNumbers: ['UN3480'] })] }, ['dangerous-goods']],
  ])('objects beforehand to %s', (_case, changes, codes) => {
    const problems = connect().check?.(oneParcel(changes));
    expect(problems?.map(({ code }) => code)).toEqual(codes);
  });

  it('needs a service, of the account or of the rule, and finds pick-up points with one of the account only', () => {
    const bare = connect({ service: undefined, dropPointService: undefined, returnService: undefined });
    expect(bare.check?.(oneParcel())).toMatchObject([{ code: 'unknown-service' }]);
    expect(bare.check?.(toPoint)).toMatchObject([{ code: 'unknown-service' }]);
    expect(bare.check?.(oneParcel({ service: '501' }))).toEqual([]);
    expect([bare.pickupPoints, bare.returnLabel]).toEqual([undefined, undefined]);
  });

  it.each([
    ['GLS', {}, 'the number of a shipping rate'],
    ['501', { addons: ['flex'] }, 'perhaps add_ons'],
    ['501', { notification: 'none' }, 'a shipping rate of Webshipper'],
    ['12|HOME', { service_attributes: [{ key: 'a' }] }, '{ attr_key, attr_value }'],
  ])('says at the start what is wrong with %s and %j', (service, options, meant) => {
    expect(webshipper.checkRule?.({ service, options })).toMatchObject([{ text: expect.stringContaining(meant) }]);
  });

  it('takes the settings of the vendor’s app as they stand, and asks at the address of the account', async () => {
    const copied = plainToInstance(WebshipperConfig, dataDocument);
    expect(validateSync(copied)).toEqual([]);
    const wrong = validateSync(settingsOf({ serverName: 'evil.example/?', service: 'x' }));
    expect(wrong.map(({ property }) => property)).toEqual(['serverName', 'service']);
    const carrier = startExactCarrier('https://acme.api.webshipper.io', { status: 200, body: { data: [] } });
    const tools = { http: carrier.http, clock: { now: () => now }, baseUrl: DEMO };
    await webshipper.connect(Object.assign(copied, { serverName: 'acme' }), tools).probe?.();
    carrier.close();
    expect(carrier.arrived).toMatchObject([{ url: 'https://acme.api.webshipper.io/v2/carriers' }]);
  });

  it('sends the pick-up point as Webshipper has it, the nearest one where the shipment names none', async () => {
    const named = { drop_point_id: '700002', name: 'Pakkeboks 7', address_1: 'Stationsvej 1', routing_code: 'R700002' };
    expect((await sentBy(toPoint)).drop_point).toMatchObject(named);
    expect((await sentBy({ ...toPoint, pickUpPointId: null })).drop_point).toMatchObject({ drop_point_id: '700001' });
  });

  it('sends a pick-up point that is not near by its id alone', async () => {
    await expect(connect().book({ ...toPoint, pickUpPointId: '9' })).rejects.toThrow('drop_point_id is not known');
    expect(server.seen.at(-1)?.body()).toContain('"drop_point":{"drop_point_id":"9"}');
  });

  it('tells the recipient with a service of a carrier only, and not where a rule says so', async () => {
    const told = { sms_notification: { phone: '+4518234567' }, email_notification: { email: 'recipient@example.com' } };
    const service = '12|HOME';
    expect(await sentBy(oneParcel({ service }))).toMatchObject(told);
    for (const request of [oneParcel(), oneParcel({ service, options: { notification: 'none' } })])
      expect(await sentBy(request)).not.toHaveProperty('sms_notification');
  });

  describe('names of the numbers with which the sender exports', () => {
    const registered = { vat_no: 'DK12345678', eori: 'DK12345678' };
    const numbers = { ...registered, voec: '2000001', ioss: 'IM2080000001' };
    const numbersIn = () => {
      const attributes = valueAt(JSON.parse(server.seen.at(-1)?.body() ?? '{}'), 'data', 'attributes');
      const { vat_no, eori, voec, ioss } = Object(valueAt(attributes, 'sender_address')) as Record<string, unknown>;
      return { vat_no, eori, voec, ioss };
    };
    const switzerland = recipient({ address: { postalCode: '3000', city: 'Bern', countryCode: 'CH' } });

    it.each<readonly [string, Partial<BookingRequest>, object]>([
      ['Norway those that hold there', { recipient: norway }, { ...registered, voec: '2000001' }],
      ['the EU those that hold there', { sender: norway }, { ...registered, ioss: 'IM2080000001' }],
      ['another country those without a scheme', { recipient: switzerland }, registered],
      ['the own country none', {}, {}],
    ])('for %s', async (_case, changes, expected) => {
      await connect(numbers).book(bookingRequest({ goods: [goods()], ...changes }));
      expect(numbersIn()).toEqual(expected);
    });

    it('those of the account before those of its config', async () => {
      const customsNumbers = { vat: 'DK87654321', voec: '2012345' };
      await connect(numbers).book(bookingRequest({ recipient: norway, goods: [goods()], customsNumbers }));
      expect(numbersIn()).toEqual({ vat_no: 'DK87654321', eori: 'DK12345678', voec: '2012345' });
    });

    it('none in a return, which the customer sends', async () => {
      const parties = { sender: norway, recipient: bookingRequest().sender };
      await connect(numbers).returnLabel?.(bookingRequest({ ...parties, goods: [goods()], parcels: [parcel()] }));
      expect(numbersIn()).toEqual({});
    });
  });

  it('finds the numbers of a carrier that is slow, and reads its labels as the ZPL that they are', async () => {
    const request = bookingRequest({ service: '13|HOME' });
    await expect(connect().book(request)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
    now = new Date(now.getTime() + 1_500);
    const unnumbered = { carrierNumber: '9000001', parcels: [], labelSource: null };
    expect(await connect().findByReference?.(request)).toEqual(unnumbered);
    now = new Date(now.getTime() + webshipper.traits.bookingVisibleAfterMs);
    const found = await connect().findByReference?.(request);
    expect(found?.parcels.map(({ parcelId }) => parcelId)).toEqual(['501', '502']);
    const booking = { carrierNumber: '9000001', parcels: [], labelSource: null };
    const labels = (await connect().fetchLabels?.(booking)) ?? [];
    expect(labels.map(({ format }) => format)).toEqual(['zpl']);
    expect(Buffer.from(labels[0]?.bytes ?? []).toString('latin1')).toMatch(/^\^XA[^]*\^XZ\s*$/);
  });

  describe('a search', () => {
    const shipment = (id: string, number: string, is_return: boolean) => ({
      ...{ id, type: 'shipments' },
      attributes: { reference: '10045-1', is_return, tracking_links: [{ number, url: null }] },
    });
    const both = [shipment('9000002', '60000000002', true), shipment('9000001', '60000000001', false)];
    const answers = (body: object) =>
      server.failWith(answering(200, JSON.stringify(body), { 'content-type': 'application/vnd.api+json' }));

    it('does not take the return that a shipping rate makes for the booking, nor the booking for a return', async () => {
      answers({ data: both });
      expect(await connect().findByReference?.(oneParcel())).toMatchObject({ carrierNumber: '9000001' });
      answers({ data: both });
      const back = oneParcel({ returnOf: '9000001' });
      expect(await connect().findByReference?.(back)).toMatchObject({ carrierNumber: '9000002' });
    });

    it('does not take "only a return, or only a booking, has the reference" for "not made"', async () => {
      answers({ data: both.slice(0, 1) });
      await expect(connect().findByReference?.(oneParcel())).rejects.toMatchObject({ name: 'CarrierUnavailable' });
      answers({ data: both.slice(1) });
      const back = oneParcel({ returnOf: '9000001' });
      await expect(connect().findByReference?.(back)).rejects.toMatchObject({ name: 'CarrierUnavailable' });
    });

    it('does not say of a return whose booking has no number here that it was not made', async () => {
      const request = oneParcel({ reference: '10045-1-R1' });
      await connect().returnLabel?.(request);
      now = new Date(now.getTime() + webshipper.traits.bookingVisibleAfterMs);
      await expect(connect().findByReference?.(request)).rejects.toMatchObject({ name: 'CarrierUnavailable' });
    });

    it('does not take "not on the first page" for "not booked"', async () => {
      answers({ data: [], links: { next: 'https://demo.api.webshipper.io/v2/shipments?page[number]=2' } });
      await expect(connect().findByReference?.(oneParcel())).rejects.toMatchObject({ name: 'CarrierUnavailable' });
      answers({ data: [], links: { next: null } });
      expect(await connect().findByReference?.(oneParcel())).toBeNull();
    });
  });

  it('is told the price and the day of a carrier’s service, also behind a shipping rate', async () => {
    const price = { amount: '49.50', currency: 'DKK', workingDays: null, estimatedDelivery: '2030-03-06' };
    expect(await connect().quote?.(oneParcel())).toEqual(price);
    expect(await connect().quote?.(oneParcel({ service: '12|HOME' }))).toEqual(price);
    await expect(connect().quote?.(oneParcel({ service: '9' }))).rejects.toMatchObject({ name: 'CarrierRejected' });
  });

  it('finds pick-up points as they are', async () => {
    const near = { countryCode: 'DK', postalCode: '2600', street: 'Eksempelgade 22' };
    expect(await connect().pickupPoints?.({ near, limit: 1 })).toEqual([
      {
        ...{ id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', postalCode: '2600', city: 'Testby' },
        ...{ countryCode: 'DK', distanceM: null, kind: null, openingHours: null },
      },
    ]);
  });

  it('has a simulator that takes an address with a name and a postal code, which Webshipper does not refuse', async () => {
    await connect().book(oneParcel());
    const media = 'application/vnd.api+json';
    const headers = { authorization: `Bearer ${TOKEN}`, accept: media, 'content-type': media };
    const address = { att_contact: 'Signe Lund', zip: '2600' };
    expect((await sentAgain(server, { 'data.attributes.delivery_address': address }, headers)).status).toBe(201);
  });

  it.each([
    ['without the media type in Accept', { accept: 'application/json' }, 406],
    ['without the media type of its body', { 'content-type': 'application/json' }, 415],
  ])('has a simulator that refuses a request %s', async (_case, headers, status) => {
    const media = 'application/vnd.api+json';
    const answer = await testHttpPort.send({
      ...{ method: 'GET', url: `${server.baseUrl}/v2/carriers`, timeoutMs: 5_000 },
      headers: { authorization: `Bearer ${TOKEN}`, accept: media, 'content-type': media, ...headers },
    });
    expect(answer.status).toBe(status);
  });
});
