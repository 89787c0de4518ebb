import { beforeAll, expect, it } from '@jest/globals';
import { triedInWords } from '../../src/planning/decision-words.js';
import { type Messages, loadMessages } from '../../src/messages/messages.js';
import { LANGUAGES, type Language } from '../../src/messages/keys.js';
import { DERIVED_FIELDS } from '../../src/routing/facts/derived-fields.js';
import type { Verdict } from '../../src/routing/choose-carrier.js';

let messages: Messages;
beforeAll(async () => {
  messages = await loadMessages('templates/ims');
});
const inEnglish = (verdicts: readonly Verdict[]) =>
  triedInWords(verdicts, (key, values) => messages.phrase('en', key, values));

const failed = (rule: string, ...reasons: Verdict['reasons']): Verdict => ({ rule, outcome: 'failed', reasons });

it.each<[string, Verdict, string]>([
  [
    'a value that is another one',
    failed('homes', { field: 'deliveryAddress.countryCode', condition: '$eq "DK"', value: 'DE' }),
    '"homes" (delivery country is "DE", wanted is "DK")',
  ],
  [
    'a value that is none of a list',
    failed('near', { field: 'customer', condition: '$in ["a","b"]', value: null }),
    '"near" (customer is not filled in, wanted is one of "a", "b")',
  ],
  [
    'a limit',
    failed('heavy', { field: 'weightKg', condition: '$gte 20', value: 2.5 }),
    '"heavy" (weight in kg is 2.5, wanted is at least 20)',
  ],
  [
    'the opposite of a condition',
    failed('not now', { field: 'onHold', condition: 'not $eq true', value: true }),
    '"not now" (onHold is yes, wanted is not yes)',
  ],
  [
    'a value that is not known yet',
    {
      rule: 'heavy',
      outcome: 'not-known-yet',
      reasons: [{ field: 'weightKg', condition: '$gte 20', value: null, why: 'not-packed' }],
    },
    '"heavy" (weight in kg: nothing is packed yet)',
  ],
  [
    'an operator without words',
    failed('even', { field: 'parcelCount', condition: '$mod [2,0]', value: 3 }),
    '"even" (number of parcels is 3, wanted is $mod [2,0])',
  ],
])('says why a rule did not match: %s', (_what, verdict, words) => {
  expect(inEnglish([verdict])).toBe(words);
});

it("calls every derived fact by a packer's word, in both languages", () => {
  const words = (field: string, language: Language) =>
    triedInWords([failed('r', { field, condition: '$eq 1', value: 2 })], (key, values) =>
      messages.phrase(language, key, values),
    );
  expect(words('deliveryAddress.countryCode', 'da')).toBe('"r" (leveringslandet er 2, det skal være 1)');
  const raw = Object.keys(DERIVED_FIELDS).filter(
    (field) => /[A-Z]/.test(field) && LANGUAGES.some((language) => words(field, language).includes(field)),
  );
  expect(raw).toEqual([]);
});

it('stays short however many rules there are and however long they are, and counts the rest', () => {
  const text = 'x'.repeat(500);
  const many = Array.from({ length: 300 }, (_none, n) =>
    failed(`${n} ${text}`, { field: 'notesOnDelivery', condition: `$eq "${text}"`, value: `a\n${text}` }),
  );
  const words = inEnglish(many);
  expect(words.length).toBeLessThan(900);
  expect(words).toMatch(/and 29\d more$/);
  expect(words).not.toContain('\n');
});

it('says so when there are none', () => {
  expect(inEnglish([])).toBe('none');
});
