import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import type { Address, BookingRequest, Problem } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import type { CodeWithValues, ValidationIssue, ParcelCode } from './check-codes.js';
import { textOf } from './check-codes.js';
import { tidy } from './text.js';

/** An issue of the whole booking, where `found` holds. */
export function when(found: boolean, ...[code, values]: CodeWithValues): readonly ValidationIssue[] {
  if (!found) return [];
  return [{ code, text: textOf(code, values ?? {}), parcelId: null, ...(values && { values }) }];
}

/**
 * Reports an issue, as `when` does, by a code that only this carrier has.
 * @param texts `adapter.texts.en`
 * @param parcelId the parcel with the issue
 */
export function whenOwn<Code extends string>(
  texts: Readonly<Record<Code, string>>,
  found: boolean,
  { code, values = {}, parcelId = null }: OwnIssue<Code>,
): readonly Problem[] {
  if (!found) return [];
  const text = texts[code].replace(/\{(\w+)\}/g, (_placeholder, name: string) => values[name] ?? '');
  return [{ code, text, parcelId, values }];
}

interface OwnIssue<Code extends string> {
  readonly code: Code;
  readonly values?: Readonly<Record<string, string>>;
  readonly parcelId?: string | null;
}

/** Refuses to send what the carrier would misunderstand. @throws CarrierRejected there are problems */
export function refuseFor(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new CarrierRejected(problems);
}

/** Reports an issue that the carrier may accept: Waybridge books all the same, and tells a person. */
export function warnWhen(found: boolean, ...issue: CodeWithValues): readonly ValidationIssue[] {
  return when(found, ...issue).map((problem) => ({ ...problem, severity: 'warns' }));
}

/** Gives issues a more exact text than the one of their code. */
export function inWords(text: string, issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  return issues.map((issue) => ({ ...issue, text }));
}

/** `option-value`: an option of a rule has a value that the adapter does not know. */
export function optionValue(found: boolean, option: string, about: OptionValue): readonly ValidationIssue[] {
  const values = { option, given: JSON.stringify(about.given) ?? '', allowed: about.allowed };
  return when(found, 'option-value', values);
}

interface OptionValue {
  readonly given: unknown;
  readonly allowed: string;
}

/** `unknown-service`, where the carrier does not have the service. */
export function unknownService(
  service: string | null,
  { carrier, known }: { readonly carrier: string; readonly known: readonly string[] },
): readonly ValidationIssue[] {
  const text = `${carrier} has no service "${service}"; it has ${known.join(', ')}: mend the rule in the settings.`;
  const isUnknown = service !== null && !known.includes(service);
  return inWords(text, when(isUnknown, 'unknown-service', { service: service ?? '', carrier }));
}

/** A text that must not be cut is too long. @param limit shown instead of `longest` */
export function longerThan(
  longest: number,
  texts: readonly (string | null | undefined)[],
  { code, limit = longest }: { readonly code: TooLong; readonly limit?: number },
): readonly ValidationIssue[] {
  return when(
    texts.some((text) => (text ?? '').length > longest),
    code,
    { limit: `${limit}` },
  );
}

type TooLong = Extract<CodeWithValues[0], `${string}-too-long`>;

export type PartyRole = 'sender' | 'recipient';
export type AddressPart = 'name' | 'street' | 'postal-code' | 'city' | 'country';

/** `…-missing` for each part of an address that is blank in the carrier's form. */
export function missingParts(who: PartyRole, parts: Partial<Readonly<Record<AddressPart, string | null>>>) {
  const known: readonly AddressPart[] = ['name', 'street', 'postal-code', 'city', 'country'];
  return known.flatMap((part) => when(parts[part] !== undefined && !parts[part]?.trim(), `${who}-${part}-missing`));
}

/** The issue, once for each parcel that has it. */
export function forParcels(
  request: BookingRequest,
  isMeant: (parcel: BookingRequest['parcels'][number]) => boolean,
  { code, limit = '' }: { readonly code: ParcelCode; readonly limit?: string },
): readonly ValidationIssue[] {
  return request.parcels.filter(isMeant).map(({ id, label }) => {
    const values = { parcel: label, limit };
    return { code, text: textOf(code, values), parcelId: id, values };
  });
}

/** The issue, once for each parcel that weighs more. */
export function heavierThan(
  maxGrams: number,
  request: BookingRequest,
  code: Extract<ParcelCode, `${string}too-heavy`>,
): readonly ValidationIssue[] {
  return forParcels(request, ({ weightGrams }) => weightGrams > maxGrams, { code, limit: `${maxGrams / 1000}` });
}

/** Whether a message can reach a person: by e-mail, or at one of the telephone numbers. */
export function isReachable(email: string | null, ...phones: readonly (string | null)[]): boolean {
  return looksLikeEmail(email) || phones.some(looksLikePhone);
}

/** `recipient-contact-missing`: the carrier cannot tell the recipient that the parcel is at the shop. */
export function untoldAtShop({ recipient: { contact } }: BookingRequest): readonly ValidationIssue[] {
  return warnWhen(!isReachable(contact.email, contact.mobile, contact.phone), 'recipient-contact-missing');
}

