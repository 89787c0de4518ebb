import { describe, expect, it } from '@jest/globals';
import { named } from '../../src/db/named.js';

describe('a statement with named values', () => {
  it('has the number of a parameter for each name, the same one wherever the name comes again', () => {
    const [text, values] = named('select :b, :a256 where :b > 1', { a256: 'A', b: 2 });
    expect(text).toBe('select $1, $2 where $1 > 1');
    expect(values).toEqual([2, 'A']);
  });

  it('keeps casts', () => {
    const [text, values] = named('select :parts::jsonb, now()::timestamptz', { parts: '[]' });
    expect(text).toBe('select $1::jsonb, now()::timestamptz');
    expect(values).toEqual(['[]']);
  });

  it('sends null for a value that is null', () => {
    expect(named('select :a', { a: null })).toEqual(['select $1', [null]]);
  });

  it('is refused when a name has no value', () => {
    expect(() => named('select :a, :b', { a: 1 })).toThrow('no values for: b');
  });

  it('is refused when a value is not in it', () => {
    expect(() => named('select :a', { a: 1, b: 2 })).toThrow('does not use: b');
  });
});
