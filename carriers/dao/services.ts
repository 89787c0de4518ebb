import type { BookingRequest } from '../contract/index.js';

export const SERVICES = ['home', 'pickup-point', 'abroad'] as const;

export type DaoService = (typeof SERVICES)[number];

/**
 * The product a request asks for: by its code, else by the wishes and the country of the shipment.
 * @returns `null`: DAO has no product of that code
 */
export function serviceOf(request: BookingRequest): DaoService | null {
  if (request.service !== null) return SERVICES.find((service) => service === request.service) ?? null;
  if (!isDanish(request)) return 'abroad';
  return request.deliverToPickUpPoint ? 'pickup-point' : 'home';
}

/** An address without a country is taken for one in DAO's own. */
export function isDanish(request: BookingRequest): boolean {
  const country = request.recipient.address.countryCode;
  return country === null || country === 'DK';
}
