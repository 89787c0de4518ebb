import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonMembers } from '../../src/sandbox/store/json.js';
import { isJsonArray, membersOf } from '../../src/sandbox/store/json.js';
import { ImsRefusal } from '../../src/sandbox/api/refusal.js';
import { readHabits } from '../../src/sandbox/scenarios/generate/habits.js';
import { loadScenario } from '../../src/sandbox/scenarios/load-scenario.js';
import { readScenario } from '../../src/sandbox/scenarios/read-scenario.js';
import { scenarioNamed, scenarioNames } from '../../src/sandbox/scenarios/scenario-named.js';
import type { Warehouse } from '../../src/sandbox/scenarios/warehouse.js';
import { clientOf, closeAll, openSandbox } from './support.js';

const TODAY = new Date('2030-03-04T08:00:00Z');

interface Created {
  readonly contextId: number;
  readonly collection: string;
  readonly body: JsonMembers;
  readonly id: number;
}

interface Recorder extends Warehouse {
  readonly areas: readonly { readonly contextId: number; readonly apiKey: string }[];
  readonly brought: ReadonlyMap<number, string>;
  readonly received: readonly number[];
  of(collection: string, contextId?: number): readonly Created[];
}

/** A warehouse that takes everything and remembers it. */
function recorder(): Recorder {
  const areas: { contextId: number; apiKey: string }[] = [];
  const created: Created[] = [];
  const brought = new Map<number, string>();
  const received: number[] = [];
  return {
    areas,
    brought,
    received,
    addArea: (area) => void areas.push(area),
    create: (contextId, collection, body) => {
      const id = created.length + 1;
      created.push({ contextId, collection, body, id });
      return { ...body, id };
    },
    bring: (_contextId, shipmentId, state) => void brought.set(shipmentId, state),
    receive: (_contextId, _collection, id) => void received.push(id),
    of: (collection, contextId) =>
      created.filter((row) => row.collection === collection && (contextId ?? row.contextId) === row.contextId),
  };
}

function loaded(text: string): Recorder {
  const warehouse = recorder();
  loadScenario(readScenario(text), warehouse, TODAY);
  return warehouse;
}

function listIn(body: JsonMembers, name: string): readonly JsonMembers[] {
  const list = body[name];
  return isJsonArray(list) ? list.map(membersOf) : [];
}

const everyRecorder = new Map(scenarioNames().map((name) => [name, loaded(scenarioNamed(name))]));

function bundled(name: string): Recorder {
  const warehouse = everyRecorder.get(name);
  if (warehouse === undefined) throw new Error(`there is no scenario ${name}`);
  return warehouse;
}

function counts(warehouse: Recorder, ...collections: readonly string[]): readonly number[] {
  return collections.map((collection) => warehouse.of(collection).length);
}

function spread<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const found = new Map<T, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

function sumBy(rows: readonly JsonMembers[], key: string, amount: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(String(row[key]), (sums.get(String(row[key])) ?? 0) + Number(row[amount]));
  return sums;
}

const GENERATE = 'generate: { sellers: 1, suppliers: 1, products: 8, customers: 6, shipments: 10, companies: 50 }';

function small(seed: number): string {
  return `{ description: Test, seed: ${seed}, areas: [{ contextId: 7, ${GENERATE} }] }`;
}

