import { expect, it } from '@jest/globals';
import { readRules } from '../../src/config/rules.js';
import {
  type Choice,
  type Verdict,
  chooseCarrier,
  compileRules,
  explainChoice,
} from '../../src/routing/choose-carrier.js';
import type { RoutingContext } from '../../src/routing/facts/derived-fields.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import { box, facts, goods, light, line, packed, pallet, to } from './shipments.js';

/** As an operator of a warehouse in Denmark would write them; all sections but these two are left out. */
const FILE = `
accounts:
  gls: { carrier: gls-dk, imsCarrierName: GLS }
  gls-200: { carrier: gls-dk, imsCarrierName: GLS }
  dao: { carrier: dao, imsCarrierName: DAO }
  bring: { carrier: bring, imsCarrierName: Bring }
  pretend: { carrier: pretend, imsCarrierName: Pretend }
rules:
  - name: dangerous
    when: { hasDangerousGoods: true }
    unless: { isEu: false }
    use: { account: pretend, service: adr }
  - name: pallets
    when: { shippingContainers.platformType: { $in: [EUR_PALLET, HALF_EUR_PALLET] } }
    use: { account: bring, service: CARGO_INTERNATIONAL }
  - name: heavy
    when: { weightKg: { $gt: 31.5 } }
    use: { account: pretend, service: freight }
  - name: long
    when: { longestCm: { $gt: 200 } }
    use: { account: bring, service: CURBSIDE }
  - name: north atlantic
    when: { deliveryAddress.countryCode: { $in: [FO, GL] } }
    use: { account: bring, service: BUSINESS_PARCEL }
  - name: seller 200
    when: { seller: '200', isDomestic: true }
    unless: { deliverToPickUpPoint: true }
    use: { account: gls-200 }
  - name: pick-up
    when: { deliveryAddress.countryCode: DK, deliverToPickUpPoint: true }
    unless: { weightKg: { $gt: 20 } }
    use: { account: gls, service: shop-delivery, options: { notification: email } }
  - name: afternoon
    when: { isDomestic: true, isBusiness: true, hour: { $gte: 14 }, weekday: { $nin: [saturday, sunday] } }
    use: { account: gls, service: business }
  - name: bornholm
    when: { deliveryAddress.countryCode: DK, postalCode: { $gte: 3700, $lte: 3799 } }
    use: { account: gls }
  - name: homes
    when: { deliveryAddress.countryCode: DK, privateDelivery: true, value: { $lt: 5000 } }
    unless: { requireReceiptOnDelivery: true }
    use: { account: dao, service: home }
  - name: denmark
    when: { deliveryAddress.countryCode: DK }
    use: { account: gls }
  - name: nordic homes
    when: { deliveryAddress.countryCode: { $in: [NO, SE, FI] } }
    unless: { isBusiness: true }
    use: { cheapest: [bring, pretend] }
  - name: nordic firms
    when: { deliveryAddress.countryCode: { $in: [NO, SE, FI] }, isBusiness: true }
    use: { account: bring, service: BUSINESS_PARCEL }
  - name: europe
    when: { isEu: true }
    unless: { customer: C-9 }
    use: { account: gls }
  - name: world
    when: { isEu: false, shipmentLines.customsTariffNumber: { $exists: true } }
    unless: { hasDangerousGoods: true }
    use: { fastest: [bring, pretend] }
`;

const read = readRules(FILE, {});
const compiled = compileRules(read.rules, read.accounts);

/** Shipment, choice, and of some rules what became of them and by which fields; all that are not known yet are named. */
type Row = readonly [string, JsonObject, string, Readonly<Record<string, string>>?, Partial<RoutingContext>?];

const home = { privateDelivery: true };
const firm = { privateDelivery: false };
const shop = { deliverToPickUpPoint: true, pickUpPointId: '95558' };
const parcel = packed(light);
const [odense, bornholm] = [to('DK', '5000'), to('DK', '3700')];
const customs = goods(line({ totalAmount: 250, customsTariffNumber: '61091000' }));
const un = { packedItems: [{ dangerousGoodsNumber: 'UN1263' }] };
const carried = (carrierName: string) => ({ carrierName });
const at = (moment: string) => ({ now: new Date(moment) });
const wednesdayAfternoon = at('2026-03-04T13:00:00Z');

