import { describe, expect, it } from '@jest/globals';
import { carriers } from '../../carriers/index.js';
import { plugInProblem } from '../../src/adapters/plug-in-problem.js';

const [{ adapter, simulator }] = carriers.filter((carrier) => carrier.adapter.id === 'pretend') as [
  (typeof carriers)[number],
];
const fine = { contract: 1, adapter: { ...adapter, id: 'fjordpost' }, simulator };
const { traits, sample } = adapter;

function broken(changes: object) {
  return { ...fine, adapter: { ...fine.adapter, ...changes } };
}

describe('a carrier from outside', () => {
  it('can be used when it has everything', () => {
    expect(plugInProblem(fine, ['bring'])).toBeNull();
  });

  it.each<readonly [string, unknown, RegExp]>([
    ['exports nothing', undefined, /no default export/],
    ['does not say its contract', { ...fine, contract: undefined }, /contract: 1/],
    ['is written for another contract', { ...fine, contract: 2 }, /contract 2.*contract 1/],
    ['has no adapter', { ...fine, adapter: null }, /no adapter/],
    ['has no simulator', { ...fine, simulator: 'later' }, /no simulator/],
    ['has the id of another carrier', broken({ id: 'bring' }), /id bring.*another carrier/],
    ['has an id that is no id', broken({ id: 'Fjord Post' }), /no id/],
    ['has no name', broken({ name: '' }), /no name/],
    ['has no address', broken({ baseUrl: 'api.fjordpost' }), /no baseUrl/],
    ['has settings without decorators', broken({ Config: class {} }), /no Config/],
    [
      'lacks traits',
      broken({ traits: { ...traits, maxParcels: 0, repeatedBooking: 'perhaps' } }),
      /repeatedBooking.*maxParcels/,
    ],
    ['has fields that mean nothing', broken({ fields: { navn: { means: 'nom' } } }), /navn/],
    ['has no sample', broken({ sample: { ...sample, request: {} } }), /sample without request/],
    ['has texts without English', broken({ texts: { da: { kold: 'Pakken er kold' } } }), /English/],
    ['has no connect', broken({ connect: undefined }), /no connect/],
    [
      'breaks when it connects',
      broken({
        connect: () => {
          throw new Error('no certificate');
        },
      }),
      /cannot connect.*no certificate/,
    ],
    ['connects to an account that cannot book', broken({ connect: () => ({}) }), /without book/],
    [
      'calls the changes of texts by their first name',
      broken({ connect: () => ({ book: () => Promise.reject(new Error('not here')), losses: () => [] }) }),
      /losses: it is called textChanges/,
    ],
  ])('is refused in one line when it %s', (_what, given, words) => {
    const problem = plugInProblem(given, ['bring']) ?? '';
    expect(problem).toMatch(words);
    expect(problem).not.toContain('\n');
  });
});
