import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { SECRET_HEADER, SHIPMENTS, parseBringCallback } from '../../carriers/bring/tracking.js';
import { checkForBring } from '../../carriers/bring/check.js';
import { BringConfig } from '../../carriers/bring/config.js';
import { bring } from '../../carriers/bring/index.js';
import { textChangesAtBring, toBringBooking } from '../../carriers/bring/booking.js';
import { startBringSimulator, violationsIn } from '../../carriers/bring/simulator.js';
import type { BookingRequest, CarrierAccount, Problem } from '../../carriers/contract/index.js';
import { readTracking } from '../../carriers/toolkit/answers/shipments.js';
import { listAt, textAt, valueAt } from '../../carriers/toolkit/json.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { answering, startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { describeCallbacks } from './callback-suite.js';
import { describeCarrier } from './contract-suite.js';
import { recorded } from './exchanges.js';
import { TEST_NOW, bookingRequest, goods, parcel, recipient, sampleSender } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';
import { describeTracking } from './track-suite.js';

const account = {
  apiKey: '0a1b2c3d-0000-4000-8000-00000000beef',
  apiUid: 'booking@example.com',
  customerNumber: '6',
  testIndicator: true,
};

const pickUp = { deliverToPickUpPoint: true, pickUpPointId: '700001' };
const nobody = recipient({ contact: { email: null, mobile: null } });
const lightParcels = Array.from({ length: 50 }, (_none, index) => parcel({ id: `${600 + index}`, weightGrams: 500 }));

describeCarrier(bring, {
  config: { ...account, returnService: 'PICKUP_PARCEL_RETURN' },
  requiredKeys: ['apiKey', 'apiUid', 'customerNumber'],
  secrets: [account.apiKey, account.apiUid],
  wrongConfig: { apiKey: 'wrong' },
  startSimulator: startBringSimulator,
  variants: [
    ['two business parcels', bookingRequest()],
    ['a parcel for a pick-up point', bookingRequest(pickUp)],
    ['a parcel for a private home', bookingRequest({ privateDelivery: true, parcels: [parcel()] })],
    ['a parcel that may be put down', bookingRequest({ unattendedDelivery: true, notesOnDelivery: 'In the shed' })],
    ['a recipient who left no contact', bookingRequest({ recipient: nobody })],
    ['parcels without measures', bookingRequest({ parcels: [parcel({ lengthMm: null, volumeMl: 12_500 })] })],
    ['as many parcels as fit', bookingRequest({ parcels: lightParcels })],
  ],
  refused: bookingRequest({ recipient: recipient({ address: { postalCode: '0000' } }) }),
  parcelsMatchedBy: 'id',
  received: ({ body }) => {
    const parties = valueAt(JSON.parse(body()), 'consignments', 0, 'parties');
    const fields = ['name', 'addressLine', 'addressLine2', 'city'];
    return Object.fromEntries(
      ['sender', 'recipient'].flatMap((role) => [
        ...fields.map((field) => [`${role}.${field}`, textAt(parties, role, field)]),
        [`${role}.contactName`, textAt(parties, role, 'contact', 'name')],
      ]),
    );
  },
  exchanges: recorded('bring'),
});

describeTracking(bring, {
  config: () => account,
  startSimulator: startBringSimulator,
  request: bookingRequest(),
  otherwise: { 'lost-or-damaged': 'delivery-failed', cancelled: 'delivery-failed' },
  zone: 'stated',
});

describeCallbacks('bring', parseBringCallback, {
  secrets: { current: 'bring-callbacks-0001', previous: 'bring-callbacks-0000', foreign: 'bring-callbacks-0009' },
  call: (event, proof) =>
    startBringSimulator({ publicUrl: '', now: () => TEST_NOW }).callback?.(event, proof) ?? { headers: {}, body: '' },
  prove: (_body, { secret }) => ({ [SECRET_HEADER]: secret }),
  needed: [SECRET_HEADER],
  // The same as for the event that is asked for, which has no id.
  id: 'DELIVERED 2030-03-04T07:58:48.000Z',
  signed: 'no',
});

const config = plainToInstance(BringConfig, account);

const found = (request: BookingRequest) => checkForBring(request, config);
const lossesOf = (request: BookingRequest) => textChangesAtBring(request, config);

const from = (countryCode: string, postalCode = '2000') => {
  return { ...sampleSender, address: { ...sampleSender.address, countryCode, postalCode } };
};
const finnish = {
  sender: from('FI', '00100'),
  recipient: recipient({ address: { countryCode: 'FI', postalCode: '00100' } }),
};
const norwegian = {
  sender: from('NO'),
  recipient: recipient({ address: { countryCode: 'NO' } }),
};

function consignment(changes: Partial<BookingRequest>, now: Date = TEST_NOW) {
  return toBringBooking(bookingRequest(changes), { config, now }).consignments[0];
}