const PLATFORM = 'shippingContainers.platformType';
const COUNTRY = 'deliveryAddress.countryCode';
const open = (field: string) => `not-known-yet ${field}`;
const sizes = { pallets: open(PLATFORM), heavy: open('weightKg'), long: open('longestCm') };
const early = { dangerous: open('hasDangerousGoods'), ...sizes };

// A row is one shipment: broken into lines they could not be compared.
// prettier-ignore
const rows: readonly Row[] = [
  // Denmark, packed
  ['a home', { ...odense, ...home, ...parcel }, 'dao home by homes', { bornholm: 'failed postalCode' }],
  ['a home in Copenhagen', { ...to('DK', '1050'), ...home, ...parcel }, 'dao home by homes'],
  ['a home, country before the code', { ...to('DK', 'DK-5000'), ...home, ...parcel }, 'dao home by homes'],
  ['a home, three parcels', { ...home, ...packed(light, light, light) }, 'dao home by homes', { heavy: 'failed weightKg' }],
  ['a home, worth much', { ...home, ...parcel, ...goods(line({ totalAmount: 5000 })) }, 'gls by denmark', { homes: 'failed value' }],
  ['a home, of unknown worth', { ...home, ...parcel, ...goods(line()) }, 'gls by denmark', { homes: open('value') }],
  ['a home, with a receipt', { ...home, ...parcel, requireReceiptOnDelivery: true }, 'gls by denmark', { homes: 'excepted requireReceiptOnDelivery' }],
  ['a home without a postcode', { ...to('DK'), ...home, ...parcel }, 'dao home by homes', { bornholm: 'failed postalCode' }],
  ['a firm in the morning', { ...firm, ...parcel }, 'gls by denmark', { afternoon: 'failed hour', homes: 'failed privateDelivery' }],
  ['a firm by its VAT number in the afternoon', { vatNumber: 'DK12345678', ...parcel }, 'gls business by afternoon', {}, wednesdayAfternoon],
  ['neither home nor firm', parcel, 'gls by denmark', { homes: 'failed privateDelivery', afternoon: 'failed hour' }],
  ['neither home nor firm in the afternoon', parcel, 'gls by denmark', { afternoon: open('isBusiness') }, wednesdayAfternoon],
  ['a pick-up point', { ...shop, ...parcel }, 'gls shop-delivery by pick-up', { 'seller 200': 'failed seller' }],
  ['a pick-up point at the limit', { ...shop, ...packed(box(20, [0.4, 0.4, 0.4])) }, 'gls shop-delivery by pick-up'],
  ['a pick-up point, too heavy for it', { ...shop, ...packed(box(20.1, [0.4, 0.4, 0.4])) }, 'gls by denmark', { 'pick-up': 'excepted weightKg' }],
  ['a pick-up point of a firm', { ...firm, ...shop, ...parcel }, 'gls shop-delivery by pick-up', {}, wednesdayAfternoon],
  ['a home on Bornholm', { ...bornholm, ...home, ...parcel }, 'gls by bornholm', { 'pick-up': 'failed deliverToPickUpPoint' }],
  ['the last code of Bornholm', { ...to('DK', '3799'), ...home, ...parcel }, 'gls by bornholm'],
  ['a code behind Bornholm', { ...to('DK', '3800'), ...home, ...parcel }, 'dao home by homes', { bornholm: 'failed postalCode' }],
  ['a pick-up point on Bornholm', { ...bornholm, ...shop, ...parcel }, 'gls shop-delivery by pick-up'],
  ['a code of Bornholm in Germany', { ...to('DE', '03700'), ...home, ...parcel }, 'gls by europe', { bornholm: `failed ${COUNTRY}` }],

  // Day and hour, of the area
  ['a firm at 14', { ...firm, ...parcel }, 'gls business by afternoon', {}, wednesdayAfternoon],
  ['a firm at 13:59', { ...firm, ...parcel }, 'gls by denmark', { afternoon: 'failed hour' }, at('2026-03-04T12:59:59Z')],
  ['a firm at 14 in summer', { ...firm, ...parcel }, 'gls business by afternoon', {}, at('2026-07-01T12:00:00Z')],
  ['a firm on Saturday', { ...firm, ...parcel }, 'gls by denmark', { afternoon: 'failed weekday' }, at('2026-03-07T14:00:00Z')],
  ['a firm late on Sunday, already Monday here', { ...firm, ...parcel }, 'gls by denmark', { afternoon: 'failed hour' }, at('2026-03-08T23:30:00Z')],
  ['a firm when no time is said', { ...firm, ...parcel }, 'gls by denmark', { afternoon: open('hour, weekday') }, { now: null }],
  ['a home in the afternoon', { ...home, ...parcel }, 'dao home by homes', { afternoon: 'failed isBusiness' }, wednesdayAfternoon],

  // Pallets, heavy, long
  ['a pallet to a firm', { ...firm, ...packed(pallet) }, 'bring CARGO_INTERNATIONAL by pallets'],
  ['a pallet and a parcel', packed(light, pallet), 'bring CARGO_INTERNATIONAL by pallets'],
  ['a half pallet to Sweden', { ...to('SE', '114 55'), ...packed({ ...pallet, platformType: 'HALF_EUR_PALLET' }) }, 'bring CARGO_INTERNATIONAL by pallets'],
  ['a pallet of another kind', packed({ ...pallet, platformType: 'CUSTOM' }), 'pretend freight by heavy', { pallets: `failed ${PLATFORM}` }],
  ['a heavy parcel', { ...home, ...packed(box(31.6, [0.5, 0.5, 0.5])) }, 'pretend freight by heavy'],
  ['a parcel at the limit', { ...home, ...packed(box(31.5, [0.5, 0.5, 0.5])) }, 'dao home by homes', { heavy: 'failed weightKg' }],
  ['two that are heavy together', packed(box(16, [1, 1, 1]), box(16, [1, 1, 1])), 'pretend freight by heavy'],
  ['a long parcel', { ...home, ...packed(box(4, [2.01, 0.1, 0.1])) }, 'bring CURBSIDE by long', { heavy: 'failed weightKg' }],
  ['a parcel of two metres', { ...home, ...packed(box(4, [2, 0.1, 0.1])) }, 'dao home by homes', { long: 'failed longestCm' }],
  ['a long and heavy parcel', packed(box(40, [2.4, 0.1, 0.1])), 'pretend freight by heavy', { long: 'not-reached' }],
  ['a parcel that was not weighed', { ...home, ...packed(box(null, [1, 1, 1])) }, 'dao home by homes', { heavy: open('weightKg') }],
  ['a parcel that was not measured', { ...home, ...packed(box(4)) }, 'dao home by homes', { long: open('longestCm') }],
  ['a pick-up parcel that was not weighed', { ...shop, ...packed(box(null, [1, 1, 1])) }, 'gls by denmark', { heavy: open('weightKg'), 'pick-up': open('weightKg') }],

  // Dangerous goods
  ['paint to a home', { ...home, ...parcel }, 'pretend adr by dangerous', { pallets: 'not-reached' }, un],
  ['paint on a pallet', packed(pallet), 'pretend adr by dangerous', {}, un],
  ['paint that was taken out again', { ...home, ...parcel }, 'dao home by homes', { dangerous: 'failed hasDangerousGoods' }, { packedItems: [{ dangerousGoodsNumber: 'UN1263', undone: true }] }],
  ['paint to Sweden', { ...to('SE', '114 55'), ...parcel }, 'pretend adr by dangerous', {}, un],
  ['paint to Switzerland', { ...to('CH', '8001'), ...customs, ...parcel }, 'none', { dangerous: 'excepted isEu', world: 'excepted hasDangerousGoods' }, un],
  ['paint to Norway', { ...to('NO', '0150'), ...firm, ...parcel }, 'bring BUSINESS_PARCEL by nordic firms', { dangerous: 'excepted isEu' }, un],
  ['items that were not read', { ...home, ...parcel }, 'dao home by homes', { dangerous: open('hasDangerousGoods') }, { packedItems: null }],

  // Faroe Islands, Greenland
  ['the Faroe Islands', { ...to('FO', '100'), ...home, ...parcel }, 'bring BUSINESS_PARCEL by north atlantic'],
  ['the Faroe Islands, to a pick-up point', { ...to('FO', '100'), ...shop, ...parcel }, 'bring BUSINESS_PARCEL by north atlantic'],
  ['Greenland', { ...to('GL', '3900'), ...firm, ...parcel }, 'bring BUSINESS_PARCEL by north atlantic', { bornholm: 'not-reached' }],
  ['Greenland, heavy', { ...to('GL', '3900'), ...packed(box(40, [1, 1, 1])) }, 'pretend freight by heavy', { 'north atlantic': 'not-reached' }],
  ['Greenland, before packing', to('GL', '3900'), 'bring BUSINESS_PARCEL by north atlantic', { dangerous: 'excepted isEu', ...sizes }],

  // Nordic
  ['a home in Sweden', { ...to('SE', '114 55'), ...home, ...parcel }, 'cheapest of bring, pretend by nordic homes', { denmark: `failed ${COUNTRY}` }],
  ['a home in Norway', { ...to('NO', '0150'), ...home, ...parcel }, 'cheapest of bring, pretend by nordic homes', { dangerous: 'failed hasDangerousGoods' }],
  ['a firm in Finland', { ...to('FI', '00100'), ...firm, ...parcel }, 'bring BUSINESS_PARCEL by nordic firms', { 'nordic homes': 'excepted isBusiness' }],
  ['a firm in Norway in the afternoon', { ...to('NO', '0150'), ...firm, ...parcel }, 'bring BUSINESS_PARCEL by nordic firms', { afternoon: 'failed isDomestic' }, wednesdayAfternoon],
  ['Sweden, home or firm', { ...to('SE', '114 55'), ...parcel }, 'gls by europe', { 'nordic homes': open('isBusiness'), 'nordic firms': open('isBusiness') }],
  ['Norway, home or firm', { ...to('NO', '0150'), ...parcel }, 'none', { 'nordic homes': open('isBusiness'), 'nordic firms': open('isBusiness'), world: 'failed shipmentLines.customsTariffNumber' }],
  ['Iceland with customs data', { ...to('IS', '101'), ...customs, ...parcel }, 'fastest of bring, pretend by world', { 'nordic homes': `failed ${COUNTRY}` }],

  // The rest of the European Union
  ['Germany', { ...to('DE', '20095'), ...home, ...parcel }, 'gls by europe', { homes: `failed ${COUNTRY}` }],
  ['Ireland, whose codes have letters', { ...to('IE', 'D02 AF30'), ...home, ...parcel }, 'gls by europe'],
  ['a pick-up point in France', { ...to('FR', '75001'), ...shop, ...parcel }, 'gls by europe', { 'pick-up': `failed ${COUNTRY}` }],
  ['Germany, to one who is not served', { ...to('DE', '20095'), customerNumber: 'C-9', ...parcel }, 'none', { europe: 'excepted customer', world: 'failed isEu, shipmentLines.customsTariffNumber' }],
  ['Germany for a seller there', { ...to('DE', '20095'), sellerNumber: '200', sellerAddress: { countryCode: 'DE' }, ...parcel }, 'gls-200 by seller 200'],

  // Outside of it
  ['Switzerland with customs data', { ...to('CH', '8001'), ...customs, ...parcel }, 'fastest of bring, pretend by world', { europe: 'failed isEu' }],
  ['Switzerland without', { ...to('CH', '8001'), ...parcel }, 'none', { world: 'failed shipmentLines.customsTariffNumber' }],
  ['Great Britain with customs data', { ...to('GB', 'SW1A 1AA'), ...customs, ...parcel }, 'fastest of bring, pretend by world', { bornholm: `failed ${COUNTRY}, postalCode` }],
  ['the United States, ZIP+4', { ...to('US', '03750-1234'), ...customs, ...parcel }, 'fastest of bring, pretend by world'],
  ['Switzerland, items not read', { ...to('CH', '8001'), ...customs, ...parcel }, 'none', { dangerous: 'excepted isEu', world: open('hasDangerousGoods') }, { packedItems: null }],
  ['no country at all', { deliveryAddress: null, ...parcel }, 'none', { europe: open('isEu'), 'seller 200': 'failed seller' }],

  // Several sellers
  ['a seller with a contract', { ...home, sellerNumber: '200', ...parcel }, 'gls-200 by seller 200', { homes: 'not-reached' }],
  ['the same, to a pick-up point', { ...shop, sellerNumber: '200', ...parcel }, 'gls shop-delivery by pick-up', { 'seller 200': 'excepted deliverToPickUpPoint' }],
  ['the same, to Sweden', { ...to('SE', '114 55'), ...home, sellerNumber: '200', ...parcel }, 'cheapest of bring, pretend by nordic homes', { 'seller 200': 'failed isDomestic' }],
  ['the same, from Sweden to Denmark', { ...home, sellerNumber: '200', sellerAddress: { countryCode: 'SE' }, ...parcel }, 'dao home by homes', { 'seller 200': 'failed isDomestic' }],
  ['another seller', { ...home, sellerNumber: '2000', ...parcel }, 'dao home by homes', { 'seller 200': 'failed seller' }],

  // A carrier set by a person
  ['GLS for a home', { ...home, ...parcel, ...carried('GLS') }, 'gls by denmark', { homes: 'other-carrier', heavy: 'other-carrier' }],
  ['GLS for a seller with a contract', { ...parcel, sellerNumber: '200', ...carried('gls ') }, 'gls-200 by seller 200'],
  ['DAO for a home', { ...home, ...parcel, ...carried('DAO') }, 'dao home by homes', { denmark: 'not-reached' }],
  ['DAO for Germany', { ...to('DE', '20095'), ...parcel, ...carried('DAO') }, 'dao by its carrier', { homes: `failed ${COUNTRY}, privateDelivery`, europe: 'other-carrier' }],
  ['Bring for a home in Sweden', { ...to('SE', '114 55'), ...home, ...parcel, ...carried('Bring') }, 'bring by nordic homes', { dangerous: 'other-carrier' }],
  ['Pretend for Switzerland', { ...to('CH', '8001'), ...customs, ...parcel, ...carried('Pretend') }, 'pretend by world'],
  ['GLS for a heavy parcel', { ...packed(box(40, [1, 1, 1])), ...carried('GLS') }, 'gls by denmark', { heavy: 'other-carrier' }],
  ['GLS, before packing', { ...home, ...carried('GLS') }, 'gls by denmark', { heavy: 'other-carrier', 'pick-up': 'failed deliverToPickUpPoint' }],
  ['a carrier without an account', { ...home, ...parcel, ...carried('PostNord') }, 'unknown carrier PostNord'],

  // Before packing
  ['a home, not packed', home, 'dao home by homes', early],
  ['a home on Bornholm, not packed', { ...bornholm, ...home }, 'gls by bornholm', early],
  ['a pick-up point, not packed', shop, 'gls by denmark', { ...early, 'pick-up': open('weightKg') }],
  ['a firm, not packed, in the afternoon', firm, 'gls business by afternoon', early, wednesdayAfternoon],
  ['a home in Sweden, not packed', { ...to('SE', '114 55'), ...home }, 'cheapest of bring, pretend by nordic homes', early],
  ['Germany, not packed', to('DE', '20095'), 'gls by europe', { ...early, afternoon: 'failed isDomestic, hour' }],
  ['Switzerland, not packed', { ...to('CH', '8001'), ...customs }, 'none', { dangerous: 'excepted isEu', ...sizes, world: open('hasDangerousGoods') }],
  ['Switzerland without customs data, not packed', to('CH', '8001'), 'none', { dangerous: 'excepted isEu', ...sizes, world: 'failed shipmentLines.customsTariffNumber' }],
];

