import { describe, expect, it } from '@jest/globals';
import type { RoutingContext } from '../../src/routing/facts/derived-fields.js';
import { ruleProblems } from '../../src/routing/language/check-rule.js';
import {
  type Choice,
  type RuleOutcome,
  chooseCarrier,
  compileRules,
  explainChoice,
  withoutQuotes,
} from '../../src/routing/choose-carrier.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import type { RoutingRule } from '../../src/routing/language/rule.js';
import { address, box, facts, goods, light, line, packed, pallet, to } from './shipments.js';

const accounts = [
  { name: 'gls', imsCarrierName: 'GLS' },
  { name: 'gls-heavy', imsCarrierName: 'GLS' },
  { name: 'bring', imsCarrierName: 'Bring' },
];

const rule = (name: string, when: RoutingRule['when'], use: string | RoutingRule['use'] = 'gls'): RoutingRule => ({
  name,
  when,
  use: typeof use === 'string' ? { account: use } : use,
});

const compiled = (rules: readonly RoutingRule[]) => compileRules(rules, accounts);

const chosen = (account: string, by: string | null, undecided: readonly string[] = []): Choice => ({
  kind: 'chosen',
  account,
  service: null,
  options: {},
  rule: by,
  undecided,
});

/** What becomes of one condition, and the fields its reasons name. */
type Row = readonly [
  string,
  JsonObject,
  RoutingRule['when'],
  RuleOutcome,
  (readonly string[])?,
  Partial<RoutingContext>?,
];

