import type { Ims } from '../ims.js';
import type { Events, SentEvent } from '../events/events.js';
import type { SandboxArea, Row, Store, Table } from '../store/store.js';

type Tables = {
  readonly [Name in keyof Store as Store[Name] extends Table<Row> ? Name : never]: Store[Name] extends Table<infer R>
    ? readonly R[]
    : never;
};

/** The whole stored state, with one member for each table of the store. It lacks the content of files. */
export interface SandboxState extends Tables {
  readonly areas: readonly SandboxArea[];
  readonly events: readonly SentEvent[];
}

export function wholeState({ store }: Pick<Ims, 'store'>, events: Events): SandboxState {
  return {
    areas: store.areas(),
    contexts: store.contexts.all(),
    sellers: store.sellers.all(),
    carriers: store.carriers.all(),
    dataExtensions: store.dataExtensions.all(),
    customers: store.customers.all(),
    suppliers: store.suppliers.all(),
    productGroups: store.productGroups.all(),
    products: store.products.all(),
    productCustomsInformations: store.productCustomsInformations.all(),
    globalTradeItems: store.globalTradeItems.all(),
    includedItems: store.includedItems.all(),
    locations: store.locations.all(),
    shipments: store.shipments.all(),
    shipmentLines: store.shipmentLines.all(),
    shippingContainers: store.shippingContainers.all(),
    instances: store.instances.all(),
    inboundShipments: store.inboundShipments.all(),
    inboundShipmentLines: store.inboundShipmentLines.all(),
    returnShipments: store.returnShipments.all(),
    returnShipmentLines: store.returnShipmentLines.all(),
    lots: store.lots.all(),
    reservations: store.reservations.all(),
    transactions: store.transactions.all(),
    postings: store.postings.all(),
    stockTakings: store.stockTakings.all(),
    stockTakingLines: store.stockTakingLines.all(),
    documents: store.documents.all(),
    messages: store.messages.all(),
    attachments: store.attachments.all(),
    prints: store.prints.all(),
    auditLog: store.auditLog.all(),
    events: events.all(),
  };
}