function told(choice: Choice): string {
  switch (choice.kind) {
    case 'chosen':
      return `${choice.account}${choice.service === null ? '' : ` ${choice.service}`} by ${choice.rule ?? 'its carrier'}`;
    case 'quotes':
      return `${choice.by} of ${choice.accounts.join(', ')} by ${choice.rule}`;
    case 'unknown-carrier':
      return `unknown carrier ${choice.carrierName}`;
    case 'none':
      return 'none';
  }
}

const becauseOf = ({ outcome, reasons }: Verdict) =>
  [outcome, [...new Set(reasons.map(({ field }) => field))].join(', ')].filter(Boolean).join(' ');

it('has rules without problems, and rows enough to try them all', () => {
  expect(read.problems).toEqual([]);
  const used = rows.map(([, , choice]) => choice.split(' by ')[1]);
  expect(read.rules.filter(({ name }) => !used.includes(name))).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(60);
});

it.each(rows)('chooses for %s', (...[, shipment, expected, because = {}, around = {}]) => {
  const given = facts(shipment, { packedItems: [], ...around });
  const choice = chooseCarrier(given, compiled);
  const { choice: explained, verdicts } = explainChoice(given, compiled);
  expect(told(choice)).toBe(expected);
  expect(explained).toEqual(choice);
  const found = Object.fromEntries(verdicts.map((verdict) => [verdict.rule, becauseOf(verdict)]));
  expect(found).toMatchObject(because);
  const undecided = verdicts.flatMap(({ rule, outcome }) => (outcome === 'not-known-yet' ? [rule] : []));
  const awaited = read.rules.flatMap(({ name }) => (because[name]?.startsWith('not-known-yet') ? [name] : []));
  expect(undecided).toEqual(awaited);
  if ('undecided' in choice) expect(choice.undecided).toEqual(awaited);
});
