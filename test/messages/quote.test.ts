import { describe, expect, it } from '@jest/globals';
import { quoteProblems } from '../../src/messages/quote.js';

function problems(...texts: string[]) {
  return texts.map((text) => ({ code: null, text, parcelId: null }));
}

describe('a quotation', () => {
  it.each([
    ['joins several problems', ['no city', 'no postcode'], 'no city; no postcode'],
    ['says each only once', ['no city', 'no  city ', 'no postcode'], 'no city; no postcode'],
    ['leaves out empty ones', ['', ' ', 'no city'], 'no city'],
    ['is on one line', ['no\r\n\tcity\u0007'], 'no city'],
    ['leaves the full stop to the message', ['The city is empty.', 'And so on...'], 'The city is empty; And so on...'],
    ['does not end its own quotation marks', ['the field "city" is empty'], "the field 'city' is empty"],
    ['is empty when there is nothing to quote', [], ''],
    ['may fill its length', ['å'.repeat(500)], 'å'.repeat(500)],
    ['ends in an ellipsis beyond it', ['å'.repeat(501)], `${'å'.repeat(499)}…`],
    ['is never cut inside a character', ['📦'.repeat(501)], `${'📦'.repeat(499)}…`],
  ])('%s', (_case, texts, expected) => {
    expect(quoteProblems(problems(...texts))).toBe(expected);
  });
});