describe('the simulator of bring', () => {
  const named = (...ids: readonly string[]) => ({ additionalServices: ids.map((id) => ({ id })) });
  const volume = { heightMm: null, volumeMl: 9_000 };
  const unmeasured = [parcel({ heightMm: null })];

  const confirmed = recorded('bring').filter(({ call, sent, outcome }) => {
    return call === 'book' && sent.method === 'POST' && outcome.kind === 'returns';
  });

  it.each(confirmed.map(({ story, sent }) => [story, sent.body] as const))(
    'takes what is sent to %s',
    (_story, body) => {
      expect(violationsIn(body, TEST_NOW)).toEqual([]);
    },
  );

  const codesIn = (sent: object) => {
    const body: unknown = JSON.parse(JSON.stringify({ schemaVersion: 1, testIndicator: true, consignments: [sent] }));
    return violationsIn(body, TEST_NOW).map(({ code }) => code);
  };

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['a pick-up parcel inside Finland', { ...finnish, service: '0340' }, ['BOOK-INPUT-025']],
    ['a home delivery inside Finland', { ...finnish, service: 'HOME_DELIVERY_PARCEL' }, ['BOOK-INPUT-025']],
    ['a business parcel inside Finland', { ...finnish, service: 'BUSINESS_PARCEL' }, []],
    ['a business parcel inside Norway', { ...norwegian, service: 'BUSINESS_PARCEL' }, ['BOOK-INPUT-025']],
    ['a Norwegian service from Denmark', { service: '5600' }, ['BOOK-INPUT-025']],
    ['two mailbox parcels', { ...norwegian, service: '3584' }, ['BOOK-INPUT-032']],
    ['one mailbox parcel', { ...norwegian, service: '3584', parcels: [parcel()] }, []],
    ['a letter packet out of Norway', { sender: from('NO'), service: '3639', goods: [goods()] }, []],
    ['a point and nobody to tell', { ...pickUp, recipient: nobody }, ['BOOK_VALIDATION-011']],
    [
      'a point and an e-mail address',
      { ...pickUp, recipient: recipient({ contact: { mobile: null } }), options: { notification: 'none' } },
      [],
    ],
    ['cargo without measures', { ...norwegian, service: '5100', parcels: unmeasured }, ['BOOK-INPUT-013']],
    ['a heavy home delivery without measures', { service: '2870', parcels: unmeasured }, ['BOOK-INPUT-013']],
    ['a heavy home delivery by its volume', { service: 'CURBSIDE', parcels: [parcel(volume)] }, []],
    ['a business parcel without measures', { parcels: unmeasured }, []],
    ['a parcel to be put down', { options: named('0041') }, []],
    ['a parcel to be put down beside an ID check', { options: named('0041', '1133') }, ['BOOK-INPUT-001']],
    ['the former name beside a signature', { options: named('FLEX_DELIVERY', '1280') }, ['BOOK-INPUT-001']],
    ['a pick-up parcel to be put down', { service: '0342', options: named('0041') }, ['BOOK-INPUT-001']],
    ['a signature', { options: named('1280') }, []],
    [
      'a notice to what is no address',
      { options: { additionalServices: [{ id: 'EVARSLING', email: '-', mobile: '1' }] } },
      ['BOOK_VALIDATION-002'],
    ],
    ['cargo with incoterms', { service: '3050', incoterms: 'DAP' }, []],
    ['cargo with other incoterms', { service: '3050', incoterms: 'FOB' }, ['BOOK-INPUT-065']],
    [
      'a home delivery to a recipient whose contact is a dash',
      { privateDelivery: true, recipient: recipient({ contact: { email: '-', mobile: null } }) },
      [],
    ],
  ])('judges %s', (_case, changes, codes) => {
    expect(codesIn(consignment(changes))).toEqual(codes);
  });

  const sent = consignment({ parcels: [parcel()] });
  const ofRecipient = (more: object) => ({
    parties: { ...sent.parties, recipient: { ...sent.parties.recipient, ...more } },
  });

  it.each<readonly [string, number, (text: string) => object]>([
    ['an e-mail address', 60, (email) => ofRecipient({ contact: { email } })],
    ['information beside the address', 70, (additionalAddressInfo) => ofRecipient({ additionalAddressInfo })],
    ['a description', 35, (goodsDescription) => ({ packages: [{ ...sent.packages[0], goodsDescription }] })],
  ])('takes %s of at most %i characters', (_case, longest, withText) => {
    const codesOf = (length: number) => codesIn({ ...sent, ...withText('x'.repeat(length)) });
    expect([codesOf(longest), codesOf(longest + 1)]).toEqual([[], ['BOOK-INPUT-001']]);
  });

  it.each<readonly [string, Partial<BookingRequest>, readonly string[]]>([
    ['cargo', { ...norwegian, service: '5100' }, []],
    ['a heavy home delivery', { service: '2870' }, ['BOOK-INPUT-013']],
  ])('reads the load metres of %s, or not', (_case, changes, codes) => {
    const packages = [{ weightInKg: 20, loadMeters: 0.4 }];
    expect(codesIn({ ...consignment(changes), packages })).toEqual(codes);
  });
});

describe('bring settings', () => {
  it.each([
    ['nothing', undefined, false],
    ['true', true, true],
    ['false', false, false],
    ['the text "true"', 'true', true],
    ['the text "false"', 'false', false],
  ])('reads %s as the test indicator', (_case, testIndicator, expected) => {
    const { apiKey, apiUid, customerNumber } = account;
    const given = testIndicator === undefined ? {} : { testIndicator };
    const read = plainToInstance(BringConfig, { apiKey, apiUid, customerNumber, ...given });
    expect(validateSync(read)).toEqual([]);
    expect(read.testIndicator).toBe(expected);
  });

  it.each([
    ['a test indicator that is neither', { testIndicator: 'yes' }, 'testIndicator'],
    ['a client address that is none', { clientUrl: 'our shop' }, 'clientUrl'],
    ['an empty key', { apiKey: '' }, 'apiKey'],
    ['a form of declarations that is none', { customsForm: 'cn23' }, 'customsForm'],
    ['a sender that is neither', { sender: 'nobody' }, 'sender'],
    ['a notification that is neither', { notification: 'perhaps' }, 'notification'],
  ])('refuses %s', (_case, change, property) => {
    const problems = validateSync(plainToInstance(BringConfig, { ...account, ...change }));
    expect(problems.map((problem) => problem.property)).toEqual([property]);
  });

  it('takes a customer number without quotes', () => {
    const read = plainToInstance(BringConfig, { ...account, customerNumber: 6 });
    expect([validateSync(read), read.customerNumber]).toEqual([[], '6']);
  });
});

