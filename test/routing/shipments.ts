import type { RoutingContext } from '../../src/routing/facts/derived-fields.js';
import { type Facts, factsOf } from '../../src/routing/facts/facts.js';
import type { JsonObject } from '../../carriers/contract/json.js';

/** A Wednesday, 10 o'clock in Denmark. */
export const NOW = new Date('2026-03-04T09:00:00Z');

export const around: RoutingContext = { timeZone: 'Europe/Copenhagen', now: NOW, senderCountry: 'DK' };

export const address = (countryCode: string, postalCode: string | null = null) => ({
  addressee: 'Signe Lund',
  streetNameAndNumber: 'Birkevej 12',
  cityTownOrVillage: 'Byen',
  countryCode,
  postalCode,
});

export const box = (grossWeight: number | null, sides: readonly [number, number, number] | null = null) => ({
  id: 1,
  containerTypeName: 'Box',
  grossWeight,
  dimensions: sides === null ? null : { length: sides[0], width: sides[1], height: sides[2] },
});

export const line = (changes: JsonObject = {}) => ({
  id: 1,
  stockKeepingUnit: 'A-1',
  numItemsOrdered: 2,
  abandoned: false,
  ...changes,
});

export const packed = (...containers: readonly unknown[]) => ({ shippingContainers: containers });
export const goods = (...shipmentLines: readonly unknown[]) => ({ shipmentLines });
export const to = (country: string, postalCode: string | null = null) => ({
  deliveryAddress: address(country, postalCode),
});
export const light = box(2.4, [0.3, 0.2, 0.1]);
export const pallet = { ...box(240, [1.2, 0.8, 1.45]), platformType: 'EUR_PALLET' };

/** A shipment as the IMS gives it: to Odense, not packed. */
export const shipment = (changes: JsonObject = {}): JsonObject => ({
  id: 10,
  shipmentNumber: '10045',
  customerNumber: 'C-1',
  sellerNumber: 'S-1',
  deliveryAddress: address('DK', '5000'),
  shipmentLines: [line({ totalAmount: 250 })],
  shippingContainers: [],
  ...changes,
});

export const facts = (changes: JsonObject = {}, context: Partial<RoutingContext> = {}): Facts => {
  const fields = shipment(changes);
  const { carrierName } = fields;
  return factsOf(
    { fields, carrierName: typeof carrierName === 'string' ? carrierName : null },
    { ...around, ...context },
  );
};
