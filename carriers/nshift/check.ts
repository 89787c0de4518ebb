import type { BookingRequest, Problem } from '../contract/index.js';
import { contactProblems, declarationProblems, partyProblems } from '../toolkit/index.js';
import { unNumbers, unannouncedGoods, when } from '../toolkit/index.js';
import type { NshiftConfig } from './config.js';
import { FIELDS, LETTER, addonsOf, checkRule, declaresDangerous, isFound, productOf } from './services.js';

const carrier = 'nShift';

/** What nShift, or the carrier behind it, would refuse. */
export function checkForNshift(request: BookingRequest, config: NshiftConfig): readonly Problem[] {
  const { id, goesToPoint, point } = productOf(request, config);
  const addons = addonsOf(request, config).map((addon) => addon.id);
  const needs = { email: addons.includes('NOTEMAIL'), mobile: addons.includes('NOTSMS') };
  return [
    ...checkRule(request),
    ...when(id === LETTER && !config.bulkId, 'account-setting', { carrier, service: LETTER, option: 'bulkId' }),
    ...partyProblems(request, { fields: FIELDS, parts: config.senderQuickId ? [] : ['name', 'city', 'country'] }),
    ...when(goesToPoint && point === null && !isFound(request, config), 'pick-up-point-missing'),
    ...contactProblems(request, { carrier, fields: FIELDS, needs }),
    ...declarationProblems(request),
    ...dangerousProblems(request),
  ];
}

/** nShift declares dangerous goods by parcel, and the shipment does not say which parcel holds them. */
function dangerousProblems(request: BookingRequest): readonly Problem[] {
  const [isDeclared, found] = [declaresDangerous(request), unNumbers(request)];
  const isClear = !isDeclared || (found.length === 1 && request.parcels.length === 1);
  return [
    ...unannouncedGoods(request, carrier, isDeclared),
    ...when(!isClear, 'dangerous-goods-alone', { numbers: found.join(', '), carrier }),
  ];
}
