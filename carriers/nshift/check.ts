import type { BookingRequest, Problem } from '../contract/index.js';
import { contactProblems, declarationProblems, inWords, optionValue } from '../toolkit/index.js';
import { partyProblems, unNumbers, unannouncedGoods, when } from '../toolkit/index.js';
import type { NshiftConfig } from './config.js';
import { FIELDS, LETTER, addonsOf, checkRule, declaresDangerous, isFound, productOf } from './services.js';

/** What nShift, or the carrier behind it, would refuse. */
export function checkForNshift(request: BookingRequest, config: NshiftConfig): readonly Problem[] {
  const { id, goesToPoint, point } = productOf(request, config);
  const addons = addonsOf(request, config).map((addon) => addon.id);
  const needs = { email: addons.includes('NOTEMAIL'), mobile: addons.includes('NOTSMS') };
  const bulk = optionValue(id === LETTER && !config.bulkId, 'bulkId', { given: null, allowed: 'a bulk id' });
  return [
    ...checkRule(request),
    ...inWords(`nShift books ${LETTER} with a bulk id: add bulkId to the config of the account.`, bulk),
    ...partyProblems(request, { fields: FIELDS, parts: config.senderQuickId ? [] : ['name', 'city', 'country'] }),
    ...when(goesToPoint && point === null && !isFound(request, config), 'pick-up-point-missing'),
    ...contactProblems(request, { carrier: 'nShift', fields: FIELDS, needs }),
    ...declarationProblems(request),
    ...dangerousProblems(request),
  ];
}

/** They stand at a parcel, and the shipment does not say in which one they are. */
function dangerousProblems(request: BookingRequest): readonly Problem[] {
  const [isDeclared, found] = [declaresDangerous(request), unNumbers(request)];
  const isClear = !isDeclared || (found.length === 1 && request.parcels.length === 1);
  const values = { numbers: found.join(', '), carrier: 'nShift' };
  const text = `The shipment holds dangerous goods (${values.numbers}), which nShift gets for one parcel with one number: send them by themselves.`;
  return [
    ...unannouncedGoods(request, 'nShift', isDeclared),
    ...inWords(text, when(!isClear, 'dangerous-goods', values)),
  ];
}
