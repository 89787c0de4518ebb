/* Numbers of GS1: General Specifications 24.0, sections 3.2 (SSCC), 3.6 (GSIN) and 7.9 (check digit), read 2026-11-23. */

/** A GS1 company prefix. */
export const COMPANY_PREFIX = /^\d{4,12}$/;

/** Digits of a company prefix and its serial number together. */
const PREFIX_AND_SERIAL = 16;

/**
 * The check digit (modulo 10) of a key of digits of any length.
 * @param digits without the check digit
 */
export function checkDigit(digits: string): string {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** The largest serial number beside this company prefix, in an SSCC with one extension digit and in a GSIN. */
export function lastSerial(companyPrefix: string): number {
  return 10 ** (PREFIX_AND_SERIAL - companyPrefix.length) - 1;
}

/** A serial shipping container code: 18 digits. @param serial at most `lastSerial` */
export function sscc(extensionDigit: string, companyPrefix: string, serial: number): string {
  const digits = extensionDigit + prefixed(companyPrefix, serial);
  return digits + checkDigit(digits);
}

/** A global shipment identification number: 17 digits. @param serial at most `lastSerial` */
export function gsin(companyPrefix: string, serial: number): string {
  const digits = prefixed(companyPrefix, serial);
  return digits + checkDigit(digits);
}

function prefixed(companyPrefix: string, serial: number): string {
  const digits = String(serial).padStart(PREFIX_AND_SERIAL - companyPrefix.length, '0');
  if (digits.length + companyPrefix.length !== PREFIX_AND_SERIAL || !COMPANY_PREFIX.test(companyPrefix))
    throw new Error(`${companyPrefix} and ${serial} make no number of GS1`);
  return companyPrefix + digits;
}
