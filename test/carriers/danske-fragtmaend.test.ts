import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { BookingRequest, CarrierAccount, Parcel } from '../../carriers/contract/index.js';
import { CarrierUnavailable } from '../../carriers/contract/index.js';
import { PRODUCTION } from '../../carriers/danske-fragtmaend/api.js';
import { FragtConfig } from '../../carriers/danske-fragtmaend/config.js';
import { danskeFragtmaend } from '../../carriers/danske-fragtmaend/index.js';
import { startFragtSimulator } from '../../carriers/danske-fragtmaend/simulator.js';
import { pageSizes, trackingNumbers } from '../../carriers/testing/assertions.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, asksForToken, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { textAt, valueAt } from '../../carriers/toolkit/json.js';
import { describeCarrier } from './contract-suite.js';
import { startExactCarrier } from './exact-carrier.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient } from './sample-request.js';
import { sentAgain } from './sent-again.js';
import { testHttpPort } from './test-http-port.js';

const PASSWORD = 'sandbox-df-password';
const config = (baseUrl: string) => ({
  ...{ clientId: 'sandbox', userName: 'sandbox', password: PASSWORD, agreementNumber: '999999', HubAgreement: 'XX' },
  tokenUrl: `${baseUrl}/adfs/oauth2/token`,
  trackingCodes: { SIM_TRANSIT: 'in-transit', SIM_DELIVERED: 'delivered' },
});

const sweden = recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } });
const toShop = bookingRequest({ deliverToPickUpPoint: true, pickUpPointId: '1234', parcels: [parcel()] });
const everyOption = {
  ...{ ConsignmentNoteType: 'Pickup', WhoPays: 'Collect', HubAgreement: 'AR', ProductCode: 'P1' },
  ...{ ServiceCodes: ['TEST'], Type: 'PL1', Stackable: true, LoadMeters: 0.4, notification: 'none' },
  ...{ Department: 'Outlet', PickupRemarks: 'Port 4', PickupTime: { PickupIntervalStart: '08:00' } },
  ...{ DeliveryTime: { DotType: 'DO1', DotIntervalEnd: '12:00' }, ExchangePallets: { FullPallets: 1 } },
  Insurance: { Amount: 5_000, AmountCurrency: 'DKK', Type: 'A' },
};

describeCarrier(danskeFragtmaend, {
  config,
  requiredKeys: ['clientId', 'userName', 'password', 'agreementNumber'],
  secrets: [PASSWORD],
  wrongConfig: { password: 'wrong' },
  startSimulator: startFragtSimulator,
  variants: [
    ['two parcels', bookingRequest({ notesOnDelivery: 'Ring først' })],
    ['a parcel for a shop', toShop],
    ['a pallet with every option', bookingRequest({ service: 'PalleEnhedsForsendelse', options: everyOption })],
    ['a parcel for Sweden', bookingRequest({ recipient: sweden, parcels: [parcel()] })],
    ['a parcel that nobody measured', bookingRequest({ parcels: [parcel({ lengthMm: null, weightGrams: 1 })] })],
  ],
  parcelsMatchedBy: 'position',
  received: ({ body }) => {
    const json: unknown = JSON.parse(body());
    const roles = [
      ['sender', 'Sender'],
      ['recipient', 'Receiver'],
    ] as const;
    return Object.fromEntries(
      roles.flatMap(([ours, theirs]) =>
        Object.keys(Object(valueAt(json, theirs))).map((name) => [`${ours}.${name}`, textAt(json, theirs, name)]),
      ),
    );
  },
  exchanges: recorded('danske-fragtmaend'),
});

