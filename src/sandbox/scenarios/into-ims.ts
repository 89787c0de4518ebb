import type { Ims } from '../endpoint.js';
import { createDeliveryNote, createConsignmentNote, createTransportBooking } from '../invocations/documents.js';
import { pack } from '../invocations/pack.js';
import type { Kind } from '../kind.js';
import { createRow, find } from '../kind.js';
import { quietly } from '../quietly.js';
import { inboundShipments, returnShipments } from '../resources/inbound.js';
import {
  globalTradeItems,
  locations,
  productCustomsInformations,
  productGroups,
  products,
} from '../resources/items.js';
import { lots } from '../resources/lots.js';
import { carriers, customers, sellers, suppliers } from '../resources/partners.js';
import { shipments } from '../resources/shipments.js';
import { containersOf, shippingContainers } from '../resources/shipping-containers.js';
import { addEmptyArea } from '../seed.js';
import { drawable } from '../stock/draw.js';
import { linesOf } from '../stock/reserve.js';
import type { ShipmentLineRow, ShipmentRow } from '../store.js';
import type { Warehouse, WorkedState } from './warehouse.js';

/** By the collection's name. */
const collections: Readonly<Record<string, Kind>> = {
  ...{ productGroups, products, productCustomsInformations, globalTradeItems, locations, globalTradeItemLots: lots },
  ...{ customers, suppliers, carriers, sellers },
  ...{ shipments, shippingContainers, inboundShipments, returnShipments },
};

/** The stand-in as a scenario fills it; nobody is told of anything. */
export function warehouseOf(whole: Ims): Warehouse {
  const ims = quietly(whole);
  return {
    addArea: (area) => addEmptyArea(ims.store, area),
    create: (contextId, collection, body) => {
      const kind = collections[collection];
      if (kind === undefined) throw new Error(`there is no collection ${collection}`);
      return createRow(ims, kind, contextId, body);
    },
    bring: (contextId, id, state) => {
      for (const step of stepsTo(state)) step(ims, find(ims, shipments, { contextId, id }));
    },
  };
}

type Step = (ims: Ims, shipment: ShipmentRow) => void;

function stepsTo(state: WorkedState): readonly Step[] {
  switch (state) {
    case 'packed':
      return [packAll];
    case 'booked':
      return [packAll, (ims, shipment) => void createTransportBooking(ims, shipment)];
    case 'delivery-note':
      return [packAll, bookAndFinish, (ims, shipment) => void createDeliveryNote(ims, shipment)];
    case 'handed-over':
      return [
        ...stepsTo('delivery-note'),
        (ims, { contextId, id }) => void createConsignmentNote(ims, contextId, [id]),
      ];
  }
}

function bookAndFinish(ims: Ims, shipment: ShipmentRow): void {
  ims.store.documents.put({ ...createTransportBooking(ims, shipment), workStatus: 'DONE' });
}

/** All that there is of it, spread over its containers. */
function packAll(ims: Ims, shipment: ShipmentRow): void {
  const containers = containersOf(ims, shipment);
  for (const [place, line] of linesOf(ims, shipment).entries()) {
    const instanceCount = Math.min(line.numItemsOrdered - line.numItemsPacked, atHand(ims, line));
    const shippingContainerId = containers[place % Math.max(1, containers.length)]?.id ?? null;
    const given = { shipmentLineId: line.id, shippingContainerId, instanceCount };
    if (instanceCount > 0) pack.run(ims, { contextId: shipment.contextId, given });
  }
}

function atHand(ims: Ims, line: ShipmentLineRow): number {
  const isStocked = ims.store.globalTradeItems.byId(line.globalTradeItemId)?.stocked === true;
  return isStocked ? drawable(ims, line) : Infinity;
}
