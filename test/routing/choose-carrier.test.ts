import { describe, expect, it } from '@jest/globals';
import { type Choice, type Rule, chooseCarrier, ruleProblems } from '../../src/routing/choose-carrier.js';

const accounts = [
  { name: 'gls', imsCarrierName: 'GLS' },
  { name: 'gls-heavy', imsCarrierName: 'GLS' },
  { name: 'bring', imsCarrierName: 'Bring' },
];

const rule = (name: string, when: Rule['when'], use: string | Rule['use'] = 'gls'): Rule => ({
  name,
  when,
  use: typeof use === 'string' ? { account: use } : use,
});

const shipment = (changes: Readonly<Record<string, unknown>> = {}, carrierName: string | null = null) => ({
  carrierName,
  deliverToPickUpPoint: true,
  totalWeight: 12,
  tags: ['fragile'],
  deliveryAddress: { countryCode: 'DK', postalCode: '2600' },
  ...changes,
});

const chosen = (account: string, by: string | null): Choice => ({
  kind: 'chosen',
  account,
  service: null,
  options: {},
  rule: by,
});

describe('the rules of a carrier', () => {
  it.each<[string, Rule['when'], 'matches' | 'does not match']>([
    ['nothing', {}, 'matches'],
    ['a field', { deliverToPickUpPoint: true }, 'matches'],
    ['a field with another value', { deliverToPickUpPoint: false }, 'does not match'],
    ['a field inside another', { 'deliveryAddress.countryCode': 'DK' }, 'matches'],
    ['a field inside one that is missing', { 'sellerAddress.countryCode': 'DK' }, 'does not match'],
    ['letters in another case', { 'deliveryAddress.countryCode': 'dk' }, 'does not match'],
    ['one of several', { 'deliveryAddress.countryCode': { $in: ['SE', 'DK'] } }, 'matches'],
    ['none of several', { 'deliveryAddress.countryCode': { $nin: ['SE', 'DK'] } }, 'does not match'],
    ['at least', { totalWeight: { $gte: 12 } }, 'matches'],
    ['less than', { totalWeight: { $lt: 12 } }, 'does not match'],
    ['a range', { totalWeight: { $gt: 10, $lte: 20 } }, 'matches'],
    ['a field that is missing', { incoterms: { $exists: false } }, 'matches'],
    ['an element of a list', { tags: 'fragile' }, 'matches'],
    ['a pattern', { 'deliveryAddress.postalCode': { $regex: '^26' } }, 'matches'],
    ['either of two', { $or: [{ totalWeight: 1 }, { deliverToPickUpPoint: true }] }, 'matches'],
    ['two of which one is wrong', { deliverToPickUpPoint: true, totalWeight: 1 }, 'does not match'],
  ])('a condition on %s: %s', (_case, when, expected) => {
    const choice = chooseCarrier(shipment(), [rule('only', when)], accounts);
    expect(choice.kind).toBe(expected === 'matches' ? 'chosen' : 'none');
    expect(ruleProblems(rule('only', when))).toEqual([]);
  });

  it('take the first that matches, with its service and options', () => {
    const rules = [
      rule('no', { totalWeight: 1 }),
      rule('first', {}, { account: 'bring', service: '5800', options: { notification: 'email' } }),
      rule('second', {}),
    ];
    const choice = {
      kind: 'chosen',
      account: 'bring',
      service: '5800',
      options: { notification: 'email' },
      rule: 'first',
    };
    expect(chooseCarrier(shipment(), rules, accounts)).toEqual(choice);
  });

  it.each<[string, string | null, readonly Rule[], Choice]>([
    [
      'keep the carrier of the shipment',
      'GLS',
      [rule('bring', {}, 'bring'), rule('gls', {}, 'gls-heavy')],
      chosen('gls-heavy', 'gls'),
    ],
    ['find the carrier in any case, with blanks around', ' gls ', [rule('gls', {})], chosen('gls', 'gls')],
    ["take the carrier's own account when no rule of it matches", 'Bring', [rule('gls', {})], chosen('bring', null)],
    ["take the carrier's account when there are no rules", 'Bring', [], chosen('bring', null)],
    [
      'do not choose for a carrier we have not',
      'UPS',
      [rule('gls', {})],
      { kind: 'unknown-carrier', carrierName: 'UPS' },
    ],
    [
      'say which were tried when none matches',
      null,
      [rule('heavy', { totalWeight: 99 })],
      { kind: 'none', tried: ['heavy'] },
    ],
    ['choose nothing without rules and without a carrier', null, [], { kind: 'none', tried: [] }],
    ['take an empty name for none', '', [rule('gls', {})], chosen('gls', 'gls')],
  ])('%s', (...[, carrierName, rules, choice]) => {
    expect(chooseCarrier(shipment({}, carrierName), rules, accounts)).toEqual(choice);
  });

  it.each<[string, Rule['when'], RegExp]>([
    ['code', { $where: 'this.totalWeight > 1' }, /must not use \$where/],
    ['code deep inside', { $or: [{ deliveryAddress: { $where: 'true' } }] }, /must not use \$where/],
    ['an operator that nobody knows', { totalWeight: { $heavierThan: 3 } }, /cannot be understood/],
    ['a list that is none', { tags: { $all: 3 } }, /cannot be understood/],
    ['alternatives that are no list', { $or: { totalWeight: 1 } }, /cannot be understood/],
    ['a pattern that is none', { 'deliveryAddress.postalCode': { $regex: '(' } }, /cannot be understood/],
  ])('may not hold %s', (_case, when, problem) => {
    expect(ruleProblems(rule('odd', when)).join()).toMatch(problem);
  });
});
