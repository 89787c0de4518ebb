import type { JsonMembers } from '../../store/json.js';
import type { InboundShipment, ReturnShipment, ScenarioShipment } from '../scenario.js';
import { isJsonArray, membersOf } from '../../store/json.js';
import { countryOf } from './countries/index.js';
import { dayText } from './days.js';
import { inventCompany } from './parties.js';
import type { Item } from './products.js';
import { costOf } from './products.js';
import type { Random } from './random.js';

const SELLERS_FROM = ['DK', 'DK', 'DK', 'SE', 'NO'];
const SUPPLIERS_FROM = ['DK', 'DE', 'SE', 'NL', 'FI'];
const REASONS = [
  'REGRETTED_PURCHASE',
  'REGRETTED_PURCHASE',
  'DAMAGED_ON_DELIVERY',
  'DEFECTIVE_ON_DELIVERY',
  'UNCLAIMED',
];

export function inventSellers(count: number, random: Random): readonly JsonMembers[] {
  return Array.from({ length: count }, () => inventCompany(countryOf(random.pick(SELLERS_FROM)), random)).map(
    ({ name, address, contactPerson, vatNumber }, index, all) => {
      const sign = signOf(name);
      const taken = all.slice(0, index).some((other) => signOf(other.name) === sign);
      return { sellerNumber: taken ? `${sign}-${index + 1}` : sign, address, contactPerson, vatNumber };
    },
  );
}

function signOf(name: string): string {
  return name.replace(/ .*/, '').toUpperCase();
}

export function inventSuppliers(count: number, random: Random): readonly JsonMembers[] {
  return Array.from({ length: count }, (_none, index) => {
    const { address, contactPerson, country } = inventCompany(countryOf(random.pick(SUPPLIERS_FROM)), random);
    return {
      supplierNumber: `L-${301 + index}`,
      address,
      contactPerson,
      defaultCurrencyCode: country.currencyCode,
      defaultLeadTimeInDays: random.pick([3, 7, 14, 21]),
      defaultIncoterms: country.code === 'DK' ? 'EXW' : 'DAP',
    };
  });
}

export interface InboundWanted {
  readonly count: number;
  readonly suppliers: readonly JsonMembers[];
  readonly items: readonly Item[];
  /** Sold-out items, which the first inbound shipment contains. */
  readonly soldOut: readonly Item[];
  readonly today: Date;
}

export function inventInbound(wanted: InboundWanted, random: Random): readonly InboundShipment[] {
  return Array.from({ length: wanted.count }, (_none, index) => {
    const { supplierNumber } = random.pick(wanted.suppliers);
    const day = dayText(wanted.today, index);
    const others = random.shuffled(wanted.items).slice(0, random.whole(2, 6));
    const items = [...new Set([...(index === 0 ? wanted.soldOut : []), ...others])];
    const body = {
      supplierNumber,
      currencyCode: 'DKK',
      deliveryDate: day,
      expectedTimeOfArrival: `${day}T09:30:00.000Z`,
      orderConfirmationNumber: random.digits('OC-7####'),
      ...(random.chance(30) ? { notesOnReception: 'Ankommer på engangspalle' } : {}),
      inboundShipmentLines: items.map(({ stockKeepingUnit, product }) => ({
        stockKeepingUnit,
        numItemsExpected: random.pick([12, 24, 48, 60]),
        purchasePrice: costOf(product),
      })),
    };
    return { body, state: 'new' };
  });
}

/** Generates returns: each has one piece of the first line of a shipment that was handed over. */
export function inventReturns(
  count: number,
  shipments: readonly ScenarioShipment[],
  random: Random,
): readonly ReturnShipment[] {
  const gone = [...shipments.keys()].filter((index) => shipments[index]?.state === 'handed-over');
  return random
    .shuffled(gone)
    .slice(0, count)
    .map((ofShipment): ReturnShipment => {
      const { customerNumber, currencyCode, shipmentLines } = shipments[ofShipment]?.body ?? {};
      const [line] = isJsonArray(shipmentLines) ? shipmentLines : [];
      const { stockKeepingUnit } = membersOf(line);
      const returnShipmentLines = [{ stockKeepingUnit, numItemsExpected: 1, returnReason: random.pick(REASONS) }];
      return { body: { customerNumber, currencyCode, returnShipmentLines }, state: 'new', ofShipment };
    });
}