describe('the scenarios of the sandbox', () => {
  it('are three', () => {
    expect(scenarioNames()).toEqual(['small-shop', 'third-party-logistics', 'thousand-shipments']);
  });

  it('hold a small shop with shipments in every state', () => {
    const warehouse = bundled('small-shop');
    expect(warehouse.areas).toEqual([{ contextId: 1, apiKey: 'area-1-key' }]);
    expect(counts(warehouse, 'products', 'customers', 'shipments', 'returnShipments')).toEqual([30, 25, 17, 2]);
    const states = spread(warehouse.of('shipments').map(({ id }) => warehouse.brought.get(id) ?? 'new'));
    expect(Object.fromEntries(states)).toEqual({
      ...{ new: 6, packed: 5, booked: 1, 'delivery-note': 2, 'handed-over': 2, cancelled: 1 },
    });
    expect(warehouse.received).toHaveLength(2);
    expect(warehouse.of('sellers').map(({ body }) => body['sellerNumber'])).toEqual(['FJORD', 'ULDVARER']);
  });

  it('hold twenty areas of a logistics provider, each with keys, sellers, items, customers and shipments of its own', () => {
    const warehouse = bundled('third-party-logistics');
    const ids = Array.from({ length: 20 }, (_none, index) => index + 1);
    expect(warehouse.areas).toEqual(ids.map((contextId) => ({ contextId, apiKey: `area-${contextId}-key` })));
    const first = ids.map((contextId) => JSON.stringify(warehouse.of('customers', contextId).map(({ body }) => body)));
    expect(new Set(first).size).toBe(20);
    for (const contextId of ids)
      for (const collection of ['sellers', 'globalTradeItems', 'globalTradeItemLots', 'customers', 'shipments'])
        expect(warehouse.of(collection, contextId).length).toBeGreaterThan(0);
  });

  it('hold a thousand packed shipments for today, spread over the carriers', () => {
    const warehouse = loaded(scenarioNamed('thousand-shipments'));
    const shipments = warehouse.of('shipments');
    expect(shipments).toHaveLength(1000);
    expect(new Set(warehouse.brought.values())).toEqual(new Set(['packed']));
    expect(new Set(shipments.map(({ body }) => body['deliveryDate']))).toEqual(new Set(['2030-03-04']));
    const carriers = spread(shipments.map(({ body }) => body['carrierName'] ?? 'none'));
    for (const carrier of ['GLS', 'Bring', 'DAO', 'Pretend', 'none']) expect(carriers.get(carrier)).toBeGreaterThan(30);
    const packed = new Set(warehouse.of('shippingContainers').map(({ body }) => body['shipmentId']));
    expect(packed.size).toBe(1000);
  });

  it('hold dangerous goods, pick-up points, companies with VAT numbers and shipments for customs', () => {
    const { of } = bundled('thousand-shipments');
    const some = (collection: string, member: string): readonly JsonMembers[] =>
      of(collection)
        .map(({ body }) => body)
        .filter((body) => body[member] !== undefined);
    expect(some('products', 'dangerousGoodsNumber').map((body) => body['dangerousGoodsNumber'])).toContain('UN1950');
    expect(some('shipments', 'pickUpPointId').length).toBeGreaterThan(100);
    expect(some('shipments', 'vatNumber').length).toBeGreaterThan(100);
    const incoterms = some('shipments', 'incoterms').map((body) => membersOf(body['deliveryAddress'])['countryCode']);
    expect(incoterms).toEqual(expect.arrayContaining(['NO', 'CH']));
    expect(of('productCustomsInformations').length).toBeGreaterThan(0);
  });
});

const POSTAL_CODES = new Map([
  ['DK', /^\d{4}$/],
  ['SE', /^\d{5}$/],
  ['NO', /^\d{4}$/],
  ['FI', /^\d{5}$/],
  ['DE', /^\d{5}$/],
  ['NL', /^\d{4} [A-Z]{2}$/],
  ['CH', /^\d{4}$/],
]);

