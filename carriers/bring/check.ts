import type { BookingRequest, Parcel, Party, Problem } from '../contract/index.js';
import { listAt, textAt } from '../toolkit/json-path.js';
import { toBringParty } from './mapping.js';
import type { Product } from './product.js';
import { additionalServices, notificationAddress, productOf } from './product.js';
import { MAX_EMAIL_LENGTH } from './wire.js';

/** Heaviest parcel inside Denmark, by production code. */
const DANISH_LIMITS_GRAMS: Readonly<Record<string, number>> = { '0340': 20_000, '0342': 20_000, '0349': 35_000 };
/** One label a booking. */
const SINGLE_PARCEL = new Set(['3584', '3570']);
/** Mailbox parcels and returns are booked without the sender's telephone. */
const NO_SENDER_PHONE = new Set('3584 3570 0331 0333 0341 0343 9000 9300 9350 9600'.split(' '));
const INCOTERMS = new Set(['DDP', 'DAP', 'FCA', 'EXW']);
const ZPL_ONLY = '3570';

/** What Bring would refuse for certain. */
export function checkForBring(request: BookingRequest): readonly Problem[] {
  const product = productOf(request);
  return [
    ...addressProblems('sender', request.sender),
    ...addressProblems('recipient', request.recipient),
    ...senderPhone(request, product),
    ...notificationProblems(request, product),
    ...productProblems(request, product),
    ...optionProblems(request),
    ...request.parcels.flatMap((parcel) => parcelProblems(parcel, request, product)),
  ];
}

function addressProblems(who: 'sender' | 'recipient', party: Party): readonly Problem[] {
  const { name, addressLine, postalCode, city, countryCode, contact } = toBringParty(party, null);
  const missing = Object.entries({ name, street: addressLine, 'postal code': postalCode, city, country: countryCode })
    .filter(([, value]) => value.trim() === '')
    .map(([field]) => problem('address', `The ${who} has no ${field}.`));
  const long = (contact.email?.length ?? 0) > MAX_EMAIL_LENGTH;
  return [
    ...missing,
    ...when(long, 'email', `The ${who}'s e-mail address is longer than ${MAX_EMAIL_LENGTH} characters.`),
  ];
}

function senderPhone(request: BookingRequest, product: Product): readonly Problem[] {
  const missing = toBringParty(request.sender, null).contact.phoneNumber === undefined;
  const needed = !NO_SENDER_PHONE.has(product.productionCode);
  return when(missing && needed, 'sender-phone', 'The sender has no telephone number; Bring asks for one.');
}

function notificationProblems(request: BookingRequest, product: Product): readonly Problem[] {
  const { email, mobile } = notificationAddress(request);
  if (email !== undefined || mobile !== undefined) return [];
  const notified = additionalServices(request).filter(({ id }) => id === 'EVARSLING');
  const unaddressed = notified.some((service) => !textAt(service, 'email') && !textAt(service, 'mobile'));
  return when(
    product.kind === 'pick-up' || unaddressed,
    'recipient-contact',
    'The recipient has neither an e-mail address nor a mobile number and cannot be told of the parcel.',
  );
}

function productProblems(request: BookingRequest, product: Product): readonly Problem[] {
  const { productionCode, id } = product;
  const incoterm = request.incoterms ?? '';
  return [
    ...when(
      SINGLE_PARCEL.has(productionCode) && request.parcels.length > 1,
      'single-parcel',
      `Bring takes one parcel a booking with service ${id}.`,
    ),
    ...when(productionCode === ZPL_ONLY, 'label-format', `Service ${id} has labels for RFID printers only.`),
    ...when(
      productionCode === '3050' && !INCOTERMS.has(incoterm),
      'incoterms',
      `Service ${id} needs one of the incoterms ${[...INCOTERMS].join(', ')}.`,
    ),
  ];
}

function optionProblems(request: BookingRequest): readonly Problem[] {
  const unreadable = listAt(request.options, 'additionalServices').some((option) => textAt(option, 'id') === null);
  return when(unreadable, 'options', 'The rule names an additional service without its id; mend it in the settings.');
}

function parcelProblems(parcel: Parcel, request: BookingRequest, product: Product): readonly Problem[] {
  const limitGrams = DANISH_LIMITS_GRAMS[product.productionCode];
  const danish = request.recipient.address.countryCode === 'DK';
  const heavy = danish && limitGrams !== undefined && parcel.weightGrams > limitGrams;
  const unmeasured = [parcel.lengthMm, parcel.widthMm, parcel.heightMm].includes(null);
  const finnish = request.sender.address.countryCode === 'FI';
  return [
    ...when(
      heavy,
      'too-heavy',
      `Parcel ${parcel.label} weighs more than ${(limitGrams ?? 0) / 1000} kg, the most for ${product.id}.`,
    ),
    ...when(finnish && unmeasured, 'measures', `Parcel ${parcel.label} needs length, width and height.`),
  ].map((found) => ({ ...found, parcelId: parcel.id }));
}

function when(wrong: boolean, code: string, text: string): readonly Problem[] {
  return wrong ? [problem(code, text)] : [];
}

function problem(code: string, text: string): Problem {
  return { code, text, parcelId: null };
}
