import type { BookingRequest } from '../contract/index.js';
import type { Complaint } from '../toolkit/check-codes.js';
import { when } from '../toolkit/preflight.js';
import type { DaoService } from './wire.js';
import { SERVICES } from './wire.js';

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

/** `unknown-service`, when DAO has no product of the code asked for. */
export function unknownService(request: BookingRequest): readonly Complaint[] {
  const text = `DAO has no service "${request.service}"; it has ${SERVICES.join(', ')}: mend the rule in the settings.`;
  const values = { service: request.service ?? '', carrier: 'DAO' };
  return when(serviceOf(request) === null, 'unknown-service', { text, values });
}
