import type { BookingRequest, Parcel } from '../contract/index.js';
import { type ValidationIssue, anyObject, anyOf, customsArea, forParcels, hasSides } from '../toolkit/index.js';
import { heavierThan, listAt, listOf, looksLikeEmail, looksLikePhone, partyProblems } from '../toolkit/index.js';
import { ruleCheck, textAt, unannouncedGoods, warnWhen, when } from '../toolkit/index.js';
import { type BringConfig, NOTIFICATIONS } from './config.js';
import { FIELDS, bringTexts } from './fields.js';
import { NEEDS_A_PERSON, NOTIFICATION, UNATTENDED, additionalServices, idOf } from './services.js';
import { incotermsOf, namedMembers, productOf } from './services.js';

const carrier = 'Bring';
const INCOTERMS = ['DDP', 'DAP', 'FCA', 'EXW'];
/** Additional services that announce dangerous goods: as such, and as limited quantities. */
const DANGEROUS_GOODS = ['1245', '0003'];

/** Bring has more services than are listed, which are sent as a rule names them. */
export const checkRule = ruleCheck({
  carrier,
  options: {
    additionalServices: listOf(() => true, '[{ id }]'),
    product: anyObject('{ messageForRecipient }'),
    // GLS's word for it is taken too: one rule may lead to either, by price.
    notification: anyOf([...NOTIFICATIONS, 'email'], NOTIFICATIONS.join(', ')),
    unread: listOf(() => true, '[name]'), // of an instruction in the IMS
  },
});

/** What of the account's settings the checks need. */
type CheckSettings = Pick<BringConfig, 'customerNumber' | 'notification'>;

/** What Bring would refuse for certain. */
export function checkForBring(request: BookingRequest, settings: CheckSettings): readonly ValidationIssue[] {
  return [
    ...partyProblems(request, { fields: FIELDS }),
    ...contactProblems(request, settings),
    ...productProblems(request),
    ...checkRule(request),
    ...optionProblems(request, settings),
    ...parcelProblems(request, settings),
  ];
}

function contactProblems(request: BookingRequest, settings: CheckSettings): readonly ValidationIssue[] {
  const product = productOf(request);
  const hasPhone = bringTexts(request.sender, null).phoneNumber.sent !== '';
  const notices = additionalServices(request, settings).filter(({ id }) => id === NOTIFICATION);
  const hasAddress = (notice: unknown) =>
    looksLikeEmail(textAt(notice, 'email')) || looksLikePhone(textAt(notice, 'mobile'));
  const { mobile, phone } = request.recipient.contact;
  // A pick-up parcel can be told by any telephone; the service named in the rule takes no other number than a mobile.
  const reached = notices.length > 0 || [mobile, phone].some(looksLikePhone);
  return [
    ...when(!hasPhone && !product.is('mailbox', 'return'), 'sender-phone'),
    ...when(!notices.every(hasAddress) || (product.is('pick-up') && !reached), 'recipient-contact'),
  ];
}

function productProblems(request: BookingRequest): readonly ValidationIssue[] {
  const { id: service, is, from, to } = productOf(request);
  const lacksIncoterms = is('needs-incoterms') && !INCOTERMS.includes(request.incoterms ?? '');
  const origin = request.sender.address.countryCode ?? '';
  const country = request.recipient.address.countryCode ?? '';
  const isIn = (countries: readonly string[], code: string) => code === '' || countries.includes(code);
  const goes = isIn(from ?? [origin], origin) && isIn(to ?? [country], country);
  return [
    ...when(is('mailbox') && request.parcels.length > 1, 'single-parcel', { service, carrier }),
    ...when(is('zpl-only'), 'label-format', { service }),
    ...when(lacksIncoterms, 'incoterms', { service, allowed: INCOTERMS.join(', ') }),
    ...when(!goes, 'service-route', { service, carrier, origin, country }),
  ];
}

/** Of the rule or of the instruction in the IMS; of what is not sent, or sent otherwise, a person is told. */
function optionProblems(request: BookingRequest, settings: CheckSettings): readonly ValidationIssue[] {
  const { id: service, is } = productOf(request);
  const named = listAt(request.options, 'additionalServices').map(idOf);
  const isUnattended = named.includes(UNATTENDED);
  const hasNoSuch = is('pick-up') && ['DK', 'SE'].includes(request.recipient.address.countryCode ?? '');
  const services = NEEDS_A_PERSON.filter((each) => named.includes(each)).join(', ');
  const unread = listAt(request.options, 'unread').filter((each) => typeof each === 'string');
  const members = namedMembers(request);
  const sentOtherwise = (code: 'sent-otherwise' | 'incoterms-otherwise', member: string, sent = '') => {
    const given = textAt(members, member);
    const isNamed = (members[member] ?? null) !== null;
    return warnWhen(isNamed && given !== sent, code, { member, given: given ?? '…', sent: sent || '-', carrier });
  };
  return [
    ...when(named.includes(null), 'options'),
    ...when(isUnattended && hasNoSuch, 'unattended-pick-up', { given: UNATTENDED, service }),
    ...when(isUnattended && services !== '', 'unattended-handed-over', { given: UNATTENDED, services }),
    ...warnWhen(unread.length > 0, 'not-sent', { given: unread.join(', '), carrier }),
    ...sentOtherwise('sent-otherwise', 'customerNumber', settings.customerNumber),
    ...sentOtherwise('incoterms-otherwise', 'incotermRule', incotermsOf(request)),
  ];
}

/** Customs data have names at Bring that are not certain, so that none are sent. */
function parcelProblems(request: BookingRequest, settings: CheckSettings): readonly ValidationIssue[] {
  const { id: service, is, maxGramsTo } = productOf(request);
  const [{ countryCode: origin }, to] = [request.sender.address, request.recipient.address];
  const isAbroad = ![null, 'NO'].includes(customsArea(to));
  const isUndeclared = origin === 'NO' && isAbroad && is('declared-from-Norway');
  const isAnnounced = additionalServices(request, settings).some(({ id }) => DANGEROUS_GOODS.includes(id));
  const isUnmeasured = (parcel: Parcel) =>
    !hasSides(parcel) && (origin === 'FI' || (is('measured') && parcel.volumeMl === null));
  return [
    ...when(isUndeclared, 'customs-from-norway', { country: to.countryCode ?? '', carrier, service }),
    ...unannouncedGoods(request, carrier, isAnnounced),
    ...heavierThan(maxGramsTo(to.countryCode), request, 'too-heavy'),
    ...forParcels(request, isUnmeasured, { code: 'measures' }),
  ];
}
