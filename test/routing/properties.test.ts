import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import sift from 'sift';
import { type Choice, chooseCarrier, compileRules, explainChoice } from '../../src/routing/choose-carrier.js';
import type { Query, RoutingRule } from '../../src/routing/language/rule.js';
import { address, box, facts, line } from './shipments.js';
import { propertyRuns } from '../support/property-runs.js';

const accounts = [
  { name: 'gls', imsCarrierName: 'GLS' },
  { name: 'bring', imsCarrierName: 'Bring' },
];

const countries = ['DK', 'SE', 'NO'];
const weights = [1, 5, 20];
const FIELDS = [
  'deliveryAddress.countryCode',
  'onHold',
  'weightKg',
  'shipmentLines.weight',
  'termsOfDelivery',
] as const;

const operand = fc.constantFrom<string | number | boolean | null>(...countries, ...weights, true, false, null, 'Flex');
const limit = fc.constantFrom<string | number>(...countries, ...weights);
const comparison = fc.oneof(
  operand.map((value) => ({ $eq: value })),
  operand.map((value) => ({ $ne: value })),
  fc.array(operand, { maxLength: 3 }).map((values) => ({ $in: values })),
  fc.array(operand, { maxLength: 3 }).map((values) => ({ $nin: values })),
  fc.record({ $gte: limit, $lt: limit }, { noNullPrototype: true }),
  limit.map((value) => ({ $gt: value })),
  limit.map((value) => ({ $lte: value })),
);
const condition = fc.oneof(
  operand,
  comparison,
  comparison.map((inner) => ({ $not: inner })),
);
const simple: fc.Arbitrary<Query> = fc.dictionary(fc.constantFrom(...FIELDS), condition, {
  maxKeys: 3,
  noNullPrototype: true,
});
const queries: fc.Arbitrary<Query> = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map(($and) => ({ $and })),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
    fc.array(tie('query'), { minLength: 1, maxLength: 2 }).map(($nor) => ({ $nor })),
  ),
})).query;

