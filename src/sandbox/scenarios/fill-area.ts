import type { JsonMembers } from '../store/json.js';
import { isJsonArray, membersOf } from '../store/json.js';
import { NO_CARRIER } from './generate/carriers.js';
import { countryOf } from './generate/countries/index.js';
import { bodyOfCustomer, inventCustomers } from './generate/parties.js';
import { inventInbound, inventReturns, inventSellers, inventSuppliers } from './generate/partners.js';
import { bodiesOfGroups, bodiesOfTariffs, bodyOfItem, bodyOfProduct, inventProducts } from './generate/products.js';
import type { Item } from './generate/products.js';
import type { Random } from './generate/random.js';
import { inventShipments } from './generate/shipments.js';
import { inventStock } from './generate/stock.js';
import type { AreaContents, Generate, ScenarioShipment } from './scenario.js';

/** One of this many items is sold out when the scenario has back orders. */
const SOLD_OUT_OF = 20;

/** Appends generated contents to those of the file. */
export function fillArea(contents: AreaContents, generate: Generate, { random, today }: Chance): AreaContents {
  const { bodies } = contents;
  const sellers = [...bodies.sellers, ...inventSellers(generate.sellers, random.branch('sellers'))];
  const suppliers = [...bodies.suppliers, ...inventSuppliers(generate.suppliers, random.branch('suppliers'))];
  const { products, items } = inventProducts(generate.assortments, generate.products, random.branch('products'));
  const soldOut = generate.backOrders > 0 ? items.slice(0, Math.ceil(items.length / SOLD_OUT_OF)) : [];
  const customers = inventCustomers(
    { count: generate.customers, countries: generate.countries, companies: generate.companies },
    random.branch('customers'),
  );
  const sellerNumbers = sellers.flatMap(({ sellerNumber }) => (typeof sellerNumber === 'string' ? [sellerNumber] : []));
  const customsCountries = Object.keys(generate.countries).filter((code) => countryOf(code).customs === 'needed');
  const inStock = items.filter((item) => !soldOut.includes(item));
  const supplies = { customers, sellerNumbers, items: inStock, soldOut, today };
  const invented = inventShipments(generate, supplies, random.branch('shipments'));
  const shipments = [...contents.shipments, ...invented];
  const stock = inventStock({ items, soldOut, ordered: piecesOrdered(shipments), today }, random.branch('stock'));
  const inbound = { count: generate.inboundShipments, suppliers, items: inStock, soldOut, today };
  return {
    bodies: {
      productGroups: unlisted(bodies.productGroups, bodiesOfGroups(products), 'productGroupName'),
      products: [...bodies.products, ...products.map(bodyOfProduct)],
      productCustomsInformations: [
        ...bodies.productCustomsInformations,
        ...products.flatMap((product) => bodiesOfTariffs(product, customsCountries)),
      ],
      globalTradeItems: [...bodies.globalTradeItems, ...items.map(bodyOfItem)],
      locations: [...bodies.locations, ...(items.length > 0 ? stock.locations : [])],
      globalTradeItemLots: [...bodies.globalTradeItemLots, ...stock.lots],
      sellers,
      customers: [...bodies.customers, ...customers.map(bodyOfCustomer)],
      suppliers,
      carriers: unlisted(bodies.carriers, carriersOf(generate), 'carrierName'),
    },
    inboundShipments: [...contents.inboundShipments, ...inventInbound(inbound, random.branch('inbound'))],
    shipments,
    returnShipments: [
      ...contents.returnShipments,
      ...inventReturns(generate.returnShipments, shipments, random.branch('returns')),
    ],
  };
}

export interface Chance {
  readonly random: Random;
  readonly today: Date;
}

function carriersOf({ carriers }: Generate): readonly JsonMembers[] {
  return Object.keys(carriers)
    .filter((name) => name !== NO_CARRIER)
    .map((carrierName) => ({ carrierName }));
}

/** Appends the bodies whose `key` the file does not list yet. */
function unlisted(listed: readonly JsonMembers[], more: readonly JsonMembers[], key: string): readonly JsonMembers[] {
  const known = new Set(listed.map((body) => body[key]));
  return [...listed, ...more.filter((body) => !known.has(body[key]))];
}

/** Pieces ordered by all shipments, by stock keeping unit. */
function piecesOrdered(shipments: readonly ScenarioShipment[]): ReadonlyMap<Item['stockKeepingUnit'], number> {
  const ordered = new Map<string, number>();
  for (const { body } of shipments)
    for (const line of isJsonArray(body['shipmentLines']) ? body['shipmentLines'] : []) {
      const { stockKeepingUnit, numItemsOrdered } = membersOf(line);
      if (typeof stockKeepingUnit === 'string' && typeof numItemsOrdered === 'number')
        ordered.set(stockKeepingUnit, (ordered.get(stockKeepingUnit) ?? 0) + numItemsOrdered);
    }
  return ordered;
}
