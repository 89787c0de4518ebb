import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { createLog, masker } from '../../src/log.js';

const SECRET = 'top-secret-0001';
let lines: string[];

/** Winston's console transport writes to this stream, which is what the outside sees. */
beforeEach(() => {
  lines = [];
  const stream = (console as unknown as { readonly _stdout?: NodeJS.WriteStream })._stdout ?? process.stdout;
  jest.spyOn(stream, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0);
});
afterEach(() => void jest.restoreAllMocks());

const log = (format: 'json' | 'pretty' = 'json', level = 'info') =>
  createLog({ level, format, secrets: [SECRET, 'abc'] });

describe('the log', () => {
  it('writes one line an event with its fields', () => {
    log().info('booked', { consignment: 'c-1', ms: 12 });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { level: 'info', message: 'booked', consignment: 'c-1', ms: 12, timestamp: expect.any(String) },
    ]);
    expect(lines[0]?.endsWith('\n')).toBe(true);
  });

  it('carries the fields of a child on each of its lines', () => {
    log().child({ consignment: 'c-1' }).child({ area: '7' }).warn('postponed');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', consignment: 'c-1', area: '7' });
  });

  it('leaves out what is below its level', () => {
    log('json', 'warn').info('quiet');
    expect(lines).toEqual([]);
  });

  it.each(['stdout', 'stderr'] as const)('is on %s alone, at every level, where it is told so', (to) => {
    const streams = { stdout: [] as string[], stderr: [] as string[] };
    const writesTo = (all: string[]) => ({ write: (chunk: unknown) => all.push(String(chunk)) > 0 });
    const own = console as unknown as { _stdout: unknown; _stderr: unknown };
    jest.replaceProperty(own, '_stdout', writesTo(streams.stdout));
    jest.replaceProperty(own, '_stderr', writesTo(streams.stderr));
    const told = createLog({ level: 'debug', format: 'json', secrets: [], to });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) told[level]('said');
    expect([streams.stdout.length, streams.stderr.length]).toEqual(to === 'stdout' ? [4, 0] : [0, 4]);
  });

  it.each([
    ['in a field', { url: `https://x/?key=${SECRET}` }],
    ['in an object', { request: { headers: { authorization: `Bearer ${SECRET}` } } }],
    ['in a list of lists', { all: [[{ deep: [SECRET] }]] }],
    ['in an error', { error: new Error(`wrong key ${SECRET}`) }],
    ['twice in one text', { text: `${SECRET}${SECRET}` }],
  ])('masks a secret %s', (_case, fields) => {
    for (const format of ['json', 'pretty'] as const) {
      log(format).error(`failed with ${SECRET}`, fields);
      log(format).child(fields).error('failed');
    }
    expect(lines).toHaveLength(4);
    expect(lines.join()).not.toContain(SECRET);
    expect(lines.join()).toContain('***');
  });

  it('is one line for each event, whatever is in it, also when it is to be read by people', () => {
    const forged = 'a\r\n12:00:00.000 error all is lost\u001b[2J\u2028\u0085x';
    log('pretty').info(forged, { room: forged, list: [forged], [forged]: 1 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).toMatch(/^\P{Cc}*$/u);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\u2028\u2029]/);
  });

  it('keeps only the name and the message of an error', () => {
    const error = Object.assign(new TypeError('no answer'), { config: { headers: { token: 'Bearer 1' } } });
    log().warn('failed', { error });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'TypeError: no answer' });
    expect(lines[0]).not.toContain('Bearer');
  });

  it('writes pretty lines that hold the fields', () => {
    log('pretty').info('booked', { carrier: 'gls', numbers: [1, 2] });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}booked carrier=gls numbers=\[1,2\]\n$/);
  });
});

describe('a mask', () => {
  it('lets no secret through, wherever it is and whatever is around it', () => {
    const secrets = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9+/=_-]{6,20}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(secrets, fc.jsonValue(), fc.string(), (hidden, other, around) => {
        const value = {
          around: hidden.map((one) => around + one),
          nested: [{ deeper: { all: hidden.join('') } }],
          other,
        };
        const text = JSON.stringify(masker(hidden)(value));
        for (const secret of hidden) expect(text).not.toContain(secret);
      }),
    );
  });

  it('leaves everything else as it is', () => {
    const at = new Date(0);
    const value = { n: 1, text: 'plain', nothing: null, list: [true, at] };
    expect(masker([SECRET])(value)).toEqual(value);
  });

  it('does not hide what is too short to be a secret', () => {
    expect(masker(['abc'])('abcdef')).toBe('abcdef');
  });
});