describe('bring services', () => {
  it.each<readonly [string, Partial<BookingRequest>, string]>([
    ['the service it is given', { service: 'HOME_DELIVERY_PARCEL', ...pickUp }, 'HOME_DELIVERY_PARCEL'],
    ['a pick-up parcel for a pick-up point', pickUp, 'PICKUP_PARCEL'],
    ['a home delivery for a private recipient', { privateDelivery: true }, 'HOME_DELIVERY_PARCEL'],
    ['a business parcel for a company', { privateDelivery: false }, 'BUSINESS_PARCEL'],
    ['a business parcel when nobody said', {}, 'BUSINESS_PARCEL'],
    ['the Norwegian pick-up service inside Norway', { ...norwegian, ...pickUp }, '5800'],
    ['the Norwegian home service inside Norway', { ...norwegian, privateDelivery: true }, '5600'],
    ['the Norwegian business service inside Norway', norwegian, '5000'],
    [
      'a home delivery into Finland',
      { ...finnish, sender: sampleSender, privateDelivery: true },
      'HOME_DELIVERY_PARCEL',
    ],
    ['a business parcel to a home inside Finland', { ...finnish, privateDelivery: true }, 'BUSINESS_PARCEL'],
  ])('books %s', (_case, changes, id) => {
    expect(consignment(changes).product.id).toBe(id);
  });

  const told = { email: 'recipient@example.com', mobile: '+4518234567' };

  it.each<readonly [string, Partial<BookingRequest>, readonly unknown[]]>([
    ['tells a private recipient', { privateDelivery: true }, [{ id: 'EVARSLING', ...told }]],
    [
      'tells by e-mail where there is no mobile number',
      { ...pickUp, recipient: recipient({ contact: { mobile: null } }) },
      [{ id: 'EVARSLING', email: told.email }],
    ],
    ['does not tell a company', {}, []],
    [
      'tells a company when the rule says so',
      { options: { additionalServices: [{ id: 'EVARSLING' }] } },
      [{ id: 'EVARSLING', ...told }],
    ],
    [
      'lets the rule name the address',
      { options: { additionalServices: [{ id: 'EVARSLING', email: 'other@example.com' }] } },
      [{ id: 'EVARSLING', email: 'other@example.com', mobile: told.mobile }],
    ],
    [
      'may put a parcel down, with the note where',
      { unattendedDelivery: true, notesOnDelivery: 'In the shed' },
      [{ id: '0041', message: 'In the shed' }],
    ],
    ['does not put a pick-up parcel down', { ...pickUp, unattendedDelivery: true }, [{ id: 'EVARSLING', ...told }]],
    [
      'does not put down what has to be signed for',
      { unattendedDelivery: true, options: { additionalServices: [{ id: '1280' }] } },
      [{ id: '1280' }],
    ],
    ['tells nobody when the rule says so', { ...pickUp, options: { notification: 'none' } }, []],
    [
      'tells nobody but whom the rule names',
      { ...pickUp, options: { notification: 'none', additionalServices: [{ id: '2084' }] } },
      [{ id: 'EVARSLING', ...told }],
    ],
    [
      'takes the former name of unattended delivery, with the note where',
      {
        unattendedDelivery: true,
        notesOnDelivery: 'In the shed',
        options: { additionalServices: [{ id: 'FLEX_DELIVERY' }] },
      },
      [{ id: '0041', message: 'In the shed' }],
    ],
    [
      'passes on everything that a rule says about a service',
      { options: { additionalServices: [{ id: '0003', limitedQuantitiesGrossWeight: 500 }] } },
      [{ id: '0003', limitedQuantitiesGrossWeight: 500 }],
    ],
  ])('%s', (_case, changes, services) => {
    expect(consignment(changes).product.additionalServices).toEqual(services);
  });

  it('tells nobody by itself where the account says so, unless the rule does', () => {
    const quiet = plainToInstance(BringConfig, { ...account, notification: 'none' });
    const services = (options: BookingRequest['options']) =>
      toBringBooking(bookingRequest({ ...pickUp, options }), { config: quiet, now: TEST_NOW }).consignments[0].product
        .additionalServices;
    expect([services({}), services({ notification: 'automatic' })]).toEqual([[], [{ id: 'EVARSLING', ...told }]]);
  });

  it('sends the other members of the product that a rule names, but for the number of the customer', () => {
    const product = { messageForRecipient: 'Hello', whoPaysInvoice: 'recipient', customerNumber: '7' };
    expect(consignment({ options: { product } }).product).toMatchObject({
      messageForRecipient: 'Hello',
      whoPaysInvoice: 'recipient',
      customerNumber: '6',
    });
  });

  it.each([
    ['BUSINESS_PARCEL', undefined],
    ['5000', 'Ring twice'],
    ['4850', 'Ring twice'],
    ['CARGO_INTERNATIONAL', 'Ring twice'],
  ])('writes the notes beside the address where Bring prints them: %s', (service, expected) => {
    const { recipient: at, sender } = consignment({ service, notesOnDelivery: 'Ring twice' }).parties;
    expect([at.additionalAddressInfo, 'additionalAddressInfo' in sender]).toEqual([expected, false]);
  });

  it('sends the pick-up point with its country, and only with a service that has one', () => {
    expect(consignment(pickUp).parties.pickupPoint).toEqual({ id: '700001', countryCode: 'DK' });
    expect(consignment({ service: 'BUSINESS_PARCEL', pickUpPointId: '700001' }).parties.pickupPoint).toBeUndefined();
  });
});

describe('bring customs', () => {
  const customsNumbers = { voec: '2012345', vat: 'NO999999999MVA' };
  const declared = (changes: Partial<BookingRequest>, customsForm = 'customsInformation') => {
    const declaring = plainToInstance(BringConfig, { ...account, customsForm });
    const request = bookingRequest({ goods: [goods()], customsNumbers, ...changes });
    return toBringBooking(request, { config: declaring, now: TEST_NOW }).consignments[0];
  };
  const fromNorway = { sender: norwegian.sender, service: 'PICKUP_PARCEL' };
  const intoNorway = { recipient: norwegian.recipient, service: 'PICKUP_PARCEL' };
  const isDeclared = (changes: Partial<BookingRequest>) => 'customsInformation' in declared(changes);

  it('go out of Norway with importer and exporter, and without the VOEC number', () => {
    const { parties, ...sent } = declared({ ...fromNorway, options: { natureOfCargo: 'GIFT' } });
    expect(sent).toMatchObject({ customsInformation: { consent: true, natureOfCargo: { type: 'GIFT' } } });
    expect(JSON.stringify(sent)).not.toContain('2012345');
    expect(parties).toMatchObject({ importer: { countryCode: 'DK' }, exporter: { vatNumber: 'NO999999999MVA' } });
    expect(JSON.stringify(parties)).not.toMatch(/"(importer|exporter)":\{[^}]*"reference"/);
  });

  it('are in the product, where the account says so', () => {
    const { customsInformation } = declared(fromNorway) as { customsInformation?: object };
    const within = declared(fromNorway, 'product.customsInformation');
    expect(within.product).toMatchObject({ id: 'PICKUP_PARCEL', customsInformation });
    expect('customsInformation' in within).toBe(false);
    expect(within.parties).toEqual(declared(fromNorway).parties);
  });

  it('have the older form in the product, where the account says so', () => {
    const old = declared(fromNorway, 'ediCustomsDeclarations');
    expect('customsInformation' in old || 'importer' in old.parties).toBe(false);
    expect(old.product).toMatchObject({
      ediCustomsDeclarations: {
        natureOfTransaction: 'SALE_OF_GOODS',
        ediCustomsDeclaration: [
          {
            ...{ quantity: 2, goodsDescription: 'Cotton shirts', customsArticleNumber: '610910' },
            ...{ itemNetWeightInKg: 0.4, tarriffLineAmount: 259, currency: 'DKK', countryOfOrigin: 'PT' },
          },
        ],
      },
    });
  });

  it.each([
    ['by the day', {}, '2030-03-04'],
    ['by the rule', { consolidatedShipmentId: 'TRUCK-7', natureOfCargo: 'GIFT' }, 'TRUCK-7'],
  ])('go into Norway with the VOEC number, as goods that are sold, grouped %s', (_case, options, group) => {
    expect(declared({ ...intoNorway, options })).toMatchObject({
      customsInformation: {
        ...{ voec: '2012345', consolidatedShipmentId: group },
        natureOfCargo: { type: 'SALE_OF_GOODS' },
      },
    });
  });

  it.each<readonly [string, Partial<BookingRequest>, boolean]>([
    ['a mailbox parcel for a seller abroad', { ...norwegian, service: '3584' }, true],
    ['a parcel of the bulk service', { ...intoNorway, service: '0342' }, true],
    ['a business parcel into Norway', { ...intoNorway, service: '0330' }, false],
    ['a parcel of a seller without VOEC number', { ...intoNorway, customsNumbers: {} }, false],
    ['a parcel with papers', { ...intoNorway, options: { customs: 'papers' } }, false],
    ['an export with papers', { ...fromNorway, options: { customs: 'papers' } }, true],
    ['a home delivery out of Norway', { ...fromNorway, service: '0349' }, false],
    ['a parcel inside Norway', norwegian, false],
    ['a parcel inside the EU', {}, false],
  ])('are known of %s, or not', (_case, changes, expected) => {
    expect(isDeclared(changes)).toBe(expected);
  });

  it('have no group with the service that has none', () => {
    const { customsInformation } = declared({ ...intoNorway, service: '0360' }) as { customsInformation?: object };
    expect(JSON.parse(JSON.stringify(customsInformation))).not.toHaveProperty('consolidatedShipmentId');
  });

  const codesOf = (body: unknown) => violationsIn(JSON.parse(JSON.stringify(body)), TEST_NOW).map(({ code }) => code);
  const bodyOf = (change: (consignment: Record<string, object>) => object, form = 'customsInformation') => {
    const consignment = declared(fromNorway, form) as unknown as Record<string, object>;
    return { schemaVersion: 1, testIndicator: true, consignments: [{ ...consignment, ...change(consignment) }] };
  };

  it.each(['customsInformation', 'product.customsInformation', 'ediCustomsDeclarations'])(
    'are taken by the simulator in the form %s, and asked for',
    (form) => {
      expect(codesOf(bodyOf(() => ({}), form))).toEqual([]);
      const none = { customsInformation: undefined, product: { id: 'PICKUP_PARCEL', customerNumber: '6' } };
      expect(codesOf(bodyOf(() => none, form))).toEqual(['BOOK_VALIDATION-014']);
    },
  );

  describe.each<readonly [string, (place: Record<string, object>, information: object) => object]>([
    ['beside the product', (_consignment, customsInformation) => ({ customsInformation })],
    [
      'in the product',
      ({ product }, customsInformation) => ({
        customsInformation: undefined,
        product: { ...product, customsInformation },
      }),
    ],
  ])('%s', (_place, put) => {
    const withInformation = (more: object) =>
      bodyOf((consignment) => put(consignment, { ...consignment.customsInformation, ...more }));
    const withLine = (more: object) => {
      const [line] = listAt(bodyOf(() => ({})).consignments[0], 'customsInformation', 'customsDeclarations');
      return withInformation({ customsDeclarations: [{ ...Object(line), ...more }] });
    };
    const withoutImporter = bodyOf(({ parties, ...rest }) => ({
      ...put(rest, rest.customsInformation ?? {}),
      parties: { ...parties, importer: undefined },
    }));

    it.each<readonly [string, unknown, readonly string[]]>([
      ['all that is needed', withInformation({}), []],
      ['no lines', withInformation({ customsDeclarations: [] }), ['BOOK_VALIDATION-012']],
      ['a line without description', withLine({ goodsDescription: '' }), ['BOOK_VALIDATION-012']],
      ['a line without weight', withLine({ grossWeight: 0 }), ['BOOK_VALIDATION-012']],
      ['a line without value', withLine({ amount: null }), ['BOOK_VALIDATION-012']],
      ['a line whose value rounds to nothing', withLine({ amount: 0 }), []],
      ['a long tariff number', withLine({ customsArticleNumber: '610910009012' }), []],
      ['a nature that is none', withInformation({ natureOfCargo: 'GIFT' }), ['BOOK_VALIDATION-013']],
      ['more weight than the service takes', withLine({ grossWeight: 41 }), ['BOOK_VALIDATION-015']],
      ['no consent', withInformation({ consent: false }), ['BOOK-INPUT-001']],
      ['a tariff number with dots', withLine({ customsArticleNumber: '6109.10' }), ['BOOK-INPUT-001']],
      ['a VOEC number without a group', withInformation({ voec: '2012345' }), ['BOOK-INPUT-001']],
      [
        'a VOEC number of a gift',
        withInformation({ voec: '2012345', consolidatedShipmentId: '1', natureOfCargo: { type: 'GIFT' } }),
        ['BOOK-INPUT-001'],
      ],
      ['no importer', withoutImporter, ['BOOK-INPUT-001']],
    ])('are judged by the simulator: %s', (_case, body, codes) => {
      expect(codesOf(body)).toEqual(codes);
    });
  });
});

