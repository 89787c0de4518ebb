import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/index.js';
import type { CarrierAccount } from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { startPretendSimulator } from '../../carriers/pretend/simulator.js';
import type { CarrierServer } from './carrier-server.js';
import { startCarrierServer } from './carrier-server.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, parcel, recipient } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

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
  ],
  refused: bookingRequest({ service: 'refused' }),
  parcelsMatchedBy: 'id',
  exchanges: recorded('pretend'),
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
});