/** Prefixes that people write before a postal code of these countries, besides the country's code. */
const PREFIXES: Readonly<Record<string, string>> = {
  AT: 'A',
  BE: 'B',
  DE: 'D',
  ES: 'E',
  FI: 'FI|FIN',
  FR: 'F',
  IT: 'I',
  NO: 'N',
  SE: 'S',
};
/** Countries whose own postal codes have no country in front; in Latvia it is a part of them. */
const WITHOUT_PREFIX = new Set('AT BE CH DE DK ES FI FR IT NL NO PL SE'.split(' '));

/**
 * Whether a postal code has the form of its country, in any notation: `DK-2600`, `1234 ab`, and `00950` for a Polish
 * `00-950`. A country of unknown form, and a missing code, are no issue.
 */
export function postalCodeFits({ postalCode, countryCode }: Pick<Address, 'postalCode' | 'countryCode'>): boolean {
  const code = tidy(postalCode ?? '').toUpperCase();
  if (code === '' || countryCode === null || !postcodeValidatorExistsForCountry(countryCode)) return true;
  const codes = [code, code.replace(prefixOf(countryCode), '')];
  return codes.flatMap(spellings).some((each) => postcodeValidator(each, countryCode));
}

/**
 * A postal code as carriers take it, without the country that people write before it, and without blanks around it: `2600` for
 * `DK-2600`. What is no code of the country without the prefix keeps it.
 */
export function plainPostalCode<Code extends string | null>(
  address: Pick<Address, 'countryCode'> & { readonly postalCode: Code },
): Code | string {
  const { postalCode, countryCode } = address;
  if (postalCode === null) return postalCode;
  const code = tidy(postalCode);
  if (countryCode === null || !WITHOUT_PREFIX.has(countryCode)) return code;
  const plain = code.replace(prefixOf(countryCode), '');
  return postalCodeFits({ postalCode: plain, countryCode }) ? plain : code;
}

function prefixOf(countryCode: string): RegExp {
  return new RegExp(`^(${countryCode}|${PREFIXES[countryCode] ?? countryCode})[ -]?(?=\\d)`, 'i');
}

/** The code with a blank or a hyphen at each place, because the country's form may have one there. */
function spellings(code: string): readonly string[] {
  const whole = code.replace(/[ -]/g, '');
  const parted = Array.from(whole.slice(1), (_letter, index) =>
    [' ', '-'].map((mark) => `${whole.slice(0, index + 1)}${mark}${whole.slice(index + 1)}`),
  );
  return [code, whole, ...parted.flat()];
}

/**
 * `postal-code-format`, when the postal code cannot be one of its country. A warning, because the carrier may accept
 * other codes than the library.
 */
export function postalCodeProblems(who: PartyRole, address: Address): readonly ValidationIssue[] {
  const values = { given: address.postalCode ?? '', country: address.countryCode ?? '' };
  const text = `"${values.given}" is no postal code of ${values.country}: correct the postal code or the country of the ${who} if it is wrong.`;
  return inWords(text, warnWhen(!postalCodeFits(address), 'postal-code-format', values));
}

/** Whether a text has a name, an at sign and a domain, the minimum of an e-mail address. */
export function looksLikeEmail(email: string | null | undefined): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email?.trim() ?? '');
}

/** `notification-email`: the carrier is to send its notice to a text that is no e-mail address. */
export function noEmailAddress(given: string | null, carrier: string): readonly ValidationIssue[] {
  const isNone = tidy(given ?? '') !== '' && !looksLikeEmail(given);
  return warnWhen(isNone, 'notification-email', { given: given ?? '', carrier });
}

/** Whether a text has the digits of a telephone number: E.164 has at most 15, the shortest known numbers have 6. */
export function looksLikePhone(phone: string | null | undefined): boolean {
  return /^\+?\d{6,15}$/.test((phone ?? '').replace(/\(0\)/, '').replace(/[\s()./-]/g, ''));
}

/** The UN numbers of all goods, each once. */
export function unNumbers(request: BookingRequest): readonly string[] {
  return [...new Set((request.goods ?? []).flatMap((goods) => goods.unNumbers))];
}

/** `dangerous-goods-unannounced`, for a carrier that takes them where they are announced to it. */
export function unannouncedGoods(
  request: BookingRequest,
  carrier: string,
  isAnnounced: boolean,
): readonly ValidationIssue[] {
  const numbers = unNumbers(request).join(', ');
  return when(numbers !== '' && !isAnnounced, 'dangerous-goods-unannounced', { numbers, carrier });
}

/** `dangerous-goods`, for a carrier whose interface has no field for them. */
export function noDangerousGoods(request: BookingRequest, carrier: string): readonly ValidationIssue[] {
  const numbers = unNumbers(request).join(', ');
  return when(numbers !== '', 'dangerous-goods', { numbers, carrier });
}
