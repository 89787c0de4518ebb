import { describe, expect, it } from '@jest/globals';
import { type InstructionTrouble, chooseInstruction } from '../../src/routing/instructions.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import { shipment } from './shipments.js';

const KEY = 'BringTransport';
const text = (instructions: unknown) => JSON.stringify({ [KEY]: { apiKey: 'geheim', instructions } });
const carrier = (instructions: unknown) => [{ from: 'carrier', dataDocument: text(instructions) } as const];
const one = (shipmentPattern: unknown) => carrier([{ product: { id: '5800' }, shipmentPattern }]);

describe('the instructions in the IMS', () => {
  it.each<[string, unknown, JsonObject, boolean, (readonly InstructionTrouble[])?]>([
    ['a missing pattern', undefined, {}, true],
    ['an empty pattern', {}, {}, true],
    ['a listed value', { deliverToPickUpPoint: [true] }, { deliverToPickUpPoint: true }, true],
    ['a value that is not listed', { deliverToPickUpPoint: [true] }, {}, false],
    ['a listed value inside', { deliveryAddress: { countryCode: ['SE', 'DK'] } }, {}, true],
    ['all of several', { deliveryAddress: { countryCode: ['DK'] }, onHold: [true] }, {}, false],
    ['a number that is written as a text', { shippingPriority: ['1'] }, { shippingPriority: 1 }, false],
    ['a listed null where nothing is', { termsOfDelivery: [null, 'Flex'] }, {}, true],
    ['a listed null for an object that is absent', { sellerAddress: [null] }, {}, true],
    ['an absent object', { sellerAddress: { countryCode: ['DK'] } }, {}, false, ['absent-object']],
    ['a null in an absent object', { sellerAddress: { countryCode: [null] } }, {}, true, ['absent-object']],
    ['nothing of an absent object', { sellerAddress: {} }, {}, true],
    [
      'a value where a list should be',
      { deliverToPickUpPoint: true },
      { deliverToPickUpPoint: true },
      true,
      ['scalar'],
    ],
    ['another value where a list should be', { deliverToPickUpPoint: true }, {}, false, ['scalar']],
    ['a text where a list should be', { deliveryAddress: { countryCode: 'DK' } }, {}, true, ['scalar']],
    ['null where a list should be', { termsOfDelivery: null }, {}, true, ['scalar']],
    ['a pattern that is a value', true, {}, false, ['scalar']],
    ['a pattern that is a list', [{}], {}, false, ['list-for-object']],
    ['a list of nothing', { onHold: [] }, {}, false, ['empty-list']],
    ['a list for an object', { deliveryAddress: ['DK'] }, {}, false, ['list-for-object']],
    ['a field that no shipment has', { country: ['DK'] }, {}, false, ['unknown-field']],
    ['what every object has', { constructor: [null] }, {}, true, ['unknown-field']],
  ])('match by %s', (...[, pattern, changes, matches, troubles = []]) => {
    const found = chooseInstruction(KEY, one(pattern), shipment(changes));
    expect(found.instruction !== null).toBe(matches);
    expect(found.warnings.map(({ trouble }) => trouble)).toEqual(troubles);
    expect(found.tried).toHaveLength(matches ? 0 : 1);
  });

  it('are asked of the seller, then of the carrier; the first that matches counts', () => {
    const abroad = { product: { id: '1' }, shipmentPattern: { deliveryAddress: { countryCode: ['SE'] } } };
    const home = { product: { id: '2' }, shipmentPattern: { deliveryAddress: { countryCode: ['DK'] } } };
    const all = { product: { id: '3' } };
    const sellers = { from: 'seller', dataDocument: text([abroad, home]) } as const;
    const found = chooseInstruction(KEY, [sellers, ...carrier([all])], shipment());
    expect(found).toEqual({
      instruction: home,
      from: 'seller',
      warnings: [],
      tried: [
        {
          from: 'seller',
          index: 0,
          reasons: [{ field: 'deliveryAddress.countryCode', condition: '$in ["SE"]', value: 'DK' }],
        },
      ],
    });
    const norway = shipment({ deliveryAddress: { countryCode: 'NO' } });
    const fallen = chooseInstruction(KEY, [sellers, ...carrier([all])], norway);
    expect(fallen).toMatchObject({ instruction: all, from: 'carrier', tried: [{ index: 0 }, { index: 1 }] });
  });

  it.each<[string, string | null, readonly InstructionTrouble[]]>([
    ['nothing', null, []],
    ['a blank', ' ', []],
    ['no JSON', '{', ['unreadable']],
    ['no object', '[]', ['unreadable']],
    ['another application', '{"GLSTransport":{"instructions":[{}]}}', []],
    ['an application that is no object', '{"BringTransport":5}', ['not-an-object']],
    ['no instructions', '{"BringTransport":{}}', []],
    ['instructions that are no list', '{"BringTransport":{"instructions":{}}}', ['not-a-list']],
    ['an instruction that is no object', '{"BringTransport":{"instructions":["all"]}}', ['not-an-object']],
  ])('are not there in %s', (...[, dataDocument, troubles]) => {
    const found = chooseInstruction(KEY, [{ from: 'carrier', dataDocument }], shipment());
    expect(found.instruction).toBeNull();
    expect(found.warnings.map(({ trouble }) => trouble)).toEqual(troubles);
  });

  it('end, however deep a pattern is and however many there are', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`);
    expect(chooseInstruction(KEY, one(deep), shipment()).instruction).toBeNull();
    const many = carrier(Array.from({ length: 501 }, () => ({ shipmentPattern: { onHold: [true] } })));
    const found = chooseInstruction(KEY, many, shipment());
    expect(found.tried).toHaveLength(500);
    expect(found.warnings.map(({ trouble }) => trouble)).toEqual(['too-many']);
  });

  it('show no settings in what is said about them', () => {
    const { warnings, tried } = chooseInstruction(KEY, one({ onHold: 'x' }), shipment());
    expect(warnings).toEqual([
      { from: 'carrier', path: `${KEY}.instructions[0].shipmentPattern.onHold`, trouble: 'scalar' },
    ]);
    expect(JSON.stringify([warnings, tried])).not.toContain('geheim');
  });
});