describe('bring addresses', () => {
  it.each([
    ['a short street', { street: 'Prøvevej 1' }, ['Prøvevej 1', undefined]],
    [
      'a street that goes on in the second line with its number',
      { street: 'Kommandørkaptajn Eksempelsens Allé 112', floorBlockOrSuite: '3. tv.' },
      ['Kommandørkaptajn Eksempelsens Allé', '112, 3. tv.'],
    ],
    ['care of somebody', { careOf: 'Jensen' }, ['Eksempelgade 22', 'c/o Jensen']],
    ['care of somebody who says so', { careOf: 'C/O Jensen' }, ['Eksempelgade 22', 'C/O Jensen']],
  ])('writes %s', (_case, address, lines) => {
    const { addressLine, addressLine2 } = consignment({ recipient: recipient({ address }) }).parties.recipient;
    expect([addressLine, addressLine2]).toEqual(lines);
  });

  it('cuts a name at a word', () => {
    const address = { name: 'The Society for Improbable Parcels of Greater Glostrup' };
    const { parties } = consignment({ recipient: recipient({ address }) });
    expect(parties.recipient.name).toBe('The Society for Improbable Parcels');
  });
});

describe('bring textChanges', () => {
  it('are told for every text that does not go as it is', () => {
    const at = recipient({
      address: {
        name: 'Łucja Nowak',
        street: 'Kommandørkaptajn Eksempelsens Allé 112',
        floorBlockOrSuite: '3. tv.',
        careOf: 'Foreningen',
        district: 'Glostrup Nord',
      },
    });
    expect(lossesOf(bookingRequest({ recipient: at, notesOnDelivery: 'Ring twice' }))).toEqual([
      {
        field: 'recipient.name',
        given: 'Łucja Nowak',
        sent: 'Lucja Nowak',
        kind: 'transliterated',
        meaningLost: false,
      },
      {
        field: 'recipient.addressLine2',
        given: '112, 3. tv., c/o Foreningen, Glostrup Nord',
        sent: '112, 3. tv., c/o Foreningen',
        kind: 'cut',
        meaningLost: true,
      },
      { field: 'shipment.notesOnDelivery', given: 'Ring twice', sent: '', kind: 'dropped', meaningLost: true },
    ]);
  });

  it('keep the house number and the floor of a street of 58 characters', () => {
    const street = 'Internationaliseringsvej ved den gamle nordlige Havn 112 B';
    const at = recipient({ address: { street, floorBlockOrSuite: '3. tv.' } });
    const { addressLine, addressLine2 } = consignment({ recipient: at }).parties.recipient;
    expect([addressLine, addressLine2]).toEqual([
      'Internationaliseringsvej ved den',
      'gamle nordlige Havn 112 B, 3. tv.',
    ]);
    const long = recipient({
      address: { street: street.replace(' ved', ' langs vandet ved'), floorBlockOrSuite: '3. tv.' },
    });
    expect(consignment({ recipient: long }).parties.recipient.addressLine2).toBe('vandet ved den gamle 112 B, 3. tv.');
  });

  it('tell what is cut of a message to the driver, and a number that is none', () => {
    const request = bookingRequest({
      ...{ unattendedDelivery: true, notesOnDelivery: 'In the shed → '.repeat(50) },
      recipient: recipient({ contact: { mobile: 'see note' } }),
    });
    const [service] = consignment(request).product.additionalServices.filter(({ id }) => id === '0041');
    expect(service?.message).toMatch(/^[\x20-\x7e]{1,400}$/);
    expect(lossesOf(request)).toMatchObject([
      { field: 'recipient.phoneNumber', given: 'see note', sent: '', kind: 'dropped', meaningLost: true },
      { field: 'shipment.notesOnDelivery', sent: service?.message, kind: 'cut', meaningLost: true },
    ]);
  });

  it('are the notes where the rule names another message', () => {
    const options = { additionalServices: [{ id: '0041', message: 'By the door' }] };
    expect(lossesOf(bookingRequest({ options, notesOnDelivery: 'In the shed' }))).toMatchObject([
      { field: 'shipment.notesOnDelivery', kind: 'dropped' },
    ]);
  });

  it('are what is cut of goods, where they are declared', () => {
    const lines = [goods({ description: 'Wool jackets for rainy days at the coast' })];
    expect(lossesOf(bookingRequest({ sender: norwegian.sender, goods: lines }))).toMatchObject([
      { field: 'shipment.goodsDescription', sent: 'Wool jackets for rainy days at the', kind: 'cut' },
    ]);
    expect(lossesOf(bookingRequest({ goods: lines }))).toEqual([]);
  });

  it('are what does not fit beside the address', () => {
    const note = 'Ring twice at the gate behind the bakery, and if nobody answers call the office';
    expect(lossesOf(bookingRequest({ ...norwegian, service: '5000', notesOnDelivery: note }))).toMatchObject([
      {
        field: 'shipment.notesOnDelivery',
        sent: 'Ring twice at the gate behind the bakery, and if nobody answers call',
        kind: 'cut',
      },
    ]);
  });

  it('are none when nothing is lost', () => {
    expect(lossesOf(bookingRequest({ service: '5000', notesOnDelivery: 'Ring twice' }))).toEqual([]);
    const left = { unattendedDelivery: true, notesOnDelivery: 'In the shed' };
    expect(lossesOf(bookingRequest(left))).toEqual([]);
  });
});

