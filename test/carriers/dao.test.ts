import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { PDFDocument } from 'pdf-lib';
import { inspect } from 'node:util';
import type { BookingRequest, CarrierAccount, SimulatedEvent } from '../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/index.js';
import { danishMoment } from '../../carriers/toolkit/local-time.js';
import { DaoConfig } from '../../carriers/dao/config.js';
import { dao } from '../../carriers/dao/index.js';
import { startDaoSimulator } from '../../carriers/dao/simulator.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import {
  answering,
  CLOSED_ADDRESS,
  losingTheAnswer,
  startCarrierServer,
} from '../../carriers/testing/carrier-server.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';
import { describeTracking } from './track-suite.js';

const CODE = 'dao+code/0001';
const config = { customerId: '9999', code: CODE };

const oneParcel = (changes: Partial<BookingRequest> = {}): BookingRequest =>
  bookingRequest({ parcels: [parcel()], ...changes });

const german = recipient({ address: { postalCode: '24937', city: 'Flensburg', countryCode: 'DE' } });

describeCarrier(dao, {
  config,
  requiredKeys: ['customerId', 'code'],
  secrets: [CODE, encodeURIComponent(CODE)],
  wrongConfig: { code: 'wrong' },
  startSimulator: startDaoSimulator,
  variants: [
    ['a parcel for a door', oneParcel()],
    ['a parcel for a pick-up point', oneParcel({ deliverToPickUpPoint: true, pickUpPointId: '1234' })],
    ['a parcel for the nearest pick-up point', oneParcel({ deliverToPickUpPoint: true })],
    ['a parcel for Germany', oneParcel({ recipient: german })],
    [
      'a parcel for a pick-up point in Germany',
      oneParcel({ recipient: german, deliverToPickUpPoint: true, pickUpPointId: 'DE-77' }),
    ],
    [
      'a parcel that nobody measured',
      oneParcel({ parcels: [parcel({ lengthMm: null, widthMm: null, heightMm: null })] }),
    ],
  ],
  refused: oneParcel({ recipient: recipient({ address: { postalCode: '26' } }) }),
  parcelsMatchedBy: 'position',
  received: ({ url }) => {
    const query = new URL(url, 'http://127.0.0.1').searchParams;
    return Object.fromEntries(['navn', 'adresse', 'by'].map((field) => [`recipient.${field}`, query.get(field)]));
  },
  changes: (request) => request.url.toLowerCase().includes('ordre.php'),
  exchanges: recorded('dao'),
});

describeTracking(dao, {
  config: () => config,
  startSimulator: startDaoSimulator,
  request: oneParcel(),
  otherwise: {
    'handed-over': 'in-transit',
    customs: 'unrecognised',
    'at-pickup-point': 'unrecognised',
    'lost-or-damaged': 'unrecognised',
    cancelled: 'unrecognised',
  },
  zone: 'assumed',
});

describe('a time that DAO tells', () => {
  it.each([
    ['in winter', '2030-03-05 06:12:00', '2030-03-05T06:12:00+01:00'],
    ['in summer', '2030-07-05 06:12:00', '2030-07-05T06:12:00+02:00'],
    ['without seconds', '2030-07-05T06:12', '2030-07-05T06:12:00+02:00'],
    ['in the hour that comes twice', '2030-10-27 02:30:00', '2030-10-27T02:30:00+02:00'],
    ['in the hour that does not come', '2030-03-31 02:30:00', '2030-03-31T02:30:00+01:00'],
    ['that is none', '2030-13-05 06:12:00', null],
    ['of another form', '05.03.2030 06:12', null],
    ['that is missing', '', null],
  ])('%s is a Danish one', (_case, text, expected) => {
    expect(danishMoment(text)).toBe(expected);
  });
});

