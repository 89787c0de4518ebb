import type { BookingRequest } from '../../contract/index.js';
import type { ValidationIssue } from '../../toolkit/index.js';
import { anyObject, anyOf, listAt, listOf, ruleCheck, textAt, valueAt, warnWhen, when } from '../../toolkit/index.js';
import type { BringConfig } from '../config.js';
import { NOTIFICATIONS } from '../config.js';
import type { Product } from '../services.js';
import { NEEDS_A_PERSON, UNATTENDED, idOf, namedMembers, productOf } from '../services.js';

/** Bring has more services than are listed, which are sent as a rule names them. */
export const checkRule = ruleCheck({
  carrier: 'Bring',
  options: {
    additionalServices: listOf(() => true, '[{ id }]'),
    product: anyObject('{ messageForRecipient }'),
    // GLS's word for it is taken too: one rule may lead to either, by price.
    notification: anyOf([...NOTIFICATIONS, 'email'], NOTIFICATIONS.join(', ')),
    unread: listOf(() => true, '[name]'), // of an instruction in the IMS
  },
});

/** What is wrong with the options of the rule or of the instruction in the IMS. */
export function optionProblems(request: BookingRequest, { kind, id: service }: Product): readonly ValidationIssue[] {
  const named = listAt(request.options, 'additionalServices').map(idOf);
  const isUnattended = named.includes(UNATTENDED);
  const hasNoSuch = kind === 'pick-up' && ['DK', 'SE'].includes(request.recipient.address.countryCode ?? '');
  const services = NEEDS_A_PERSON.filter((each) => named.includes(each)).join(', ');
  return [
    ...checkRule(request),
    ...when(named.includes(null), 'options'),
    ...when(isUnattended && hasNoSuch, 'unattended-pick-up', { given: UNATTENDED, service }),
    ...when(isUnattended && services !== '', 'unattended-handed-over', { given: UNATTENDED, services }),
  ];
}

/** What of an instruction does not go to Bring, or goes there otherwise: the parcel is booked, and a person is told. */
export function unsentMembers(
  request: BookingRequest,
  { customerNumber }: Pick<BringConfig, 'customerNumber'>,
): readonly ValidationIssue[] {
  const given = listAt(request.options, 'unread').filter((each) => typeof each === 'string');
  // Bring takes them with this product alone.
  const incoterms = productOf(request).productionCode === '3050' ? (request.incoterms ?? '') : '';
  return [
    ...warnWhen(given.length > 0, 'not-sent', { given: given.join(', '), carrier: 'Bring' }),
    ...sentOtherwise(request, 'sent-otherwise', ['customerNumber', customerNumber]),
    ...sentOtherwise(request, 'incoterms-otherwise', ['incotermRule', incoterms]),
  ];
}

function sentOtherwise(
  request: BookingRequest,
  code: 'sent-otherwise' | 'incoterms-otherwise',
  [member, sent]: readonly [member: string, sent: string],
): readonly ValidationIssue[] {
  const value = valueAt(namedMembers(request), member) ?? null;
  const text = textAt(value);
  return warnWhen(value !== null && text !== sent, code, {
    member,
    given: text ?? '…',
    sent: sent || '-',
    carrier: 'Bring',
  });
}