describe('bring instructions in the IMS', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, unknown]>([
    [
      'a product with additional services',
      { product: { id: 'PICKUP_PARCEL', additionalServices: [{ id: '1280' }] }, shipmentPattern: {} },
      { service: 'PICKUP_PARCEL', options: { notification: 'none', additionalServices: [{ id: '1280' }] } },
    ],
    [
      'a product alone, whose recipient nobody is to tell',
      { product: { id: 5800 } },
      { service: '5800', options: { notification: 'none' } },
    ],
    [
      'other members of the product, and the names of what else it says',
      { product: { id: '5800', messageForRecipient: 'Hello' }, name: 'Norway', shipmentPattern: {} },
      {
        service: '5800',
        options: { notification: 'none', product: { messageForRecipient: 'Hello' }, unread: ['name'] },
      },
    ],
    ['no product', { shipmentPattern: {} }, null],
    ['a product that is none', { product: 'PICKUP_PARCEL' }, null],
  ])('read %s', (_case, instruction, expected) => {
    expect(bring.settingsInIms?.key).toBe('BringTransport');
    expect(bring.settingsInIms?.instruction?.(instruction)).toEqual(expected);
  });
});

describe('bring shipping time', () => {
  it.each([
    ['a day to come', { shipDate: '2030-03-06', now: '2030-03-04T08:00:00Z' }, '2030-03-06T08:00:00'],
    ['today', { shipDate: '2030-03-04', now: '2030-03-04T08:00:00Z' }, '2030-03-04T09:01:00'],
    ['early today', { shipDate: '2030-03-04', now: '2030-03-04T05:00:00Z' }, '2030-03-04T08:00:00'],
    ['a day gone by', { shipDate: '2030-03-01', now: '2030-03-04T08:00:00Z' }, '2030-03-04T09:01:00'],
    ['today in summer', { shipDate: '2030-07-01', now: '2030-07-01T08:00:00Z' }, '2030-07-01T10:01:00'],
    ['yesterday, after midnight there', { shipDate: '2030-03-03', now: '2030-03-03T23:30:00Z' }, '2030-03-04T00:31:00'],
  ])('is never in the past for %s', (_case, { shipDate, now }, expected) => {
    expect(consignment({ shipDate }, new Date(now)).shippingDateTime).toBe(expected);
  });
});

