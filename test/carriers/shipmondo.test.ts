import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { createHmac } from 'node:crypto';
import type { BookingRequest, CarrierAccount } from '../../carriers/contract/index.js';
import { CarrierUnavailable } from '../../carriers/contract/index.js';
import { PRODUCTION, SANDBOX } from '../../carriers/shipmondo/api.js';
import { ShipmondoConfig } from '../../carriers/shipmondo/config.js';
import { shipmondo } from '../../carriers/shipmondo/index.js';
import { startShipmondoSimulator } from '../../carriers/shipmondo/simulator.js';
import { STATUSES, parseShipmondoCallback } from '../../carriers/shipmondo/tracking.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { pageSizes } from '../../carriers/testing/assertions.js';
import { listAt, textAt, valueAt } from '../../carriers/toolkit/json.js';
import { describeCallbacks } from './callback-suite.js';
import { describeCarrier } from './contract-suite.js';
import { startExactCarrier } from './exact-carrier.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { sentAgain } from './sent-again.js';
import { testHttpPort } from './test-http-port.js';

const KEY = 'sandbox-shipmondo-key';
const config = {
  ...{ apiUser: 'sandbox', apiKey: KEY, product: 'DAO_H', returnProduct: 'DAO_R' },
  ...{ pickUpPointProduct: 'GLSDK_SD', pickUpPointCarrier: 'gls' },
};

const toPoint = bookingRequest({ deliverToPickUpPoint: true, pickUpPointId: '700002' });
const norway = recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } });
const toNorway = bookingRequest({ recipient: norway, goods: [goods()], incoterms: 'DDP' });
const switzerland = recipient({ address: { postalCode: '3000', city: 'Bern', countryCode: 'CH' } });
const customsNumbers = { eori: 'DK11223344', vat: 'DK87654321', voec: '2012345', ioss: 'IM2080001234' };
const cod = { amount: 249.5, currency_code: 'DKK', account_number: '1234567' };
const everyOption = {
  ...{ service_codes: ['EMAIL_NT'], own_agreement: false, customer_number: '77', contents: 'Textiles' },
  ...{ cod, carrier_insurance: { amount: 5000, currency_code: 'DKK' }, pallet_exchange: { pallets1: 1 } },
  ...{ packaging: 'ANY', stackable: true, running_metre: 0.4, notes: 'delivery_details' },
  declared_value: { amount: 500, currency_code: 'DKK' },
  ...{ pickup_details: { from: '08:00:00', to: '16:00:00' }, dfm: { insurance_type: 'A', dot_type: 'DO1' } },
};

describeCarrier(shipmondo, {
  config,
  requiredKeys: ['apiUser', 'apiKey'],
  secrets: [KEY, Buffer.from(`sandbox:${KEY}`).toString('base64')],
  wrongConfig: { apiKey: 'wrong' },
  startSimulator: startShipmondoSimulator,
  refused: bookingRequest({ recipient: recipient({ address: { countryCode: 'Danmark' } }) }),
  variants: [
    ['two parcels for a pick-up point', toPoint],
    ['two parcels for a home', bookingRequest()],
    ['parcels for the nearest pick-up point', bookingRequest({ deliverToPickUpPoint: true })],
    ['parcels for Norway', toNorway],
    ['parcels with every option', bookingRequest({ options: everyOption, notesOnDelivery: 'Ring på' })],
  ],
  parcelsMatchedBy: 'id',
  changes: ({ method, url }) => method !== 'GET' && !url.startsWith('/quotes'),
  received: ({ body }) => {
    const roles = [
      ['sender', 0],
      ['recipient', 1],
    ] as const;
    return Object.fromEntries(
      roles.flatMap(([ours, place]) => {
        const party = valueAt(JSON.parse(body()), 'parties', place);
        return Object.keys(Object(party)).map((name) => [`${ours}.${name}`, textAt(party, name)]);
      }),
    );
  },
  exchanges: recorded('shipmondo'),
});

const simulator = startShipmondoSimulator({ publicUrl: 'https://carrier.example', now: () => TEST_NOW });

