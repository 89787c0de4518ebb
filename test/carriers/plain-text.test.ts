import { describe, expect, it } from '@jest/globals';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/errors.js';
import { plainLink, plainText } from '../../carriers/contract/plain-text.js';

describe('a text of a carrier', () => {
  it.each([
    ['with line breaks', 'one\r\n two\n\tthree ', 'one two three'],
    ['with ESC', '\u001b[31mred\u0007', '[31mred'],
    ['with marks of direction', 'abc\u202edcba\u2066x\u2069', 'abcdcbax'],
    ['with marks that nobody sees', '1\u200b2\ufeff3', '123'],
    ['with NUL and half a character', 'a\u0000b\ud83d', 'a b\uFFFD'],
    ['of emoji, longer than it may be', '😀'.repeat(12), `${'😀'.repeat(9)}…`],
    ['of many blanks', ' '.repeat(1_000_000), ''],
  ])('is one short line of what can be seen: %s', (_what, text, shown) => {
    expect(plainText(text, 10 + text.length * (text.startsWith('😀') ? 0 : 1))).toBe(shown);
  });

  it('is plain in every error as it is made', () => {
    const text = `first\nsecond\u001b[2J ${'x'.repeat(5_000)}`;
    const problems = Array.from({ length: 500 }, () => ({ code: `4\n2`, text, parcelId: null }));
    const rejected = new CarrierRejected(problems);
    const messages = [rejected, new CarrierUnavailable(text), new OutcomeUnknown(text)].map(({ message }) => message);
    expect(messages.map((message) => /\p{Cc}/u.test(message))).toEqual([false, false, false]);
    expect(rejected.problems.length).toBeLessThan(100);
    expect(rejected.problems[0]).toMatchObject({ code: '4 2', text: expect.stringMatching(/^first second \[2J x+…$/) });
  });
});

describe('a link of a carrier', () => {
  it.each([
    ['https://carrier.example/track?q=1&x=2#there', true],
    ['http://carrier.example:8080', true],
    ['https://carrier.example/søg/æ', true],
    ['javascript:alert(1)', false],
    ['JAVASCRIPT:alert(1)', false],
    ['data:text/html,x', false],
    ['file:///etc/passwd', false],
    ['//carrier.example/1', false],
    ['https:carrier.example', false],
    ['https:///1', false],
    ['https://', false],
    ['https://user:secret@carrier.example/', false],
    ['https://carrier.example/ 1', false],
    ['https://carrier.example/\u202e1', false],
    ['https://carrier.example/"onclick="x', false],
    ['https://carrier.example:99999/', false],
    ['', false],
  ])('%j is one to show: %s', (link, isOne) => {
    expect(plainLink(link)).toBe(isOne ? link : null);
  });
});