describe('bring, beforehand', () => {
  const sender = (phone: string | null) => ({ ...sampleSender, contact: { ...sampleSender.contact, phone } });

  it.each<readonly [string, Partial<BookingRequest>, Partial<Problem>]>([
    [
      'no way to tell the recipient of a pick-up',
      { ...pickUp, recipient: nobody },
      { code: 'recipient-contact', parcelId: null },
    ],
    [
      'no postal code',
      { recipient: recipient({ address: { postalCode: ' ' } }) },
      { code: 'recipient-postal-code-missing', parcelId: null },
    ],
    [
      'no street',
      { recipient: recipient({ address: { street: null } }) },
      { code: 'recipient-street-missing', parcelId: null },
    ],
    ['no telephone of the sender', { sender: sender(null) }, { code: 'sender-phone', parcelId: null }],
    [
      'a pick-up parcel over 20 kg',
      { ...pickUp, parcels: [parcel({ weightGrams: 20_001 })] },
      { code: 'too-heavy', parcelId: '501' },
    ],
    ['two mailbox parcels', { ...norwegian, service: '3584' }, { code: 'single-parcel', parcelId: null }],
    ['a label for RFID printers', { service: '3570', parcels: [parcel()] }, { code: 'label-format', parcelId: null }],
    ['cargo without incoterms', { service: 'CARGO_INTERNATIONAL' }, { code: 'incoterms', parcelId: null }],
    [
      'an e-mail address that is too long',
      { recipient: recipient({ contact: { email: `${'x'.repeat(50)}@example.com` } }) },
      { code: 'recipient-email-too-long', parcelId: null },
    ],
    [
      'a rule with a service without id',
      { options: { additionalServices: ['0041'] } },
      { code: 'options', parcelId: null },
    ],
    [
      'an unmeasured parcel from Finland',
      {
        sender: { ...sampleSender, address: { ...sampleSender.address, postalCode: '00100', countryCode: 'FI' } },
        parcels: [parcel({ heightMm: null })],
      },
      { code: 'measures', parcelId: '501' },
    ],
    [
      'a postal code of another country',
      { recipient: recipient({ address: { countryCode: 'SE' } }) },
      {
        code: 'postal-code-format',
        text: '"2600" is no postal code of SE: correct the postal code or the country of the recipient if it is wrong.',
        severity: 'warns',
      },
    ],
    [
      'an e-mail address and a number that are none',
      { ...pickUp, recipient: recipient({ contact: { email: 'n/a', mobile: '-' } }) },
      { code: 'recipient-contact', parcelId: null },
    ],
    [
      'a home delivery beyond the Nordic countries',
      {
        service: 'HOME_DELIVERY_PARCEL',
        recipient: recipient({ address: { postalCode: '24937', countryCode: 'DE' } }),
      },
      { code: 'service-route', parcelId: null },
    ],
    ['a Norwegian service from Denmark', { service: '5600' }, { code: 'service-route', parcelId: null }],
    [
      'a pick-up parcel inside Finland',
      { ...finnish, ...pickUp },
      {
        code: 'service-route',
        text: 'Bring has no service PICKUP_PARCEL from FI to FI: choose another service or another carrier.',
      },
    ],
    ['a home delivery inside Finland', { ...finnish, service: '0349' }, { code: 'service-route' }],
    ['a business parcel inside Norway', { ...norwegian, service: 'BUSINESS_PARCEL' }, { code: 'service-route' }],
    ['a pick-up parcel inside Norway', { ...norwegian, service: '0340' }, { code: 'service-route' }],
    [
      'an instruction with what Bring is not told',
      { options: { unread: ['name'] } },
      {
        code: 'not-sent',
        text: 'The rule says something of name, which is not sent to Bring; mend it in the settings.',
        severity: 'warns',
      },
    ],
    [
      'an instruction with another customer number than is sent',
      { options: { product: { customerNumber: '7' } } },
      {
        code: 'sent-otherwise',
        text: 'The rule says "customerNumber: 7", but Bring gets "6" from the settings of the account; make the two the same in the settings.',
        severity: 'warns',
      },
    ],
    [
      'an instruction with terms of delivery for a product that has none',
      { incoterms: 'DAP', options: { product: { incotermRule: 'DAP' } } },
      {
        code: 'incoterms-otherwise',
        text: 'The rule says "incotermRule: DAP", but Bring gets "-" from the shipment; make the two the same in the settings.',
        severity: 'warns',
      },
    ],
    [
      'an instruction with other terms of delivery than the shipment has',
      { service: '3050', incoterms: 'DDP', options: { product: { incotermRule: 'DAP' } } },
      {
        code: 'incoterms-otherwise',
        text: 'The rule says "incotermRule: DAP", but Bring gets "DDP" from the shipment; make the two the same in the settings.',
        severity: 'warns',
      },
    ],
    [
      'additional services that are no list',
      { options: { additionalServices: { id: '1280' } } },
      { code: 'option-value', parcelId: null },
    ],
    ['a product that is none', { options: { product: 'PICKUP_PARCEL' } }, { code: 'option-value', parcelId: null }],
    ['a notification that is neither', { options: { notification: 'off' } }, { code: 'option-value', parcelId: null }],
    [
      'the former name of unattended delivery beside a signature',
      { options: { additionalServices: [{ id: 'FLEX_DELIVERY' }, { id: '1280' }] } },
      { code: 'unattended-handed-over' },
    ],
    ['nothing to declare out of Norway', { sender: norwegian.sender }, { code: 'customs-no-lines', parcelId: null }],
    [
      'goods out of Norway that say too little, papers or not',
      { sender: norwegian.sender, goods: [goods({ countryOfOrigin: null })], options: { customs: 'papers' } },
      { code: 'customs-data', parcelId: null },
    ],
    [
      'goods out of Norway whose tariff number has fewer than six digits',
      { sender: norwegian.sender, goods: [goods({ tariffNumberAtDestination: '61.09' })] },
      { code: 'customs-data', parcelId: null },
    ],
    [
      'nobody to tell at a pick-up point, also with a service for other parcels',
      { ...pickUp, service: 'BUSINESS_PARCEL', recipient: nobody },
      { code: 'recipient-contact', parcelId: null },
    ],
    ['a nature of goods that is none', { options: { natureOfCargo: 'TOYS' } }, { code: 'option-value' }],
    [
      'dangerous goods that nobody announces',
      { goods: [goods({ unNumbers: ['UN1950'] }), goods({ unNumbers: ['UN1950', 'UN3480'] })] },
      { code: 'dangerous-goods-unannounced', parcelId: null },
    ],
    [
      'a rule that puts a pick-up parcel down',
      { ...pickUp, options: { additionalServices: [{ id: '0041' }] } },
      { code: 'unattended-pick-up', parcelId: null },
    ],
    [
      'unattended delivery of a parcel that must be signed for',
      { options: { additionalServices: [{ id: '0041' }, { id: '1280' }] } },
      { code: 'unattended-handed-over' },
    ],
    [
      'a heavy home delivery that nobody measured',
      { service: 'DOUBLE_INDOOR', parcels: [parcel({ heightMm: null })] },
      { code: 'measures', parcelId: '501' },
    ],
    [
      'cargo that nobody measured',
      { ...norwegian, service: '5100', parcels: [parcel({ heightMm: null })] },
      { code: 'measures', parcelId: '501' },
    ],
    [
      'a name of pictures only',
      { recipient: recipient({ address: { name: '😀' } }) },
      { code: 'recipient-name-missing' },
    ],
  ])('objects to %s', (_case, changes, problem) => {
    expect(found(bookingRequest(changes))).toMatchObject([problem]);
  });

  it('says how many digits a tariff number needs', () => {
    const few = { sender: norwegian.sender, goods: [goods({ tariffNumberAtDestination: '61.09' })] };
    expect(found(bookingRequest(few))[0]?.text).toContain('has no tariff number of at least 6 digits');
  });

  it('names the numbers of dangerous goods', () => {
    const lines = [goods({ unNumbers: ['UN1950'] }), goods({ unNumbers: ['UN1950', 'UN3480'] })];
    expect(found(bookingRequest({ goods: lines }))[0]?.text).toContain('(UN1950, UN3480)');
  });

  it.each<readonly [string, Partial<BookingRequest>]>([
    [
      'dangerous goods that the rule announces',
      { goods: [goods({ unNumbers: ['UN1950'] })], options: { additionalServices: [{ id: '1245' }] } },
    ],
    ['goods for Norway', { recipient: norwegian.recipient }],
    ['goods inside Norway', norwegian],
    [
      'a pick-up parcel without notification, whose recipient has only an e-mail address',
      {
        ...pickUp,
        options: { notification: 'none' },
        recipient: recipient({ contact: { email: 'a@example.com', mobile: null } }),
      },
    ],
    [
      'a pick-up parcel for somebody with an ordinary telephone only',
      { ...pickUp, recipient: recipient({ contact: { email: null, mobile: null, phone: '18234567' } }) },
    ],
    [
      'a heavy home delivery by its volume',
      { service: '2870', parcels: [parcel({ heightMm: null, volumeMl: 9_000 })] },
    ],
  ])('takes %s', (_case, changes) => {
    expect(found(bookingRequest(changes))).toEqual([]);
  });

  it.each<readonly [string, Partial<BookingRequest>]>([
    ['PICKUP_PARCEL', { sender: from('NO'), goods: [goods()] }],
    ['PICKUP_PARCEL', { recipient: norwegian.recipient }],
    ['HOME_DELIVERY_PARCEL', { recipient: finnish.recipient }],
    ['BUSINESS_PARCEL', finnish],
    ['PICKUP_PARCEL_BULK', finnish],
  ])('takes %s where Bring goes', (service, changes) => {
    expect(found(bookingRequest({ service, ...changes }))).toEqual([]);
  });

  it('takes the word of a rule that may lead to GLS too', () => {
    expect(found(bookingRequest({ options: { notification: 'email' } }))).toEqual([]);
  });

  it('takes a home delivery to a recipient whose contact is a dash, and warns', () => {
    const request = bookingRequest({
      privateDelivery: true,
      recipient: recipient({ contact: { email: '-', mobile: null } }),
    });
    expect(found(request)).toMatchObject([{ code: 'notification-email', severity: 'warns' }]);
  });

  it('takes a pick-up parcel of 20 kg', () => {
    expect(found(bookingRequest({ ...pickUp, parcels: [parcel({ weightGrams: 20_000 })] }))).toEqual([]);
  });
});

