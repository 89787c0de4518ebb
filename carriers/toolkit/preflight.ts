import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import type { Address, BookingRequest, Problem } from '../contract/index.js';
import { tidy } from './text.js';

/** A problem of the whole booking when it is found. */
export function when(found: boolean, code: string, text: string): readonly Problem[] {
  return found ? [{ code, text, parcelId: null }] : [];
}

/** A problem of each parcel that is meant. */
export function forParcels(
  request: BookingRequest,
  isMeant: (parcel: BookingRequest['parcels'][number]) => boolean,
  problem: { readonly code: string; readonly text: (label: string) => string },
): readonly Problem[] {
  return request.parcels
    .filter(isMeant)
    .map((parcel) => ({ code: problem.code, text: problem.text(parcel.label), parcelId: parcel.id }));
}

/**
 * Whether a postal code has the form of its country. A country whose form is not known, and a code that is missing,
 * are not complained about.
 */
export function postalCodeFits({ postalCode, countryCode }: Pick<Address, 'postalCode' | 'countryCode'>): boolean {
  const code = tidy(postalCode ?? '');
  if (code === '' || countryCode === null || !postcodeValidatorExistsForCountry(countryCode)) return true;
  return postcodeValidator(code, countryCode);
}

/** `postal-code-format`, when the postal code cannot be one of its country. */
export function postalCodeProblems(who: 'sender' | 'recipient', address: Address): readonly Problem[] {
  const { postalCode, countryCode } = address;
  const text = `"${postalCode}" is no postal code of ${countryCode}: correct the postal code or the country of the ${who}.`;
  return when(!postalCodeFits(address), 'postal-code-format', text);
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
export function noDangerousGoods(request: BookingRequest, carrier: string): readonly Problem[] {
  const numbers = unNumbers(request).join(', ');
  const text = `The shipment holds dangerous goods (${numbers}), which cannot be booked with ${carrier} from here: take them out or choose another carrier.`;
  return when(numbers !== '', 'dangerous-goods', text);
}
