import {
  carrierFields,
  contextFields,
  customerFields,
  sellerFields,
  supplierFields,
} from '../schema/partners-fields.js';
import { match } from '../schema/resource.js';
import type { ImsEndpoint } from '../api/endpoint.js';
import type { Ims, Kind } from '../ims.js';
import { CONSIGNMENT, FULL, PURCHASING, SALES } from '../api/endpoint.js';
import { mergeEndpoint, readEndpoint } from '../store/data-document.js';
import { restOf } from '../api/rest.js';

export const customers: Kind = {
  resource: { name: 'Customer', fields: customerFields, needed: ['customerNumber'], unique: ['customerNumber'] },
  table: (store) => store.customers,
};

export const suppliers: Kind = {
  resource: { name: 'Supplier', fields: supplierFields, needed: ['supplierNumber'], unique: ['supplierNumber'] },
  table: (store) => store.suppliers,
};

export const carriers: Kind = {
  resource: { name: 'Carrier', fields: carrierFields, needed: ['carrierName'], unique: ['carrierName'] },
  table: (store) => store.carriers,
};

/** Sales channels. */
export const sellers: Kind = {
  resource: { name: 'Seller', fields: sellerFields, needed: ['sellerNumber'], unique: ['sellerNumber'] },
  table: (store) => store.sellers,
};

/** The description of each area. */
export const contexts: Kind = {
  resource: { name: 'Context', fields: contextFields, needed: ['contextName'] },
  table: (store) => store.contexts,
};

export function partnerEndpoints(ims: Ims): readonly ImsEndpoint[] {
  return [...customerEndpoints(ims), ...supplierEndpoints(ims), ...sellerEndpoints(ims), ...contextEndpoints(ims)];
}

function customerEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const customer = restOf(ims, customers);
  return [
    customer.list('/customers', [SALES, FULL], {
      globalLocationNumberMatch: match('globalLocationNumber'),
      addressMatch: match('address'),
      customerNumberMatch: match('customerNumber'),
    }),
    customer.create('/customers', [SALES, FULL]),
    customer.read('/customers/:id', [SALES, FULL]),
    customer.set('/customers/:id/:attribute', []),
  ];
}

function supplierEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const supplier = restOf(ims, suppliers);
  const carrier = restOf(ims, carriers);
  return [
    supplier.list('/suppliers', [PURCHASING, FULL], {
      supplierNumberMatch: match('supplierNumber'),
      addressMatch: match('address'),
    }),
    supplier.create('/suppliers', [PURCHASING, FULL]),
    supplier.read('/suppliers/:id', [PURCHASING, FULL]),
    { ...mergeEndpoint(ims, suppliers, '/suppliers/:id/dataDocument', [PURCHASING, FULL]), beyondTables: 'in-use' },
    carrier.list('/carriers', [FULL]),
    carrier.create('/carriers', [FULL]),
  ];
}

function sellerEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const seller = restOf(ims, sellers);
  return [
    seller.list('/sellers', [SALES, FULL], { sellerNumberMatch: match('sellerNumber') }),
    seller.read('/sellers/:id', [SALES, FULL]),
    mergeEndpoint(ims, sellers, '/sellers/:id/dataDocument', [FULL]),
  ];
}

function contextEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const readers = [FULL, SALES, PURCHASING, CONSIGNMENT];
  return [
    restOf(ims, contexts).read('/contexts/:id', readers),
    { ...readEndpoint(ims, contexts, '/contexts/:id/dataDocument', readers), beyondTables: 'in-use' },
    mergeEndpoint(ims, contexts, '/contexts/:id/dataDocument', [FULL]),
  ];
}
