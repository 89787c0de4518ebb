import { describe, expect, it } from '@jest/globals';
import { compileRules } from '../../src/routing/choose-carrier.js';
import { readExamples, runExamples } from '../../src/routing/language/examples.js';

const accounts = [
  { name: 'gls', imsCarrierName: 'GLS' },
  { name: 'bring', imsCarrierName: 'Bring' },
];
const rules = compileRules(
  [
    { name: 'at night', when: { hour: { $gte: 20 } }, use: { account: 'gls', service: 'late' } },
    { name: 'paint', when: { hasDangerousGoods: true }, use: { account: 'bring' } },
    { name: 'at home', when: { isDomestic: true, seller: 'S-1' }, use: { account: 'gls', service: 'home' } },
    { name: 'price', when: { isEu: true }, use: { cheapest: ['bring', 'gls'] } },
  ],
  accounts,
);

const danish = { sellerNumber: 'S-1', deliveryAddress: { countryCode: 'DK' } };
const swedish = { deliveryAddress: { countryCode: 'SE' } };
const paint = { shippingContainers: [{ grossWeight: 1 }] };
const example = (more: object) => ({ name: 'one', shipment: {}, expect: { none: true }, ...more });
const run = (more: object) => {
  const { examples, problems } = readExamples([example(more)]);
  expect(problems).toEqual([]);
  return runExamples(examples, rules)[0];
};

describe('an example of the rules', () => {
  it.each<[string, object, boolean]>([
    ['nothing matching', {}, true],
    ['an account', { shipment: danish, senderCountry: 'DK', expect: { account: 'gls' } }, true],
    ['a service', { shipment: danish, senderCountry: 'DK', expect: { account: 'gls', service: 'home' } }, true],
    ['another service', { shipment: danish, senderCountry: 'DK', expect: { account: 'gls', service: 'shop' } }, false],
    ['a rule', { shipment: danish, senderCountry: 'DK', expect: { account: 'gls', rule: 'at home' } }, true],
    ['another rule', { shipment: danish, senderCountry: 'DK', expect: { account: 'gls', rule: 'price' } }, false],
    ['another account', { shipment: danish, senderCountry: 'DK', expect: { account: 'bring' } }, false],
    ['quotes', { shipment: swedish, expect: { cheapest: ['bring', 'gls'] } }, true],
    ['other quotes', { shipment: swedish, expect: { fastest: ['bring', 'gls'] } }, false],
    ['an account where quotes decide', { shipment: swedish, expect: { account: 'bring' } }, false],
    ['nothing where something matches', { shipment: swedish }, false],
    ['a time', { at: '2026-03-04T20:00:00Z', expect: { account: 'gls', service: 'late' } }, true],
    ['a time in another zone', { at: '2026-03-04T20:00:00Z', timeZone: 'America/New_York' }, true],
    [
      'packed items',
      { shipment: paint, packedItems: [{ dangerousGoodsNumber: 'UN1263' }], expect: { account: 'bring' } },
      true,
    ],
    ['a carrier that it has', { shipment: { carrierName: 'GLS' }, expect: { account: 'gls' } }, true],
    ['a carrier without an account', { shipment: { carrierName: 'UPS' } }, false],
  ])('can expect %s', (_case, more, passed) => {
    expect(run(more)?.passed).toBe(passed);
  });

  it('says in short what was expected and what was found', () => {
    expect(run({ shipment: swedish, expect: { account: 'gls', service: 'home' } })).toMatchObject({
      expected: 'gls, home',
      found: 'cheapest of bring, gls (price)',
    });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['no list', {}, 'examples', /list/],
    ['no object', ['x'], '[0]', /object/],
    ['a key that nobody knows', [example({ shipments: {} })], '[0].shipments', /not a known key/],
    ['no name', [example({ name: '' })], '[0].name', /name/],
    ['no shipment', [example({ shipment: null })], '[0].shipment', /as the IMS/],
    ['a time without its offset', [example({ at: '2026-03-04T20:00:00' })], '[0].at', /offset/],
    ['a time that is none', [example({ at: 'Tuesday' })], '[0].at', /offset/],
    ['a time zone that is none', [example({ timeZone: 'Danish' })], '[0].timeZone', /IANA/],
    ['nothing expected', [example({ expect: {} })], '[0].expect', /must be/],
    ['two things expected', [example({ expect: { account: 'gls', none: true } })], '[0].expect', /must be/],
    ['a slip in what is expected', [example({ expect: { acount: 'gls' } })], '[0].expect', /must be/],
  ])('cannot be %s', (...[, raw, where, rule]) => {
    expect(readExamples(raw).problems).toEqual([{ where, rule: expect.stringMatching(rule) }]);
  });
});

it.each([
  [{ deliverToPickupPoint: true }, '[0].shipment.deliverToPickupPoint', /did you mean deliverToPickUpPoint/],
  [{ deliveryAddress: { contryCode: 'DK' } }, '[0].shipment.deliveryAddress.contryCode', /mean .*countryCode/],
  [{ shippingContainers: [{ gross: 1 }] }, '[0].shipment.shippingContainers.gross', /is not a field/],
  [{ weightKg: 3 }, '[0].shipment.weightKg', /is not given but worked out: sum over the containers/],
  [{ deliveryAddress: 5 }, '[0].shipment.deliveryAddress', /must be an object/],
])('an example whose shipment has what no shipment has is not run: %j', (shipment, where, rule) => {
  const { examples, problems } = readExamples([example({ shipment })]);
  expect(examples).toEqual([]);
  expect(problems).toEqual([{ where, rule: expect.stringMatching(rule) }]);
});

it('an item that was taken out of a parcel again makes no dangerous goods', () => {
  const packedItems = [{ dangerousGoodsNumber: 'UN1263', undone: true }];
  expect(run({ shipment: paint, packedItems })).toMatchObject({ passed: true, found: 'none' });
});
