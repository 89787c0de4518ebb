import type { CustomsNumbers, Party } from '../../../carriers/contract/model.js';

/** The papers that customs ask for: an invoice, and for postal items a declaration on a form of the Universal Postal Union. */
export type PaperKind = 'commercial-invoice' | 'cn22' | 'cn23';

/** A line of the goods. Amounts are decimal texts in the paper's currency. */
export interface PaperLine {
  readonly description: string;
  /** Pieces. */
  readonly quantity: number;
  readonly unitValue: string;
  readonly value: string;
  /** The weight of all pieces, in grams. */
  readonly weightGrams: number;
  readonly tariffNumber: string;
  /** ISO 3166-1 alpha-2. */
  readonly origin: string;
}

export interface CustomsPaper {
  readonly kind: PaperKind;
  /** The number of the paper, and of the invoice. */
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly sender: Party;
  readonly recipient: Party;
  readonly numbers: CustomsNumbers;
  readonly carrierName: string;
  readonly trackingNumbers: readonly string[];
  readonly incoterms: string | null;
  /** ISO 4217. */
  readonly currency: string;
  readonly lines: readonly PaperLine[];
  readonly totalValue: string;
  readonly parcels: number;
  readonly grossWeightGrams: number;
}

/** The lines of an address as they are printed, the name first. */
export function partyLines({ address, contact }: Party): readonly string[] {
  const { name, careOf, street, floorBlockOrSuite, district, postalCode, city, stateOrProvince, countryCode } = address;
  const person = contact.name === null || contact.name === name ? null : contact.name;
  const place = [postalCode, city].filter((part) => part !== null).join(' ');
  return [
    name,
    person,
    careOf && `c/o ${careOf}`,
    joined(street, floorBlockOrSuite),
    district,
    joined(place, stateOrProvince),
  ]
    .concat(countryCode === null ? [] : [countryName(countryCode)])
    .flatMap((line) => (line ? [line] : []));
}

/** How the parties can be reached. */
export function contactLines({ contact: { phone, mobile, email } }: Party): readonly string[] {
  const number = mobile ?? phone;
  return [...(number === null ? [] : [`Tel. ${number}`]), ...(email === null ? [] : [email])];
}

/** The numbers of the exporter, with their names. */
export function numberLines({ eori, vat, voec, ioss }: CustomsNumbers): readonly string[] {
  const named = { EORI: eori, 'VAT no.': vat, VOEC: voec, IOSS: ioss };
  return Object.entries(named).flatMap(([name, number]) => (number === undefined ? [] : [`${name}: ${number}`]));
}

export function kilogramsText(grams: number): string {
  return (grams / 1000).toFixed(3);
}

function joined(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

const NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** In English, which every customs office reads, with the code. */
export function countryName(code: string): string {
  const name = /^[A-Z]{2}$/.test(code) ? NAMES.of(code) : undefined;
  return name === undefined || name === code ? code : `${name} (${code})`;
}
