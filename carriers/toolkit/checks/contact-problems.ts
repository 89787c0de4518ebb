import type { ValidationIssue } from '../check-codes.js';
import { noEmailAddress, when } from '../preflight.js';

/** The recipient's contact as the carrier gets it; blank: none. */
interface SentContact {
  readonly email: string;
  readonly mobile: string;
}

/** `email-missing` and `mobile-missing` of what the carrier needs, and `notification-email`. */
export function contactProblems(
  { email, mobile }: SentContact,
  { carrier, needs }: { readonly carrier: string; readonly needs: Readonly<Record<keyof SentContact, boolean>> },
): readonly ValidationIssue[] {
  return [
    ...when(needs.mobile && mobile === '', 'mobile-missing', { carrier }),
    ...when(needs.email && email === '', 'email-missing', { carrier }),
    ...noEmailAddress(email, carrier),
  ];
}
