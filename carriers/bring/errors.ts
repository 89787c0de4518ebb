import type { HttpAnswer, Problem } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { listAt, textAt, valueAt } from '../toolkit/index.js';

/**
 * Errors in a booking's answer, as "code: message". A consignment that was confirmed is booked, whatever else is said
 * about it.
 */
export function bookingProblems(answer: HttpAnswer): readonly Problem[] {
  return listAt(tryParseJson(answer.body), 'consignments')
    .filter((consignment) => !valueAt(consignment, 'confirmation'))
    .flatMap((consignment) => listAt(consignment, 'errors'))
    .map((error) => ({
      code: textAt(error, 'code'),
      text: [textAt(error, 'code'), messageOf(error)].filter((part) => part !== null).join(': '),
      parcelId: textAt(error, 'packageCorrelationId'),
    }));
}

function messageOf(error: unknown): string {
  const messages = listAt(error, 'messages');
  const english = messages.find((message) => textAt(message, 'lang') === 'en') ?? messages[0];
  return textAt(english, 'message') ?? 'no reason given';
}

/**
 * "Internal error" and "a system behind us is down" in an answer that confirms nothing may be sent again. With a 5xx
 * status Bring does not stand by what it says, and neither do we.
 */
export function nothingWasBooked(answer: HttpAnswer): boolean {
  return answer.status < 500 && bookingProblems(answer).some(({ code }) => /^BOOK[-_]INTERNAL/.test(code ?? ''));
}

/**
 * Whether the account is at fault and not the shipment. Wrong keys are answered in plain text, also with status 400;
 * a user without the booking right has a code of its own.
 */
export function isAboutTheAccount(answer: HttpAnswer): boolean {
  if (bookingProblems(answer).some(({ code }) => /^BOOK[-_]AUTHORI[SZ]ATION/.test(code ?? ''))) return true;
  const text = new TextDecoder().decode(answer.body);
  return (
    answer.status === 400 && tryParseJson(answer.body) === undefined && /authenticat|authori[sz]|api.?key/i.test(text)
  );
}
