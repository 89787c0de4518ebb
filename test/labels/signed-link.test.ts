import { describe, expect, it } from '@jest/globals';
import { createLabelLinks } from '../../src/labels/signed-link.js';

const START = Date.parse('2026-03-02T08:00:00Z');
const DAY_MS = 86_400_000;

function linksAt(timeMs: number, secret = 'secret-0001') {
  return createLabelLinks({ secret, publicUrl: 'https://waybridge.example/', now: () => new Date(timeMs) });
}

function partsOf(link: string) {
  const { searchParams } = new URL(link);
  return { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' };
}

const link = linksAt(START).link('c-1');
const { expires, signature } = partsOf(link);

describe('a label link', () => {
  it('names the label, when it ends, and a signature that is safe in an address', () => {
    expect(link).toMatch(
      /^https:\/\/waybridge\.example\/labels\/c-1\.pdf\?expires=1773043200&signature=[A-Za-z0-9_-]{43}$/,
    );
  });

  it.each<[string, number, string]>([
    ['at once', 0, 'valid'],
    ['until the last second of seven days', 7 * DAY_MS - 1_000, 'valid'],
    ['no longer after seven days', 7 * DAY_MS, 'expired'],
  ])('works %s', (_case, laterMs, verdict) => {
    expect(linksAt(START + laterMs).verify('c-1', expires, signature)).toBe(verdict);
  });

  const original = { id: 'c-1', expires, signature };

  it.each([
    ['another consignment', { ...original, id: 'c-2' }],
    ['a later end', { ...original, expires: String(Number(expires) + 1) }],
    ['another spelling of the end', { ...original, expires: `0${expires}` }],
    ['an end that is no number', { ...original, expires: 'never' }],
    ['no signature', { ...original, signature: '' }],
    ['a shortened signature', { ...original, signature: signature.slice(0, -1) }],
    ['another signature', { ...original, signature: 'A'.repeat(43) }],
    ['a signature with padding', { ...original, signature: `${signature}=` }],
  ])('is forged when it carries %s', (_case, changed) => {
    expect(linksAt(START).verify(changed.id, changed.expires, changed.signature)).toBe('forged');
  });

  it('of another installation is forged', () => {
    const other = partsOf(linksAt(START, 'secret-0002').link('c-1'));
    expect(linksAt(START).verify('c-1', other.expires, other.signature)).toBe('forged');
  });

  it('holds an id that needs escaping', () => {
    const odd = linksAt(START).link('a/b c');
    expect(new URL(odd).pathname).toBe('/labels/a%2Fb%20c.pdf');
  });
});