describe('danske-fragtmaend', () => {
  let server: CarrierServer;
  let now: Date;

  beforeEach(async () => {
    now = TEST_NOW;
    server = await startCarrierServer('danske-fragtmaend', startFragtSimulator, () => now);
  });
  afterEach(() => server.close());

  const settingsOf = (changes: object) => plainToInstance(FragtConfig, { ...config(server.baseUrl), ...changes });

  function connect(changes: object = {}, baseUrl = server.baseUrl): CarrierAccount {
    return danskeFragtmaend.connect(settingsOf(changes), { http: testHttpPort, clock: { now: () => now }, baseUrl });
  }
  const sent = () => JSON.parse(server.asked().at(-1)?.body() ?? '{}') as unknown;

  it('asks for a token for the address that it calls, with the domain before the user', async () => {
    const staging = 'https://apistaging.fragt.dk';
    const carrier = startExactCarrier(
      staging,
      { status: 200, body: { access_token: 'T' } },
      { status: 200, body: { ConsignmentNotes: [] } },
    );
    const settings = settingsOf({ url: `${staging}/`, tokenUrl: `${staging}/adfs/oauth2/token` });
    await danskeFragtmaend
      .connect(settings, { http: carrier.http, clock: { now: () => now }, baseUrl: PRODUCTION })
      .probe?.();
    carrier.close();
    const [token, probe] = carrier.arrived;
    expect(Object.fromEntries(new URLSearchParams(String(token?.body)))).toEqual({
      ...{ client_id: 'sandbox', grant_type: 'password', Username: 'Fragt\\sandbox', Password: PASSWORD },
      Resource: staging,
    });
    expect(probe).toMatchObject({
      url: `${staging}/v1/Consignments/ByDate`,
      query: { suggestedMax: '1', sinceDateTime: '2030-03-04T08:00:00.000Z' },
      headers: expect.objectContaining({ authorization: 'Bearer T', 'accept-language': 'en' }),
    });
  });

  it('is not let in with a token for another address', async () => {
    await expect(
      connect({}, server.baseUrl.replace('127.0.0.1', 'localhost')).book(bookingRequest()),
    ).rejects.toMatchObject({
      name: 'CarrierRejected',
      because: 'credentials',
    });
  });

  it('books nothing and waits where there is no token', async () => {
    const away = connect({ tokenUrl: 'http://127.0.0.1:1/adfs/oauth2/token' });
    await expect(away.book(bookingRequest())).rejects.toBeInstanceOf(CarrierUnavailable);
    expect(server.simulator.bookings()).toEqual([]);
  });

  it('has a simulator that gives a token to a form with small letters', async () => {
    const form = {
      ...{ client_id: 'sandbox', grant_type: 'password', username: 'Fragt\\sandbox', password: PASSWORD },
      resource: server.baseUrl,
    };
    const body = new URLSearchParams(form);
    const answer = await fetch(`${server.baseUrl}/adfs/oauth2/token`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  });

  it('has a simulator that gives the labels of several consignments at once', async () => {
    const { booking } = await connect().book(bookingRequest());
    const second = await connect().book(bookingRequest({ reference: '10046-1', parcels: [parcel()] }));
    const both = { ...booking, carrierNumber: `${booking.carrierNumber},${second.booking.carrierNumber}` };
    expect(await pageSizes((await connect().fetchLabels?.(both)) ?? [])).toHaveLength(3);
  });

  it.each(['2030-03-04T00:00:00Z', '2030-03-04T00:00:00+01:00'])(
    'has a simulator that takes the day %s',
    async (day) => {
      await connect().book(bookingRequest());
      expect(
        (await sentAgain(server, { ConsignmentDate: day }, { authorization: 'Bearer simulated-token' })).status,
      ).toBe(201);
    },
  );

  it('sends whole kilograms, rounded up, and the day on which it goes', async () => {
    now = new Date('2030-03-06T23:30:00Z');
    await connect().book(bookingRequest());
    expect(sent()).toMatchObject({ ConsignmentDate: '2030-03-07', Goods: [{ Weight: 3 }, { Weight: 2 }] });
  });

  it('sends a postal code without the country before it', async () => {
    await connect().book(bookingRequest({ recipient: recipient({ address: { postalCode: 'DK-2600' } }) }));
    expect(sent()).toMatchObject({ Receiver: { Zipcode: '2600', Country: 'DK' } });
  });

  it('tells the worker each field that is not valid', async () => {
    const nowhere = bookingRequest({ recipient: recipient({ address: { postalCode: null, countryCode: null } }) });
    await expect(connect().book(nowhere)).rejects.toMatchObject({
      problems: [
        { code: 'Receiver.Zipcode', text: 'Receiver.Zipcode: The field is required.' },
        { code: 'Receiver.Country', text: 'Receiver.Country: The value is not valid.' },
      ],
    });
  });

  it('tells the operator of an agreement that is not the user’s', async () => {
    await expect(connect({ agreementNumber: '1' }).book(bookingRequest())).rejects.toMatchObject({
      ...{ because: 'credentials', problems: [{ text: 'No access to the agreement' }] },
    });
  });

  it('searches among the consignments since the day before the booking was planned', async () => {
    const since = async (shipDate: string) => {
      await connect().findByReference?.(bookingRequest({ shipDate }));
      return new URL(server.asked().at(-1)?.url ?? '', 'http://x').searchParams.get('sinceDateTime');
    };
    expect(await since('2030-02-20')).toBe('2030-02-19T00:00:00.000Z');
    expect(await since('2030-03-09')).toBe('2030-03-03T08:00:00.000Z');
  });

  it('does not take "not among the first 2000" for "not booked", and tells of a note without parcels that it is there', async () => {
    const answer = (ConsignmentNotes: readonly object[]) =>
      server.failWith(
        answering(200, JSON.stringify({ ConsignmentNotes }), { 'content-type': 'application/json' }),
        ({ url }) => !asksForToken(url),
      );
    answer(Array.from({ length: 2_000 }, () => ({ ConsignmentNumber: '1', SenderReference: 'another' })));
    await expect(connect().findByReference?.(bookingRequest())).rejects.toBeInstanceOf(CarrierUnavailable);
    answer([{ ConsignmentNumber: '1', SenderReference: '10045-1' }]);
    const unnumbered = { carrierNumber: '1', parcels: [], labelSource: null };
    expect(await connect().findByReference?.(bookingRequest())).toEqual(unnumbered);
    answer([{ ConsignmentNumber: '1', SenderReference: '10045-1', Deleted: true }]);
    expect(await connect().findByReference?.(bookingRequest())).toBeNull();
  });

  it.each([
    ['2030-03-04', 1, '2030-03-05'],
    ['2030-03-07', 2, '2030-03-11'],
    ['2030-03-08', 0, '2030-03-08'],
    ['2030-03-08', undefined, '2030-03-11'],
  ])('wants what goes on %s to be there %p working days later, on %s', async (shipDate, workingDays, day) => {
    const DeliveryTime = { DotIntervalStart: '08:00', DotIntervalEnd: '12:00', workingDays };
    await connect().book(bookingRequest({ shipDate, options: { DeliveryTime } }));
    expect(valueAt(sent(), 'DeliveryTime')).toEqual({
      ...{ RequestedDeliveryDate: day, DotIntervalStart: `${day}T08:00:00`, DotIntervalEnd: `${day}T12:00:00` },
    });
  });

  it.each([
    ['none', undefined],
    ['m3', 0.024],
    ['litres', 24],
  ])('sends the volume in the unit that the account names: %s', async (volume, expected) => {
    await connect({ volume }).book(bookingRequest({ parcels: [parcel({ volumeMl: 24_000 })] }));
    expect(valueAt(sent(), 'Goods', 0, 'Volume')).toBe(expected);
  });

  it.each<readonly [object, Partial<Parcel>, string]>([
    [{}, { pallet: 'full' }, 'PL1'],
    [{}, { pallet: 'half' }, 'PL2'],
    [{ smallParcels: 'K20' }, { pallet: 'quarter' }, 'PL4'],
    [{}, { weightGrams: 20_000 }, 'CLL'],
    [{ smallParcels: 'K20' }, { weightGrams: 20_000 }, 'K20'],
    [{ smallParcels: 'K20' }, { weightGrams: 20_001 }, 'CLL'],
  ])(
    'sends with the settings %j a parcel with %j as %s, unless a rule says otherwise',
    async (settings, changes, type) => {
      await connect(settings).book(bookingRequest({ parcels: [parcel(changes)] }));
      expect(valueAt(sent(), 'Goods', 0, 'Type')).toBe(type);
      await connect(settings).book(bookingRequest({ parcels: [parcel(changes)], options: { Type: 'C10' } }));
      expect(valueAt(sent(), 'Goods', 0, 'Type')).toBe('C10');
    },
  );

  it.each(['sandbox', 'Fragt\\sandbox', 'FRAGT\\sandbox'])('logs in as %s', async (userName) => {
    await connect({ userName }).book(bookingRequest());
    expect(server.simulator.bookings()).toHaveLength(1);
  });

  it('has the events of a consignment for each of its parcels, and asks for no parcel of an unknown one', async () => {
    const { booking } = await connect().book(bookingRequest());
    const [first = '', second = ''] = trackingNumbers(booking);
    server.happen({ id: '1', trackingNumber: first, status: 'in-transit', at: TEST_NOW, place: 'Odense' });
    const told = await connect().track?.([second], { [second]: booking.carrierNumber ?? '' });
    expect(told).toMatchObject([{ trackingNumber: second, status: 'in-transit', at: '2030-03-04T09:00:00+01:00' }]);
    const asked = server.seen.length;
    expect(await connect().track?.([second], {})).toEqual([]);
    expect(server.seen).toHaveLength(asked);
  });

  it('makes a return that the warehouse orders', async () => {
    const back = bookingRequest({ sender: recipient({}), parcels: [parcel()], reference: 'R10045-1' });
    await connect().returnLabel?.(back);
    expect(sent()).toMatchObject({ ConsignmentNoteType: 'Return', Sender: { Name: 'Test Modtager' } });
    expect(valueAt(sent(), 'Receiver')).toMatchObject(Object(valueAt(sent(), 'Initiator')));
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['nothing to two parcels', {}, []],
    ['a shop without its id', { deliverToPickUpPoint: true }, ['pick-up-point-missing']],
    ['a service that does not exist', { service: 'Erhvervsbilpakker' }, ['unknown-service']],
    ['a type of goods that does not exist', { options: { Type: 'PL3' } }, ['option-value']],
    [
      'an e-mail address that is none',
      { recipient: recipient({ contact: { email: 'none' } }) },
      ['notification-email'],
    ],
    ['a street that is missing', { recipient: recipient({ address: { street: ' ' } }) }, ['recipient-street-missing']],
    [
      'goods for customs',
      { recipient: recipient({ address: { postalCode: '0150', countryCode: 'NO' } }) },
      ['customs-no-lines'],
    ],
    ['dangerous goods', { goods: [goods({ unNumbers: ['UN3480'] })] }, ['dangerous-goods']],
  ])('objects beforehand to %s', (_case, changes, codes) => {
    expect(
      connect()
        .check?.(bookingRequest(changes))
        .map(({ code }) => code),
    ).toEqual(codes);
  });

  it('needs a hub agreement, of the account or of the rule', () => {
    const without = connect({ HubAgreement: undefined });
    expect(without.check?.(bookingRequest())).toMatchObject([
      { code: 'option-value', values: { option: 'HubAgreement' } },
    ]);
    expect(without.check?.(bookingRequest({ options: { HubAgreement: 'AR' } }))).toEqual([]);
  });

  it('takes the settings of the vendor’s app as they stand, and its instructions as rules', () => {
    const { instructions, ...app } = {
      ...{ url: 'https://api.fragt.dk', clientId: 'c', userName: 'u', password: 'p', agreementNumber: '999999' },
      instructions: [
        {
          shipmentPattern: { deliveryAddress: { countryCode: ['DK'] } },
          ...{
            ShippingType: 'Bilpakke',
            ConsignmentNoteType: 'Pickup',
            WhoPays: 'Prepaid',
            HubAgreement: 'AR',
            ProductCode: 'P',
          },
        },
      ],
    };
    expect(validateSync(plainToInstance(FragtConfig, app))).toEqual([]);
    const [product] = instructions.map((each) => danskeFragtmaend.settingsInIms?.instruction?.(each));
    expect(product).toEqual({
      service: 'Bilpakke',
      options: { ConsignmentNoteType: 'Pickup', WhoPays: 'Prepaid', HubAgreement: 'AR', ProductCode: 'P' },
    });
    expect(product && danskeFragtmaend.checkRule?.(product)).toEqual([]);
  });

  it.each([
    [{ HubAgrement: 'AR' }, 'perhaps HubAgreement'],
    [{ WhoPays: 'prepaid' }, 'Prepaid, Collect'],
    [{ ExchangePallets: { FulPallets: 1 } }, 'perhaps ExchangePallets.FullPallets'],
    [{ PickupTime: { PickupIntervalStart: '8' } }, 'a time, e.g. "08:00"'],
    [{ DeliveryTime: { workingDays: 31 } }, 'up to 30'],
    [{ Insurance: { Amount: '5000' } }, 'a number'],
  ])('names what is perhaps meant by %j', (options, meant) => {
    expect(danskeFragtmaend.checkRule?.({ service: null, options })).toMatchObject([
      { text: expect.stringContaining(meant) },
    ]);
  });
});
