import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/index.js';
import type { CarrierAccount, Goods } from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { pretendCall, startPretendSimulator } from '../../carriers/pretend/simulator/index.js';
import { textAt } from '../../carriers/toolkit/json.js';
import { plainTracking } from '../../carriers/toolkit/tracking/plain-tracking.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { describeCallbacks } from './callback-suite.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { proveByStandardWebhooks, webhookSecrets, WEBHOOK_HEADERS } from './standard-webhooks-sender.js';
import { testHttpPort } from './test-http-port.js';
import { describeTracking } from './track-suite.js';

const config = { apiKey: 'pretend-key-0001' };

describeCarrier(pretend, {
  config,
  requiredKeys: ['apiKey'],
  secrets: ['pretend-key-0001'],
  wrongConfig: { apiKey: 'wrong' },
  startSimulator: startPretendSimulator,
  variants: [
    ['two parcels', bookingRequest()],
    ['one parcel with a message', bookingRequest({ parcels: [parcel()], notesOnDelivery: 'Behind the barn' })],
    ['a parcel for a pick-up point', bookingRequest({ deliverToPickUpPoint: true, pickUpPointId: '7001' })],
    [
      'a parcel for Norway',
      bookingRequest({
        recipient: recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } }),
        goods: [goods()],
      }),
    ],
  ],
  refused: bookingRequest({ service: 'refused' }),
  parcelsMatchedBy: 'id',
  received: ({ body }) => {
    const json: unknown = JSON.parse(body());
    return Object.fromEntries(
      ['sender', 'recipient'].flatMap((role) =>
        ['name', 'street', 'city'].map((field) => [`${role}.${field}`, textAt(json, role, field)]),
      ),
    );
  },
  exchanges: recorded('pretend'),
});

describeTracking(pretend, {
  config: () => config,
  startSimulator: startPretendSimulator,
  request: bookingRequest(),
  otherwise: {},
  zone: 'stated',
});

if (!pretend.parseCallback) throw new Error('Pretend makes callbacks');
describeCallbacks('pretend', pretend.parseCallback, {
  secrets: webhookSecrets,
  call: pretendCall,
  prove: proveByStandardWebhooks,
  needed: WEBHOOK_HEADERS,
  signed: 'yes',
});

describeCallbacks('senders without a form of their own', plainTracking, {
  secrets: webhookSecrets,
  call: pretendCall,
  prove: proveByStandardWebhooks,
  needed: WEBHOOK_HEADERS,
  signed: 'yes',
});