const rows: readonly Row[] = [
  ['nothing', {}, {}, 'matched', []],
  ['a field', { deliverToPickUpPoint: true }, { deliverToPickUpPoint: true }, 'matched', ['deliverToPickUpPoint']],
  ['a field with another value', {}, { deliverToPickUpPoint: true }, 'failed', ['deliverToPickUpPoint']],
  ['a field inside another', {}, { 'deliveryAddress.countryCode': 'DK' }, 'matched', ['deliveryAddress.countryCode']],
  ['a field inside one that is not there', {}, { 'sellerAddress.countryCode': 'DK' }, 'failed'],
  ['a field inside one that is null', { sellerAddress: null }, { 'sellerAddress.countryCode': 'DK' }, 'failed'],
  ['one of several', {}, { 'deliveryAddress.countryCode': { $in: ['SE', 'DK'] } }, 'matched'],
  ['none of several', {}, { 'deliveryAddress.countryCode': { $nin: ['SE', 'DK'] } }, 'failed'],
  ['another value', {}, { 'deliveryAddress.countryCode': { $ne: 'SE' } }, 'matched'],
  ['null where the field is absent', {}, { carrierName: null }, 'matched'],
  ['a carrier in other letters', { carrierName: 'GLS' }, { carrierName: 'gls' }, 'matched'],
  [
    'one of several carriers in other letters',
    { carrierName: 'Gls ' },
    { carrierName: { $in: ['GLS', null] } },
    'matched',
  ],
  ['null among several where the field is absent', {}, { termsOfDelivery: { $in: ['Flex', null] } }, 'matched'],
  ['a field that is absent', {}, { incoterms: { $exists: false } }, 'matched', ['incoterms']],
  ['a field that is null', { incoterms: null }, { incoterms: { $exists: true } }, 'failed', ['incoterms']],
  ['a field that is there', { incoterms: 'DAP' }, { incoterms: { $exists: true } }, 'matched'],
  ['a limit where the field is null', { freightCharged: null }, { freightCharged: { $lte: 5 } }, 'failed'],
  ['a pattern', {}, { 'deliveryAddress.postalCode': { $regex: '^50' } }, 'matched'],
  [
    'a pattern in any case',
    { termsOfDelivery: 'FLEX' },
    { termsOfDelivery: { $regex: 'flex', $options: 'i' } },
    'matched',
  ],
  ['a pattern behind the 255th letter', { text1: `${'a'.repeat(255)}b` }, { text1: { $regex: 'b' } }, 'failed'],
  ['either of two', {}, { $or: [{ onHold: true }, { 'deliveryAddress.countryCode': 'DK' }] }, 'matched'],
  ['neither of two', {}, { $nor: [{ onHold: true }, { cancelled: true }] }, 'matched', ['onHold', 'cancelled']],
  ['the opposite', {}, { 'deliveryAddress.countryCode': { $not: { $in: ['DK'] } } }, 'failed'],
  ['two of which one is wrong', {}, { onHold: true, 'deliveryAddress.countryCode': 'DK' }, 'failed', ['onHold']],
  ['any line', goods(line({ productNumber: 'P' }), line()), { 'shipmentLines.productNumber': 'P' }, 'matched'],
  ['no line', goods(line({ productNumber: 'P' })), { 'shipmentLines.productNumber': { $ne: 'P' } }, 'failed'],
  [
    'two lines, one field each',
    goods(line({ weight: 1 }), line({ weight: 9, text1: 'x' })),
    { 'shipmentLines.weight': 1, 'shipmentLines.text1': 'x' },
    'matched',
  ],
  [
    'one line that has both',
    goods(line({ weight: 1 }), line({ text1: 'x' })),
    { shipmentLines: { $elemMatch: { weight: 1, text1: 'x' } } },
    'failed',
  ],
  ['the number of lines', goods(line(), line()), { shipmentLines: { $size: 2 } }, 'matched'],

  ['weight before packing', {}, { weightKg: { $lte: 20 } }, 'not-known-yet', ['weightKg']],
  ['the opposite of a weight before packing', {}, { weightKg: { $not: { $gt: 20 } } }, 'not-known-yet', ['weightKg']],
  [
    'weight or country, by the country',
    {},
    { $or: [{ weightKg: { $lte: 1 } }, { isDomestic: true }] },
    'matched',
    ['isDomestic'],
  ],
  [
    'weight and country, by the country',
    to('SE'),
    { weightKg: { $lte: 1 }, isDomestic: true },
    'failed',
    ['isDomestic'],
  ],
  [
    'containers before packing',
    {},
    { 'shippingContainers.grossWeight': { $gte: 20 } },
    'not-known-yet',
    ['shippingContainers.grossWeight'],
  ],
  ['weight of a packed parcel', packed(light), { weightKg: { $lte: 20 } }, 'matched', ['weightKg']],
  ['weight of three parcels', packed(box(0.1), box(0.2), box(10)), { weightKg: 10.3 }, 'matched'],
  ['weight by hand', packed({ ...box(null), weight: 4 }), { weightKg: 4 }, 'matched'],
  ['net and tare weight', packed({ ...box(0), netWeight: 3, tareWeight: 0.5 }), { weightKg: 3.5 }, 'matched'],
  [
    'weight where one parcel has none',
    packed(light, box(null)),
    { weightKg: { $lte: 20 } },
    'not-known-yet',
    ['weightKg'],
  ],
  ['volume by the sides', packed(light), { volumeL: 6 }, 'matched', ['volumeL']],
  ['volume as given', packed({ ...box(1), outerVolume: 12 }), { volumeL: { $gte: 12 } }, 'matched'],
  ['volume that nobody gave', packed(box(1)), { volumeL: { $gte: 12 } }, 'not-known-yet', ['volumeL']],
  ['number of parcels', packed(light, light), { parcelCount: { $gt: 1 } }, 'matched'],
  ['longest side of a pallet', packed(light, pallet), { longestCm: 145 }, 'matched', ['longestCm']],
  ['a pallet', packed(pallet), { 'shippingContainers.platformType': { $exists: true } }, 'matched'],
  ['no pallet', packed(light), { 'shippingContainers.platformType': { $exists: true } }, 'failed'],
  [
    'a pallet among parcels',
    packed(light, pallet),
    { 'shippingContainers.platformType': { $in: ['EUR_PALLET'] } },
    'matched',
  ],
  ['dangerous goods before packing', {}, { hasDangerousGoods: true }, 'not-known-yet', ['hasDangerousGoods']],
  ['dangerous goods that nobody read', packed(light), { hasDangerousGoods: true }, 'not-known-yet'],
  [
    'dangerous goods',
    packed(light),
    { hasDangerousGoods: true },
    'matched',
    [],
    { packedItems: [{ dangerousGoodsNumber: 'UN1263' }] },
  ],
  [
    'no dangerous goods',
    packed(light),
    { hasDangerousGoods: true },
    'failed',
    ['hasDangerousGoods'],
    { packedItems: [{ dangerousGoodsNumber: null }] },
  ],

  ['value as the IMS sums it', {}, { value: 250 }, 'matched', ['value']],
  [
    'value by price and discount',
    goods(line({ salesPrice: 99.95, discountPercentage: 10 })),
    { value: 179.91 },
    'matched',
  ],
  [
    'value without what was given up',
    goods(line({ totalAmount: 5 }), line({ totalAmount: 9, abandoned: true })),
    { value: 5 },
    'matched',
  ],
  ['value where a line has no price', goods(line()), { value: { $gte: 0 } }, 'not-known-yet', ['value']],
  [
    'a Danish home',
    { privateDelivery: true },
    { isDomestic: true, isBusiness: false },
    'matched',
    ['isDomestic', 'isBusiness'],
  ],
  ['a Danish shop', { vatNumber: 'DK12345678' }, { isBusiness: true }, 'matched'],
  ['a private one with a VAT number', { vatNumber: 'DK1', privateDelivery: true }, { isBusiness: true }, 'failed'],
  ['who says nothing of himself', {}, { isBusiness: true }, 'not-known-yet', ['isBusiness']],
  [
    'Sweden',
    to('SE', '114 55'),
    { isDomestic: false, isEu: true, postalCode: { $gte: 11000, $lte: 11999 } },
    'matched',
  ],
  ['Norway', to('NO', '0150'), { isEu: false, postalCode: { $lt: 1000 } }, 'matched'],
  ['Germany', to('DE', 'D-24937'), { isEu: true, postalCode: 24937 }, 'matched'],
  ['a country in front', to('DK', 'DK3700'), { postalCode: 3700 }, 'matched'],
  ['a country in front with a hyphen', to('DK', 'DK-3700'), { postalCode: 3700 }, 'matched'],
  ['the United States', to('US', '12345-6789'), { postalCode: 12345 }, 'matched'],
  ['Poland', to('PL', '00-950'), { isEu: true, postalCode: 950 }, 'matched'],
  [
    'the Netherlands, which have letters',
    to('NL', '1012 AB'),
    { postalCode: { $gte: 1000 } },
    'failed',
    ['postalCode'],
  ],
  ['Switzerland', to('CH', '8001'), { isEu: true }, 'failed', ['isEu']],
  [
    'the United Kingdom',
    to('GB', 'SW1A 1AA'),
    { $or: [{ isEu: true }, { postalCode: { $gt: 0 } }] },
    'failed',
    ['isEu', 'postalCode'],
  ],
  ['Greenland', to('GL', '3900'), { isEu: false, isDomestic: false }, 'matched'],
  ['no country', { deliveryAddress: { countryCode: 'UNDEFINED' } }, { isEu: false }, 'not-known-yet', ['isEu']],
  ['a Swedish seller at home', { ...to('SE'), sellerAddress: address('SE') }, { isDomestic: true }, 'matched'],
  ['a sender nobody knows', {}, { isDomestic: true }, 'not-known-yet', ['isDomestic'], { senderCountry: null }],
  ['the seller', {}, { seller: { $in: ['S-1', 'S-2'] }, customer: 'C-1' }, 'matched', ['seller', 'customer']],
  ['another seller', { sellerNumber: 'S-3' }, { seller: { $in: ['S-1', 'S-2'] } }, 'failed', ['seller']],
  ['no seller', { sellerNumber: null }, { seller: null }, 'matched'],
  [
    'a pick-up point',
    { deliverToPickUpPoint: true, pickUpPointId: '95558' },
    { deliverToPickUpPoint: true, pickUpPointId: { $exists: true } },
    'matched',
  ],
  ['a Wednesday morning', {}, { weekday: { $in: ['tuesday', 'wednesday'] }, hour: { $gte: 10, $lt: 11 } }, 'matched'],
  [
    'a Wednesday night that is Thursday there',
    {},
    { weekday: 'thursday', hour: 0 },
    'matched',
    [],
    { now: new Date('2026-03-04T23:30:00Z') },
  ],
  ['an hour in summer time', {}, { hour: 12 }, 'matched', [], { now: new Date('2026-07-01T10:00:00Z') }],
  ['an hour in another zone', {}, { hour: 11 }, 'matched', [], { timeZone: 'Europe/Helsinki' }],
];

