import { describe, expect, it } from '@jest/globals';
import { ruleProblems } from '../../src/routing/language/check-rule.js';
import { DERIVED_FIELDS } from '../../src/routing/facts/derived-fields.js';
import type { Query } from '../../src/routing/language/rule.js';
import { shipmentField, shipmentPaths } from '../../src/routing/facts/shipment-fields.js';

describe('a rule is checked at start and', () => {
  it.each<[string, Query, string, RegExp]>([
    ['a field that no shipment has', { weight: 1 }, 'when.weight', /not a field of a shipment/],
    ['a slip in a name', { deliverToPickupPoint: true }, 'when.deliverToPickupPoint', /mean deliverToPickUpPoint\?/],
    [
      'a slip inside a path',
      { 'deliveryAdress.countryCode': 'DK' },
      'when.deliveryAdress.countryCode',
      /mean deliveryAddress\.countryCode\?/,
    ],
    [
      'a path without its beginning',
      { cityTownOrVillage: 'Odense' },
      'when.cityTownOrVillage',
      /mean .*\.cityTownOrVillage\?/,
    ],
    ['a slip in a derived name', { weightkg: 1 }, 'when.weightkg', /mean weightKg\?/],
    ['a path that leads on from a value', { 'shipmentNumber.length': 1 }, 'when.shipmentNumber.length', /not a field/],
    ['what every object has', { 'constructor.name': 'x' }, 'when.constructor.name', /not a field/],
    ['a display twin', { localizedIncoterms: 'x' }, 'when.localizedIncoterms', /not a field/],
    ['a field of lines on its own', { 'shipmentLines.colour': 'x' }, 'when.shipmentLines.colour', /not a field/],
    [
      'an unknown field of one line',
      { shipmentLines: { $elemMatch: { colour: 'x' } } },
      'when.shipmentLines.$elemMatch.colour',
      /not a field/,
    ],
    [
      'an unknown field deep inside',
      { $or: [{ onHold: true }, { $and: [{ nothing: 1 }] }] },
      'when.$or[1].$and[0].nothing',
      /not a field/,
    ],

    ['code', { $where: 'true' }, 'when.$where', /must not use \$where/],
    ['code inside', { $or: [{ onHold: { $where: 'true' } }] }, 'when.$or[0].onHold.$where', /must not use/],
    ['an expression', { $expr: {} }, 'when.$expr', /must not use/],
    [
      'an operator that nobody knows',
      { value: { $heavier: 1 } },
      'when.value.$heavier',
      /not an operator; there are .*\$gte/,
    ],
    ['an operator without a field', { $gte: 1 }, 'when.$gte', /needs a field/],
    ['alternatives that are no list', { $or: { onHold: true } }, 'when.$or', /must be a list/],
    ['no alternatives', { $or: [] }, 'when.$or', /at least one/],
    ['an alternative that is no query', { $or: ['DK'] }, 'when.$or[0]', /object of conditions/],
    [
      'an object that would have to be equal',
      { deliveryAddress: { countryCode: 'DK' } },
      'when.deliveryAddress',
      /write deliveryAddress\.countryCode/,
    ],
    ['a list that would have to be equal', { shipmentNumber: ['1'] }, 'when.shipmentNumber', /\$in/],
    ['one of something that is no list', { shipmentNumber: { $in: '1' } }, 'when.shipmentNumber.$in', /list of plain/],
    ['the opposite of a value', { value: { $not: 3 } }, 'when.value.$not', /must hold a condition/],
    ['a size that is none', { shipmentLines: { $size: -1 } }, 'when.shipmentLines.$size', /whole number/],
    ['a size of a value', { shipmentNumber: { $size: 1 } }, 'when.shipmentNumber.$size', /lists only/],
    ['existence that is neither', { incoterms: { $exists: 'no' } }, 'when.incoterms.$exists', /true or false/],
    ['a value of a whole address', { deliveryAddress: 'DK' }, 'when.deliveryAddress', /no plain value/],
    ['options without a pattern', { shipmentNumber: { $options: 'i' } }, 'when.shipmentNumber', /needs a \$regex/],
    [
      'options that remember',
      { shipmentNumber: { $regex: 'a', $options: 'g' } },
      'when.shipmentNumber',
      /i, m, s and u/,
    ],

    ['one of nothing', { seller: { $in: [] } }, 'when.seller.$in', /never be true: the list is empty/],
    ['limits the wrong way round', { value: { $gte: 9, $lte: 3 } }, 'when.value.$lte', /no value lies between/],
    ['limits that meet outside', { value: { $gt: 3, $lt: 3 } }, 'when.value.$lt', /no value lies between/],
    [
      'limits that clash further in',
      { value: { $gte: 9 }, $or: [{ value: { $lt: 3 } }] },
      'when.$or[0].value.$lt',
      /no value lies/,
    ],
    [
      'two values at once',
      { $and: [{ seller: 'A' }, { seller: 'B' }] },
      'when.$and[1].seller',
      /never be true together/,
    ],
    ['a value and its opposite', { seller: { $eq: 'A', $ne: 'A' } }, 'when.seller.$ne', /never be true together/],
    [
      'lists without a common value',
      { seller: { $in: ['A'] }, $and: [{ seller: { $in: ['B'] } }] },
      'when.$and[0].seller.$in',
      /never/,
    ],
    ['a value outside its limits', { $and: [{ value: 5 }, { value: { $lt: 3 } }] }, 'when.$and[1].value.$lt', /never/],
    ['a value that is absent', { $and: [{ seller: 'A' }, { seller: null }] }, 'when.$and[1].seller', /never/],
    [
      'dates the wrong way round',
      { deliveryDate: { $gte: '2026-03-02', $lt: '2026-03-01' } },
      'when.deliveryDate.$lt',
      /no value/,
    ],
    ['a number of a text', { seller: 100 }, 'when.seller', /is a text.*quotes/],
    [
      'a limit of a text',
      { 'deliveryAddress.postalCode': { $gte: 5000 } },
      'when.deliveryAddress.postalCode.$gte',
      /is a text/,
    ],
    ['a text of a number', { weightKg: { $gte: '20' } }, 'when.weightKg.$gte', /number: write it without quotes/],
    ['a text of a boolean', { onHold: 'true' }, 'when.onHold', /true or false/],
    ['a limit of a boolean', { onHold: { $gte: 1 } }, 'when.onHold.$gte', /numbers and texts/],
    [
      'a country of three letters',
      { 'deliveryAddress.countryCode': 'DNK' },
      'when.deliveryAddress.countryCode',
      /two capital letters/,
    ],
    [
      'a country in small letters',
      { 'deliveryAddress.countryCode': { $in: ['SE', 'dk'] } },
      'when.deliveryAddress.countryCode.$in',
      /two capital/,
    ],
    [
      'a country that is none',
      { 'deliveryAddress.countryCode': { $ne: 'XX' } },
      'when.deliveryAddress.countryCode.$ne',
      /two capital/,
    ],
    ['a slip in a currency', { currencyCode: 'DDK' }, 'when.currencyCode', /ISO 4217/],
    ['terms that the IMS does not have', { incoterms: 'DPP' }, 'when.incoterms', /it is one of EXW/],
    [
      'a pallet that the IMS does not have',
      { 'shippingContainers.platformType': 'EURPALLET' },
      'when.shippingContainers.platformType',
      /it is one of EUR_PALLET/,
    ],
    ['half a parcel', { parcelCount: 1.5 }, 'when.parcelCount', /whole number/],
    ['a weight of nothing', { weightKg: 0 }, 'when.weightKg', /more than 0/],
    ['a weight below everything', { weightKg: { $lte: 0 } }, 'when.weightKg.$lte', /no value lies between/],
    [
      'a country outside the Union inside it',
      { isEu: true, 'deliveryAddress.countryCode': { $in: ['US', 'NO'] } },
      'when.isEu',
      /countryCode says otherwise/,
    ],
    [
      'a business at home',
      { isBusiness: true, privateDelivery: true },
      'when.isBusiness',
      /opposite of privateDelivery/,
    ],
    ['a currency that is none', { currencyCode: 'kr' }, 'when.currencyCode', /three capital/],
    ['hour 25', { hour: 25 }, 'when.hour', /at most 23/],
    ['an hour after the last', { hour: { $gte: 24 } }, 'when.hour.$gte', /no value lies/],
    ['a negative weight', { weightKg: { $lt: 0 } }, 'when.weightKg.$lt', /no value lies/],
    ['a day that is none', { weekday: { $in: ['monday', 'mon'] } }, 'when.weekday.$in', /one of monday, tuesday/],
    [
      'containers before packing',
      { shippingContainers: { $size: 0 } },
      'when.shippingContainers.$size',
      /never be true/,
    ],
    ['a pattern that is none', { seller: { $regex: '(' } }, 'when.seller.$regex', /not a regular expression/],
    ['a pattern that takes for ever', { seller: { $regex: '^(a+)+$' } }, 'when.seller.$regex', /repeats what repeats/],
    ['a pattern for a number', { value: { $regex: '1' } }, 'when.value.$regex', /for texts/],
  ])('may not hold %s', (...[, when, path, rule]) => {
    const problems = ruleProblems({ when });
    expect(problems).toEqual([{ path, rule: expect.stringMatching(rule) }]);
  });

  it('may ask two lines for values that one line cannot have', () => {
    const when = { $and: [{ 'shipmentLines.weight': 1 }, { 'shipmentLines.weight': 2 }] };
    expect(ruleProblems({ when })).toEqual([]);
  });

  it('is checked in its exceptions too, of which not everything may be one', () => {
    expect(ruleProblems({ when: {}, unless: { hours: 3 } })).toEqual([
      { path: 'unless.hours', rule: expect.stringContaining('did you mean hour?') },
    ]);
    expect(ruleProblems({ when: {}, unless: {} })).toEqual([
      { path: 'unless', rule: expect.stringContaining('never matches') },
    ]);
  });

  it('names every problem at once', () => {
    const when = { hour: 25, weight: 1, seller: { $in: [] } };
    expect(ruleProblems({ when }).map(({ path }) => path)).toEqual(['when.hour', 'when.weight', 'when.seller.$in']);
  });

  it('never quotes a value, which may be a secret', () => {
    const values = [
      { seller: { $regex: '(geheim' } },
      { hour: 'geheim' },
      { weekday: 'geheim' },
      { currencyCode: 'geheim' },
      { seller: { $options: 'geheim', $regex: 'a' } },
      { $and: [{ seller: 'geheim' }, { seller: 'geheim2' }] },
    ];
    for (const when of values) {
      const problems = ruleProblems({ when });
      expect(problems).not.toEqual([]);
      expect(JSON.stringify(problems)).not.toContain('geheim');
    }
  });
});

describe('the fields of a shipment', () => {
  it('are no derived ones', () => {
    expect(Object.keys(DERIVED_FIELDS).filter((name) => shipmentField(name) !== null)).toEqual([]);
  });

  it('are found by every path that is listed', () => {
    expect(shipmentPaths().filter((path) => shipmentField(path) === null)).toEqual([]);
    expect(shipmentPaths().length).toBeGreaterThan(150);
  });
});
