import type { BookingRequest, FieldName, TextChange } from '../../contract/index.js';
import type { ValidationIssue } from '../check-codes.js';
import type { FieldTable, Fit } from '../fit.js';
import { fit, textChangesIn, withoutField } from '../fit.js';
import { limitsIn, partyTexts } from '../party-texts.js';
import type { AddressPart } from '../preflight.js';
import { longerThan } from '../preflight.js';
import { addressProblems } from './address-problems.js';

/**
 * `…-missing`, `postal-code-format` and `…-email-too-long` of both parties, for a carrier that is sent both.
 * @param parts of the sender that the carrier needs, all when not given; of the recipient it needs all
 */
export function partyProblems(
  { sender, recipient }: BookingRequest,
  { fields, ...of }: { readonly fields: FieldTable; readonly parts?: readonly AddressPart[] },
): readonly ValidationIssue[] {
  const { longest } = limitsIn(fields)('email');
  return [
    ...addressProblems('sender', sender, { fields, ...of }),
    ...addressProblems('recipient', recipient, { fields }),
    ...longerThan(longest, [recipient.contact.email?.trim()], { code: 'recipient-email-too-long' }),
    ...longerThan(longest, [sender.contact.email?.trim()], { code: 'sender-email-too-long' }),
  ];
}

/** The text in the carrier's field with this content, which is no part of a party. */
export function otherText(fields: FieldTable, content: FieldName, text: string | null): Fit {
  return fit([text], limitsIn(fields)(content));
}

/**
 * What a carrier that is sent both parties gets otherwise: their texts, the notes on delivery where it has a field for
 * them, and the label of each parcel where it has a field of a `reference`.
 */
export function textChangesBy(fields: FieldTable): (request: BookingRequest) => readonly TextChange[] {
  const nameOf = (content: FieldName) => Object.entries(fields).find(([, { means }]) => means === content)?.[0];
  const [notes, reference] = [nameOf('notes'), nameOf('reference')];
  return ({ sender, recipient, notesOnDelivery, parcels }) => [
    ...textChangesIn('sender', partyTexts(sender, fields)),
    ...textChangesIn('recipient', partyTexts(recipient, fields)),
    ...textChangesIn('shipment', {
      [notes ?? 'notesOnDelivery']:
        notes === undefined
          ? withoutField(notesOnDelivery, 'meaning-lost')
          : otherText(fields, 'notes', notesOnDelivery),
    }),
    ...parcels.flatMap(({ id, label }) =>
      reference === undefined
        ? []
        : textChangesIn(`parcel ${id}`, { [reference]: otherText(fields, 'reference', label) }),
    ),
  ];
}