describe.each(scenarioNames())('%s', (name) => {
  const warehouse = bundled(name);

  it('has addresses with a street, a town and a postal code as the country writes it', () => {
    const parties = ['sellers', 'customers', 'suppliers'].flatMap((collection) => warehouse.of(collection));
    const addresses = [
      ...parties.map(({ body }) => membersOf(body['address'])),
      ...warehouse.of('shipments').map(({ body }) => membersOf(body['deliveryAddress'])),
    ];
    for (const { countryCode, postalCode, addressee, streetNameAndNumber, cityTownOrVillage } of addresses) {
      expect(postalCode).toMatch(POSTAL_CODES.get(String(countryCode)) ?? /^$/);
      for (const line of [addressee, streetNameAndNumber, cityTownOrVillage]) expect(line).toMatch(/^.{2,35}$/);
    }
  });

  it('writes to nobody who exists', () => {
    const mails = JSON.stringify(warehouse.of('customers')).match(/[^"]+@[^"]+/g) ?? [];
    expect(mails.length).toBeGreaterThan(0);
    for (const mail of mails) expect(mail).toMatch(/^[a-z.-]+@[a-z-]+\.example$/);
  });

  it('has stock of everything that is packed', () => {
    for (const { contextId } of warehouse.areas) {
      const lots = warehouse.of('globalTradeItemLots', contextId).map(({ body }) => body);
      const saleable = lots.filter((lot) => lot['lotStatus'] === 'SALEABLE');
      const inStock = sumBy(saleable, 'stockKeepingUnit', 'numItemsRemaining');
      const brought = warehouse.of('shipments', contextId).filter(({ id }) => warehouse.brought.has(id));
      const lines = brought.flatMap(({ body }) => listIn(body, 'shipmentLines'));
      for (const [stockKeepingUnit, pieces] of sumBy(lines, 'stockKeepingUnit', 'numItemsOrdered'))
        expect(inStock.get(stockKeepingUnit)).toBeGreaterThanOrEqual(pieces);
    }
  });

  it('refers only to what was created before', () => {
    const { of, areas } = warehouse;
    for (const { contextId } of areas) {
      const known = (collection: string, member: string) =>
        new Set(of(collection, contextId).map(({ body }) => body[member]));
      const skus = known('globalTradeItems', 'stockKeepingUnit');
      const places = known('locations', 'locationNumber');
      const customers = known('customers', 'customerNumber');
      const carriers = known('carriers', 'carrierName');
      const sellers = known('sellers', 'sellerNumber');
      expect(skus.size).toBe(of('globalTradeItems', contextId).length);
      expect(places.size).toBe(of('locations', contextId).length);
      expect(sellers.size).toBe(of('sellers', contextId).length);
      for (const { body } of of('globalTradeItemLots', contextId)) {
        expect(skus).toContain(body['stockKeepingUnit']);
        expect(places).toContain(body['locationNumber']);
      }
      for (const { body } of of('shipments', contextId)) {
        expect(customers).toContain(body['customerNumber']);
        expect(sellers).toContain(body['sellerNumber']);
        if (body['carrierName'] !== undefined) expect(carriers).toContain(body['carrierName']);
        for (const line of listIn(body, 'shipmentLines')) expect(skus).toContain(line['stockKeepingUnit']);
      }
    }
  });

  it('has parcels that a person can lift, with measures', () => {
    const parcels = warehouse.of('shippingContainers').map(({ body }) => body);
    for (const { containerTypeName, grossWeight, dimensions } of parcels) {
      const { length, width, height } = membersOf(dimensions);
      const litres = Number(length) * Number(width) * Number(height) * 1000;
      expect(litres).toBeGreaterThan(1);
      expect(Number(grossWeight)).toBeGreaterThan(0);
      if (/^(Box|Padded)/.test(String(containerTypeName))) expect(Number(grossWeight)).toBeLessThan(20);
    }
  });
});

describe('what is invented', () => {
  const created = (seed: number): string => {
    const { of } = loaded(small(seed));
    return JSON.stringify(['products', 'customers', 'shipments', 'globalTradeItemLots'].map((name) => of(name)));
  };

  it('is the same for the same seed', () => {
    expect(created(1)).toBe(created(1));
  });

  it('is something else for another seed', () => {
    expect(created(1)).not.toBe(created(2));
  });

  it('holds back orders for what is sold out, and only there', () => {
    const text = small(3).replace('companies: 50', 'companies: 50, backOrders: 20');
    const { of } = loaded(text);
    const saleable = of('globalTradeItemLots').filter(({ body }) => body['lotStatus'] === 'SALEABLE');
    const lots = new Set(saleable.map(({ body }) => body['stockKeepingUnit']));
    const waiting = of('shipments').filter(({ body }) =>
      listIn(body, 'shipmentLines').some((line) => !lots.has(line['stockKeepingUnit'])),
    );
    expect(waiting).toHaveLength(2);
  });
});