describe('the rules of a carrier', () => {
  it.each<Row>(rows)('decide a condition on %s', (...[, changes, when, outcome, fields, context]) => {
    const given = facts(changes, context);
    const only = compiled([rule('only', when), rule('last', {}, 'bring')]);
    const { choice, verdicts } = explainChoice(given, only);
    const [verdict] = verdicts;
    expect(verdict?.outcome).toBe(outcome);
    if (fields && fields.length > 0) expect(verdict?.reasons.map(({ field }) => field)).toEqual(fields);
    const undecided = outcome === 'not-known-yet' ? ['only'] : [];
    expect(choice).toEqual(outcome === 'matched' ? chosen('gls', 'only') : chosen('bring', 'last', undecided));
    expect(chooseCarrier(given, only)).toEqual(choice);
    expect(ruleProblems(rule('only', when))).toEqual([]);
  });

  it.each([{ $ne: 'gls' }, { $nin: ['gls', 'bring'] }])('take a carrier in other letters for the same: %j', (when) => {
    const { verdicts } = explainChoice(
      facts({ carrierName: 'GLS' }),
      compiled([rule('others', { carrierName: when })]),
    );
    expect(verdicts[0]?.outcome).toBe('failed');
  });

  it('take the first that matches, with its service and options', () => {
    const rules = [
      rule('no', { onHold: true }),
      rule('first', {}, { account: 'bring', service: '5800', options: { notification: 'email' } }),
      rule('second', {}),
    ];
    const choice = { ...chosen('bring', 'first'), service: '5800', options: { notification: 'email' } };
    expect(chooseCarrier(facts(), compiled(rules))).toEqual(choice);
  });

  it.each<[string, string | null, readonly RoutingRule[], Choice]>([
    ['keep the carrier', 'GLS', [rule('bring', {}, 'bring'), rule('gls', {}, 'gls-heavy')], chosen('gls-heavy', 'gls')],
    ['find the carrier in any case, with blanks around', ' gls ', [rule('gls', {})], chosen('gls', 'gls')],
    ["take the carrier's own account when no rule of it matches", 'Bring', [rule('gls', {})], chosen('bring', null)],
    ["take the carrier's account when there are no rules", 'Bring', [], chosen('bring', null)],
    [
      'do not choose for a carrier we have not',
      'UPS',
      [rule('gls', {})],
      { kind: 'unknown-carrier', carrierName: 'UPS' },
    ],
    ['choose nothing without rules and without a carrier', null, [], { kind: 'none', verdicts: [] }],
    ['take an empty name for none', '', [rule('gls', {})], chosen('gls', 'gls')],
    ['do not wait for what another carrier would need', 'Bring', [rule('gls', { weightKg: 1 })], chosen('bring', null)],
  ])('%s', (...[, carrierName, rules, choice]) => {
    expect(chooseCarrier(facts({ carrierName }), compiled(rules))).toEqual(choice);
  });

  it('name every rule and what stood in its way when none matches', () => {
    const rules = [
      rule('heavy', { weightKg: { $gte: 20 } }),
      rule('Sweden', { 'deliveryAddress.countryCode': 'SE', onHold: { $not: { $eq: true } } }),
      { ...rule('Denmark', { isDomestic: true }), unless: { seller: 'S-1' } },
    ];
    const choice = chooseCarrier(facts(), compiled(rules));
    expect(choice).toEqual({
      kind: 'none',
      verdicts: [
        {
          rule: 'heavy',
          outcome: 'not-known-yet',
          reasons: [{ field: 'weightKg', condition: '$gte 20', value: null, why: 'not-packed' }],
        },
        {
          rule: 'Sweden',
          outcome: 'failed',
          reasons: [{ field: 'deliveryAddress.countryCode', condition: '$eq "SE"', value: 'DK' }],
        },
        {
          rule: 'Denmark',
          outcome: 'excepted',
          reasons: [{ field: 'seller', condition: '$eq "S-1"', value: 'S-1' }],
        },
      ],
    });
  });

  it.each<[string, JsonObject, RuleOutcome]>([
    ['matches what is no exception', { onHold: false, ...packed(light) }, 'matched'],
    ['does not match an exception', { onHold: true }, 'excepted'],
    ['does not match what may be an exception', { onHold: false }, 'not-known-yet'],
    ['does not match an exception that only the weight makes', packed(pallet), 'excepted'],
    ['does not ask for exceptions where it fails anyway', to('SE'), 'failed'],
  ])('with unless: %s', (_case, changes, outcome) => {
    const unless = { $or: [{ onHold: true }, { weightKg: { $gt: 20 } }] };
    const { verdicts } = explainChoice(facts(changes), compiled([{ ...rule('one', { isDomestic: true }), unless }]));
    expect(verdicts[0]?.outcome).toBe(outcome);
  });

  it('say which were not reached, and which are for other carriers', () => {
    const rules = [rule('bring', {}, 'bring'), rule('gls', {}), rule('late', {})];
    const { verdicts } = explainChoice(facts({ carrierName: 'GLS' }), compiled(rules));
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['other-carrier', 'matched', 'not-reached']);
  });

  it('leave the choice to quotes, of the accounts that the shipment may still have', () => {
    const use = { cheapest: ['bring', 'gls', 'gls-heavy'], options: { flex: true } };
    const found = { service: null, options: { flex: true }, rule: 'price', undecided: [] };
    const rules = compiled([rule('price', {}, use)]);
    const open = chooseCarrier(facts(), rules);
    expect(open).toEqual({ kind: 'quotes', by: 'cheapest', accounts: ['bring', 'gls', 'gls-heavy'], ...found });
    expect(withoutQuotes(open)).toEqual({ kind: 'chosen', account: 'bring', ...found });
    const gls = chooseCarrier(facts({ carrierName: 'GLS' }), rules);
    expect(gls).toEqual({ kind: 'quotes', by: 'cheapest', accounts: ['gls', 'gls-heavy'], ...found });
    const bring = chooseCarrier(facts({ carrierName: 'Bring' }), rules);
    expect(bring).toEqual({ kind: 'chosen', account: 'bring', ...found });
    const fast = compiled([rule('time', {}, { fastest: ['bring', 'gls'] })]);
    expect(chooseCarrier(facts(), fast)).toMatchObject({ kind: 'quotes', by: 'fastest' });
  });

  it('choose again when the shipment is packed', () => {
    const rules = compiled([rule('pallets', { weightKg: { $gte: 100 } }, 'gls-heavy'), rule('parcels', {})]);
    expect(chooseCarrier(facts(), rules)).toEqual(chosen('gls', 'parcels', ['pallets']));
    expect(chooseCarrier(facts(packed(pallet)), rules)).toEqual(chosen('gls-heavy', 'pallets'));
  });

  it('say what they ask for', () => {
    const rules = compiled([rule('one', { isEu: true, 'shipmentLines.weight': { $gt: 1 } })]);
    expect([...rules.asked]).toEqual(['isEu', 'shipmentLines']);
  });

  it('show no whole texts and lists in their reasons', () => {
    const many = goods(...Array.from({ length: 40 }, (_none, n) => line({ text1: `${n}` })));
    const rules = compiled([
      rule('one', { 'shipmentLines.text1': 'x', notesOnPacking: 'x', shipmentLines: { $size: 1 } }),
    ]);
    const { verdicts } = explainChoice(facts({ ...many, notesOnPacking: 'n'.repeat(400) }), rules);
    expect(verdicts[0]?.reasons.map(({ value }) => value)).toEqual([['0', '1', '2', '3', '4'], 'n'.repeat(255), '40']);
  });
});
