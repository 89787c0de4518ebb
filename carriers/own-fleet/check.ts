import type { BookingRequest, Problem, TextChange } from '../contract/index.js';
import { addressProblems } from '../toolkit/checks/address-problems.js';
import { type OptionRule, ruleCheck } from '../toolkit/checks/rule-check.js';
import { paperProblems } from '../toolkit/customs.js';
import type { FieldTable, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, textChangesIn } from '../toolkit/fit.js';
import { partyTexts } from '../toolkit/party-texts.js';

export const NAME = 'Own fleet';

const MAX_WORD_LENGTH = 40;

/** The letters are those of the fonts on the label; the lengths are what is readable on a line of it. */
export const FIELDS = {
  name: { means: 'name', longest: 60, letters: LATIN_1 },
  street: { means: 'street', longest: 60, letters: LATIN_1 },
  secondLine: { means: 'second-line', longest: 60, letters: LATIN_1 },
  city: { means: 'city', longest: 40, letters: LATIN_1 },
  phone: { means: 'phone' },
  notes: { means: 'notes', longest: 90, letters: LATIN_1 },
} as const satisfies FieldTable;

const WORD: OptionRule = {
  allowed: `a text of at most ${MAX_WORD_LENGTH} characters`,
  isFine: (value) => typeof value === 'string' && value.trim() !== '' && value.length <= MAX_WORD_LENGTH,
};

/** Any service: its name is printed on the label. */
export const checkRule = ruleCheck({ carrier: NAME, options: { route: WORD } });

/** What makes a label that nobody can deliver by. */
export function checkForOwnFleet(request: BookingRequest): readonly Problem[] {
  const { recipient } = request;
  return [
    ...checkRule(request),
    ...addressProblems('recipient', recipient, { fields: FIELDS }),
    ...paperProblems(request),
  ];
}

export function notesField(request: BookingRequest): Fit {
  return fit([request.notesOnDelivery], FIELDS.notes);
}

/** What stands on the label shortened or in other letters. */
export function textChangesAtOwnFleet(request: BookingRequest): readonly TextChange[] {
  return [
    ...textChangesIn('sender', partyTexts(request.sender, FIELDS)),
    ...textChangesIn('recipient', partyTexts(request.recipient, FIELDS)),
    ...textChangesIn('shipment', { notes: notesField(request) }),
  ];
}
