import type { BookingRequest } from '../../contract/index.js';
import type { ValidationIssue } from '../../toolkit/check-codes.js';
import { anyObject, anyOf, listOf, ruleCheck } from '../../toolkit/checks/rule-check.js';
import { listAt, textAt, valueAt } from '../../toolkit/json.js';
import { warnWhen, when } from '../../toolkit/preflight.js';
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
  const unsent = listAt(request.options, 'unread').filter((each) => typeof each === 'string');
  // Bring takes them with this product alone.
  const incoterms = productOf(request).productionCode === '3050' ? (request.incoterms ?? '') : '';
  return [
    ...warnWhen(unsent.length > 0, 'not-sent', { given: unsent.join(', '), carrier: 'Bring' }),
    ...sentOtherwise(request, 'sent-otherwise', { member: 'customerNumber', sent: customerNumber }),
    ...sentOtherwise(request, 'incoterms-otherwise', { member: 'incotermRule', sent: incoterms }),
  ];
}

function sentOtherwise(
  request: BookingRequest,
  code: 'sent-otherwise' | 'incoterms-otherwise',
  { member, sent }: { readonly member: string; readonly sent: string },
): readonly ValidationIssue[] {
  const named = namedMembers(request);
  const text = textAt(named, member);
  const isNamed = (valueAt(named, member) ?? null) !== null;
  const given = text ?? (isNamed ? '…' : '');
  return warnWhen(given !== '' && text !== sent, code, { member, given, sent: sent || '-', carrier: 'Bring' });
}