describe('bring', () => {
  let server: CarrierServer;
  let connected: CarrierAccount;
  const clock = { now: () => TEST_NOW };

  beforeEach(async () => {
    server = await startCarrierServer('bring', startBringSimulator, clock.now);
    connected = bring.connect(config, { http: testHttpPort, clock, baseUrl: server.baseUrl });
  });
  afterEach(() => server.close());

  it('follows the link to the label to where it is stored', async () => {
    const { booking } = await connected.book(bookingRequest());
    await connected.fetchLabels?.(booking);
    expect(server.seen.slice(1).map(({ url }) => url.replace(/[^/]+\.pdf$/, '*.pdf'))).toEqual([
      '/labels/id/*.pdf',
      '/labels/storage/*.pdf',
    ]);
  });

  it("says whose booking its answer is about, for the core to compare: another request's is not ours", async () => {
    const packages = bookingRequest().parcels.map(({ id }) => ({ packageNumber: `2${id}`, correlationId: id }));
    const confirmation = { consignmentNumber: '1', packages };
    const consignments = [{ correlationId: 'another-one', confirmation, errors: null }];
    server.failWith(answering(200, JSON.stringify({ consignments })));
    expect(await connected.book(bookingRequest())).toMatchObject({ answersReference: 'another-one' });
  });

  it('does not go to a label in a private network', async () => {
    const { booking } = await connected.book(bookingRequest());
    const http = createHttpPort({ allowPrivateAddresses: 'refused' });
    const guarded = bring.connect(config, { http, clock, baseUrl: server.baseUrl });
    await expect(guarded.fetchLabels?.(booking)).rejects.toMatchObject({
      name: 'CarrierRejected',
      problems: [{ code: 'link-refused' }],
    });
    http.close();
  });

  it('says where the label is when the link was lost with the answer', async () => {
    const { booking } = await connected.book(bookingRequest());
    await expect(connected.fetchLabels?.({ ...booking, labelSource: null })).rejects.toThrow(/Mybring/);
  });

  it('does not take a link that has expired for wrong keys', async () => {
    const { booking } = await connected.book(bookingRequest());
    server.failWith(answering(403, 'expired'));
    await expect(connected.fetchLabels?.(booking)).rejects.toMatchObject({ name: 'CarrierRejected', because: 'data' });
  });

  it('is told by the simulator what the preflight would have told', async () => {
    const heavy = bookingRequest({ ...pickUp, parcels: [parcel(), parcel({ id: '502', weightGrams: 20_001 })] });
    await expect(connected.book(heavy)).rejects.toMatchObject({
      problems: [{ code: 'BOOK-INPUT-023', parcelId: '502' }],
    });
  });

  it('does not take a 5xx for a refusal, whatever it says of the right to book: the outcome is looked up', async () => {
    const errors = [{ code: 'BOOK-AUTHORIZATION-001', messages: [{ lang: 'en', message: 'No access' }] }];
    const body = JSON.stringify({ consignments: [{ confirmation: null, errors }] });
    server.failWith(answering(503, body, { 'content-type': 'application/json' }));
    await expect(connected.book(bookingRequest())).rejects.toMatchObject({ name: 'OutcomeUnknown' });
  });

  it("keeps Bring's id of an error, which its support asks for", async () => {
    const messages = [{ lang: 'en', message: 'Invalid postal Code' }];
    const errors = [{ uniqueId: '0f0f0f0f-0000-4000-8000-000000000000', code: 'BOOK-INPUT-057-RECIPIENT', messages }];
    const body = JSON.stringify({ consignments: [{ confirmation: null, errors }] });
    server.failWith(answering(400, body, { 'content-type': 'application/json' }));
    await expect(connected.book(bookingRequest())).rejects.toMatchObject({
      problems: [{ code: 'BOOK-INPUT-057-RECIPIENT', errorId: '0f0f0f0f-0000-4000-8000-000000000000' }],
    });
  });

  it.each([
    ['DK', 'DK-2600', '2600'],
    ['SE', 'se 211 45', '211 45'],
    ['FI', 'FIN-00100', '00100'],
    ['DE', 'D-24937', '24937'],
  ])(
    'is booked in %s for %s, which the check takes too: without the country',
    async (countryCode, postalCode, sent) => {
      const request = bookingRequest({ recipient: recipient({ address: { countryCode, postalCode } }) });
      expect(found(request)).toEqual([]);
      await connected.book(request);
      await connected.quote?.(request);
      const [booked = '', quoted = ''] = server.seen.map(({ body }) => body());
      const consignmentIn = (body: string) => valueAt(JSON.parse(body), 'consignments', 0);
      expect(textAt(consignmentIn(booked), 'parties', 'recipient', 'postalCode')).toBe(sent);
      expect(textAt(consignmentIn(quoted), 'toPostalCode')).toBe(sent);
    },
  );

  it.each([
    ['DK', '26000'],
    ['SE', '00000'],
  ])('is refused by the simulator with a postal code that %s does not have: %s', async (countryCode, postalCode) => {
    const elsewhere = bookingRequest({ recipient: recipient({ address: { countryCode, postalCode } }) });
    await expect(connected.book(elsewhere)).rejects.toMatchObject({
      problems: [{ code: 'BOOK-INPUT-057-RECIPIENT' }],
    });
  });

  it('asks the Shipping Guide in grams and centimetres, for the service and the customer', async () => {
    await connected.quote?.(bookingRequest(pickUp));
    const asked = server.seen.at(-1);
    expect(asked).toMatchObject({ method: 'POST', url: '/shippingguide/api/v2/products' });
    expect(JSON.parse(asked?.body() ?? '')).toEqual({
      language: 'en',
      withPrice: true,
      withExpectedDelivery: true,
      withGuiInformation: false,
      edi: true,
      consignments: [
        {
          id: '1',
          fromCountryCode: 'DK',
          fromPostalCode: '2000',
          toCountryCode: 'DK',
          toPostalCode: '2600',
          shippingDate: { year: '2030', month: '03', day: '04' },
          packages: [
            { id: '501', length: 40, width: 30, height: 20, grossWeight: 2_400 },
            { id: '502', length: 31, width: 20, height: 10, grossWeight: 1_105 },
          ],
          products: [{ id: 'PICKUP_PARCEL', customerNumber: '6' }],
        },
      ],
    });
  });

  const price = (amountWithoutVAT: string) => ({
    priceWithAdditionalServices: { amountWithoutVAT, vat: '1', amountWithVAT: '2' },
    currencyCode: 'NOK',
  });
  const unknownTime = { workingDays: null, estimatedDelivery: null };

  it.each<readonly [string, unknown, unknown]>([
    [
      'the price of the agreement before the one of the list, and when it arrives',
      {
        price: { listPrice: price('99.00'), netPrice: price('61.50') },
        expectedDelivery: { workingDays: '2', expectedDeliveryDate: { year: '2030', month: '3', day: '6' } },
      },
      { amount: '61.50', currency: 'NOK', workingDays: 2, estimatedDelivery: '2030-03-06' },
    ],
    [
      'the price of the list where the user may not see the other',
      { price: { listPrice: price('99.00') } },
      { amount: '99.00', currency: 'NOK', ...unknownTime },
    ],
  ])('reads of a product %s', async (_case, product, expected) => {
    answerGuide([product]);
    expect(await connected.quote?.(bookingRequest())).toEqual(expected);
  });

  it.each<readonly [string, readonly unknown[], object]>([
    ['that it does not offer', [], { name: 'CarrierRejected', problems: [{ code: 'not-offered' }] }],
    [
      'with an error of its own',
      [{ id: '5000', errors: [{ code: 'X1', description: 'not here' }] }],
      { name: 'CarrierRejected', problems: [{ code: 'X1', text: 'not here' }] },
    ],
    ['with a price that is none', [{ price: { netPrice: price('free') } }], { name: 'CarrierUnavailable' }],
    ['without a price', [{ id: '5000' }], { name: 'CarrierUnavailable' }],
  ])('has no price of a product %s', async (_case, products, error) => {
    answerGuide(products);
    await expect(connected.quote?.(bookingRequest())).rejects.toMatchObject(error);
  });

  it('hears from the Shipping Guide which field it refuses', async () => {
    const nowhere = recipient({ address: { postalCode: null } });
    await expect(connected.quote?.(bookingRequest({ recipient: nowhere }))).rejects.toMatchObject({
      name: 'CarrierRejected',
      problems: [{ code: 'REQUIRED', text: 'toPostalCode is required' }],
    });
  });

  it.each([
    ['Testgade 12', 'Testgade', '12'],
    ['Testgade 12, 2. tv', 'Testgade', '12'],
    ['10. Februar Vej 1 B', '10. Februar Vej', '1 B'],
    ['5. Allé 5', '5. Allé', '5'],
    ['Havnen', 'Havnen', null],
  ])('is asked for pick-up points near the house %s', async (street, sent, streetNumber) => {
    server.failWith(answering(200, '{"pickupPoint":[]}', { 'content-type': 'application/json' }));
    await connected.pickupPoints?.({ near: { countryCode: 'DK', postalCode: '2100', street }, limit: 3 });
    const { searchParams } = new URL(server.seen.at(-1)?.url ?? '', server.baseUrl);
    expect([searchParams.get('street'), searchParams.get('streetNumber')]).toEqual([sent, streetNumber]);
  });

  function answerGuide(products: readonly unknown[]): void {
    const body = JSON.stringify({ consignments: [{ products }], traceMessages: [], uniqueId: 'x' });
    server.failWith(answering(200, body, { 'content-type': 'application/json' }));
  }
});