describe('dao', () => {
  let server: CarrierServer;

  beforeEach(async () => {
    server = await startCarrierServer('dao', startDaoSimulator, () => TEST_NOW);
  });
  afterEach(() => server.close());

  function connect(changes: Readonly<Record<string, unknown>> = {}): CarrierAccount {
    const settings = plainToInstance(DaoConfig, { ...config, ...changes });
    return dao.connect(settings, { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl });
  }

  it.each([
    ['the code', { '902': 'at-pickup-point' }],
    ['the product group and the code', { 'direkte/902': 'at-pickup-point', '902': 'customs' }],
  ])('takes the meaning of a code from the account, by %s', async (_case, trackingCodes) => {
    const { booking } = await connect().book(oneParcel());
    const [parcel] = booking.parcels;
    const trackingNumber = parcel?.kind === 'booked' ? parcel.trackingNumber : '';
    server.happen({ id: '1', trackingNumber, status: 'at-pickup-point', at: TEST_NOW, place: 'Shop' });
    const told = await connect({ trackingCodes }).track?.([trackingNumber]);
    expect(told).toMatchObject([{ status: 'at-pickup-point', code: '902', place: 'Shop' }]);
  });

  it.each([[{ '30': 'gone' }], [['delivered']], ['delivered'], [null]])('refuses %j as codes', (trackingCodes) => {
    const problems = validateSync(plainToInstance(DaoConfig, { ...config, trackingCodes }));
    expect(problems.map((problem) => problem.property)).toEqual(['trackingCodes']);
  });

  async function orderOf(request: BookingRequest, settings: Readonly<Record<string, unknown>> = {}) {
    await connect(settings).book(request);
    const url = new URL(server.seen.at(-1)?.url ?? '', 'http://127.0.0.1');
    return { path: url.pathname, query: Object.fromEntries(url.searchParams) };
  }

  it.each<readonly [string, Partial<BookingRequest>, string]>([
    ['a door in Denmark', {}, '/DAODirekte/leveringsordre.php'],
    ['a pick-up point', { deliverToPickUpPoint: true }, '/DAOPakkeshop/leveringsordre.php'],
    ['a door in Germany', { recipient: german }, '/DAODirekte/UdlandLeveringsOrdre.php'],
    ['the service of the rule', { service: 'pickup-point' }, '/DAOPakkeshop/leveringsordre.php'],
  ])('orders a delivery to %s where DAO takes it', async (_case, changes, path) => {
    expect((await orderOf(oneParcel(changes))).path).toBe(path);
  });

  it('sends grams and centimetres', async () => {
    const measured = parcel({ weightGrams: 1_105, lengthMm: 301, widthMm: 200, heightMm: 95 });
    const { query } = await orderOf(oneParcel({ parcels: [measured] }));
    expect(query).toMatchObject({ vaegt: '1105', l: '31', b: '20', h: '10' });
  });

  it('writes what a driver must know into the name and the address', async () => {
    const at = recipient({ address: { careOf: 'Eksempel', floorBlockOrSuite: '3. tv' } });
    const { query } = await orderOf(oneParcel({ recipient: at }));
    expect(query).toMatchObject({ navn: 'Test Modtager, c/o Eksempel', adresse: 'Eksempelgade 22, 3. tv' });
  });

  it('names the person in a company, and tells them on an ordinary telephone where there is no mobile', async () => {
    const contact = { name: 'Bo Berg', email: ' bo@example.com ', mobile: null, phone: '18 23 45 67' };
    const request = oneParcel({ recipient: recipient({ address: { name: 'Berg ApS' }, contact }) });
    const { query } = await orderOf(request);
    expect(query).toMatchObject({ navn: 'Berg ApS, Bo Berg', mobil: '18234567', email: 'bo@example.com' });
    expect(
      connect()
        .textChanges?.(request)
        .map(({ field }) => field),
    ).toEqual(['recipient.by']);
  });

  it('tells of a second telephone number, and of one without a digit', () => {
    const lossesOf = (contact: Partial<BookingRequest['recipient']['contact']>) =>
      connect().textChanges?.(oneParcel({ recipient: recipient({ contact }) })) ?? [];
    expect(lossesOf({ phone: '18000000' })).toContainEqual(expect.objectContaining({ field: 'recipient.phone' }));
    expect(lossesOf({ mobile: 'see note' })).toContainEqual(
      expect.objectContaining({ field: 'recipient.mobil', given: 'see note', sent: '', meaningLost: true }),
    );
  });

  it.each(['DK-2600', 'DK 2600', 'dk2600'])('takes %s for the Danish postal code 2600', async (postalCode) => {
    const request = oneParcel({ recipient: recipient({ address: { postalCode } }) });
    expect(connect().check?.(request)).toEqual([]);
    expect((await orderOf(request)).query.postnr).toBe('2600');
  });

  it('tells what it leaves out, and that the city of a Danish postal code is not missed', () => {
    expect(connect().textChanges?.(oneParcel({ notesOnDelivery: 'Ring twice' }))).toEqual([
      { field: 'recipient.by', given: 'Glostrup', sent: '', kind: 'dropped', meaningLost: false },
      { field: 'shipment.notesOnDelivery', given: 'Ring twice', sent: '', kind: 'dropped', meaningLost: true },
    ]);
  });

  it.each([
    ['+45 18 23 45 67', '18234567'],
    ['0045 18234567', '18234567'],
    ['+46 70 123 45 67', '+46701234567'],
  ])('writes the mobile number %s as %s', async (mobile, expected) => {
    const { query } = await orderOf(oneParcel({ recipient: recipient({ contact: { mobile } }) }));
    expect(query.mobil).toBe(expected);
  });

  it('asks for the pick-up point that was chosen, or for the nearest', async () => {
    const chosen = await orderOf(oneParcel({ deliverToPickUpPoint: true, pickUpPointId: '1234' }));
    const nearest = await orderOf(oneParcel({ deliverToPickUpPoint: true }));
    expect([chosen.query.shopid, nearest.query.shopid]).toEqual(['1234', '0']);
  });

  it('orders a delivery to a pick-up point abroad with its number', async () => {
    const request = oneParcel({ recipient: german, deliverToPickUpPoint: true, pickUpPointId: 'DE-77' });
    expect(await orderOf(request)).toMatchObject({
      path: '/DAODirekte/UdlandLeveringsOrdre.php',
      query: { shopid: 'DE-77', by: 'Flensburg', land: 'DE', reference: '10045-1' },
    });
    expect((await orderOf(oneParcel({ recipient: german, pickUpPointId: 'DE-77' }))).query).not.toHaveProperty(
      'shopid',
    );
  });

  it.each<
    readonly [string, { readonly account?: object; readonly rule?: BookingRequest['options'] }, string | undefined]
  >([
    ['a code by itself', {}, 'Udleveringskode'],
    ['what the account says', { account: { idkrav: 'Legitimation' } }, 'Legitimation'],
    [
      'what the rule says before the account',
      { account: { idkrav: 'Legitimation' }, rule: { idkrav: 'Kode' } },
      'Kode',
    ],
    ['nothing where the account says so', { account: { idkrav: 'none' } }, undefined],
    ['nothing where the account has it empty', { account: { idkrav: null } }, undefined],
    ['nothing where the rule says so', { rule: { idkrav: 'none' } }, undefined],
  ])('has the recipient show %s', async (_case, { account = {}, rule = {} }, expected) => {
    expect((await orderOf(oneParcel({ options: rule }), { ...account })).query.idkrav).toBe(expected);
  });

  it.each([
    ['our reference, of which each parcel has its own', {}, '10045-1'],
    ["the shipment's number where the account says so", { faktura: 'shipment-number' }, '10045'],
  ])('names as invoice number %s', async (_case, settings, expected) => {
    expect((await orderOf(oneParcel(), settings)).query.faktura).toBe(expected);
  });

  it('leaves out sides that nobody measured, and sends 0 for one among others', async () => {
    const sides = async (changes: Parameters<typeof parcel>[0]) => {
      const { l, h, b } = (await orderOf(oneParcel({ parcels: [parcel(changes)] }))).query;
      return [l, h, b];
    };
    expect(await sides({ lengthMm: null, heightMm: null, widthMm: null })).toEqual([undefined, undefined, undefined]);
    expect(await sides({ lengthMm: 405, heightMm: null, widthMm: 200 })).toEqual(['41', '0', '20']);
  });

  it('sends the account of a stored sender', async () => {
    expect((await orderOf(oneParcel(), { senderId: 77 })).query.afsenderid).toBe('77');
    expect((await orderOf(oneParcel())).query).not.toHaveProperty('afsenderid');
  });

  it.each<readonly [unknown, boolean]>([
    [true, true],
    ['true', true],
    ['1', true],
    [1, true],
    [false, false],
    ['false', false],
    ['0', false],
    [undefined, false],
  ])('reads the setting test: %p as %p', (value, expected) => {
    const settings = plainToInstance(DaoConfig, { ...config, ...(value === undefined ? {} : { test: value }) });
    expect(validateSync(settings)).toEqual([]);
    expect(settings.test).toBe(expected);
  });

  it.each([
    ['test', 'perhaps'],
    ['test', null],
    ['paper', 'A5'],
    ['idkrav', true],
    ['faktura', 'order'],
  ])('does not take the setting %s: %p', (key, value) => {
    const problems = validateSync(plainToInstance(DaoConfig, { ...config, [key]: value }));
    expect(problems.map((problem) => problem.property)).toEqual([key]);
  });

  it('orders nothing real with the setting test', async () => {
    expect((await orderOf(oneParcel(), { test: 'true' })).query.test).toBe('1');
    expect(server.simulator.bookings()).toEqual([]);
    expect((await orderOf(oneParcel())).query).not.toHaveProperty('test');
  });

  it.each([
    ['100x150', 100, 150],
    ['150x100', 150, 100],
    ['A4Foldable', 210, 297],
  ])('fetches the label on the paper %s', async (paper, widthMm, heightMm) => {
    const account = connect({ paper });
    const { booking } = await account.book(oneParcel());
    const [label] = (await account.fetchLabels?.(booking)) ?? [];
    const page = (await PDFDocument.load(label?.bytes ?? new Uint8Array())).getPage(0);
    expect(page.getWidth()).toBeCloseTo((widthMm * 72) / 25.4);
    expect(page.getHeight()).toBeCloseTo((heightMm * 72) / 25.4);
  });

  it('fetches the label on the paper of the form that the printer needs, whatever the account says', async () => {
    const account = connect({ paper: 'A4Foldable' });
    const { booking } = await account.book(oneParcel());
    const [label] = (await account.fetchLabels?.(booking, { format: 'pdf', widthMm: 150, heightMm: 100 })) ?? [];
    const page = (await PDFDocument.load(label?.bytes ?? new Uint8Array())).getPage(0);
    expect(Math.round((page.getWidth() * 25.4) / 72)).toBe(150);
  });

  it('fetches the label of a booking of which only the tracking number was recorded', async () => {
    const { booking } = await connect().book(oneParcel());
    await expect(connect().fetchLabels?.({ ...booking, labelSource: null })).resolves.toHaveLength(1);
  });

  it('tells a refusal of the label from a label, though both have status 200', async () => {
    const { booking } = await connect().book(oneParcel());
    await connect().cancel?.(booking);
    await expect(connect().fetchLabels?.(booking)).rejects.toBeInstanceOf(CarrierRejected);
  });

  it('tells why a cancellation was refused', async () => {
    const { booking } = await connect().book(oneParcel());
    await connect().cancel?.(booking);
    expect(await connect().cancel?.(booking)).toEqual({
      kind: 'refused',
      problems: [{ code: '999', text: 'Pakken er allerede annulleret (999)', parcelId: null }],
    });
  });

  it.each<readonly [SimulatedEvent['status'], string]>([
    ['registered', 'cancelled'],
    ['handed-over', 'cancelled'],
    ['in-transit', 'refused'],
    ['delivered', 'refused'],
  ])('has a parcel that is %s %s', async (status, kind) => {
    const { booking } = await connect().book(oneParcel());
    const trackingNumber = booking.labelSource ?? '';
    server.happen({ id: '1', trackingNumber, status, at: TEST_NOW, place: 'Terminal' });
    expect(await connect().cancel?.(booking)).toMatchObject({ kind });
  });

  it.each([
    ['without the postal code of the customer, as a client sends it', '', 'OK'],
    ['with one that is none', 'afsender_postnr=26', 'FEJL'],
  ])('answers a return %s', async (_case, more, status) => {
    const customer = `afsender=Test&afs_mobil=18234567&afs_email=a%40example.com&${more}`;
    const query = `kundeid=9999&kode=x&type=withlabel&navn=Test&adresse=Testvej%201&postnr=2000&vaegt=100&faktura=R1`;
    const answer = await fetch(`${server.baseUrl}/DAOPakkeshop/returordre.php?${query}&${customer}`);
    expect(await answer.json()).toMatchObject({ status });
  });

  it('does not take an answer without a clear word for a cancellation', async () => {
    const { booking } = await connect().book(oneParcel());
    server.failWith(answering(200, '{}', { 'content-type': 'application/json' }));
    await expect(connect().cancel?.(booking)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  it('keeps a barcode that is sent as a JSON number digit by digit', async () => {
    const body = '{"status":"OK","fejlkode":0,"fejltekst":"","resultat":{"stregkode":57000000000000000011}}';
    server.failWith(answering(200, body, { 'content-type': 'application/json' }));
    const { booking } = await connect().book(oneParcel());
    expect(booking.labelSource).toBe('57000000000000000011');
  });

  it('refuses a service that DAO does not have before anything is sent', async () => {
    await expect(connect().book(oneParcel({ service: 'drone' }))).rejects.toMatchObject({
      name: 'CarrierRejected',
      problems: [{ code: 'unknown-service' }],
    });
    expect(server.seen).toEqual([]);
  });

  it.each<readonly [string, number, string]>([
    ['an error page', 500, 'GET /?kundeid=9999&kode={code} failed'],
    ['a refusal by status', 400, 'bad request /?kode={code}'],
    ['a page with status 200', 200, '<a href="?kode={code}">'],
    ['a refusal in words', 200, '{"status":"FEJL","fejlkode":"999","fejltekst":"kode {code} er ukendt"}'],
  ])('hides the code where %s quotes it, as it is and as it stands in an address', async (_case, status, body) => {
    for (const shown of [CODE, encodeURIComponent(CODE)]) {
      server.failWith(answering(status, body.replace('{code}', shown)));
      const error = await connect()
        .book(oneParcel())
        .catch((thrown: unknown) => thrown);
      expect(inspect(error, { depth: 8, showHidden: true })).toContain('***');
      expect(inspect(error, { depth: 8, showHidden: true })).not.toContain(shown);
    }
  });

  it('shows no code when the real way out finds nobody, or loses the answer', async () => {
    const http = createHttpPort({ allowPrivateAddresses: 'allowed' });
    const settings = plainToInstance(DaoConfig, config);
    const failures = [CLOSED_ADDRESS, server.baseUrl].map((baseUrl) => {
      server.failWith(losingTheAnswer);
      const account = dao.connect(settings, { http, clock: { now: () => TEST_NOW }, baseUrl });
      return account.book(oneParcel()).catch((thrown: unknown) => thrown);
    });
    const [nobody, lost] = await Promise.all(failures);
    http.close();
    expect(nobody).toBeInstanceOf(CarrierUnavailable);
    expect(lost).toBeInstanceOf(OutcomeUnknown);
    const shown = inspect([nobody, lost], { depth: 8, showHidden: true });
    expect([CODE, encodeURIComponent(CODE)].filter((secret) => shown.includes(secret))).toEqual([]);
  });

  it('waits for a label that cannot be had just now', async () => {
    const { booking } = await connect().book(oneParcel());
    server.failWith(answering(503, '', { 'retry-after': '2' }));
    await expect(connect().fetchLabels?.(booking)).rejects.toBeInstanceOf(CarrierUnavailable);
  });

  it.each<readonly [string, BookingRequest, string]>([
    ['a street is missing', oneParcel({ recipient: recipient({ address: { street: null } }) }), 'street'],
    ['a postal code is missing', oneParcel({ recipient: recipient({ address: { postalCode: null } }) }), 'postal'],
    ['a pick-up point abroad is not named', oneParcel({ recipient: german, deliverToPickUpPoint: true }), 'abroad'],
    [
      'a rule names the Danish pick-up points for abroad',
      oneParcel({ recipient: german, service: 'pickup-point' }),
      'DE',
    ],
    ['an option is not understood', oneParcel({ options: { idkrav: true } }), '"idkrav: true"'],
    ['a city abroad is missing', oneParcel({ recipient: cityless() }), 'city'],
    [
      'nobody could tell the recipient of a parcel at the shop',
      oneParcel({ deliverToPickUpPoint: true, recipient: recipient({ contact: { email: null, mobile: null } }) }),
      'telephone',
    ],
    ['a service does not exist', oneParcel({ service: 'drone' }), 'drone'],
    ['a street has no letter to print', oneParcel({ recipient: recipient({ address: { street: '😀' } }) }), 'street'],
    ['a postal code is too long', oneParcel({ recipient: recipient({ address: { postalCode: '26000' } }) }), '26000'],
    [
      'goods abroad need a customs declaration',
      oneParcel({ recipient: recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } }) }),
      'no lines to declare',
    ],
    ['goods are dangerous', oneParcel({ goods: [goods({ unNumbers: ['UN3480'] })] }), 'UN3480'],
  ])('objects beforehand when %s', (_case, request, words) => {
    expect(
      connect()
        .check?.(request)
        .map((problem) => problem.text),
    ).toEqual([expect.stringContaining(words)]);
  });
});

function cityless(): BookingRequest['recipient'] {
  return recipient({ address: { ...german.address, city: null } });
}
