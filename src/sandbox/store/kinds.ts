import type { Kind } from '../ims.js';
import { auditLog, messages } from '../resources/endpoints/document-endpoints.js';
import { dataExtensions } from '../resources/data-extensions.js';
import { documents } from '../resources/documents.js';
import { inboundShipmentLines, inboundShipments, returnShipmentLines, returnShipments } from '../resources/inbound.js';
import {
  globalTradeItems,
  includedItems,
  locations,
  productCustomsInformations,
  productGroups,
  products,
} from '../resources/items.js';
import { lots } from '../resources/lots.js';
import { instances, reservations } from '../resources/endpoints/outbound-reads.js';
import { carriers, contexts, customers, sellers, suppliers } from '../resources/partners.js';
import { shipmentLines } from '../resources/shipment-lines.js';
import { shipments } from '../resources/shipments.js';
import { shippingContainers } from '../resources/shipping-containers.js';
import { postings, stockTakingLines, stockTakings, transactions } from '../resources/stock-books.js';

const all: readonly Kind[] = [
  ...[contexts, customers, suppliers, carriers, sellers, dataExtensions],
  ...[productGroups, products, productCustomsInformations, globalTradeItems, includedItems, locations],
  ...[shipments, shipmentLines, shippingContainers, instances, reservations],
  ...[inboundShipments, inboundShipmentLines, returnShipments, returnShipmentLines],
  ...[lots, transactions, postings, stockTakings, stockTakingLines],
  ...[documents, messages, auditLog],
];

/** Keyed by resource name. */
export const kinds: ReadonlyMap<string, Kind> = new Map(all.map((kind) => [kind.resource.name, kind]));
