import type { Problem } from '../contract/index.js';

/**
 * What checks complain of, each with the names of the values that its texts hold. One list for every carrier, so that
 * carriers that complain of the same share its texts, and none has a complaint that cannot be said in another language.
 */
export const CHECK_CODES = {
  'recipient-name-missing': [],
  'recipient-street-missing': [],
  'recipient-postal-code-missing': [],
  'recipient-city-missing': [],
  'recipient-country-missing': [],
  'recipient-contact-missing': [],
  'recipient-contact': [],
  'recipient-street-too-long': ['limit'],
  'recipient-postal-code-too-long': ['limit'],
  'recipient-email-too-long': ['limit'],
  'recipient-phone-too-long': ['limit'],
  'sender-name-missing': [],
  'sender-street-missing': [],
  'sender-postal-code-missing': [],
  'sender-city-missing': [],
  'sender-country-missing': [],
  'sender-phone': [],
  'sender-email-too-long': ['limit'],
  'postal-code-format': ['given', 'country'],
  'notification-email': ['given', 'carrier'],
  'pick-up-point-missing': [],
  'pick-up-point-too-long': ['limit'],
  'deposit-missing': [],
  'unknown-service': ['service', 'carrier'],
  'service-route': ['service', 'carrier', 'origin', 'country'],
  'not-in-denmark': ['country'],
  'single-parcel': ['service', 'carrier'],
  'label-format': ['service'],
  incoterms: ['service', 'allowed'],
  options: [],
  'not-sent': ['given', 'carrier'],
  'sent-otherwise': ['member', 'given', 'sent', 'carrier'],
  'incoterms-otherwise': ['member', 'given', 'sent', 'carrier'],
  'option-value': ['option', 'given', 'allowed'],
  'unattended-pick-up': ['given', 'service'],
  'unattended-handed-over': ['given', 'services'],
  customs: ['country', 'carrier'],
  'customs-from-norway': ['country', 'carrier', 'service'],
  'customs-no-lines': ['country'],
  'customs-data': ['country', 'line'],
  'dangerous-goods': ['numbers', 'carrier'],
  'dangerous-goods-unannounced': ['numbers', 'carrier'],
  'too-heavy': ['parcel', 'limit'],
  'parcel-too-heavy': ['parcel', 'limit'],
  measures: ['parcel'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type CheckCode = keyof typeof CHECK_CODES;

/** What a check found. */
export interface Complaint extends Problem {
  readonly code: CheckCode;
}

/** A text in English, and what of the shipment stands in it. */
export interface Worded<Code extends CheckCode> {
  readonly text: string;
  readonly values: Readonly<Record<(typeof CHECK_CODES)[Code][number], string>>;
}

/** A code with its text, and with its values where it has any. */
export type CodeAndWords = {
  readonly [Code in CheckCode]: readonly [
    code: Code,
    words: (typeof CHECK_CODES)[Code] extends readonly [] ? string : Worded<Code>,
  ];
}[CheckCode];

/** Codes of what is said of a parcel. */
export type ParcelCode = {
  readonly [Code in CheckCode]: 'parcel' extends (typeof CHECK_CODES)[Code][number] ? Code : never;
}[CheckCode];
