import type { JsonMembers } from './json.js';
import type { SandboxArea, NewArea, Store } from './store.js';

const FIRST_SHIPMENT_NUMBER = 10_045;

const warehouse: JsonMembers = {
  contextName: 'Nordhavn Lager',
  subscriberId: 501,
  baseCurrencyCode: 'DKK',
  nextShipmentNumber: FIRST_SHIPMENT_NUMBER,
  nextInboundShipmentNumber: 3001,
  nextReturnShipmentNumber: 701,
  nextStockTakingNumber: 401,
  active: true,
  test: true,
  dataDocument: null,
  address: {
    addressee: 'Nordhavn Lager A/S',
    streetNameAndNumber: 'Sandkajen 14',
    cityTownOrVillage: 'Nordhavn',
    postalCode: '2150',
    countryCode: 'DK',
  },
  contactPerson: {
    name: 'Karen Holm',
    email: 'lager@nordhavn-lager.example',
    phoneNumber: '+4570101010',
    mobileNumber: '+4520101010',
  },
};

const sellers: readonly JsonMembers[] = [
  {
    sellerNumber: 'FJORD',
    address: {
      addressee: 'Fjord & Fjeld ApS',
      streetNameAndNumber: 'Vestergade 8',
      cityTownOrVillage: 'Aarhus C',
      postalCode: '8000',
      countryCode: 'DK',
    },
    contactPerson: { name: 'Mikkel Dam', email: 'ordre@fjordfjeld.example', phoneNumber: '+4586101010' },
    dataDocument: null,
  },
  {
    sellerNumber: 'ULDVARER',
    address: {
      addressee: 'Uldvarer Online',
      streetNameAndNumber: 'Havnegatan 3',
      cityTownOrVillage: 'Malmö',
      postalCode: '21115',
      countryCode: 'SE',
    },
    contactPerson: { name: 'Elin Berg', email: 'order@uldvarer.example', mobileNumber: '+46701010101' },
    dataDocument: null,
  },
];

/** Adds an area that holds only its context. The context's id equals the area's `contextId`. */
export function addEmptyArea(store: Store, area: SandboxArea): void {
  const { contextId } = area;
  store.addArea(area);
  store.contexts.put({ ...warehouse, id: contextId, contextId });
}

/** Adds an area with its context, two sellers and the given carriers. */
export function seedArea(store: Store, { carriers = [], ...area }: NewArea): void {
  const { contextId } = area;
  addEmptyArea(store, area);
  for (const seller of sellers) store.sellers.put({ ...seller, id: store.nextId(), contextId });
  for (const carrierName of carriers)
    store.carriers.put({ id: store.nextId(), contextId, carrierName, dataDocument: null });
}
