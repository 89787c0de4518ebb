import type { BookingRequest, CarrierService, Problem, RuleProduct } from '../contract/index.js';
import type { ProductTable } from '../toolkit/checks/product-problems.js';
import { COUNT, FLAG, anyObject, productProblems } from '../toolkit/checks/product-problems.js';

/** Our word: Budbee has no product code for it. */
export const HOME = 'home';
export const BOX = 'DLVBOX';

export const SERVICES: readonly CarrierService[] = [
  { code: HOME, name: 'Home delivery' },
  { code: BOX, name: 'Box delivery: to the locker that the shipment names' },
];

/** The service that a rule names counts before what the shipment says. */
export function isBox({ service, deliverToPickUpPoint }: BookingRequest): boolean {
  return service === null ? deliverToPickUpPoint : service === BOX;
}

/** By Budbee's own names. */
const PRODUCTS: ProductTable = {
  carrier: 'Budbee',
  services: SERVICES,
  options: {
    requireSignature: FLAG,
    additionalServices: anyObject('{ identificationCheckRequired: true }'),
    'additionalServices.identificationCheckRequired': FLAG,
    'additionalServices.recipientMinimumAge': COUNT,
    'additionalServices.recipientMustMatchEndCustomer': FLAG,
    'additionalServices.numberOfMissRetries': COUNT,
    'additionalServices.fraudDetection': FLAG,
  },
};

export function checkRule(product: RuleProduct): readonly Problem[] {
  return productProblems(product, PRODUCTS);
}