describe('a callback of Bring', () => {
  const headers = { [SECRET_HEADER]: 'bring-callbacks-0001' };
  const delivery = { headers, secrets: { current: 'bring-callbacks-0001' }, now: TEST_NOW };
  const called = (body: object) => parseBringCallback(Buffer.from(JSON.stringify(body)), delivery);
  const body = {
    status: 'READY_FOR_PICKUP',
    id: 'ad84cbca-0000-4000-8000-000000000000',
    shipment: '70000000000000017',
    package: '370000000000000011',
    created: '2030-03-04T14:58:48+0000',
    pushed: '2030-03-04T14:58:49+0000',
  };

  it('is kept, and the parcel is polled for what it does not say', () => {
    expect(called(body)).toEqual({
      kind: 'events',
      events: [
        {
          trackingNumber: '370000000000000011',
          status: 'at-pickup-point',
          code: 'READY_FOR_PICKUP',
          text: null,
          place: null,
          at: '2030-03-04T14:58:48+00:00',
          zone: 'stated',
          estimatedDelivery: null,
          id: 'READY_FOR_PICKUP 2030-03-04T14:58:48.000Z',
        },
      ],
      poll: ['370000000000000011'],
    });
  });

  it('without a time that can be read is a reason to poll the parcel, and no more', () => {
    expect(called({ ...body, created: 'today' })).toEqual({ kind: 'events', events: [], poll: ['370000000000000011'] });
  });

  it.each([
    ['about a whole shipment', { ...body, package: null }],
    ['about a notice to the recipient', { ...body, status: 'NOTIFICATION_SENT' }],
    ['about nothing', { ...body, status: null }],
  ])('%s is ignored', (_case, other) => {
    expect(called(other)).toMatchObject({ kind: 'ignored' });
  });
});

describe('tracking of Bring', () => {
  const events = (packageSet: readonly object[]) => {
    const set = { apiVersion: '2', consignmentSet: [{ consignmentId: '70000000000000017', packageSet }] };
    return readTracking(set, '370000000000000011', SHIPMENTS);
  };
  const event = {
    status: 'IN_TRANSIT',
    description: 'The shipment is in transit.',
    postalCode: '2000',
    city: 'KØBENHAVN',
    country: 'Denmark',
    dateIso: '2030-03-04T20:03:19+01:00',
  };

  it('is read with its words, place, time and expected day', () => {
    const packageSet = [
      { packageNumber: '370000000000000011', dateOfEstimatedDelivery: '05.03.2030', eventSet: [event] },
    ];
    expect(events(packageSet)).toEqual([
      {
        trackingNumber: '370000000000000011',
        status: 'in-transit',
        code: 'IN_TRANSIT',
        text: 'The shipment is in transit.',
        place: '2000 KØBENHAVN Denmark',
        at: '2030-03-04T20:03:19+01:00',
        zone: 'stated',
        estimatedDelivery: '2030-03-05',
        id: 'IN_TRANSIT 2030-03-04T19:03:19.000Z',
        trackingUrl: 'https://sporing.bring.no/sporing.html?q=70000000000000017',
      },
    ]);
  });

  it('is of one package, whatever else the answer tells of its shipment', () => {
    expect(events([{ packageNumber: '370000000000000028', eventSet: [event] }])).toEqual([]);
  });

  it('keeps codes that nobody knows, and leaves out notices that say nothing of the package', () => {
    const eventSet = [
      { ...event, status: 'BEAMED_UP' },
      { ...event, status: 'NOTIFICATION_SENT' },
      { ...event, status: undefined },
    ];
    const read = events([{ packageNumber: '370000000000000011', eventSet }]);
    expect(read.map(({ status, code }) => [status, code])).toEqual([
      ['unrecognised', 'BEAMED_UP'],
      ['unrecognised', null],
    ]);
  });
});
