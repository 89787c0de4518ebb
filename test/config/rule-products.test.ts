import { describe, expect, it } from '@jest/globals';
import type { CarrierAdapter } from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { read, yaml } from './config-samples.js';

const accounts =
  '{ budbee: { carrier: budbee, imsCarrierName: Budbee, config: { apiKey: k, apiSecret: s, collectionId: 1 } }, ' +
  'dao: { carrier: dao, imsCarrierName: DAO, config: { customerId: c, code: k } }, ' +
  'gls: { carrier: gls-dk, imsCarrierName: GLS, config: { userName: u, password: p, customerId: c, contactId: i } }, ' +
  'bring: { carrier: bring, imsCarrierName: Bring, config: { apiKey: k, apiUid: u, customerNumber: c } }, ' +
  'main: { carrier: pretend, imsCarrierName: Pretend, config: { apiKey: key-0001 } } }';

function problemsWith(use: string): readonly string[] {
  const { problems } = read(yaml({ accounts, rules: `[{ name: one, when: {}, use: ${use} }]` }));
  return problems.map(({ where, rule }) => `${where} ${rule}`);
}

describe('a rule that asks for return labels together with the booking', () => {
  it('is refused at an account whose carrier makes none, and says at which', () => {
    const own = '{ cheapest: [main, budbee], options: { withReturnLabel: true } }';
    expect(problemsWith(own)).toEqual([
      expect.stringMatching(/^rules\[0\]\.use\.options\.withReturnLabel .*account budbee makes no return labels/),
    ]);
    // Bring makes them with the setting returnService.
    expect(problemsWith('{ account: bring, options: { withReturnLabel: true } }')).toHaveLength(1);
  });

  it('is refused with another value, at any carrier', () => {
    const wrong = '{ account: main, options: { withReturnLabel: lastpage } }';
    expect(problemsWith(wrong)).toEqual([
      'rules[0].use.options.withReturnLabel must be true, last-page, document or false',
    ]);
  });

  it.each(['true', 'last-page', 'document', 'false'])('is taken with %s', (value) => {
    expect(problemsWith(`{ account: main, options: { withReturnLabel: ${value} } }`)).toEqual([]);
    expect(problemsWith(`{ account: dao, options: { withReturnLabel: ${value} } }`)).toEqual([]);
  });

  it('is taken with false where none are made', () => {
    expect(problemsWith('{ account: budbee, options: { withReturnLabel: false } }')).toEqual([]);
  });
});

describe('a rule with a service or an option that its carrier does not have', () => {
  it.each([
    [
      'an option',
      '{ account: budbee, options: { requireSignatur: true } }',
      /^rules\[0\]\.use\.options\.requireSignatur .*perhaps requireSignature/,
    ],
    [
      'an option within another',
      '{ account: budbee, options: { additionalServices: { recipientMinAge: 18 } } }',
      /^rules\[0\]\.use\.options\.additionalServices\.recipientMinAge .*perhaps additionalServices\.recipientMinimumAge/,
    ],
    [
      'a value of an option',
      '{ account: budbee, options: { requireSignature: maybe } }',
      /^rules\[0\]\.use\.options\.requireSignature .*true or false/,
    ],
    ['a service', '{ account: budbee, service: DLVBX }', /^rules\[0\]\.use\.service .*it has home, DLVBOX/],
    [
      'an option of DAO',
      '{ account: dao, options: { idkrv: none } }',
      /^rules\[0\]\.use\.options\.idkrv .*perhaps idkrav/,
    ],
    [
      'a service of DAO',
      '{ account: dao, service: shop }',
      /^rules\[0\]\.use\.service .*it has home, pickup-point, abroad/,
    ],
    [
      'a service that a rule of GLS adds',
      '{ account: gls, options: { services: [flex] } }',
      /^rules\[0\]\.use\.service .*flex-delivery/,
    ],
    [
      'an option of GLS',
      '{ account: gls, options: { cashOnDelivry: 499 } }',
      /^rules\[0\]\.use\.options\.cashOnDelivry .*perhaps cashOnDelivery/,
    ],
    [
      'an option of Bring',
      '{ account: bring, service: PICKUP_PARCEL, options: { notifications: none } }',
      /^rules\[0\]\.use\.options\.notifications .*perhaps notification/,
    ],
    ['one of several carriers', '{ cheapest: [main, budbee], service: DLVBX }', /^rules\[0\]\.use\.service /],
    [
      'an option that none of several carriers has',
      '{ cheapest: [bring, gls], options: { notifcation: email, services: [deposit] } }',
      /^rules\[0\]\.use\.options\.notifcation .*perhaps notification/,
    ],
  ])('is told at the start, with what the carrier has: %s', (_case, use, expected) => {
    expect(problemsWith(use)).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    '{ account: budbee, service: DLVBOX, options: { customs: papers } }',
    '{ account: budbee }',
    '{ account: dao, service: home, options: { idkrav: none } }',
    '{ account: gls, service: deposit, options: { services: [express-10], cashOnDelivery: 499.50, notification: email } }',
    '{ account: bring, service: of a new name, options: { notification: email, additionalServices: [{ id: 0041 }] } }',
    '{ cheapest: [bring, gls], options: { additionalServices: [{ id: 0041 }], services: [deposit], notification: email } }',
    '{ account: main, service: anything, options: { some: thing } }',
  ])('is not %s', (use) => {
    expect(problemsWith(use)).toEqual([]);
  });

  it('is told where the carrier cannot check it', () => {
    const checkRule = () => {
      throw new Error('the list of services is missing');
    };
    const main = '{ main: { carrier: pretend, imsCarrierName: P, config: { apiKey: key-0001 } } }';
    const text = yaml({ accounts: main, rules: '[{ name: one, when: {}, use: { account: main } }]' });
    expect(read(text, { adapters: [{ ...pretend, checkRule } as CarrierAdapter] }).problems).toEqual([
      { where: 'rules[0].use.options', rule: 'cannot be checked by Pretend: the list of services is missing' },
    ]);
  });
});
