import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accepted, carrierError, parseJson, quoted } from '../../carriers/contract/index.js';

describe('JSON of a carrier', () => {
  it.each<readonly [string, string, unknown]>([
    ['NUL', String.raw`"a\u0000b"`, 'a\uFFFDb'],
    ['half a character', String.raw`{"deep":[{"text":"a\ud83d"}]}`, { deep: [{ text: 'a\uFFFD' }] }],
    ['a whole character of two halves', String.raw`"\ud83d\ude00"`, '😀'],
    [
      'a name that cannot be stored',
      String.raw`{"a\u0000\udc00":{"b":"\u0000"}}`,
      { 'a\uFFFD\uFFFD': { b: '\uFFFD' } },
    ],
    ['what is no text', '[null,true,1.5,{},[]]', [null, true, 1.5, {}, []]],
    ['a number too long for us', '{"number":340434188193000000123}', { number: '340434188193000000123' }],
  ])('is read so that it can be stored: %s', (_case, json, expected) => {
    expect(parseJson(json)).toEqual(expected);
    expect(parseJson(new TextEncoder().encode(json))).toEqual(expected);
  });

  it('keeps a property of any name a property', () => {
    const json = parseJson(String.raw`{"__proto__":{"text":"\u0000"}}`);
    expect(Object.entries(json as object)).toEqual([['__proto__', { text: '\uFFFD' }]]);
  });
});

describe('the beginning of an answer', () => {
  const answer = (body: string | Uint8Array) => ({
    status: 500,
    headers: {},
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  });

  it.each([
    ['nothing that cannot be stored', 'a\0b', 'a\uFFFDb'],
    ['no character into halves', 'a'.repeat(299) + '😀😀', 'a'.repeat(299) + '😀'],
    ['as many characters of any length', '😀'.repeat(301), '😀'.repeat(300)],
    ['no first bytes of a character', ' '.repeat(1198) + 'x😀', 'x'],
  ])('quotes %s', (_case, body, expected) => {
    expect(quoted(answer(body))).toBe(expected);
  });

  it('can be stored, whatever came', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        const text = quoted(answer(bytes));
        expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
        expect(Array.from(text).length).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe('a status of a booking that does not say what became of it', () => {
  const thrownAfter = (status: number): unknown => {
    const answer = { status, headers: {}, body: new Uint8Array() };
    try {
      return accepted(answer, { operation: 'change', problemsFrom: () => [] });
    } catch (error) {
      return error;
    }
  };

  it.each([408, 502, 503, 504, 507, 520, 521, 522, 523, 524, 525, 526, 527, 530, 598, 599])(
    'may be of a gateway, and the carrier behind it at work: %d',
    (status) => {
      expect(thrownAfter(status)).toMatchObject({ name: 'OutcomeUnknown', work: 'perhaps at work' });
    },
  );

  it.each([302, 500, 501, 505])('is the last word of the server that had the request: %d', (status) => {
    expect(thrownAfter(status)).toMatchObject({ name: 'OutcomeUnknown', work: 'ended' });
  });
});

describe('what a parser stumbled over', () => {
  it.each(['😀', '\0', '{"a":\0}'])('is told in words that can be stored: %j', (body) => {
    const { message } = carrierError(thrownBy(body), 'change');
    expect(message.isWellFormed() && !message.includes('\0')).toBe(true);
  });
});

function thrownBy(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    return error;
  }
}
