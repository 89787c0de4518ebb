import type { Resource } from '../schema/resource.js';
import type { Kind } from '../ims.js';
import { inboundShipmentLines, inboundShipments, returnShipmentLines, returnShipments } from '../resources/inbound.js';
import {
  globalTradeItems,
  locations,
  productCustomsInformations,
  productGroups,
  products,
} from '../resources/items.js';
import { lots } from '../resources/lots.js';
import { carriers, customers, sellers, suppliers } from '../resources/partners.js';
import { shipmentLines } from '../resources/shipment-lines.js';
import { shipments } from '../resources/shipments.js';
import { shippingContainers } from '../resources/shipping-containers.js';

/** Keyed by collection name. */
const kinds: Readonly<Record<string, Kind>> = {
  ...{ productGroups, products, productCustomsInformations, globalTradeItems, locations, globalTradeItemLots: lots },
  ...{ customers, suppliers, carriers, sellers, shipments, shippingContainers, inboundShipments, returnShipments },
};

const linesByName: Readonly<Record<string, Kind>> = { shipmentLines, inboundShipmentLines, returnShipmentLines };

/** The kind of row that a body of a collection becomes. */
export function kindOf(collection: string): Kind {
  const kind = kinds[collection];
  if (kind === undefined) throw new Error(`there is no collection ${collection}`);
  return kind;
}

/** The resource that entries of a list inside a body become; `null` when they are stored as part of the body. */
export function linesNamed(name: string): Resource | null {
  return (Object.hasOwn(linesByName, name) ? linesByName[name]?.resource : null) ?? null;
}
