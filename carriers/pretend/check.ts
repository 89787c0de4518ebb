import type { BookingRequest } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/index.js';
import { addressProblems, declarationProblems, forParcels, kilograms, noDangerousGoods } from '../toolkit/index.js';
import { when } from '../toolkit/index.js';
import { MAX_WEIGHT_KG, SERVICE } from './api.js';
import { FIELDS } from './fields.js';

/** What Pretend would refuse. */
export function checkForPretend(request: BookingRequest): readonly ValidationIssue[] {
  const { service, recipient } = request;
  const isUnknown = service !== null && !SERVICE.test(service);
  return [
    ...when(isUnknown, 'unknown-service', { service: service ?? '', carrier: 'Pretend' }),
    ...addressProblems('recipient', recipient, { fields: FIELDS }),
    ...declarationProblems(request),
    ...noDangerousGoods(request, 'Pretend'),
    ...forParcels(request, ({ weightGrams }) => kilograms(weightGrams) > MAX_WEIGHT_KG, {
      code: 'too-heavy',
      limit: `${MAX_WEIGHT_KG}`,
    }),
  ];
}
