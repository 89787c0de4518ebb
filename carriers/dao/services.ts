import type { BookingRequest, CarrierService } from '../contract/index.js';
import { anyText, ruleCheck } from '../toolkit/index.js';

/** What we call DAO's products, which have no codes of their own. */
export const SERVICES = [
  { code: 'home', name: 'daoHOME: to an address in Denmark' },
  { code: 'pickup-point', name: 'daoSHOP: to a pick-up point in Denmark' },
  { code: 'abroad', name: 'to another country' },
] as const satisfies readonly CarrierService[];

export type DaoService = (typeof SERVICES)[number]['code'];

/** An option that is not understood would let a parcel out without what was to be shown for it. */
export const checkRule = ruleCheck({
  carrier: 'DAO',
  services: SERVICES,
  options: { idkrav: anyText('Udleveringskode, none') },
});

/**
 * The product a request asks for: by its code, else by what the shipment asks for and its country.
 * @returns `null`: DAO has no product of that code
 */
export function serviceOf(request: BookingRequest): DaoService | null {
  if (request.service !== null) return SERVICES.find(({ code }) => code === request.service)?.code ?? null;
  if (!isDanish(request)) return 'abroad';
  return request.deliverToPickUpPoint ? 'pickup-point' : 'home';
}

/** An address without a country is taken for one in DAO's own. */
export function isDanish(request: BookingRequest): boolean {
  return (request.recipient.address.countryCode ?? 'DK') === 'DK';
}
