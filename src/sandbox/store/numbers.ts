import type { Ims } from '../ims.js';
import { rowOfId } from '../api/endpoint.js';
import type { Row, Store, Table } from './store.js';

/** By the field that holds a resource's number: the area's field with the next one, and the resource. */
const SEQUENCES = {
  shipmentNumber: { next: 'nextShipmentNumber', table: (store: Store): Table<Row> => store.shipments },
  inboundShipmentNumber: { next: 'nextInboundShipmentNumber', table: (store: Store) => store.inboundShipments },
  returnShipmentNumber: { next: 'nextReturnShipmentNumber', table: (store: Store) => store.returnShipments },
  stockTakingNumber: { next: 'nextStockTakingNumber', table: (store: Store) => store.stockTakings },
} as const;

/** The next number that nobody has, as text. */
export function takeNumber(ims: Ims, contextId: number, field: keyof typeof SEQUENCES): string {
  const { next, table } = SEQUENCES[field];
  const context = rowOfId(ims.store.contexts, contextId, { resource: 'Context', id: contextId });
  let number = Number(context[next] ?? 1);
  while (table(ims.store).where(contextId, field, String(number)).length > 0) number += 1;
  ims.store.contexts.put({ ...context, [next]: number + 1 });
  return String(number);
}
