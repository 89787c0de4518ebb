import type { BookingRequest, Parcel, Party } from '../../contract/index.js';
import type { Complaint } from '../../toolkit/check-codes.js';
import { customsArea } from '../../toolkit/customs.js';
import { textAt } from '../../toolkit/json.js';
import {
  forParcels,
  looksLikeEmail,
  looksLikePhone,
  postalCodeProblems,
  unNumbers,
  when,
} from '../../toolkit/preflight.js';
import { optionProblems, unsentMembers } from './options.js';
import type { BringConfig } from '../config.js';
import { toBringParty } from '../booking.js';
import type { Product } from '../services.js';
import { NOTIFICATION, ROUTES, additionalServices, productOf } from '../services.js';
import { MAX_EMAIL_LENGTH } from '../wire.js';

/** Heaviest parcel inside Denmark, by production code. */
const DANISH_LIMITS_GRAMS: Readonly<Record<string, number>> = { '0340': 20_000, '0342': 20_000, '0349': 35_000 };
/** One label a booking. */
const SINGLE_PARCEL = new Set(['3584', '3570']);
/** Mailbox parcels and returns are booked without the sender's telephone. */
const NO_SENDER_PHONE = new Set('3584 3570 0331 0333 0341 0343 9000 9300 9350 9600'.split(' '));
const INCOTERMS = new Set(['DDP', 'DAP', 'FCA', 'EXW']);
const ZPL_ONLY = '3570';
/** Refused from Norway to other countries without customs data. */
const DECLARED_FROM_NORWAY = new Set(['0330', '0340', '3639']);
/** Cargo and the heavy home deliveries are refused without either all sides or the volume. */
const MEASURED = new Set(['5100', '5300', '9100', '2870', '3123']);
/** Additional services that announce dangerous goods: as such, and as limited quantities. */
const DANGEROUS_GOODS = ['1245', '0003'];

/** What of the account's settings the checks need. */
type CheckSettings = Pick<BringConfig, 'customerNumber' | 'notification'>;

/** What Bring would refuse for certain. */
export function checkForBring(request: BookingRequest, settings: CheckSettings): readonly Complaint[] {
  const product = productOf(request);
  return [
    ...addressProblems('sender', request.sender),
    ...addressProblems('recipient', request.recipient),
    ...senderPhone(request, product),
    ...notificationProblems(request, product, settings),
    ...productProblems(request, product),
    ...optionProblems(request, product),
    ...unsentMembers(request, settings),
    ...customsProblems(request, product),
    ...dangerousGoodsProblems(request, settings),
    ...parcelProblems(request, product),
  ];
}

const WHERE = { sender: 'the address of the seller or of the area', recipient: 'the delivery address' } as const;

function addressProblems(who: 'sender' | 'recipient', party: Party): readonly Complaint[] {
  const { name, addressLine, postalCode, city, countryCode, contact } = toBringParty(party, null);
  const parts = [
    ['name', name],
    ['street', addressLine],
    ['postal-code', postalCode],
    ['city', city],
    ['country', countryCode],
  ] as const;
  const missing = parts.flatMap(([part, value]) => {
    const missingText = `The ${who} has no ${part.replace('-', ' ')}: add it to ${WHERE[who]}.`;
    return when(value.trim() === '', `${who}-${part}-missing`, missingText);
  });
  const long = (contact.email?.length ?? 0) > MAX_EMAIL_LENGTH;
  const text = `The ${who}'s e-mail address is longer than ${MAX_EMAIL_LENGTH} characters: give a shorter one or none.`;
  return [
    ...missing,
    ...postalCodeProblems(who, party.address),
    ...when(long, `${who}-email-too-long`, { text, values: { limit: `${MAX_EMAIL_LENGTH}` } }),
  ];
}

function senderPhone(request: BookingRequest, product: Product): readonly Complaint[] {
  const missing = toBringParty(request.sender, null).contact.phoneNumber === undefined;
  const needed = !NO_SENDER_PHONE.has(product.productionCode);
  const text =
    'The sender has no telephone number, and Bring asks for one: add it to the contact of the seller or of the area.';
  return when(missing && needed, 'sender-phone', text);
}

