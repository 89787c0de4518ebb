import type { Ims } from '../ims.js';
import { rowOfId } from '../api/endpoint.js';
import type { Row, Store, Table } from './store.js';

/**
 * For each field that holds a resource's number: the field of the context with the next number, and the resource's
 * table.
 */
const SEQUENCES = {
  shipmentNumber: { next: 'nextShipmentNumber', table: (store: Store): Table<Row> => store.shipments },
  inboundShipmentNumber: { next: 'nextInboundShipmentNumber', table: (store: Store) => store.inboundShipments },
  returnShipmentNumber: { next: 'nextReturnShipmentNumber', table: (store: Store) => store.returnShipments },
  stockTakingNumber: { next: 'nextStockTakingNumber', table: (store: Store) => store.stockTakings },
} as const;

/** Takes the next unused number of the area's sequence, as text. */
export function takeNumber(ims: Ims, contextId: number, field: keyof typeof SEQUENCES): string {
  const { next, table } = SEQUENCES[field];
  const context = rowOfId(ims.store.contexts, contextId, { resource: 'Context', id: contextId });
  let number = Number(context[next] ?? 1);
  while (table(ims.store).where(contextId, field, String(number)).length > 0) number += 1;
  ims.store.contexts.put({ ...context, [next]: number + 1 });
  return String(number);
}
