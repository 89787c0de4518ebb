import type { JsonMembers } from '../../store/json.js';
import type { Generate, ScenarioShipment, ShipmentState } from '../scenario.js';
import { SHIPMENT_STATES } from '../scenario.js';
import { NO_CARRIER, chooseCarriers, inventPickUpPoint, inventTrackingNumber, isBooked } from './carriers.js';
import { dayText } from './days.js';
import { bodiesOfLines, inventOrder } from './orders.js';
import type { Quantity } from './packing.js';
import { packParcels } from './packing.js';
import type { Customer, InventedParty } from './parties.js';
import { inventPerson } from './parties.js';
import type { Item } from './products.js';
import type { Random } from './random.js';
import { dealt } from './shares.js';

/** The data that generated shipments refer to. */
export interface Supplies {
  readonly customers: readonly Customer[];
  readonly sellerNumbers: readonly string[];
  readonly items: readonly Item[];
  /** Items without stock; back orders contain them. */
  readonly soldOut: readonly Item[];
  readonly today: Date;
}

const FIRST_REFERENCE = 40_010;
/** Per cent of the new shipments that are on hold, e.g. until the customer pays. */
const ON_HOLD_PERCENT = 6;
const PICK_UP_COUNTRIES = ['DK', 'SE', 'NO', 'FI'];
const CUT_OFFS = ['11:00', '13:30', '14:30', '15:15'];
const NOTES_ON_PACKING = [
  'Skrøbeligt - ekstra fyld',
  'Vedlæg gavekort',
  'Ingen priser på følgesedlen',
  'Brug genbrugskasse',
];

/** Generates `generate.shipments` shipments, with the shares of states and carriers that `generate` gives. */
export function inventShipments(generate: Generate, supplies: Supplies, random: Random): readonly ScenarioShipment[] {
  const { shipments: count, states, carriers, deliveryInDays } = generate;
  const dealtStates = dealt(states, count, random.branch('states'));
  // Shipments in the furthest states come first, because their orders are the oldest.
  const consignments = [...SHIPMENT_STATES]
    .reverse()
    .flatMap((state) =>
      dealtStates.filter((name) => name === state).map(() => ({ state, customer: random.pick(supplies.customers) })),
    );
  const names = chooseCarriers(consignments, carriers, random.branch('carriers'));
  const backOrders = backOrdersAmong(consignments, Math.round((count * generate.backOrders) / 100));
  return consignments.map(({ state, customer }, index) => {
    const chance = random.branch(`shipment ${index}`);
    const order = inventOrder(customer, supplies.items, chance);
    const missing = backOrders.has(index) ? [{ item: chance.pick(supplies.soldOut), pieces: 1 }] : [];
    const days = chance.whole(deliveryInDays.from, deliveryInDays.to);
    return inventShipment(
      {
        ...{ customer, state, order: [...order, ...missing], carrierName: names[index] ?? NO_CARRIER },
        sellerNumber: supplies.sellerNumbers.length > 0 ? chance.pick(supplies.sellerNumbers) : null,
        reference: FIRST_REFERENCE + index * 3 + chance.whole(0, 2),
        // A booked shipment never has a delivery date in the future.
        deliveryDate: dayText(supplies.today, isBooked(state) ? Math.min(days, 0) : days),
      },
      chance,
    );
  });
}

function backOrdersAmong(
  consignments: readonly { readonly state: ShipmentState }[],
  count: number,
): ReadonlySet<number> {
  const fresh = [...consignments.keys()].filter((index) => consignments[index]?.state === 'new');
  return new Set(fresh.slice(0, count));
}

interface Plan {
  readonly customer: Customer;
  readonly state: ShipmentState;
  readonly order: readonly Quantity[];
  readonly carrierName: string;
  readonly sellerNumber: string | null;
  readonly reference: number;
  readonly deliveryDate: string;
}