describe('pretend', () => {
  let server: CarrierServer;
  let account: CarrierAccount;

  beforeEach(async () => {
    const clock = { now: () => TEST_NOW };
    server = await startCarrierServer('pretend', startPretendSimulator, clock.now);
    account = pretend.connect(config, { http: testHttpPort, clock, baseUrl: server.baseUrl });
  });
  afterEach(() => server.close());

  it('is closed for as many attempts as the service says, and books nothing meanwhile', async () => {
    const request = bookingRequest({ service: 'down:2' });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(account.book(request)).rejects.toMatchObject({ name: 'CarrierUnavailable', retryAfterMs: 1_000 });
      expect(server.simulator.bookings()).toEqual([]);
    }
    await account.book(request);
    expect(server.simulator.bookings()).toHaveLength(1);
  });

  it('books and loses its answer for as many attempts as the service says', async () => {
    const request = bookingRequest({ service: 'lost:1' });
    await expect(account.book(request)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(server.simulator.bookings()).toHaveLength(1);
    await account.book(request);
    expect(server.simulator.bookings()).toHaveLength(2);
  });

  it('books late when the service says so', async () => {
    const { booking } = await account.book(bookingRequest({ service: 'slow:20' }));
    expect(booking.parcels).toHaveLength(2);
  });

  it('books without labels when the service says so', async () => {
    const { booking } = await account.book(bookingRequest({ service: 'nolabel' }));
    await expect(account.fetchLabels?.(booking)).rejects.toBeInstanceOf(CarrierRejected);
  });

  it.each([
    [203, 799],
    [300, 1_181],
  ])('gives its labels as ZPL for %i dpi, one for each parcel with its number', async (dpi, width) => {
    const { booking } = await account.book(bookingRequest());
    const form = { format: 'zpl', widthMm: 100, heightMm: 150, dpi } as const;
    const [label, ...more] = (await account.fetchLabels?.(booking, form)) ?? [];
    expect([label?.format, more]).toEqual(['zpl', []]);
    const zpl = Buffer.from(label?.bytes ?? []).toString('utf8');
    const numbers = booking.parcels.map((one) => (one.kind === 'booked' ? one.trackingNumber : ''));
    expect([...zpl.matchAll(/\^BCN.*\^FD(\w+)\^FS/g)].map(([, number]) => number)).toEqual(numbers);
    expect(zpl.match(new RegExp(`\\^PW${width}\\b`, 'g'))).toHaveLength(numbers.length);
  });

  it('finds nothing right after a booking, as slow carriers do', async () => {
    await account.book(bookingRequest());
    expect(await account.findByReference?.(bookingRequest())).toBeNull();
  });

  it('is not closed when a 503 does not say so', async () => {
    server.failWith((_request, response) => response.writeHead(503).end());
    await expect(account.book(bookingRequest())).rejects.not.toBeInstanceOf(CarrierUnavailable);
  });

  it('names the parcel that is too heavy, before and when it is booked', async () => {
    const request = bookingRequest({ parcels: [parcel(), parcel({ id: '502', weightGrams: 30_001 })] });
    expect(account.check?.(request)).toMatchObject([{ code: 'too-heavy', parcelId: '502' }]);
    await expect(account.book(request)).rejects.toMatchObject({ problems: [{ code: 'weight', parcelId: '502' }] });
  });

  it.each([
    ['the name', { name: null }, 'name'],
    ['the street', { street: null }, 'street'],
    ['the postal code', { postalCode: null }, 'postal code'],
    ['the city', { city: '' }, 'city'],
    ['the country', { countryCode: null }, 'country'],
  ])('objects beforehand when %s of the recipient is missing', (_case, address, words) => {
    const request = bookingRequest({ recipient: recipient({ address, contact: { name: null } }) });
    expect(account.check?.(request).map((problem) => problem.text)).toEqual([expect.stringContaining(words)]);
  });

  describe('between customs areas', () => {
    const abroad = recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } });

    it('declares every line', async () => {
      await account.book(bookingRequest({ recipient: abroad, goods: [goods()] }));
      expect(JSON.parse(server.seen.at(-1)?.body() ?? '')).toMatchObject({
        customs: [
          {
            description: 'Cotton shirts',
            quantity: 2,
            value: '129.5',
            currency: 'DKK',
            weightKg: 0.2,
            tariffNumber: '610910',
            origin: 'PT',
          },
        ],
      });
    });

    it('declares nothing inside the European Union', async () => {
      await account.book(bookingRequest({ goods: [goods()] }));
      expect(JSON.parse(server.seen.at(-1)?.body() ?? '')).not.toHaveProperty('customs');
    });

    it.each<readonly [string, readonly Goods[], Readonly<Record<'code' | 'words', string>>]>([
      ['there are no lines', [], { code: 'customs-no-lines', words: 'no lines to declare' }],
      [
        'a line says too little',
        [goods(), goods({ tariffNumberAtDestination: null, countryOfOrigin: null })],
        { code: 'customs-data', words: '"Cotton shirts" has no tariff number, country of origin' },
      ],
      [
        'a line has no name either',
        [goods({ description: null })],
        { code: 'customs-data', words: '"line 1" has no description' },
      ],
    ])('objects beforehand when %s, as it does when it is booked', async (_case, lines, { code, words }) => {
      const request = bookingRequest({ recipient: abroad, goods: lines });
      expect(account.check?.(request)).toMatchObject([{ code, text: expect.stringContaining(words) }]);
      await expect(account.book(request)).rejects.toMatchObject({ problems: [{ code: 'customs' }] });
    });
  });

  it('objects to a service that it does not have, as it does when it is booked', async () => {
    const request = bookingRequest({ service: 'drone' });
    expect(account.check?.(request)).toMatchObject([{ code: 'unknown-service' }]);
    await expect(account.book(request)).rejects.toMatchObject({ problems: [{ code: 'unknown-service' }] });
  });

  it('objects to dangerous goods', () => {
    const request = bookingRequest({ goods: [goods({ unNumbers: ['UN1950'] })] });
    expect(account.check?.(request)).toMatchObject([{ code: 'dangerous-goods' }]);
  });

  it('tells what it pays and when it arrives', async () => {
    expect(await account.quote?.(bookingRequest())).toEqual({
      amount: '65.00',
      currency: 'DKK',
      workingDays: 1,
      estimatedDelivery: '2030-03-05',
    });
  });

  it.each([
    ['refused', 'CarrierRejected'],
    ['down:1', 'CarrierUnavailable'],
  ])('has no price for the service %s', async (service, name) => {
    await expect(account.quote?.(bookingRequest({ service }))).rejects.toMatchObject({ name });
  });

  it('prints Latin-1 only', async () => {
    const body = { name: 'Łódź', street: 'Vej 1', postalCode: '2600', city: 'Glostrup', country: 'DK' };
    const answer = await testHttpPort.send({
      method: 'POST',
      url: `${server.baseUrl}/bookings`,
      headers: { authorization: 'Bearer key' },
      json: { reference: 'r', service: 'standard', sender: {}, recipient: body, parcels: [{ id: '1', weightKg: 1 }] },
      timeoutMs: 5_000,
    });
    expect(new TextDecoder().decode(answer.body)).toContain('recipient.name has at most 60 characters of Latin-1');
  });
});
