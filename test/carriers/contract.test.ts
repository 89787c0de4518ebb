import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CarrierAccount } from '../../carriers/contract/index.js';
import {
  CarrierRejected,
  CarrierUnavailable,
  NotPermitted,
  OutcomeUnknown,
  accepted,
  carrierError,
  defineCarrier,
  parseJson,
  quoted,
} from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { errorOf } from '../../carriers/testing/assertions.js';
import { secretsIn } from './contract-suite.js';
import { TEST_NOW, bookingRequest } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

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

  const LABEL = 'JVBERi0x/+=='.repeat(2_000);

  it.each<readonly [string, string, unknown]>([
    ['beside a number too long for us', `{"number":12345678901234567890,"label":"${LABEL}"}`, LABEL],
    [
      'with slashes and lines as codes',
      `{"n":1e99,"label":"${LABEL.replaceAll('/', '\\/')}\\r\\n\\u0000"}`,
      `${LABEL}\r\n\uFFFD`,
    ],
    ['behind a quotation mark', `{"n":1e99,"label":"\\"${LABEL}"}`, `"${LABEL}`],
    ['before a quotation mark', `{"n":1e99,"label":"${LABEL}\\""}`, `${LABEL}"`],
    ['behind a backslash', `{"n":1e99,"a":"\\\\","label":"${LABEL}"}`, LABEL],
    ['in a list', `{"n":1e99,"label":["${LABEL}",["${LABEL}"]]}`, [LABEL, [LABEL]]],
    ['as a name', `{"n":1e99,"label":{"${LABEL}":1}}`, { [LABEL]: 1 }],
  ])('is read with a label in base 64 %s', (_where, json, expected) => {
    expect(parseJson(json)).toMatchObject({ label: expected });
  });

  it('is refused as before where a label has no end', () => {
    expect(() => parseJson(`{"n":1e99,"label":"${LABEL}`)).toThrow(SyntaxError);
    expect(() => parseJson(`{"n":1e99,"label":"${LABEL}\\q"}`)).toThrow(SyntaxError);
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

  it.each([408, 499, 502, 503, 504, 507, 520, 521, 522, 523, 524, 525, 526, 527, 530, 598, 599])(
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

describe('an account of a carrier', () => {
  const request = bookingRequest();
  const failing = (error: unknown): CarrierAccount => {
    const fail = async () => {
      throw error;
    };
    const definition = { ...pretend, secrets: () => ['s3cret/key'], connect: () => ({ book: fail, cancel: fail }) };
    const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: 'https://carrier.example' };
    return defineCarrier(definition).connect({ apiKey: 's3cret/key' }, tools);
  };
  const booking = { carrierNumber: '1', parcels: [], labelSource: null };

  it('does not know what became of a booking in which anything unforeseen happened', async () => {
    const error = await errorOf(failing(new TypeError('x is not a function')).book(request));
    expect(error).toMatchObject({ name: 'OutcomeUnknown', work: 'perhaps at work' });
  });

  it.each<readonly [string, Error]>([
    ['an unforeseen error', new SyntaxError('Unexpected s3cret/key in JSON')],
    ['a cause', new Error('no answer', { cause: new Error('GET /?code=s3cret%2Fkey') })],
    ['a refusal', new CarrierRejected([{ code: 's3cret/key', text: 'no s3cret/key here', parcelId: null }])],
    [
      'a value of a problem',
      new CarrierRejected([{ code: 'key', text: 'wrong', parcelId: null, values: { key: 's3cret/key' } }]),
    ],
    ['a carrier that is away', new CarrierUnavailable('status 503: s3cret/key', 7_000)],
  ])('shows no secret of its settings after %s', async (_case, thrown) => {
    const error = await errorOf(failing(thrown).book(request));
    expect(secretsIn(error, ['s3cret/key', encodeURIComponent('s3cret/key')])).toEqual([]);
    if (thrown instanceof CarrierUnavailable) expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('keeps whether the carrier has ended its work when it hides a secret', async () => {
    const error = await errorOf(failing(new OutcomeUnknown('status 500: s3cret/key', { work: 'ended' })).book(request));
    expect(error).toMatchObject({ message: 'status 500: ***', work: 'ended' });
  });

  it('keeps an error as it is that shows no secret', async () => {
    const thrown = new CarrierUnavailable('held back', null, { cause: new NotPermitted('too late') });
    expect(await errorOf(failing(thrown).book(request))).toBe(thrown);
  });

  it('has a refused cancellation as a result', async () => {
    const problems = [{ code: 'late', text: 'too late for s3cret/key', parcelId: null }];
    expect(await failing(new CarrierRejected(problems)).cancel?.(booking)).toEqual({
      kind: 'refused',
      problems: [{ code: 'late', text: 'too late for ***', parcelId: null }],
    });
  });
});