describe('the file of a scenario', () => {
  it('may hold dates that follow the day, and numbers that are names', () => {
    const { of } = loaded(`
description: By hand
seed: 1
areas:
  - contextId: 3
    apiKey: the-key
    customers:
      - customerNumber: 0042
        address: { postalCode: 0150, countryCode: NO, cityTownOrVillage: Oslo }
        contactPerson: { mobileNumber: +4740000001 }
    shipments:
      - { customerNumber: 0042, deliveryDate: today+2, shipmentLines: [{ numItemsOrdered: 2 }] }
      - { customerNumber: 0042, deliveryDate: today-30, notesOnDelivery: today or never }
`);
    expect(of('customers')[0]?.body).toEqual({
      customerNumber: '0042',
      address: { postalCode: '0150', countryCode: 'NO', cityTownOrVillage: 'Oslo' },
      contactPerson: { mobileNumber: '+4740000001' },
    });
    const [first, second] = of('shipments').map(({ body }) => body);
    expect(first).toMatchObject({ deliveryDate: '2030-03-06', shipmentLines: [{ numItemsOrdered: 2 }] });
    expect(second).toMatchObject({ deliveryDate: '2030-02-02', notesOnDelivery: 'today or never' });
  });

  it('may be anywhere', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'scenario-')), 'mine.yaml');
    writeFileSync(path, small(1));
    expect(readScenario(scenarioNamed(path)).areas[0]?.apiKey).toBe('area-7-key');
  });

  it('is refused with the names that there are, when it is not there', () => {
    expect(() => scenarioNamed('big-shop')).toThrow(
      'There is no scenario "big-shop". There are small-shop, third-party-logistics, thousand-shipments, or give the path of a file.',
    );
  });

  it('is refused in words when it is a folder', () => {
    expect(() => scenarioNamed(tmpdir())).toThrow(`"${tmpdir()}" is a folder: give the path of a file in it.`);
  });

  it('needs habits of its carriers that can be read, or is refused with all that is wrong in them', () => {
    const text = `
carriers:
  Fjordpost: { countries: [DK, XX, 7], recipients: homes, pickUpPoint: '1###', trackingNumber: 'FJ####' }
others: { pickUpPointId: '#' }`;
    for (const words of [
      'carriers.Fjordpost.pickUpPoint: is not known',
      'carriers.Fjordpost.countries: has XX, 7; there are DK',
      'carriers.Fjordpost.recipients: must be persons',
      'carriers.Fjordpost.pickUpPointId: is missing',
      'others.trackingNumber: is missing',
    ])
      expect(() => readHabits(text)).toThrow(words);
  });

  it('is refused with all its problems and their places', () => {
    const text = `
description: ''
areas:
  - contextId: 1
    customer: []
    customers: [Åse, { adress: {}, address: { postalcode: 1, addressee: 7 } }]
    sellers: [{ sellerNumber: S, globalLocationNumber: 57900 }]
    shipments:
      - { stat: packed, shipmentLine: [], state: sent, shippingContainers: 3 }
      - { shipmentLines: [{ numItemsOrdered: 0 }, { weigth: 1 }, 2], deliveryDate: today+x, deliveryNoteNumber: 3 }
      - { shippingContainers: [{ weigth: 1, dimensions: { length: long } }], deliveryAddress_postalCode: 5000 }
    inboundShipments: [{ state: packed }]
    generate: { shipments: -1, countries: { XX: 1 }, carriers: { GLS: 0 }, assortments: [toys], returnShipments: 1 }
`;
    const problems = [
      'description: must be text',
      'seed: is missing: it must be a whole number from 0 to 4294967295',
      'areas[0].customer: is not known; there are contextId',
      'areas[0].customers[0]: must be a mapping',
      'areas[0].customers[1].adress: is not known; did you mean address?',
      'areas[0].customers[1].address.addressee: must be text',
      'areas[0].customers[1].address.postalcode: is not known; did you mean postalCode?',
      'areas[0].sellers[0].globalLocationNumber: must be text of 13 digits',
      'areas[0].inboundShipments[0].state: must be one of new, received',
      'areas[0].shipments[0].state: must be one of new, packed, booked, delivery-note, handed-over, cancelled',
      'areas[0].shipments[0].shippingContainers: must be a list',
      'areas[0].shipments[0].stat: is not known; did you mean state?',
      'areas[0].shipments[0].shipmentLine: is not known; did you mean shipmentLines?',
      'areas[0].shipments[1].shipmentLines[0].numItemsOrdered: must be from 1 to 9999999',
      'areas[0].shipments[1].shipmentLines[1].weigth: is not known; did you mean weight?',
      'areas[0].shipments[1].shipmentLines[2]: must be a mapping',
      'areas[0].shipments[1].deliveryDate: must be a date',
      'areas[0].shipments[1].deliveryNoteNumber: is set by the service',
      'areas[0].shipments[2].shippingContainers[0].weigth: is not known; did you mean weight?',
      'areas[0].shipments[2].shippingContainers[0].dimensions.length: must be a number',
    ];
    const told = problemsOf(() => readScenario(text));
    expect(told[0]).toBe('scenario: 24 problems');
    for (const problem of problems) expect(told).toContainEqual(expect.stringContaining(problem));
    expect(told.slice(1)).toHaveLength(21);
    expect(told.at(-1)).toBe('and 4 more');
  });

  it('is refused for what is invented, without what only follows from it', () => {
    const text = `
description: Test
seed: 1
areas:
  - { contextId: 1, generate: { shipments: -1, countries: { XX: 1 }, carriers: { GLS: 0 }, assortments: [toys] } }
  - { contextId: 2, generate: { deliveryInDays: { from: 2, to: 1 }, returnShipments: 1 } }
  - { contextId: 3, repeat: 2, apiKey: both, generate: { shipments: 5, returnShipments: 1 } }
  - { contextId: 4 }
  - { contextId: none }
  - { contextId: none }
`;
    expect(problemsOf(() => readScenario(text))).toEqual([
      'scenario: 12 problems',
      'areas[0].generate.shipments: must be a whole number from 0 to 100000',
      'areas[0].generate.assortments[0]: must be one of outdoor, wool, home, care, pantry',
      expect.stringContaining('areas[0].generate.countries.XX: is not known; there are DK'),
      'areas[0].generate.carriers: must give each name a number from 0, and one more than 0',
      'areas[1].generate.deliveryInDays.to: must not be before from',
      'areas[2].apiKey: must not be given to a repeated area',
      'areas[2].generate.shipments: needs customers',
      'areas[2].generate.shipments: needs products',
      'areas[2].generate.returnShipments: needs shipments that were handed over',
      'areas[4].contextId: must be a whole number from 1 to 2147483647',
      'areas[5].contextId: must be a whole number from 1 to 2147483647',
      'areas: must not give the contextId 4 twice',
    ]);
  });

  it.each([
    ['no YAML', 'description: A\nseed: 1\nareas: [\n', 'scenario: line 3: '],
    ['a name twice', 'description: A\nseed: 1\nseed: 2', 'scenario: line 3: this name stands there twice'],
    ['an alias of nothing', 'description: *a', 'scenario: has an alias that stands for nothing'],
    ['nothing', '', 'scenario: 1 problem\n  the file: must be a mapping'],
    ['text', 'small shop', 'scenario: 1 problem\n  the file: must be a mapping'],
    ['no areas', '{ description: A, seed: 1 }', 'scenario: 1 problem\n  areas: must hold at least one area'],
    ['no list of areas', '{ description: A, seed: 1, areas: 3 }', 'scenario: 1 problem\n  areas: must be a list'],
  ])('is refused with one problem when it holds %s', (_case, text, words) => {
    const told = problemsOf(() => readScenario(text));
    expect(told.join('\n  ')).toContain(words);
    expect(told.length).toBeLessThanOrEqual(2);
  });
});

