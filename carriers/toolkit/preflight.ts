import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import type { Address, BookingRequest } from '../contract/index.js';
import type { CodeAndWords, Complaint, ParcelCode, Worded } from './check-codes.js';
import { tidy } from './text.js';

/** A problem of the whole booking when it is found. */
export function when(found: boolean, ...[code, words]: CodeAndWords): readonly Complaint[] {
  if (!found) return [];
  return [{ code, ...(typeof words === 'string' ? { text: words } : words), parcelId: null }];
}

/** As `when`, for what is not certain to be refused: it is booked, and a person is told. */
export function doubtWhen(found: boolean, ...complaint: CodeAndWords): readonly Complaint[] {
  return when(found, ...complaint).map((problem) => ({ ...problem, severity: 'warns' }));
}

/** The words of `option-value`: an option of a rule has a value that the adapter does not know. */
export function optionText(option: string, given: unknown, allowed: string): Worded<'option-value'> {
  const shown = JSON.stringify(given) ?? '';
  return {
    text: `The rule says "${option}: ${shown}", where ${allowed} is expected; mend it in the settings.`,
    values: { option, given: shown, allowed },
  };
}

/** A problem of each parcel that is meant. */
export function forParcels(
  request: BookingRequest,
  isMeant: (parcel: BookingRequest['parcels'][number]) => boolean,
  problem: { readonly code: ParcelCode; readonly text: (label: string) => string; readonly limit?: string },
): readonly Complaint[] {
  const { code, text, limit = '' } = problem;
  return request.parcels
    .filter(isMeant)
    .map(({ id, label }) => ({ code, text: text(label), parcelId: id, values: { parcel: label, limit } }));
}

/** What people write in front of a postal code of these countries, besides the code of the country. */
const PREFIXES: Readonly<Record<string, string>> = {
  AT: 'A',
  BE: 'B',
  DE: 'D',
  ES: 'E',
  FI: 'FI|FIN',
  FR: 'F',
  IT: 'I',
};

/**
 * Whether a postal code has the form of its country, however it is written: `DK-2600`, `1234 ab` and `00950` for a
 * Polish `00-950` have. A country whose form is not known, and a code that is missing, are not complained about.
 */
export function postalCodeFits({ postalCode, countryCode }: Pick<Address, 'postalCode' | 'countryCode'>): boolean {
  const code = tidy(postalCode ?? '').toUpperCase();
  if (code === '' || countryCode === null || !postcodeValidatorExistsForCountry(countryCode)) return true;
  const prefix = new RegExp(`^(${countryCode}|${PREFIXES[countryCode] ?? countryCode})[ -]?(?=\\d)`);
  return [code, code.replace(prefix, '')].flatMap(spellings).some((each) => postcodeValidator(each, countryCode));
}

/** With a blank or a hyphen at each place, as the country's own form may have one. */
function spellings(code: string): readonly string[] {
  const whole = code.replace(/[ -]/g, '');
  const parted = Array.from(whole.slice(1), (_letter, index) =>
    [' ', '-'].map((mark) => `${whole.slice(0, index + 1)}${mark}${whole.slice(index + 1)}`),
  );
  return [code, whole, ...parted.flat()];
}

/**
 * `postal-code-format`, when the postal code cannot be one of its country. A doubt: the library's forms are not the
 * carrier's, who alone knows what it takes.
 */
export function postalCodeProblems(who: 'sender' | 'recipient', address: Address): readonly Complaint[] {
  const { postalCode, countryCode } = address;
  const text = `"${postalCode}" is no postal code of ${countryCode}: correct the postal code or the country of the ${who} if it is wrong.`;
  const values = { given: postalCode ?? '', country: countryCode ?? '' };
  return doubtWhen(!postalCodeFits(address), 'postal-code-format', { text, values });
}

/** Something with a name, an at sign and a domain: nothing shorter can be mailed to. */
export function looksLikeEmail(email: string | null | undefined): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email?.trim() ?? '');
}

/** Enough digits to be a telephone number: E.164 has at most 15, the shortest we know 6. */
export function looksLikePhone(phone: string | null | undefined): boolean {
  return /^\+?\d{6,15}$/.test((phone ?? '').replace(/\(0\)/, '').replace(/[\s()./-]/g, ''));
}

/** The UN numbers of all that is sent, each once. */
export function unNumbers(request: BookingRequest): readonly string[] {
  return [...new Set((request.goods ?? []).flatMap((goods) => goods.unNumbers))];
}

/** `dangerous-goods`, for a carrier that has no way to be told of them. */
export function noDangerousGoods(request: BookingRequest, carrier: string): readonly Complaint[] {
  const numbers = unNumbers(request).join(', ');
  const text = `The shipment holds dangerous goods (${numbers}), which cannot be booked with ${carrier} from here: take them out or choose another carrier.`;
  return when(numbers !== '', 'dangerous-goods', { text, values: { numbers, carrier } });
}
