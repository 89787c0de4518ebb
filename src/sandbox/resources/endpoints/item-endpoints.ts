import { attachmentsEndpoint } from '../../api/attachments.js';
import { mergeEndpoint } from '../../store/data-document.js';
import type { ImsEndpoint } from '../../api/endpoint.js';
import type { Ims } from '../../ims.js';
import { FORECASTING, FULL, PURCHASING, SALES } from '../../api/endpoint.js';
import { membersOf } from '../../store/json.js';
import { createRow, find, show } from '../../store/kind.js';
import { restOf } from '../../api/rest.js';
import { itemFilters, productFilters } from '../filters/item-filters.js';
import {
  globalTradeItems,
  includedItems,
  locations,
  productCustomsInformations,
  productGroups,
  products,
} from '../items.js';

export function itemEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const group = restOf(ims, productGroups);
  const location = restOf(ims, locations);
  return [
    group.list('/productGroups', [SALES, FULL, PURCHASING]),
    group.create('/productGroups', [SALES, FULL, PURCHASING]),
    location.list('/locations', [FULL]),
    location.create('/locations', [FULL]),
    restOf(ims, productCustomsInformations).create('/productCustomsInformations', [FULL, SALES]),
    restOf(ims, includedItems).create('/includedItems', []),
    ...productEndpoints(ims),
    ...tradeItemEndpoints(ims),
  ];
}

function productEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const product = restOf(ims, products);
  return [
    product.list('/products', [SALES, PURCHASING, FULL], productFilters),
    product.create('/products', [SALES, PURCHASING, FULL]),
    product.read('/products/:id', [SALES, PURCHASING, FULL]),
    product.change('/products/:id', [SALES, FULL]),
    product.set('/products/:id/:attribute', [SALES, PURCHASING, FULL]),
  ];
}

function tradeItemEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const item = restOf(ims, globalTradeItems);
  const path = '/globalTradeItems';
  const one = `${path}/:id`;
  return [
    item.list(path, [SALES, FULL, PURCHASING, FORECASTING], itemFilters),
    item.create(path, [SALES, FULL]),
    item.read(one, [SALES, PURCHASING, FULL, FORECASTING]),
    item.change(one, [SALES, FULL]),
    { ...mergeEndpoint(ims, globalTradeItems, `${one}/dataDocument`, [SALES, FULL]), beyondTables: 'in-use' },
    item.set(`${one}/:attribute`, [SALES, PURCHASING, FULL]),
    attachmentsEndpoint(ims, {
      path: `${one}/attachments`,
      scopes: [],
      kind: globalTradeItems,
      of: 'globalTradeItems',
    }),
    {
      ...{ method: 'post', path: `${one}/includedItems`, scopes: [SALES, PURCHASING, FULL] },
      body: { kind: 'create', of: includedItems.resource },
      answer: { kind: 'one', of: includedItems.resource },
      handle: ({ contextId, params, body }) => {
        const { id: globalTradeItemId } = find(ims, globalTradeItems, { contextId, id: params['id'] });
        const whole = Array.isArray(body) ? body : { ...membersOf(body), globalTradeItemId };
        return show(ims, includedItems, createRow(ims, includedItems, contextId, whole));
      },
    },
  ];
}