function inventShipment(plan: Plan, random: Random): ScenarioShipment {
  const { customer, carrierName, state } = plan;
  const body: JsonMembers = {
    customerNumber: customer.customerNumber,
    ...(plan.sellerNumber === null ? {} : { sellerNumber: plan.sellerNumber }),
    ...(carrierName === NO_CARRIER ? {} : { carrierName }),
    deliveryDate: plan.deliveryDate,
    shippingDeadline: `${plan.deliveryDate}T${random.pick(CUT_OFFS)}:00.000Z`,
    currencyCode: customer.country.currencyCode,
    ...(customer.kind === 'person' ? forPerson(plan, random) : forCompany(plan, random)),
    ...(customer.country.customs === 'needed' ? forCustoms(customer, random) : {}),
    ...forPacker(state, random),
    shipmentLines: bodiesOfLines(plan.order, customer, random),
  };
  const containers = state === 'new' ? [] : packParcels(plan.order);
  return state === 'delivery-note' || state === 'handed-over'
    ? withNumbers({ body, shippingContainers: containers, state }, carrierName, random)
    : { body, shippingContainers: containers, state };
}

function forPacker(state: ShipmentState, random: Random): JsonMembers {
  return {
    ...(state === 'new' && random.chance(ON_HOLD_PERCENT) ? { onHold: true } : {}),
    ...(random.chance(4) ? { notesOnPacking: random.pick(NOTES_ON_PACKING) } : {}),
  };
}

/** Adds tracking numbers: the carrier assigns them before a worker creates the delivery note. */
function withNumbers(shipment: ScenarioShipment, carrierName: string, random: Random): ScenarioShipment {
  const shippingContainers = shipment.shippingContainers.map((container) => ({
    ...container,
    trackingNumber: inventTrackingNumber(carrierName, random),
  }));
  const carriersShipmentNumber = inventTrackingNumber(carrierName, random);
  return { ...shipment, body: { ...shipment.body, carriersShipmentNumber }, shippingContainers };
}

function forPerson({ customer, reference, carrierName }: Plan, random: Random): JsonMembers {
  const { country } = customer;
  // Some orders are presents, so the recipient is not the customer.
  const recipient = random.chance(6) ? inventPerson(country, random) : customer;
  const given = {
    sellersReference: `WEB-${reference}`,
    privateDelivery: true,
    deliveryAddress: recipient.address,
    contactPerson: recipient.contactPerson,
  };
  const fetched = PICK_UP_COUNTRIES.includes(country.code) && random.chance(35);
  return fetched ? { ...given, ...toPickUpPoint(carrierName, random) } : { ...given, ...toTheDoor(recipient, random) };
}

/** A delivery to a pick-up point. Without a carrier the point is not chosen yet. */
function toPickUpPoint(carrierName: string, random: Random): JsonMembers {
  const named = carrierName === NO_CARRIER ? {} : { pickUpPointId: inventPickUpPoint(carrierName, random) };
  return { deliverToPickUpPoint: true, ...named };
}

/** A delivery to the recipient's door. Only at houses may the driver leave a parcel unattended. */
function toTheDoor({ country, address }: InventedParty, random: Random): JsonMembers {
  const kind = address['floorBlockOrSuite'] === undefined ? 'houses' : 'flats';
  if (!random.chance(25)) return random.chance(6) ? { requireReceiptOnDelivery: true } : {};
  return {
    notesOnDelivery: random.pick(country.notesOnDelivery[kind]),
    ...(kind === 'houses' ? { unattendedDelivery: true } : {}),
  };
}

function forCompany({ customer, reference }: Plan, random: Random): JsonMembers {
  const { country, vatNumber, address, contactPerson } = customer;
  return {
    sellersReference: `SO-${reference}`,
    privateDelivery: false,
    deliveryAddress: address,
    contactPerson,
    ...(vatNumber === null ? {} : { vatNumber }),
    ...(random.chance(60) ? { customersReference: random.digits('PO 4####') } : {}),
    ...(random.chance(30) ? { notesOnDelivery: random.pick(country.notesOfCompanies) } : {}),
    ...(country.code !== 'DK' ? { incoterms: 'DAP' } : {}),
  };
}

function forCustoms({ kind }: Customer, random: Random): JsonMembers {
  return {
    incoterms: kind === 'person' ? 'DDP' : random.pick(['DAP', 'DDP']),
    notesOnShipping: 'Toldfaktura udvendigt på kolli 1',
  };
}
