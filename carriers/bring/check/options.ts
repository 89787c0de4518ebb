import type { BookingRequest } from '../../contract/index.js';
import type { Complaint } from '../../toolkit/check-codes.js';
import { listAt, textAt, valueAt } from '../../toolkit/json.js';
import { doubtWhen, optionText, when } from '../../toolkit/preflight.js';
import type { BringConfig } from '../config.js';
import { NOTIFICATIONS } from '../config.js';
import type { Product } from '../services.js';
import { NEEDS_A_PERSON, UNATTENDED, idOf, namedMembers, productOf } from '../services.js';

/** What is wrong with the options of the rule or of the instruction in the IMS. */
export function optionProblems(request: BookingRequest, { kind, id }: Product): readonly Complaint[] {
  const named = listAt(request.options, 'additionalServices').map(idOf);
  const unattended = kind === 'pick-up' && named.includes(UNATTENDED);
  const handedOver = NEEDS_A_PERSON.filter((each) => named.includes(each));
  const services = handedOver.join(', ');
  return [
    ...unreadableOptions(request),
    ...when(
      named.includes(null),
      'options',
      'The rule names an additional service without its id; mend it in the settings.',
    ),
    ...when(unattended && ['DK', 'SE'].includes(request.recipient.address.countryCode ?? ''), 'unattended-pick-up', {
      text: `The rule names unattended delivery (${UNATTENDED}), which service ${id} does not have; mend it in the settings.`,
      values: { given: UNATTENDED, service: id },
    }),
    ...when(named.includes(UNATTENDED) && services !== '', 'unattended-handed-over', {
      text: `The rule names unattended delivery (${UNATTENDED}) together with ${services}, which somebody must be at home for; mend it in the settings.`,
      values: { given: UNATTENDED, services },
    }),
  ];
}

function unreadableOptions({ options }: BookingRequest): readonly Complaint[] {
  const { additionalServices: services, product, notification } = options;
  const isObject = typeof product === 'object' && product !== null && !Array.isArray(product);
  // GLS's word for it: one rule may lead to either, by price.
  const isKnown = notification === undefined || [...NOTIFICATIONS, 'email'].some((each) => each === notification);
  return [
    ...when(
      services !== undefined && !Array.isArray(services),
      'option-value',
      optionText('additionalServices', services, '[{ id }]'),
    ),
    ...when(
      product !== undefined && !isObject,
      'option-value',
      optionText('product', product, '{ messageForRecipient }'),
    ),
    ...when(!isKnown, 'option-value', optionText('notification', notification, NOTIFICATIONS.join(', '))),
  ];
}

/** What of an instruction does not go to Bring, or goes there otherwise: the parcel is booked, and a person is told. */
export function unsentMembers(
  request: BookingRequest,
  settings: Pick<BringConfig, 'customerNumber'>,
): readonly Complaint[] {
  const unsent = listAt(request.options, 'unread')
    .filter((each) => typeof each === 'string')
    .join(', ');
  return [
    ...doubtWhen(unsent !== '', 'not-sent', {
      text: `The rule says something of ${unsent}, which is not sent to Bring; mend it in the settings.`,
      values: { given: unsent, carrier: 'Bring' },
    }),
    ...sentOtherwise(request, 'customerNumber', settings.customerNumber),
    ...sentOtherwise(request, 'incotermRule', incotermsSent(request)),
  ];
}

/** Bring takes them with this product alone. */
function incotermsSent(request: BookingRequest): string {
  return productOf(request).productionCode === '3050' ? (request.incoterms ?? '') : '';
}

const SOURCES = {
  customerNumber: { code: 'sent-otherwise', from: 'the settings of the account' },
  incotermRule: { code: 'incoterms-otherwise', from: 'the shipment' },
} as const;

function sentOtherwise(request: BookingRequest, member: keyof typeof SOURCES, sent: string): readonly Complaint[] {
  const { code, from } = SOURCES[member];
  const given = textAt(namedMembers(request), member);
  const isObject = given === null && (valueAt(namedMembers(request), member) ?? null) !== null;
  const values = {
    member,
    given: given ?? (isObject ? '…' : ''),
    sent: sent === '' ? '-' : sent,
    carrier: 'Bring',
  };
  return doubtWhen(values.given !== '' && given !== sent, code, {
    text: `The rule says "${member}: ${values.given}", but Bring gets "${values.sent}" from ${from}; make the two the same in the settings.`,
    values,
  });
}