/** The lines of a message. */
function problemsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (failure) {
    return String(failure instanceof Error ? failure.message : failure).split(/\n */);
  }
  return [];
}

describe('a scenario that is loaded', () => {
  afterAll(closeAll);

  const CUSTOMER_LIST = 'customers: [{ customerNumber: C-1 }]';
  const POT = `
    productGroups: [{ productGroupName: Pots }]
    products: [{ productNumber: POT, productName: Pot, productGroupName: Pots }]
    globalTradeItems: [{ stockKeepingUnit: POT-1, productNumber: POT }]
    locations: [{ locationNumber: A-1 }]
    globalTradeItemLots: [{ stockKeepingUnit: POT-1, locationNumber: A-1, numItemsRemaining: 3 }]`;
  const written = (area: string) =>
    `description: Test\nseed: 1\nareas:\n  - contextId: 1\n    ${area}\n    ${CUSTOMER_LIST}`;
  const refused = async (area: string) => {
    const scenario = readScenario(written(area));
    const message = await openSandbox({ scenario }).then(
      () => '',
      (failure: Error) => failure.message,
    );
    return message.split(/\n */);
  };

  it.each(scenarioNames())('is a whole warehouse: %s', async (name) => {
    const sandbox = await openSandbox({ scenario: readScenario(scenarioNamed(name)) });
    const ask = await clientOf(sandbox);
    const { body } = await ask('GET /shipments?onlyPackingFinished=true');
    expect(body.length).toBeGreaterThan(0);
  });

  it('is the example of its README, as it stands there', async () => {
    const readme = readFileSync(new URL('../../src/sandbox/scenarios/README.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
    const ask = await clientOf(await openSandbox({ scenario: readScenario(example) }));
    const { body } = await ask('GET /shipments?onlyPackingFinished=true', { apiKey: 'my-key' });
    expect(body.length).toBeGreaterThan(0);
  });

  it('lets every filter of shipments, inbound shipments, returns, lots and items be tried in the small shop', async () => {
    const ask = await clientOf(await openSandbox({ scenario: readScenario(scenarioNamed('small-shop')) }));
    const queries = [
      ...['shipments?shippingStatus=CANCELLED', 'shipments?onlyOnHold=true', 'shipments?onlyNoDeliveryNote=true'],
      ...['inboundShipments?dateGoodsReceiptCreated={today}', 'inboundShipments?onlyExpectedToday=true'],
      ...['returnShipments?onlyNoReturnReceipt=true', 'returnShipments'],
      ...['globalTradeItemLots?onlyOld=true', 'globalTradeItemLots?onlyDueForStockTaking=true'],
      ...['globalTradeItemLots?onlyNotPickable=true', 'globalTradeItemLots?daysToExpirationDate=30'],
      ...['globalTradeItems?seasonMatch=summer', 'globalTradeItems?materialMatch=poly'],
      ...['globalTradeItems?suppliersItemNumberMatch=nb-', 'globalTradeItems?hazardClassMatch=H226'],
      ...['products?activeSubstanceNameMatch=styrene'],
    ];
    const today = new Date().toISOString().slice(0, 10);
    for (const query of queries) {
      const { body } = await ask(`GET /${query.replace('{today}', today)}`);
      expect([query, body.length]).toEqual([query, expect.any(Number)]);
      expect([query, body.length > 0]).toEqual([query, true]);
    }
    const returns = await ask('GET /returnShipments');
    const open = await ask('GET /returnShipments?onlyNoReturnReceipt=true');
    expect(open.body.length).toBeLessThan(returns.body.length);
  });

  it('is refused with the places of all that the warehouse refuses', async () => {
    const area = `${POT}
    carriers: [{ carrierName: GLS }, { carrierName: GLS }]
    shipments:
      - { customerNumber: C-2, shipmentLines: [{ stockKeepingUnit: POT-1, numItemsOrdered: 1 }] }
      - { customerNumber: C-1, shipmentLines: [{ stockKeepingUnit: POT-1, numItemsOrdered: 1 }, { stockKeepingUnit: PAN, numItemsOrdered: 1 }] }`;
    expect(await refused(area)).toEqual([
      'scenario: 3 problems',
      'areas[0].carriers[1]: There is a Carrier GLS already.',
      'areas[0].shipments[0]: There is no Customer C-2 in this area.',
      'areas[0].shipments[1].shipmentLines[1]: There is no GlobalTradeItem PAN in this area.',
    ]);
  });

  it('is refused without what only follows from what was refused', async () => {
    const area = `${POT.replace('productGroups: [{ productGroupName: Pots }]', '')}
    shipments:
      - { customerNumber: C-1, shipmentLines: [{ stockKeepingUnit: POT-1, numItemsOrdered: 1 }], state: packed }`;
    expect(await refused(area)).toEqual([
      'scenario: 1 problem',
      'areas[0].products[0]: There is no ProductGroup Pots in this area.',
    ]);
  });

  it.each(['packed', 'booked', 'delivery-note', 'handed-over'])(
    'is refused when not all is there of what is %s',
    async (state) => {
      const area = `${POT}
    shipments:
      - { customerNumber: C-1, shipmentLines: [{ stockKeepingUnit: POT-1, numItemsOrdered: 5 }], state: ${state} }`;
      expect(await refused(area)).toEqual([
        'scenario: 1 problem',
        'areas[0].shipments[0].shipmentLines[0]: only 3 of the 5 pieces of POT-1 are in stock, so that it cannot be packed',
      ]);
    },
  );

  it('is refused when one line takes what another needs', async () => {
    const line = '{ stockKeepingUnit: POT-1, numItemsOrdered: 2 }';
    const area = `${POT}\n    shipments: [{ customerNumber: C-1, shipmentLines: [${line}, ${line}], state: packed }]`;
    expect(await refused(area)).toContain(
      'areas[0].shipments[0].shipmentLines[1]: only 1 of the 2 pieces of POT-1 are in stock, so that it cannot be packed',
    );
  });

  it('says of what was invented that it was', () => {
    const warehouse: Warehouse = {
      ...recorder(),
      create: (_contextId, collection) => {
        if (collection === 'customers') throw new ImsRefusal('duplicate', 'Customer', 'There is a Customer 1 already.');
        return { id: 1 };
      },
    };
    expect(problemsOf(() => loadScenario(readScenario(small(1)), warehouse, TODAY))[1]).toBe(
      'areas[0].generate: customers[0]: There is a Customer 1 already.',
    );
  });

  it('holds what has come in, and what was cancelled', async () => {
    const area = `${POT}
    suppliers: [{ supplierNumber: S-1 }]
    inboundShipments:
      - { supplierNumber: S-1, inboundShipmentLines: [{ stockKeepingUnit: POT-1, numItemsExpected: 4 }], state: received }
    shipments:
      - { customerNumber: C-1, shipmentLines: [{ stockKeepingUnit: POT-1, numItemsOrdered: 5 }], state: cancelled }
    returnShipments:
      - { customerNumber: C-1, returnShipmentLines: [{ stockKeepingUnit: POT-1, numItemsExpected: 1 }], state: received }`;
    const ask = await clientOf(await openSandbox({ scenario: readScenario(written(area)) }));
    const [[inbound], [returned], [shipment], [item]] = [
      (await ask('GET /inboundShipments?piggyback=true')).body,
      (await ask('GET /returnShipments')).body,
      (await ask('GET /shipments')).body,
      (await ask('GET /globalTradeItems')).body,
    ];
    expect(inbound).toMatchObject({ purchaseStatus: 'RECEIVED', inboundShipmentLines: [{ numItemsReceived: 4 }] });
    expect(returned.returnReceiptId).toEqual(expect.any(Number));
    expect(shipment.shippingStatus).toBe('CANCELLED');
    expect(item).toMatchObject({ numItems: 8, numItemsReserved: 0 });
  });
});
