import type { BookingRequest, OwnTexts, Problem, TextChange } from '../contract/index.js';
import { customsByPaperOnly } from '../toolkit/customs.js';
import type { FieldTable } from '../toolkit/fit.js';
import { textChangesIn } from '../toolkit/fit.js';
import { partyTexts } from '../toolkit/party-texts.js';
import {
  looksLikeEmail,
  missingParts,
  noDangerousGoods,
  postalCodeProblems,
  warnWhen,
  when,
  whenOwn,
} from '../toolkit/preflight.js';
import { OPTION_TEXTS, isBox, productProblems } from './services.js';

export const COUNTRIES = ['SE', 'DK', 'FI', 'NL'];

/** Budbee's text fields below `delivery`. No source states limits of length or letters. */
export const FIELDS = {
  name: { means: 'name' },
  referencePerson: { means: 'contact' },
  street: { means: 'street' },
  street2: { means: 'second-line' },
  city: { means: 'city' },
  telephoneNumber: { means: 'phone' },
  email: { means: 'email' },
} as const satisfies FieldTable;

export const TEXTS = {
  en: {
    ...OPTION_TEXTS.en,
    'email-missing': "Budbee needs the recipient's e-mail address: add one to the contact person.",
    'mobile-missing': "Budbee needs the recipient's mobile number: add one to the contact person.",
    'country-not-served': 'Budbee delivers in {served} only, not in {country}: choose another carrier.',
    'postal-code-not-served': 'Budbee does not deliver to homes in {postalCode} {country}: choose another carrier.',
  },
  da: {
    ...OPTION_TEXTS.da,
    'email-missing': 'Budbee skal bruge modtagerens e-mailadresse: tilføj den til kontaktpersonen.',
    'mobile-missing': 'Budbee skal bruge modtagerens mobilnummer: tilføj det til kontaktpersonen.',
    'country-not-served': 'Budbee leverer kun i {served}, ikke i {country}: vælg en anden transportør.',
    'postal-code-not-served':
      'Budbee leverer ikke til private hjem i {postalCode} {country}: vælg en anden transportør.',
  },
} satisfies OwnTexts;

/** What Budbee would refuse. The sender is not sent: `collectionId` says where the parcels are. */
export function checkForBudbee(request: BookingRequest): readonly Problem[] {
  const { recipient, sender, pickUpPointId } = request;
  return [
    ...productProblems(request),
    ...when(isBox(request) && !pickUpPointId, 'pick-up-point-missing'),
    ...recipientProblems(request),
    ...postalCodeProblems('recipient', recipient.address),
    ...customsByPaperOnly(request, 'Budbee', sender.address.countryCode ?? ''),
    ...noDangerousGoods(request, 'Budbee'),
  ];
}

/** Box deliveries need the recipient's own address too. */
function recipientProblems({ recipient }: BookingRequest): readonly Problem[] {
  const { name, street, city, telephoneNumber, email } = partyTexts(recipient, FIELDS);
  const { postalCode, countryCode } = recipient.address;
  const country = countryCode ?? '';
  const isServed = country === '' || COUNTRIES.includes(country);
  const isNoEmail = email.sent !== '' && !looksLikeEmail(email.sent);
  const values = { country, served: COUNTRIES.join(', ') };
  return [
    ...missingParts('recipient', {
      ...{ name: name.sent, street: street.sent, city: city.sent },
      ...{ 'postal-code': postalCode, country },
    }),
    ...whenOwn(TEXTS.en, !isServed, { code: 'country-not-served', values }),
    ...whenOwn(TEXTS.en, telephoneNumber.sent === '', { code: 'mobile-missing' }),
    ...whenOwn(TEXTS.en, email.sent === '', { code: 'email-missing' }),
    ...warnWhen(isNoEmail, 'notification-email', { carrier: 'Budbee', given: email.sent }),
  ];
}

/** Nothing is shortened: Budbee gets every text of the recipient as it is. */
export function textChangesAtBudbee({ recipient }: BookingRequest): readonly TextChange[] {
  return textChangesIn('recipient', partyTexts(recipient, FIELDS));
}