const shipments = fc.record(
  {
    carrierName: fc.constantFrom(null, 'GLS', 'Bring', 'UPS'),
    deliveryAddress: fc.constantFrom(...countries).map((country) => address(country)),
    onHold: fc.constantFrom(true, false, null),
    termsOfDelivery: fc.constantFrom('Flex', null),
    shipmentLines: fc.array(
      fc.constantFrom(...weights, null).map((weight) => line({ weight })),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);
const packed = fc.constantFrom(...weights).map((weight) => [box(weight)]);

const uses: fc.Arbitrary<RoutingRule['use']> = fc.constantFrom<RoutingRule['use']>(
  { account: 'gls' },
  { account: 'bring', service: '5800' },
  { cheapest: ['gls', 'bring'] },
);
const rules = fc
  .array(fc.record({ when: queries, unless: fc.option(queries, { nil: undefined }), use: uses }), { maxLength: 8 })
  .map((list) =>
    list.map(({ when, unless, use }, n): RoutingRule => ({
      name: `${n}`,
      when,
      use,
      ...(unless === undefined ? {} : { unless }),
    })),
  );

/** As the IMS may also answer it. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

const ruleOf = (choice: Choice) => (choice.kind === 'chosen' || choice.kind === 'quotes' ? choice.rule : null);
const choose = (list: readonly RoutingRule[], given: ReturnType<typeof facts>) =>
  chooseCarrier(given, compileRules(list, accounts));

describe('whatever the rules and the shipment', () => {
  it('one condition means what it means to sift, once everything is known', () => {
    fc.assert(
      fc.property(queries, shipments, packed, (when, changes, shippingContainers) => {
        const given = facts({ ...changes, carrierName: null, shippingContainers });
        const found = choose([{ name: 'one', when, use: { account: 'gls' } }], given);
        expect(found.kind === 'chosen').toBe(sift.default<unknown>(when)(given.values));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('a field that is null is one that is left out, in the shipment, its address, its lines and its containers', () => {
    const withExistence = fc.oneof(
      queries,
      fc.tuple(fc.constantFrom(...FIELDS), fc.boolean()).map(([field, $exists]): Query => ({ [field]: { $exists } })),
    );
    fc.assert(
      fc.property(withExistence, shipments, packed, (when, changes, shippingContainers) => {
        const given = { onHold: null, termsOfDelivery: null, ...changes, shippingContainers };
        const outcomes = [given, withoutNulls(given)].map(
          (fields) => choose([{ name: 'one', when, use: { account: 'gls' } }], facts(fields as typeof given)).kind,
        );
        expect(outcomes[1]).toBe(outcomes[0]);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('what is decided before packing is decided the same way for every weight', () => {
    fc.assert(
      fc.property(queries, shipments, packed, (when, changes, shippingContainers) => {
        const list = compileRules([{ name: 'one', when, use: { account: 'gls' } }], accounts);
        const outcome = (containers: unknown) =>
          explainChoice(facts({ ...changes, carrierName: null, shippingContainers: containers }), list).verdicts[0]
            ?.outcome;
        const before = outcome([]);
        if (before !== 'not-known-yet') expect(outcome(shippingContainers)).toBe(before);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('the explanation explains the choice that is made', () => {
    fc.assert(
      fc.property(rules, shipments, fc.option(packed, { nil: [] }), (list, changes, shippingContainers) => {
        const given = facts({ ...changes, shippingContainers });
        const compiled = compileRules(list, accounts);
        const { choice, verdicts } = explainChoice(given, compiled);
        expect(choice).toEqual(chooseCarrier(given, compiled));
        expect(verdicts.map(({ rule }) => rule)).toEqual(list.map(({ name }) => name));
        expect(verdicts.find(({ outcome }) => outcome === 'matched')?.rule ?? null).toBe(ruleOf(choice));
        const undecided = verdicts.filter(({ outcome }) => outcome === 'not-known-yet').map(({ rule }) => rule);
        if (choice.kind === 'chosen' || choice.kind === 'quotes') expect(choice.undecided).toEqual(undecided);
        for (const { outcome, reasons } of verdicts) {
          if (outcome === 'not-known-yet') expect(reasons.map(({ why }) => why)).not.toContain(undefined);
        }
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('the first in the list of those that match alone is taken, and nothing else counts', () => {
    fc.assert(
      fc.property(rules, shipments, fc.option(packed, { nil: [] }), (list, changes, shippingContainers) => {
        const given = facts({ ...changes, shippingContainers });
        const alone = list.find((rule) => ruleOf(choose([rule], given)) === rule.name);
        expect(ruleOf(choose(list, given))).toBe(alone?.name ?? null);
        const behind = alone === undefined ? [] : list.slice(list.indexOf(alone) + 1);
        const before = list.slice(0, list.length - behind.length);
        expect(choose([...before, ...behind.toReversed()], given)).toEqual(
          alone === undefined ? choose(before, given) : choose(list, given),
        );
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('a last rule that matches everything leaves no shipment without a carrier', () => {
    fc.assert(
      fc.property(rules, shipments, (list, changes) => {
        const choice = choose([...list, { name: 'last', when: {}, use: { account: 'gls' } }], facts(changes));
        expect(choice.kind).not.toBe('none');
      }),
    );
  });

  it('a rule that never matches changes nothing, wherever it stands', () => {
    const never: RoutingRule = { name: 'never', when: { shipmentNumber: 'no such' }, use: { account: 'gls' } };
    fc.assert(
      fc.property(rules, shipments, fc.nat(8), (list, changes, place) => {
        const given = facts(changes);
        const [with_, without] = [choose(list.toSpliced(place, 0, never), given), choose(list, given)];
        if (without.kind === 'none') expect(with_.kind).toBe('none');
        else expect(with_).toEqual(without);
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});
