import { expect, it } from '@jest/globals';
import { bring } from '../../carriers/bring/index.js';
import type { CarrierAdapter } from '../../carriers/contract/index.js';
import { glsDk } from '../../carriers/gls-dk/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import type { Account } from '../../src/accounts/account.js';
import { knownOptions } from '../../src/planning/service.js';

const options = { additionalServices: [{ id: '0041' }], services: ['deposit'], notification: 'email' };

function optionsOf(adapter: CarrierAdapter) {
  return knownOptions({ adapter } as Account, { service: null, options });
}

it('a rule for several accounts gives each of them the options that its carrier has', () => {
  expect(optionsOf(bring)).toEqual({ additionalServices: [{ id: '0041' }], notification: 'email' });
  expect(optionsOf(glsDk)).toEqual({ services: ['deposit'], notification: 'email' });
});

it('an option with a wrong value stays, so that the booking is refused instead of made otherwise', () => {
  expect(knownOptions({ adapter: glsDk } as Account, { service: null, options: { services: 'deposit' } })).toEqual({
    services: 'deposit',
  });
});

it.each([
  ['cannot check rules', () => [] as const],
  [
    'breaks while it checks',
    () => {
      throw new Error('broken');
    },
  ],
])('a carrier that %s gets all options', (_case, checkRule) => {
  expect(optionsOf({ ...pretend, checkRule })).toEqual(options);
});
