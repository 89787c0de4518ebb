import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/sandbox/json.js';
import { isJsonArray, membersOf } from '../../src/sandbox/json.js';
import { loadScenario } from '../../src/sandbox/scenarios/load-scenario.js';
import { readScenario } from '../../src/sandbox/scenarios/read-scenario.js';
import { scenarioNamed, scenarioNames } from '../../src/sandbox/scenarios/scenario-named.js';
import type { Warehouse } from '../../src/sandbox/scenarios/warehouse.js';

const TODAY = new Date('2030-03-04T08:00:00Z');

interface Created {
  readonly contextId: number;
  readonly collection: string;
  readonly body: JsonObject;
  readonly id: number;
}

interface Recorder extends Warehouse {
  readonly areas: readonly { readonly contextId: number; readonly apiKey: string }[];
  readonly brought: ReadonlyMap<number, string>;
  of(collection: string, contextId?: number): readonly Created[];
}

/** A warehouse that takes everything and remembers it. */
function recorder(): Recorder {
  const areas: { contextId: number; apiKey: string }[] = [];
  const created: Created[] = [];
  const brought = new Map<number, string>();
  return {
    areas,
    brought,
    addArea: (area) => void areas.push(area),
    create: (contextId, collection, body) => {
      const id = created.length + 1;
      created.push({ contextId, collection, body, id });
      return { ...body, id };
    },
    bring: (_contextId, shipmentId, state) => void brought.set(shipmentId, state),
    of: (collection, contextId) =>
      created.filter((row) => row.collection === collection && (contextId ?? row.contextId) === row.contextId),
  };
}

function loaded(text: string): Recorder {
  const warehouse = recorder();
  loadScenario(readScenario(text), warehouse, TODAY);
  return warehouse;
}

function listIn(body: JsonObject, name: string): readonly JsonObject[] {
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

function sumBy(rows: readonly JsonObject[], key: string, amount: string): ReadonlyMap<string, number> {
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
    expect(counts(warehouse, 'products', 'customers', 'shipments', 'returnShipments')).toEqual([30, 25, 15, 1]);
    const states = spread(warehouse.of('shipments').map(({ id }) => warehouse.brought.get(id) ?? 'new'));
    expect(Object.fromEntries(states)).toEqual({ new: 5, packed: 5, booked: 1, 'delivery-note': 2, 'handed-over': 2 });
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
    const started = Date.now();
    const warehouse = loaded(scenarioNamed('thousand-shipments'));
    expect(Date.now() - started).toBeLessThan(10_000);
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
    const some = (collection: string, member: string): readonly JsonObject[] =>
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

  it('is refused with all its problems and their places', () => {
    const text = `
description: ''
areas:
  - contextId: 1
    customer: []
    customers: [Åse]
    shipments: [{ state: sent, shippingContainers: 3 }]
    generate: { shipments: -1, countries: { XX: 1 }, carriers: { GLS: 0 }, assortments: [toys], deliveryInDays: { from: 2, to: 1 } }
  - { contextId: 1, repeat: 2, apiKey: both, generate: { shipments: 5, returnShipments: 1 } }
`;
    const places = [
      'description must be text',
      'seed must be a whole number',
      'areas[0].customer is not known',
      'areas[0].customers[0] must be a mapping',
      'areas[0].shipments[0].state must be one of new, packed, booked, delivery-note, handed-over',
      'areas[0].shipments[0].shippingContainers must be a list',
      'areas[0].generate.shipments must be a whole number from 0',
      'areas[0].generate.countries.XX is not known',
      'areas[0].generate.carriers must give each name a number from 0',
      'areas[0].generate.assortments[0] must be one of outdoor',
      'areas[0].generate.deliveryInDays.to must not be before from',
      'areas[1].apiKey must not be given to a repeated area',
      'areas[1].generate.shipments needs customers',
      'areas[1].generate.shipments needs products',
      'areas[1].generate.returnShipments needs shipments that were handed over',
      'areas must not give the contextId 1 twice',
    ];
    for (const place of places) expect(() => readScenario(text)).toThrow(place);
  });

  it('is refused with the line that is no YAML', () => {
    expect(() => readScenario('description: [\nseed: 1')).toThrow(/scenario: .*\n {2}line \d+ is not valid YAML/);
  });

  it('is named with the place of what the warehouse refuses', () => {
    const warehouse: Warehouse = {
      ...recorder(),
      create: () => {
        throw new Error('There is no Product POT in this area.');
      },
    };
    const text =
      '{ description: Test, seed: 1, areas: [{ contextId: 4, globalTradeItems: [{ productNumber: POT }] }] }';
    expect(() => loadScenario(readScenario(text), warehouse, TODAY)).toThrow(
      'scenario: area 4, globalTradeItems[0]: There is no Product POT in this area.',
    );
  });
});
