import type { BookingRequest } from '../../contract/index.js';
import type { ValidationIssue } from '../check-codes.js';
import type { FieldTable } from '../fit.js';
import type { SentContact } from '../party-texts.js';
import { sentContact } from '../party-texts.js';
import { noEmailAddress, when } from '../preflight.js';

interface NeededContact {
  /** The carrier's name for people. */
  readonly carrier: string;
  readonly fields: FieldTable;
  /** Missing: the carrier can do without both. */
  readonly needs?: Readonly<Record<keyof SentContact, boolean>>;
}

/** `email-missing` and `mobile-missing` of what the carrier needs of the recipient, and `notification-email`. */
export function contactProblems(
  { recipient }: BookingRequest,
  { carrier, fields, needs }: NeededContact,
): readonly ValidationIssue[] {
  const { email, mobile } = sentContact(recipient, fields);
  return [
    ...when(needs?.mobile === true && mobile === undefined, 'mobile-missing', { carrier }),
    ...when(needs?.email === true && email === undefined, 'email-missing', { carrier }),
    ...noEmailAddress(email ?? null, carrier),
  ];
}
