import type { BookingRequest, Parcel } from '../contract/index.js';
import { type ValidationIssue, anyObject, anyOf, anyText, declarationProblems, forParcels } from '../toolkit/index.js';
import { hasSides, heavierThan, isReachable, listAt, listOf, noEmailAddress, partyProblems } from '../toolkit/index.js';
import { ruleCheck, sentContact, textAt, unannouncedGoods, warnWhen, when } from '../toolkit/index.js';
import { NOTIFICATIONS } from './config.js';
import { NATURES, declaredAtBring } from './customs.js';
import type { AccountSettings, Asked } from './services.js';
import { FIELDS, NEEDS_A_PERSON, NOTIFICATION, UNATTENDED, askedOf } from './services.js';

const carrier = 'Bring';
const [INCOTERMS, TARIFF_DIGITS] = [['DDP', 'DAP', 'FCA', 'EXW'], 6];
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
    natureOfCargo: anyOf(NATURES),
    consolidatedShipmentId: anyText('the number of a group of shipments'),
    unread: listOf(() => true, '[name]'), // of an instruction in the IMS
  },
});

/** What Bring would refuse for certain. */
export function checkForBring(request: BookingRequest, settings: AccountSettings): readonly ValidationIssue[] {
  const asked = askedOf(request, settings);
  return [
    ...partyProblems(request, { fields: FIELDS }),
    ...contactProblems(request, asked),
    ...productProblems(request, asked),
    ...checkRule(request),
    ...optionProblems(request, asked),
    ...parcelProblems(request, asked),
    ...declarationProblems(request, declaredAtBring(request)?.goods ?? null, TARIFF_DIGITS),
  ];
}

function contactProblems({ sender, recipient: { contact } }: BookingRequest, asked: Asked): readonly ValidationIssue[] {
  const { is, isForPoint, additionalServices } = asked;
  const notices = additionalServices.filter(({ id }) => id === NOTIFICATION);
  const hasAddress = (notice: unknown) => isReachable(textAt(notice, 'email'), textAt(notice, 'mobile'));
  // A parcel for a point needs an e-mail address or any telephone; the notification takes no other number than a mobile.
  const reached = notices.length > 0 || isReachable(contact.email, contact.mobile, contact.phone);
  return [
    ...when(!sentContact(sender, FIELDS).mobile && !is('mailbox', 'return'), 'sender-phone', { carrier }), // its one number
    ...when(!notices.every(hasAddress) || ((is('pick-up') || isForPoint) && !reached), 'recipient-contact'),
    ...(is('home-delivery') ? noEmailAddress(contact.email, carrier) : []),
  ];
}

function productProblems({ incoterms, parcels }: BookingRequest, asked: Asked): readonly ValidationIssue[] {
  const { id: service, is, origin, country, isOffered } = asked;
  const lacksIncoterms = is('needs-incoterms') && !INCOTERMS.includes(incoterms ?? '');
  return [
    ...when(is('mailbox') && parcels.length > 1, 'single-parcel', { service, carrier }),
    ...when(is('zpl-only'), 'label-format', { service }),
    ...when(lacksIncoterms, 'incoterms', { service, allowed: INCOTERMS.join(', ') }),
    ...when(!isOffered(origin, country), 'service-route', { service, carrier, origin, country }),
  ];
}

/** Checks the options of the rule or of the IMS instruction; warns of one that is not sent, or sent otherwise. */
function optionProblems({ options }: BookingRequest, asked: Asked): readonly ValidationIssue[] {
  const { id: service, country, members, named, namedOf, sent, isHandedOverIn } = asked;
  const isUnattended = namedOf(UNATTENDED).length > 0;
  const services = namedOf(...NEEDS_A_PERSON).join(', ');
  const unread = listAt(options, 'unread').filter((each) => typeof each === 'string');
  const lacksId = named.some(({ id }) => id === null);
  const sentOtherwise = (code: 'sent-otherwise' | 'incoterms-otherwise', member: keyof typeof sent) => {
    const given = textAt(members, member) ?? (members[member] ? '…' : sent[member]);
    return warnWhen(given !== sent[member], code, { member, given: given ?? '', sent: sent[member] ?? '-', carrier });
  };
  return [
    ...when(lacksId, 'options'),
    ...when(isUnattended && isHandedOverIn(country), 'unattended-pick-up', { given: UNATTENDED, service }),
    ...when(isUnattended && services !== '', 'unattended-handed-over', { given: UNATTENDED, services }),
    ...warnWhen(unread.length > 0, 'not-sent', { given: unread.join(', '), carrier }),
    ...sentOtherwise('sent-otherwise', 'customerNumber'),
    ...sentOtherwise('incoterms-otherwise', 'incotermRule'),
  ];
}

function parcelProblems(request: BookingRequest, asked: Asked): readonly ValidationIssue[] {
  const { is, origin, country, maxGramsTo, namedOf } = asked;
  const isAnnounced = namedOf(...DANGEROUS_GOODS).length > 0;
  const isUnmeasured = (parcel: Parcel) =>
    !hasSides(parcel) && (origin === 'FI' || (is('measured') && parcel.volumeMl === null));
  return [
    ...unannouncedGoods(request, carrier, isAnnounced),
    ...heavierThan(maxGramsTo(country), request, 'too-heavy'),
    ...forParcels(request, isUnmeasured, { code: 'measures' }),
  ];
}
