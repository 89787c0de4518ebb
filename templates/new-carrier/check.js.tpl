import type { BookingRequest, FieldTable, Party, TextChange, ValidationIssue } from 'waybridge/adapter'; //? ts
import { LATIN_1, addressProblems, forParcels, partyTexts, ruleCheck, textChangesIn } from 'waybridge/adapter';

// TODO the carrier's services, each with the name that people read, and its limits
export const SERVICES = [
  { code: 'standard', name: 'Standard' },
  { code: 'express', name: 'Express' },
];
export const MAX_WEIGHT_KG = 30;
export const MAX_REFERENCE_LENGTH = 30;

/** What Acme takes in the fields that hold our texts: characters at most, and which letters. TODO its own */
export const FIELDS = {
  name: { means: 'name', longest: 40, letters: LATIN_1 },
  street: { means: 'street', longest: 60, letters: LATIN_1 },
  city: { means: 'city', longest: 30, letters: LATIN_1 },
} /*ts as const satisfies FieldTable */;

export function partyFields(party /*ts: Party */) {
  return partyTexts(party, FIELDS);
}

/** Of a rule's service and options. TODO the options by their names, each with what it takes: `insured: FLAG` */
export const checkRule = ruleCheck({ carrier: 'Acme', services: SERVICES, options: {} });

/** What Acme would refuse. */
export function checkForAcme(request /*ts: BookingRequest */) /*ts: readonly ValidationIssue[] */ {
  return [
    ...checkRule(request),
    ...addressProblems('recipient', request.recipient, { fields: FIELDS }),
    ...forParcels(request, ({ weightGrams }) => weightGrams > 1000 * MAX_WEIGHT_KG, {
      code: 'too-heavy',
      limit: `${MAX_WEIGHT_KG}`,
    }),
  ];
}

/** Which texts are shortened or written in other letters. */
export function textChangesAtAcme({ sender, recipient } /*ts: BookingRequest */) /*ts: readonly TextChange[] */ {
  return [...textChangesIn('sender', partyFields(sender)), ...textChangesIn('recipient', partyFields(recipient))];
}