function notificationProblems(
  request: BookingRequest,
  product: Product,
  settings: CheckSettings,
): readonly Complaint[] {
  const mustBeTold = additionalServices(request, settings).filter(({ id }) => id === NOTIFICATION);
  const unaddressed = mustBeTold.some(
    (service) => !looksLikeEmail(textAt(service, 'email')) && !looksLikePhone(textAt(service, 'mobile')),
  );
  const { mobile, phone } = request.recipient.contact;
  // A pick-up parcel can be told by any telephone; the service named in the rule takes no other number than a mobile.
  const reached = mustBeTold.length > 0 || [mobile, phone].some(looksLikePhone);
  return when(
    unaddressed || (product.kind === 'pick-up' && !reached),
    'recipient-contact',
    'The recipient has neither an e-mail address nor a telephone number that can be used, and cannot be told of the parcel: add one to the contact person.',
  );
}

function productProblems(request: BookingRequest, { productionCode, id }: Product): readonly Complaint[] {
  const allowed = [...INCOTERMS].join(', ');
  const from = request.sender.address.countryCode;
  const to = request.recipient.address.countryCode;
  const route = ROUTES[productionCode];
  const fits = !route || ((from === null || route.from.includes(from)) && isOneOf(route.to, to));
  return [
    ...when(SINGLE_PARCEL.has(productionCode) && request.parcels.length > 1, 'single-parcel', {
      text: `Bring takes one parcel a booking with service ${id}: make a shipment of each parcel, or choose another service.`,
      values: { service: id, carrier: 'Bring' },
    }),
    ...when(productionCode === ZPL_ONLY, 'label-format', {
      text: `Service ${id} has labels for RFID printers only: choose another service.`,
      values: { service: id },
    }),
    ...when(productionCode === '3050' && !INCOTERMS.has(request.incoterms ?? ''), 'incoterms', {
      text: `Service ${id} needs one of the incoterms ${allowed}: add it to the shipment.`,
      values: { service: id, allowed },
    }),
    ...when(!fits, 'service-route', {
      text: `Bring has no service ${id} from ${from} to ${to}: choose another service.`,
      values: { service: id, carrier: 'Bring', origin: from ?? '', country: to ?? '' },
    }),
  ];
}

function isOneOf(countries: readonly string[] | null, country: string | null): boolean {
  return countries === null || country === null || countries.includes(country);
}

/** Whatever of it Bring takes has names that are not certain, so that none of it is sent. */
function customsProblems({ sender, recipient }: BookingRequest, product: Product): readonly Complaint[] {
  const abroad = ![null, 'NO'].includes(customsArea(recipient.address));
  return when(
    sender.address.countryCode === 'NO' && abroad && DECLARED_FROM_NORWAY.has(product.productionCode),
    'customs-from-norway',
    {
      text: `From Norway to ${recipient.address.countryCode}, Bring takes service ${product.id} with customs data only, which is not sent from here: book it in Mybring or choose another carrier.`,
      values: { country: recipient.address.countryCode ?? '', carrier: 'Bring', service: product.id },
    },
  );
}

function dangerousGoodsProblems(request: BookingRequest, settings: CheckSettings): readonly Complaint[] {
  const numbers = unNumbers(request).join(', ');
  const announced = additionalServices(request, settings).some(({ id }) => DANGEROUS_GOODS.includes(id));
  return when(numbers !== '' && !announced, 'dangerous-goods-unannounced', {
    text: `The shipment holds dangerous goods (${numbers}), which the rule does not announce to Bring: take them out, or name the additional service 1245 or 0003 in the rule.`,
    values: { numbers, carrier: 'Bring' },
  });
}

function parcelProblems(request: BookingRequest, product: Product): readonly Complaint[] {
  const danish = request.recipient.address.countryCode === 'DK';
  const limitGrams = danish ? (DANISH_LIMITS_GRAMS[product.productionCode] ?? Infinity) : Infinity;
  const finnish = request.sender.address.countryCode === 'FI';
  const isUnmeasured = ({ lengthMm, widthMm, heightMm, volumeMl }: Parcel) => {
    const hasSides = lengthMm !== null && widthMm !== null && heightMm !== null;
    return !hasSides && (finnish || (MEASURED.has(product.productionCode) && volumeMl === null));
  };
  return [
    ...forParcels(request, ({ weightGrams }) => weightGrams > limitGrams, {
      code: 'too-heavy',
      limit: `${limitGrams / 1000}`,
      text: (label) =>
        `Parcel ${label} weighs more than ${limitGrams / 1000} kg, the most for ${product.id}: divide it or choose another service.`,
    }),
    ...forParcels(request, isUnmeasured, {
      code: 'measures',
      text: (label) =>
        `Parcel ${label} needs length, width and height: measure it or choose a container type that has them.`,
    }),
  ];
}
