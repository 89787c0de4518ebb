import { describe, expect, it } from '@jest/globals';
import { goodsOf } from '../../src/ims/booking-request/goods.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import { readShipment } from '../../src/ims/resources.js';

const shirts = {
  id: 71,
  productName: 'Shirt',
  importExportText: 'Cotton shirts',
  numItemsOrdered: 3,
  salesPrice: 129.5,
  weight: 0.2,
  customsTariffNumber: '6109100010',
  harmonizedSystemCode: '610910',
  countryOfOriginCode: 'PT',
};

function goods(lines: readonly object[], packedItems: readonly JsonObject[] = [], fields: object = {}) {
  const shipment = readShipment({ id: 1, currencyCode: 'DKK', shipmentLines: lines, ...fields });
  if (!shipment) throw new Error('not a shipment');
  return goodsOf(shipment, packedItems);
}

describe('goods', () => {
  it('are the lines of the shipment, in grams and decimal text', () => {
    expect(goods([shirts])).toEqual([
      {
        description: 'Cotton shirts',
        quantity: 3,
        unitValue: '129.5',
        currency: 'DKK',
        unitWeightGrams: 200,
        tariffNumberAtDestination: '6109100010',
        tariffNumberAtOrigin: '610910',
        countryOfOrigin: 'PT',
        unNumbers: [],
      },
    ]);
  });

  it.each<readonly [string, object, object]>([
    ['the name of the product without a text for customs', { importExportText: null }, { description: 'Shirt' }],
    ['the harmonised code', { customsTariffNumber: null }, { tariffNumberAtDestination: '610910' }],
    ['the price less the discount', { discountPercentage: 12.5 }, { unitValue: '113.3125' }],
    ['a price in whole crowns', { salesPrice: 100 }, { unitValue: '100' }],
    ['no value for a gift', { salesPrice: 0 }, { unitValue: null }],
    ['no value for what is given away', { discountPercentage: 100 }, { unitValue: null }],
    ['no weight where nobody knows it', { weight: null }, { unitWeightGrams: null }],
  ])('have %s', (_case, change, expected) => {
    expect(goods([{ ...shirts, ...change }])).toMatchObject([expected]);
  });

  it.each([
    [null, null],
    ['UNDEFINED', null],
    ['NOK', 'NOK'],
  ])('in the currency %s have the currency %s', (currencyCode, currency) => {
    expect(goods([shirts], [], { currencyCode })).toMatchObject([{ currency }]);
  });

  it('are what was ordered as long as nothing is packed, and then what was packed', () => {
    const lines = (first: number, second: number) => [
      { ...shirts, numItemsPacked: first },
      { ...shirts, id: 72, numItemsPacked: second },
    ];
    expect(goods(lines(0, 0)).map(({ quantity }) => quantity)).toEqual([3, 3]);
    expect(goods(lines(2, 0)).map(({ quantity }) => quantity)).toEqual([2]);
  });

  it('are no lines that were abandoned', () => {
    expect(goods([{ ...shirts, abandoned: true }])).toEqual([]);
  });

  it('are none of a shipment without lines', () => {
    expect(goods([])).toEqual([]);
  });

  it('have the UN numbers of what was packed of their line', () => {
    const item = (shipmentLineId: number, dangerousGoodsNumber: string | null) => ({
      shipmentLineId,
      dangerousGoodsNumber,
    });
    const items = [item(71, 'UN1950'), item(71, 'UN1950'), item(72, 'UN3480'), item(72, null)];
    expect(goods([shirts, { ...shirts, id: 72 }], items).map(({ unNumbers }) => unNumbers)).toEqual([
      ['UN1950'],
      ['UN3480'],
    ]);
  });

  it('have no UN number of what was taken out again', () => {
    const taken = { shipmentLineId: 71, dangerousGoodsNumber: 'UN1950', undone: true };
    expect(goods([shirts], [taken])).toMatchObject([{ unNumbers: [] }]);
  });

  it('lose no UN number of something that belongs to no line', () => {
    const stray = { shipmentLineId: 99, dangerousGoodsNumber: 'UN1950', productName: 'Spray', instanceCount: 4 };
    expect(goods([shirts], [stray])).toMatchObject([
      { unNumbers: [] },
      { description: 'Spray', quantity: 4, unNumbers: ['UN1950'] },
    ]);
  });
});
