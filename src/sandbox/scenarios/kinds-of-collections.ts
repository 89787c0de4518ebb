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

/** By the collection's name. */
const kinds: Readonly<Record<string, Kind>> = {
  ...{ productGroups, products, productCustomsInformations, globalTradeItems, locations, globalTradeItemLots: lots },
  ...{ customers, suppliers, carriers, sellers, shipments, shippingContainers, inboundShipments, returnShipments },
};

const linesByName: Readonly<Record<string, Kind>> = { shipmentLines, inboundShipmentLines, returnShipmentLines };

/** What a body of a collection becomes. */
export function kindOf(collection: string): Kind {
  const kind = kinds[collection];
  if (kind === undefined) throw new Error(`there is no collection ${collection}`);
  return kind;
}

/** What a list inside a body becomes; `null` when its entries have no life of their own. */
export function linesNamed(name: string): Resource | null {
  return (Object.hasOwn(linesByName, name) ? linesByName[name]?.resource : null) ?? null;
}
