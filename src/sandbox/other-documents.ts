import type { Ims } from './endpoint.js';
import { addLine, addStockTaking } from './invocations/lots.js';
import type { Json } from './json.js';
import type { NewDocument } from './resources/documents.js';
import { createDocument } from './resources/documents.js';
import type { DocumentRow } from './store.js';

/** A document of a type that no invocation makes, e.g. `PICKING_LIST`, `PUT_AWAY_LIST`, `STOCK_TAKING_LIST`. */
export interface OtherDocument {
  /** `contextId` of its area. */
  readonly area: number;
  readonly documentType: string;
  readonly shipmentIds?: readonly number[];
  readonly inboundShipmentId?: number;
  /** Of a stock taking list: whose lots are to be counted; all when not given. */
  readonly globalTradeItemIds?: readonly number[];
}

/** Makes it as if a worker had, and sends its event. */
export function createOtherDocument(ims: Ims, other: OtherDocument): DocumentRow {
  const { area, documentType, shipmentIds = [], inboundShipmentId, globalTradeItemIds } = other;
  const [shipmentId] = shipmentIds;
  const about = {
    ...(inboundShipmentId === undefined ? {} : { inboundShipmentId }),
    ...(globalTradeItemIds === undefined ? {} : { globalTradeItemIds }),
    ...(documentType === 'STOCK_TAKING_LIST' ? { stockTakingId: planStockTaking(ims, other) } : {}),
  };
  const named: Readonly<Record<string, Json | undefined>> = {
    shipmentId: shipmentIds.length === 1 ? shipmentId : undefined,
    inboundShipmentId,
    stockTakingId: 'stockTakingId' in about ? about.stockTakingId : undefined,
  };
  const detail = Object.fromEntries(
    Object.entries(named).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])),
  );
  const wanted: NewDocument = { contextId: area, documentType, shipmentIds, about, detail };
  return createDocument(ims, wanted);
}

function planStockTaking(ims: Ims, { area, globalTradeItemIds }: OtherDocument): number {
  const stockTaking = addStockTaking(ims, area, 'PLANNED');
  const isMeant = (id: number) => globalTradeItemIds === undefined || globalTradeItemIds.includes(id);
  for (const lot of ims.store.lots.in(area)) if (isMeant(lot.globalTradeItemId)) addLine(ims, stockTaking, lot);
  return stockTaking.id;
}
