import { habitsOf } from './habits.js';
import type { Shares, ShipmentState } from '../scenario.js';
import type { Customer } from './parties.js';
import type { Random } from './random.js';
import { dealt } from './shares.js';

export const NO_CARRIER = 'none';

export function inventTrackingNumber(carrierName: string, random: Random): string {
  return random.digits(habitsOf(carrierName).trackingNumber);
}

export function inventPickUpPoint(carrierName: string, random: Random): string {
  return random.digits(habitsOf(carrierName).pickUpPointId);
}

/** Whether a shipment in that state has a booking with its carrier. */
export function isBooked(state: ShipmentState): boolean {
  return state !== 'new' && state !== 'packed';
}

export interface UnassignedShipment {
  readonly customer: Customer;
  readonly state: ShipmentState;
}

/**
 * Assigns a carrier to each shipment, by the shares as far as the carriers accept it. A booked shipment never
 * gets `none` while a carrier with a share accepts it.
 * @returns names of carriers or `none`, in the order of the shipments
 */
export function chooseCarriers(
  shipments: readonly UnassignedShipment[],
  shares: Shares,
  random: Random,
): readonly string[] {
  const pool = [...dealt(shares, shipments.length, random)];
  const chosen = new Map<number, string>();
  // Consignments that few carriers accept choose first.
  const order = [...random.shuffled([...shipments.entries()])].sort(([, a], [, b]) => freedom(a) - freedom(b));
  for (const [index, shipment] of order) {
    const place = pool.findIndex((name) => takes(name, shipment));
    const [name] = place < 0 ? [] : pool.splice(place, 1);
    chosen.set(index, name ?? Object.keys(shares).find((other) => takes(other, shipment)) ?? NO_CARRIER);
  }
  return shipments.map((_shipment, index) => chosen.get(index) ?? NO_CARRIER);
}

function freedom({ customer, state }: UnassignedShipment): number {
  const abroad = customer.country.code !== 'DK';
  return (isBooked(state) ? 0 : 4) + (abroad ? 0 : 2) + (customer.kind === 'company' ? 0 : 1);
}

function takes(carrierName: string, { customer, state }: UnassignedShipment): boolean {
  if (carrierName === NO_CARRIER) return !isBooked(state);
  const { countries, recipients } = habitsOf(carrierName);
  if (recipients === 'persons' && customer.kind === 'company') return false;
  return countries === null || countries.includes(customer.country.code);
}
