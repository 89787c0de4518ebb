/**
 * Shortens a text to what a carrier takes: at the last whole word that fits, or inside the first word when even that
 * is too long. White space inside is made single.
 * @returns at most `maxLength` characters; `''` for an empty text
 */
export function cut(text: string, maxLength: number): string {
  const tidy = text.replace(/\s+/g, ' ').trim();
  if (tidy.length <= maxLength) return tidy;
  const end = tidy.lastIndexOf(' ', maxLength);
  return whole(tidy.slice(0, end > 0 ? end : maxLength));
}

/** Drops half of a character of two units (an emoji) that the cut has left behind. */
function whole(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** The texts that say something, in their order. */
export function said(...texts: readonly (string | null | undefined)[]): readonly string[] {
  return texts.map((text) => text?.trim() ?? '').filter((text) => text !== '');
}

interface CallingCode {
  readonly code: string;
  /** Digits dialled in front inside the country only; '' where there are none. */
  readonly trunk: string;
}

const CALLING_CODES: Readonly<Record<string, CallingCode>> = {
  DK: { code: '45', trunk: '' },
  NO: { code: '47', trunk: '' },
  SE: { code: '46', trunk: '0' },
  FI: { code: '358', trunk: '0' },
  DE: { code: '49', trunk: '0' },
  NL: { code: '31', trunk: '0' },
};

/**
 * A telephone number as `+4518123456`, as far as that follows from the number and its country; what is written
 * internationally already stays in its country, and what we do not know how to write stays as digits.
 * @param countryCode ISO 3166-1 alpha-2 of the one who owns the number
 */
export function internationalPhone(phone: string, countryCode: string | null): string {
  const digits = phone.replace(/\(0\)/, '').replace(/[^\d+]/g, '');
  if (digits.startsWith('+')) return digits;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  const country = CALLING_CODES[countryCode ?? ''];
  if (!country || digits === '') return digits;
  const trunk = country.trunk !== '' && digits.startsWith(country.trunk) ? country.trunk.length : 0;
  return `+${country.code}${digits.slice(trunk)}`;
}