/** A signed token, made without the code under test. */
function sealed(content: Uint8Array | string, key: string, head: object = { alg: 'HS256' }): string {
  const signed = [JSON.stringify(head), content].map((part) => Buffer.from(part).toString('base64url')).join('.');
  return JSON.stringify({ data: `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}` });
}

const secrets = {
  current: 'shipmondo-webhooks-000000000000001',
  previous: 'shipmondo-webhooks-000000000000000',
  foreign: 'shipmondo-webhooks-000000000000009',
};

describeCallbacks('shipmondo', parseShipmondoCallback, {
  secrets,
  call: (event, proof) => simulator.callback?.(event, proof) ?? { headers: {}, body: '' },
  prove: () => ({}),
  sealed: {
    open: (body) => {
      const [, content = ''] = (textAt(JSON.parse(body), 'data') ?? '').split('.');
      return Buffer.from(content, 'base64url').toString();
    },
    seal: (content, { secret }) => sealed(content, secret),
  },
  needed: [],
  delivered: 'DELIVERED',
  id: '0 DELIVERED 2030-03-04T07:58:48.000Z',
  signed: 'without-a-moment',
});

describe('callbacks of shipmondo', () => {
  const told = {
    ...{ shipment_id: 700001, carrier_code: 'gls', carrier_track_id: '60000000001', current_status: 'EN_ROUTE' },
    ...{ current_state: 'INFO', current_status_text: 'Ankommet til terminal', weight: '1.2', city: 'Odense' },
    current_status_registered_at: '2026-03-03T08:25:44.557+01:00',
  };
  const payload = (changes: object = {}) =>
    JSON.stringify({ webhook: 'sporing', url: 'https://hooks.example.com/shipmondo', data: { ...told, ...changes } });
  const read = (body: string) => parseShipmondoCallback(Buffer.from(body), { headers: {}, secrets, now: TEST_NOW });

  it.each([
    ['as it is', payload()],
    ['as a text of JSON', JSON.stringify(payload())],
  ])('hold the status %s', (_case, content) => {
    expect(read(sealed(content, secrets.current))).toEqual({
      kind: 'events',
      events: [
        {
          ...{ trackingNumber: '60000000001', status: 'in-transit', code: 'EN_ROUTE', text: 'Ankommet til terminal' },
          ...{ place: 'Odense', at: '2026-03-03T08:25:44.557+01:00', zone: 'stated', estimatedDelivery: null },
          id: '700001 EN_ROUTE 2026-03-03T08:25:44.557+01:00',
        },
      ],
    });
  });

  it('have a meaning for each status that clients have seen', () => {
    for (const [current_status, status] of STATUSES) {
      const outcome = read(sealed(payload({ current_status }), secrets.current));
      if (status === null) expect(outcome.kind).toBe('ignored');
      else expect(outcome).toMatchObject({ events: [{ status }] });
    }
    expect(STATUSES.size).toBe(4);
  });

  it.each([
    ['EN_ROUTE', 'delivery-failed'],
    ['UNKNOWN', 'delivery-failed'],
    ['DELIVERED', 'delivered'],
  ])('in danger with the status %s mean %s', (current_status, status) => {
    const outcome = read(sealed(payload({ current_status, current_state: 'DANGER' }), secrets.current));
    expect(outcome).toMatchObject({ events: [{ status, code: current_status }] });
  });

  it.each([
    ['another algorithm', sealed(payload(), secrets.current, { alg: 'none' })],
    ['no algorithm', sealed(payload(), secrets.current, {})],
    ['four parts', sealed(payload(), secrets.current).replace('"}', '.x"}')],
    ['a signature in another spelling', sealed(payload(), secrets.current).replace('"}', '="}')],
    ['no signature', sealed(payload(), secrets.current).replace(/[^.]+"}$/, '"}')],
  ])('are refused with %s', (_case, body) => {
    expect(read(body).kind).toBe('refused');
  });

  it('of another resource are ignored', () => {
    const created = JSON.stringify({ webhook: 'nye', data: { id: 700001, pkg_no: '60000000001' } });
    expect(read(sealed(created, secrets.current)).kind).toBe('ignored');
  });
});

describe('shipmondo', () => {
  let server: CarrierServer;
  let now: Date;

  beforeEach(async () => {
    now = TEST_NOW;
    server = await startCarrierServer('shipmondo', startShipmondoSimulator, () => now);
  });
  afterEach(() => server.close());

  const settingsOf = (changes: object) => plainToInstance(ShipmondoConfig, { ...config, ...changes });

  function connect(changes: object = {}, baseUrl = server.baseUrl): CarrierAccount {
    return shipmondo.connect(settingsOf(changes), { http: testHttpPort, clock: { now: () => now }, baseUrl });
  }
  const codesOf = (changes: Partial<BookingRequest>, settings: object = {}) =>
    connect(settings)
      .check?.(bookingRequest(changes))
      .map(({ code }) => code);
  const sent = () => JSON.parse(server.seen.at(-1)?.body() ?? '{}') as object;

  it.each<readonly [string, Partial<BookingRequest>, object]>([
    ['to a home', {}, { product_code: 'DAO_H', service_codes: '' }],
    [
      'to a home that is told',
      { options: { notification: 'automatic' } },
      { product_code: 'DAO_H', service_codes: 'EMAIL_NT,SMS_NT' },
    ],
    [
      'to a pick-up point',
      toPoint,
      { product_code: 'GLSDK_SD', service_codes: 'EMAIL_NT,SMS_NT', service_point_id: '700002' },
    ],
    [
      'to the nearest pick-up point',
      { deliverToPickUpPoint: true },
      { product_code: 'GLSDK_SD', automatic_select_service_point: true },
    ],
    ['to a home that a rule names', { ...toPoint, service: 'DAO_STH' }, { product_code: 'DAO_STH', service_codes: '' }],
    [
      'to a shop that a rule names',
      { service: 'DAO_STS', options: { service_codes: ['SMS_NT'] } },
      { product_code: 'DAO_STS', service_codes: 'SMS_NT', automatic_select_service_point: true },
    ],
    ['for cash', { options: { cod } }, { service_codes: 'COD', cod }],
  ])('books %s', async (_case, changes, expected) => {
    await connect().book(bookingRequest(changes));
    expect(sent()).toMatchObject(expected);
    expect('service_point_id' in sent()).toBe('service_point_id' in expected);
  });

  it('sends what a rule and the account say of agreements, goods and times', async () => {
    await connect({ customerNumber: '12', ownAgreement: false }).book(bookingRequest());
    expect(sent()).toMatchObject({ own_agreement: false, customer_number: '12', label_format: '10x19_pdf' });
    await connect().book(
      bookingRequest({ options: everyOption, notesOnDelivery: 'Ring på', customersReference: 'PO-7' }),
    );
    expect(sent()).toMatchObject({
      ...{ own_agreement: false, customer_number: '77', additional_reference: 'PO-7', contents: 'Textiles' },
      ...{ service_codes: 'EMAIL_NT,COD', delivery_details: { instruction: 'Ring på' } },
      pickup_details: { date: '2030-03-04', from: '08:00:00', to: '16:00:00' },
      parcels: [
        { packaging: 'ANY', stackable: true, running_metre: 0.4, internal_reference: '501' },
        { declared_value: { amount: 500, currency_code: 'DKK' }, internal_reference: '502' },
      ],
    });
  });

  it('declares the goods for customs, with the number of the exporter', async () => {
    await connect({ vatNumber: 'DK12345678' }).book(toNorway);
    expect(sent()).toMatchObject({
      term_of_trade: 'DDP',
      customs: {
        export_reason: 'sale_of_goods',
        currency_code: 'DKK',
        goods: [{ quantity: 2, commodity_code: '610910' }],
      },
      parties: [{ type: 'sender', attributes: [{ name: 'vat_no', value: 'DK12345678' }] }, { type: 'receiver' }],
    });
    await connect({ vatNumber: 'DK12345678' }).book(bookingRequest());
    expect(listAt(sent(), 'parties').filter((party) => valueAt(party, 'attributes') !== undefined)).toEqual([]);
  });

  it.each<readonly [string, Partial<BookingRequest>, string]>([
    ['the VOEC number into Norway', { customsNumbers }, '2012345'],
    ['the VAT number elsewhere', { customsNumbers, recipient: switzerland }, 'DK87654321'],
    ['the VAT number into the EU', { customsNumbers, sender: norway, recipient: recipient({}) }, 'DK87654321'],
    ['the EORI number without another one', { customsNumbers: { eori: 'DK11223344' } }, 'DK11223344'],
    ['that of the config where the account has none', {}, 'DK12345678'],
    ['that of the config where none holds', { customsNumbers: { ioss: 'IM2080001234' } }, 'DK12345678'],
  ])('names %s', async (_case, changes, value) => {
    await connect({ vatNumber: 'DK12345678' }).book({ ...toNorway, ...changes });
    expect(valueAt(sent(), 'parties', 0, 'attributes')).toEqual([{ name: 'vat_no', value }]);
  });

  it('names no number of the exporter in a return, which the customer sends', async () => {
    const back = { ...toNorway, sender: norway, recipient: toNorway.sender, parcels: [parcel()], customsNumbers };
    await connect({ vatNumber: 'DK12345678' }).returnLabel?.(back);
    expect(valueAt(sent(), 'parties', 0, 'attributes')).toBeUndefined();
  });

  it.each([
    ['of the shipment', '2030-03-05', '2030-03-05'],
    ['on which it is booked, where it has waited over midnight', '2030-03-01', '2030-03-04'],
  ])('asks for a pick-up on the day %s, with seconds in its times', async (_case, shipDate, date) => {
    const options = { pickup_details: { from: '08:00', to: '16:00:30', instruction: 'Gate 3' } };
    await connect().book(bookingRequest({ shipDate, options }));
    expect(valueAt(sent(), 'pickup_details')).toEqual({
      ...{ date, from: '08:00:00', to: '16:00:30', instruction: 'Gate 3' },
    });
  });

  it('makes a return with its own product and reason', async () => {
    const back = { ...toNorway, sender: norway, recipient: toNorway.sender, parcels: [parcel()], options: {} };
    await connect().returnLabel?.(back);
    expect(sent()).toMatchObject({
      product_code: 'DAO_R',
      service_codes: '',
      customs: { export_reason: 'returned_goods' },
    });
    expect(connect({ returnProduct: undefined }).returnLabel).toBeUndefined();
  });

  describe('labels', () => {
    const LABEL = { format: 'pdf', widthMm: 100, heightMm: 190 } as const;
    const A4 = { format: 'pdf', widthMm: 210, heightMm: 297 } as const;

    it.each([
      [{}, undefined, [100, 190]],
      [{}, A4, [210, 297]],
      [{ labelFormat: 'a4_pdf' }, undefined, [210, 297]],
      [{ labelFormat: 'a4_pdf' }, LABEL, [100, 190]],
    ] as const)('have with the settings %j for the printer %j pages of %j mm', async (settings, labelForm, size) => {
      const request = bookingRequest(labelForm && { labelForm });
      const { booking, labels } = await connect(settings).book(request);
      const again = (await connect(settings).fetchLabels?.(booking, labelForm)) ?? [];
      expect([await pageSizes(labels), await pageSizes(again)]).toEqual([
        [size, size],
        [size, size],
      ]);
    });

    it('are in the language of the printer where that is asked for', async () => {
      const { booking, labels } = await connect({ labelFormat: '10x19_zpl' }).book(bookingRequest());
      const form = { ...LABEL, format: 'zpl' } as const;
      for (const each of [labels, await connect().fetchLabels?.(booking, form)])
        expect(each).toMatchObject([{ format: 'zpl' }]);
    });

    it('are fetched for a booking that was found by its reference', async () => {
      await connect().book(bookingRequest());
      now = new Date(now.getTime() + shipmondo.traits.bookingVisibleAfterMs);
      const found = await connect().findByReference?.(bookingRequest());
      const label = await connect().fetchLabels?.({
        carrierNumber: found?.carrierNumber ?? '',
        parcels: [],
        labelSource: null,
      });
      expect(await pageSizes(label ?? [])).toHaveLength(2);
    });
  });

  describe('the search', () => {
    it('reads page after page of the shipments since the day before', async () => {
      for (let n = 0; n < 51; n += 1) await connect().book(bookingRequest({ reference: `OTHER-${n}` }));
      await connect().book(bookingRequest());
      now = new Date(now.getTime() + shipmondo.traits.bookingVisibleAfterMs);
      const asked = server.seen.length;
      expect(await connect().findByReference?.(bookingRequest())).toMatchObject({ carrierNumber: '700052' });
      expect(server.seen.slice(asked).map(({ url }) => decodeURIComponent(url))).toEqual([
        '/shipments?created_at_min=2030-03-03T00:00:00.000Z&per_page=50&page=1',
        '/shipments?created_at_min=2030-03-03T00:00:00.000Z&per_page=50&page=2',
      ]);
      expect(await connect().findByReference?.(bookingRequest({ reference: 'ANOTHER' }))).toBeNull();
      expect(server.seen.slice(asked)).toHaveLength(4);
    });

    it.each([
      ['to the last one that the answer names', { 'x-total-pages': '3' }, 3],
      ['to an empty one where the answer names none', {}, 4],
    ])('goes on behind pages with fewer rows than it asked for, %s', async (_case, names, pages) => {
      const isThere = (page: number) => page <= 3;
      server.failWith((request, response, simulate) => {
        const page = Number(new URL(request.url ?? '', server.baseUrl).searchParams.get('page'));
        const rows = isThere(page) ? [{ id: page, reference: `OTHER-${page}`, parcels: [] }] : [];
        const headers = { 'content-type': 'application/json', ...names };
        answering(200, JSON.stringify(rows), headers)(request, response, simulate);
      });
      const find = (reference: string) => connect().findByReference?.(bookingRequest({ reference }));
      expect(await find('OTHER-3')).toMatchObject({ carrierNumber: '3' });
      const asked = server.seen.length;
      expect(await find('10045-1')).toBeNull();
      expect(server.seen.slice(asked)).toHaveLength(pages);
    });

    it('finds the booking, not the return shipment that Shipmondo made with it', async () => {
      const row = (id: number, more: object = {}) => ({ id, reference: '10045-1', parcels: [], ...more });
      const rows = [row(2), row(1, { return_shipment_id: 2 }), { ...row(4), reference: 'RETURN-1' }];
      const linked = [...rows, { id: 3, reference: 'OTHER-1', return_shipment_id: 4, parcels: [] }];
      server.failWith(answering(200, JSON.stringify(linked), { 'content-type': 'application/json' }));
      expect(await connect().findByReference?.(bookingRequest())).toMatchObject({ carrierNumber: '1' });
      const madeByUs = bookingRequest({ reference: 'RETURN-1' });
      expect(await connect().findByReference?.(madeByUs)).toMatchObject({ carrierNumber: '4' });
    });

    it('does not take "not among the first two thousand" for "not booked"', async () => {
      const others = Array.from({ length: 50 }, (_none, id) => ({ id, reference: 'another', parcels: [] }));
      server.failWith(answering(200, JSON.stringify(others), { 'content-type': 'application/json' }));
      await expect(connect().findByReference?.(bookingRequest())).rejects.toBeInstanceOf(CarrierUnavailable);
    });

    it('names the reference where the account says so, and compares it all the same', async () => {
      await connect().book(bookingRequest({ reference: 'OTHER-1' }));
      now = new Date(now.getTime() + shipmondo.traits.bookingVisibleAfterMs);
      expect(await connect({ searchByReference: true }).findByReference?.(bookingRequest())).toBeNull();
      expect(server.seen.at(-1)?.url).toContain('&reference=10045-1&');
    });
  });

  it.each([
    ['tells the worker of a refusal', 'product_code invalid or missing', { name: 'CarrierRejected', because: 'data' }],
    [
      'sends it again where the carrier cannot be reached',
      'Connection to GLS could not be established. Try again later.',
      { name: 'CarrierUnavailable' },
    ],
  ])('%s', async (_case, error, expected) => {
    server.failWith(answering(422, JSON.stringify({ error }), { 'content-type': 'application/json' }));
    await expect(connect().book(bookingRequest())).rejects.toMatchObject(expected);
  });

  it('shows all that Shipmondo says in a list', async () => {
    const body = JSON.stringify({ error: ['Receiver email is required.', 'Zip is invalid.'] });
    server.failWith(answering(422, body, { 'content-type': 'application/json' }));
    await expect(connect().book(bookingRequest())).rejects.toMatchObject({
      problems: [{ text: 'Receiver email is required. Zip is invalid.' }],
    });
  });

  it('tells that dao cancels nothing, which Shipmondo refuses', async () => {
    const { booking } = await connect().book(bookingRequest({ service: 'DAO_STH', parcels: [parcel()] }));
    expect(await connect().cancel?.(booking)).toMatchObject({ kind: 'refused' });
    expect(server.simulator.bookings()).toMatchObject([{ state: 'booked' }]);
  });

  it('refuses a second cancellation in the words of Shipmondo, and believes none that is not confirmed', async () => {
    const { booking } = await connect().book(toPoint);
    expect(await connect().cancel?.(booking)).toEqual({ kind: 'cancelled' });
    expect(await connect().cancel?.(booking)).toMatchObject({ kind: 'refused' });
    server.failWith(answering(200, '{"cancelled":false}', { 'content-type': 'application/json' }));
    await expect(connect().cancel?.(booking)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
  });

  it('asks for a price with the older names of a party, and shows it without VAT', async () => {
    expect(await connect().quote?.(bookingRequest())).toEqual({
      ...{ amount: '34.0', currency: 'DKK', workingDays: null, estimatedDelivery: null },
    });
    expect(sent()).toMatchObject({
      ...{ product_code: 'DAO_H', service_codes: '' },
      sender: { address1: 'Prøvevej 1', zipcode: '2000', city: 'Frederiksberg', country_code: 'DK' },
      receiver: { address1: 'Eksempelgade 22', zipcode: '2600', city: 'Glostrup', country_code: 'DK' },
      parcels: [{ weight: 2400 }, { weight: 1105 }],
    });
  });

  it('finds pick-up points as they are', async () => {
    const near = { countryCode: 'DK', postalCode: '2600', street: 'Eksempelgade 22' };
    expect(await connect().pickupPoints?.({ near, limit: 1 })).toEqual([
      {
        ...{ id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', postalCode: '2600', city: 'Testby' },
        ...{ countryCode: 'DK', distanceM: 640, kind: 'manned', openingHours: 'Man: 07:00-23:00' },
      },
    ]);
    expect(await connect().pickupPoints?.({ near: { ...near, street: null }, limit: 50 })).toHaveLength(3);
    await connect().pickupPoints?.({ id: '700001', countryCode: 'SE' });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/service_point/service_points?product_code=GLSDK_SD&country_code=DK&zipcode=2600&address=Eksempelgade%2022&quantity=1',
      '/service_point/service_points?product_code=GLSDK_SD&country_code=DK&zipcode=2600&quantity=20',
      '/pickup_points?carrier_code=gls&country_code=SE&id=700001',
    ]);
    expect(connect({ pickUpPointCarrier: undefined }).pickupPoints).toBeUndefined();
  });

  it.each([
    [SANDBOX, true],
    [SANDBOX, 'true'],
    [PRODUCTION, false],
  ])('asks %s with the setting test: %p', async (host, test) => {
    const carrier = startExactCarrier(new URL(host).origin, { status: 200, body: '{}' });
    await connect({ test }, PRODUCTION).probe?.();
    carrier.close();
    expect(carrier.arrived).toMatchObject([{ method: 'GET', url: `${host}/account/` }]);
  });

  it.each([
    ['product', 'gls shop'],
    ['labelFormat', '10x19_png'],
    ['ownAgreement', 'perhaps'],
    ['sender', 'warehouse'],
    ['test', 'perhaps'],
  ])('does not take the setting %s: %p', (key, value) => {
    expect(validateSync(settingsOf({ [key]: value })).map(({ property }) => property)).toEqual([key]);
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['nothing to a pick-up point', toPoint, []],
    ['nothing to another product', { service: 'ACME_EXPORT' }, []],
    ['a product that is none', { service: 'glsdk' }, ['unknown-service']],
    [
      'a shop where nobody is told',
      { ...toPoint, recipient: recipient({ contact: { email: null, mobile: null } }) },
      ['recipient-contact'],
    ],
    ['a shop that a rule tells nothing', { ...toPoint, options: { notification: 'none' } }, ['recipient-contact']],
    [
      'a message without a number',
      { options: { service_codes: ['SMS_NT'] }, recipient: recipient({ contact: { mobile: null } }) },
      ['mobile-missing'],
    ],
    [
      'a parcel of 6 kg from shop to home',
      { service: 'DAO_STH', parcels: [parcel({ weightGrams: 6_000 })] },
      ['too-heavy'],
    ],
    ['nothing to a heavy one with another product', { parcels: [parcel({ weightGrams: 16_000 })] }, []],
    ['goods for customs that nobody described', { recipient: norway }, ['customs-no-lines']],
    ['cash on delivery of one part of a shipment', { options: { cod }, parcelsInShipment: 3 }, ['in-parts']],
    ['nothing to that of a whole shipment', { options: { cod }, parcelsInShipment: 2 }, []],
    ['goods for customs of one part', { recipient: norway, goods: [goods()], parcelsInShipment: 21 }, ['in-parts']],
    ['nothing to one part of a shipment without them', { goods: [goods()], parcelsInShipment: 21 }, []],
    ['nothing to papers for customs', { recipient: norway, options: { customs: 'papers' } }, []],
    ['dangerous goods', { goods: [goods({ unNumbers: ['UN3480'] })] }, ['dangerous-goods']],
    ['an amount that is none', { options: { cod: { ...cod, amount: '249' } } }, ['option-value']],
    ['a pick-up at no time', { options: { pickup_details: { from: '25:00' } } }, ['option-value']],
    ['nothing to one with or without seconds', { options: { pickup_details: { from: '08:00', to: '16:00:00' } } }, []],
    ['a timed delivery with seconds', { options: { dfm: { dot_time: '12:00:00' } } }, ['option-value']],
    ['nothing to one without them', { options: { dfm: { dot_time: '12:00' } } }, []],
    ['a service code that is none', { options: { service_codes: ['sms'] } }, ['option-value']],
  ])('objects beforehand to %s', (_case, changes, codes) => {
    expect(codesOf(changes)).toEqual(codes);
  });

  it('needs a product, of the account or of the rule', () => {
    expect(codesOf({}, { product: undefined })).toEqual(['unknown-service']);
    expect(codesOf({ service: 'DAO_H' }, { product: undefined })).toEqual([]);
  });

  it.each([
    ['glsdk_sd', {}, 'perhaps GLSDK_SD'],
    ['shop', {}, 'a code such as GLSDK_SD'],
    ['GLSDK_SD', { service_code: ['EMAIL_NT'] }, 'perhaps service_codes'],
    ['GLSDK_SD', { cod: { amont: 1 } }, 'perhaps cod.amount'],
    ['GLSDK_SD', { dfm: { dot_type: 'DO9' } }, 'DO1, DO2, DO3, DO4'],
  ])('says at the start what is wrong with %s and %j', (service, options, meant) => {
    expect(shipmondo.checkRule?.({ service, options })).toMatchObject([{ text: expect.stringContaining(meant) }]);
  });

  it('says that notes are not sent where no rule says that the product takes them', () => {
    const notes = bookingRequest({ notesOnDelivery: 'Ring på' });
    expect(connect().textChanges?.(notes)).toMatchObject([{ kind: 'dropped', given: 'Ring på' }]);
    expect(connect().textChanges?.({ ...notes, options: { notes: 'delivery_details' } })).toEqual([]);
  });

  it.each([
    ['a page for a path that it does not know', '/tracking', [200, 'text/html']],
    [
      'a refusal of more than 20 points',
      '/service_point/service_points?product_code=GLSDK_SD&country_code=DK&zipcode=2600&quantity=21',
      [422, 'json'],
    ],
    ['a refusal of more than 50 shipments in a page', '/shipments?per_page=51', [422, 'json']],
  ] as const)('has a simulator that answers with %s', async (_case, path, [status, type]) => {
    const headers = { authorization: `Basic ${Buffer.from(`sandbox:${KEY}`).toString('base64')}` };
    const answer = await testHttpPort.send({ method: 'GET', url: server.baseUrl + path, timeoutMs: 5_000, headers });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, expect.stringContaining(type)]);
  });

  it.each<readonly [string, Partial<BookingRequest>, Readonly<Record<string, unknown>>]>([
    ['parties of a type alone', {}, { parties: [{ type: 'sender' }, { type: 'receiver' }] }],
    ['goods without value', toNorway, { 'customs.goods.0.unit_value': 0 }],
    ['customs data of which nothing but the kind of export is said', toNorway, { customs: { export_reason: 'gift' } }],
    ['an amount to collect without its service', {}, { cod }],
  ])('has a simulator that takes %s, which Shipmondo does not refuse', async (_case, changes, more) => {
    await connect().book(bookingRequest(changes));
    const authorization = `Basic ${Buffer.from(`sandbox:${KEY}`).toString('base64')}`;
    expect(await sentAgain(server, more, { authorization })).toMatchObject({ status: 200 });
  });

  it.each(['10x19_png', 'compact_png'])(
    'has a simulator that answers %s with a picture of each label',
    async (form) => {
      await connect().book(bookingRequest());
      const answer = await testHttpPort.send({
        ...{ method: 'POST', url: `${server.baseUrl}/shipments`, timeoutMs: 5_000 },
        json: { ...sent(), label_format: form },
        headers: { authorization: `Basic ${Buffer.from(`sandbox:${KEY}`).toString('base64')}` },
      });
      const labels = listAt(JSON.parse(new TextDecoder().decode(answer.body)), 'labels');
      expect(labels).toMatchObject([{ file_format: 'png' }, { file_format: 'png' }]);
    },
  );

  it.each([
    ['kilograms', { parcels: [{ weight: 2.4 }] }, 'weight'],
    ['a product that the account does not have', { product_code: 'ACME_EXPORT' }, 'product_code invalid or missing'],
    ['a pick-up without seconds', { pickup_details: { date: '2030-03-04', from: '08:00' } }, 'pickup_details.from'],
    ['a pick-up on no day', { pickup_details: { date: '04-03-2030' } }, 'pickup_details.date'],
    ['a timed delivery with seconds', { dfm: { dot_time: '12:00:00' } }, 'dfm.dot_time'],
    [
      'a reason for the export that it does not know',
      { customs: { export_reason: 'sale', currency_code: 'DKK', goods: [] } },
      'customs.export_reason',
    ],
    ['a form of label that it does not have', { label_format: 'a6_pdf' }, 'label_format'],
  ])('has a simulator that refuses %s', async (_case, changes, words) => {
    await connect().book(bookingRequest());
    const answer = await testHttpPort.send({
      ...{ method: 'POST', url: `${server.baseUrl}/shipments`, timeoutMs: 5_000, json: { ...sent(), ...changes } },
      headers: { authorization: `Basic ${Buffer.from(`sandbox:${KEY}`).toString('base64')}` },
    });
    expect([answer.status, new TextDecoder().decode(answer.body)]).toEqual([422, expect.stringContaining(words)]);
  });
});
