import type { BookingRequest, CarrierService } from '../contract/index.js';
import { COUNT, FLAG, anyObject, ruleCheck } from '../toolkit/checks/rule-check.js';

/** Our word: Budbee has no product code for it. */
export const HOME = 'home';
export const BOX = 'DLVBOX';

export const SERVICES: readonly CarrierService[] = [
  { code: HOME, name: 'Home delivery' },
  { code: BOX, name: 'Box delivery: to the locker that the shipment names, or the nearest' },
];

/** The service that a rule names counts before what the shipment says. */
export function isBox({ service, deliverToPickUpPoint }: BookingRequest): boolean {
  return service === null ? deliverToPickUpPoint : service === BOX;
}

/** By Budbee's own names. */
export const checkRule = ruleCheck({
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
});
