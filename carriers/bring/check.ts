import type { BookingRequest, Parcel } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/index.js';
import { customsArea, forParcels, heavierThan, looksLikeEmail, looksLikePhone } from '../toolkit/index.js';
import { partyProblems, textAt, unNumbers, when } from '../toolkit/index.js';
import type { BringConfig } from './config.js';
import { FIELDS, bringTexts } from './fields.js';
import { optionProblems, unsentMembers } from './check/options.js';
import type { AdditionalService, Product } from './services.js';
import { NOTIFICATION, ROUTES, additionalServices, productOf } from './services.js';

/** Heaviest parcel inside Denmark, by production code. */
const DANISH_LIMITS_GRAMS: Readonly<Record<string, number>> = { '0340': 20_000, '0342': 20_000, '0349': 35_000 };
/** One label a booking. */
const SINGLE_PARCEL = new Set(['3584', '3570']);
/** Mailbox parcels and returns are booked without the sender's telephone. */
const NO_SENDER_PHONE = new Set('3584 3570 0331 0333 0341 0343 9000 9300 9350 9600'.split(' '));
const carrier = 'Bring';
const INCOTERMS = ['DDP', 'DAP', 'FCA', 'EXW'];
const ZPL_ONLY = '3570';
/** Refused from Norway to other countries without customs data. */
const DECLARED_FROM_NORWAY = new Set(['0330', '0340', '3639']);
/** Cargo and the heavy home deliveries are refused without either all sides or the volume. */
const MEASURED = new Set(['5100', '5300', '9100', '2870', '3123']);
/** Additional services that announce dangerous goods: as such, and as limited quantities. */
const DANGEROUS_GOODS = ['1245', '0003'];

/** What of the account's settings the checks need. */
type CheckSettings = Pick<BringConfig, 'customerNumber' | 'notification'>;

interface Asked {
  readonly request: BookingRequest;
  readonly product: Product;
  readonly additional: readonly AdditionalService[];
}

/** What Bring would refuse for certain. */
export function checkForBring(request: BookingRequest, settings: CheckSettings): readonly ValidationIssue[] {
  const product = productOf(request);
  const asked: Asked = { request, product, additional: additionalServices(request, settings) };
  return [
    ...partyProblems(request, { fields: FIELDS }),
    ...contactProblems(asked),
    ...productProblems(asked),
    ...optionProblems(request, product),
    ...unsentMembers(request, settings),
    ...contentProblems(asked),
    ...parcelProblems(asked),
  ];
}

function contactProblems({ request, product, additional }: Asked): readonly ValidationIssue[] {
  const hasPhone = bringTexts(request.sender, null).phoneNumber.sent !== '';
  const notices = additional.filter(({ id }) => id === NOTIFICATION);
  const hasAddress = (notice: AdditionalService) =>
    looksLikeEmail(textAt(notice, 'email')) || looksLikePhone(textAt(notice, 'mobile'));
  const { mobile, phone } = request.recipient.contact;
  // A pick-up parcel can be told by any telephone; the service named in the rule takes no other number than a mobile.
  const reached = notices.length > 0 || [mobile, phone].some(looksLikePhone);
  return [
    ...when(!hasPhone && !NO_SENDER_PHONE.has(product.productionCode), 'sender-phone'),
    ...when(!notices.every(hasAddress) || (product.kind === 'pick-up' && !reached), 'recipient-contact'),
  ];
}

function productProblems({ request, product: { productionCode, id: service } }: Asked): readonly ValidationIssue[] {
  const needsIncoterms = productionCode === '3050' && !INCOTERMS.includes(request.incoterms ?? '');
  const origin = request.sender.address.countryCode;
  const country = request.recipient.address.countryCode;
  const { from = null, to = null } = ROUTES[productionCode] ?? {};
  const fits = isOneOf(from, origin) && isOneOf(to, country);
  const places = { origin: origin ?? '', country: country ?? '' };
  return [
    ...when(SINGLE_PARCEL.has(productionCode) && request.parcels.length > 1, 'single-parcel', { service, carrier }),
    ...when(productionCode === ZPL_ONLY, 'label-format', { service }),
    ...when(needsIncoterms, 'incoterms', { service, allowed: INCOTERMS.join(', ') }),
    ...when(!fits, 'service-route', { service, carrier, ...places }),
  ];
}

function isOneOf(countries: readonly string[] | null, country: string | null): boolean {
  return countries === null || country === null || countries.includes(country);
}

/** What is in the parcels: customs data have names at Bring that are not certain, so that none are sent. */
function contentProblems({ request, product, additional }: Asked): readonly ValidationIssue[] {
  const { sender, recipient } = request;
  const { countryCode } = recipient.address;
  const abroad = ![null, 'NO'].includes(customsArea(recipient.address));
  const declared = sender.address.countryCode === 'NO' && abroad && DECLARED_FROM_NORWAY.has(product.productionCode);
  const numbers = unNumbers(request).join(', ');
  const announced = additional.some(({ id }) => DANGEROUS_GOODS.includes(id));
  return [
    ...when(declared, 'customs-from-norway', { country: countryCode ?? '', carrier, service: product.id }),
    ...when(numbers !== '' && !announced, 'dangerous-goods-unannounced', { numbers, carrier }),
  ];
}

function parcelProblems({ request, product: { productionCode } }: Asked): readonly ValidationIssue[] {
  const danish = request.recipient.address.countryCode === 'DK';
  const limitGrams = danish ? (DANISH_LIMITS_GRAMS[productionCode] ?? Infinity) : Infinity;
  const finnish = request.sender.address.countryCode === 'FI';
  const isUnmeasured = ({ lengthMm, widthMm, heightMm, volumeMl }: Parcel) => {
    const hasSides = lengthMm !== null && widthMm !== null && heightMm !== null;
    return !hasSides && (finnish || (MEASURED.has(productionCode) && volumeMl === null));
  };
  return [...heavierThan(limitGrams, request, 'too-heavy'), ...forParcels(request, isUnmeasured, { code: 'measures' })];
}
