import type { Ims } from '../ims.js';
import type { JsonMembers } from '../store/json.js';
import {
  createConsignmentNote,
  createDeliveryNote,
  createTransportBooking,
  documentInvocations,
} from '../invocations/documents.js';
import { pack } from '../invocations/pack.js';
import { receptions } from '../invocations/receive.js';
import { changeRow, createRow, find } from '../store/kind.js';
import { quietly } from '../events/without-delivery.js';
import { ImsRefusal, forEachOf } from '../api/refusal.js';
import { inboundLinesOf, returnLinesOf } from '../resources/inbound.js';
import { shipments } from '../resources/shipments.js';
import { containersOf } from '../resources/shipping-containers.js';
import { addEmptyArea } from '../store/seed.js';
import { drawable } from '../stock/draw.js';
import { linesOf } from '../stock/reserve.js';
import type { ReceivableLineRow, Row, ShipmentLineRow, ShipmentRow } from '../store/store.js';
import { kindOf } from './kinds-of-collections.js';
import type { Announced, Warehouse, WorkedState } from './warehouse.js';

/** The sandboxed IMS as a warehouse that a scenario fills; filling sends no events. */
export function asWarehouse(whole: Ims): Warehouse {
  const ims = quietly(whole);
  return {
    addArea: (area) => addEmptyArea(ims.store, area),
    create: (contextId, collection, body) => {
      return createRow(ims, kindOf(collection), contextId, body);
    },
    bring: (contextId, id, state) => {
      for (const step of stepsTo(state)) step(ims, find(ims, shipments, { contextId, id }));
    },
    receive: (contextId, collection, id) => receiveAll(ims, collection, { contextId, id }),
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
    case 'cancelled':
      return [(ims, shipment) => void changeRow(ims, shipments, shipment, { cancelled: true })];
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

/** Packs all lines of a shipment, spread over its containers. */
function packAll(ims: Ims, shipment: ShipmentRow): void {
  const containers = containersOf(ims, shipment);
  const lines = linesOf(ims, shipment);
  forEachOf('shipmentLines', lines, (line) => {
    const container = containers[lines.indexOf(line) % Math.max(1, containers.length)];
    const into = container === undefined ? {} : { shippingContainerId: container.id };
    refuseShort(ims, line);
    pack.run(ims, { contextId: shipment.contextId, given: { shipmentLineId: line.id, ...into } });
  });
}

function refuseShort(ims: Ims, line: ShipmentLineRow): void {
  const item = ims.store.globalTradeItems.byId(line.globalTradeItemId);
  const there = item?.stocked === true ? drawable(ims, line) : Infinity;
  if (there >= line.numItemsOrdered) return;
  const pieces = `${there} of the ${line.numItemsOrdered} pieces of ${String(item?.stockKeepingUnit)}`;
  throw new ImsRefusal('invalid', 'Shipment', `only ${pieces} are in stock, so that it cannot be packed`);
}

interface Arriving {
  readonly lines: (ims: Ims, shipment: Row) => readonly ReceivableLineRow[];
  readonly id: string;
  readonly lineId: string;
  readonly receive: string;
  readonly receipt: string;
}

const ARRIVING: Readonly<Record<Announced, Arriving>> = {
  inboundShipments: {
    ...{ lines: inboundLinesOf, id: 'inboundShipmentId', lineId: 'inboundShipmentLineId' },
    ...{ receive: 'receiveToNewLot', receipt: 'createGoodsReceipt' },
  },
  returnShipments: {
    ...{ lines: returnLinesOf, id: 'returnShipmentId', lineId: 'returnShipmentLineId' },
    ...{ receive: 'receiveReturnedToNewLot', receipt: 'createReturnReceipt' },
  },
};

/**
 * Receives each line at its item's location, or at the area's first location when the item has none, and creates the
 * receipt.
 */
function receiveAll(ims: Ims, collection: Announced, where: { readonly contextId: number; readonly id: number }): void {
  const { contextId, id } = where;
  const { lines, lineId, receive, receipt, id: owner } = ARRIVING[collection];
  const run = (name: string, given: JsonMembers): void => {
    const invocation = [...receptions, ...documentInvocations].find((each) => each.name === name);
    invocation?.run(ims, { contextId, given });
  };
  for (const line of lines(ims, find(ims, kindOf(collection), where))) {
    const item = ims.store.globalTradeItems.byId(line.globalTradeItemId);
    const locationNumber = item?.['locationNumber'] ?? ims.store.locations.firstIn(contextId)?.['locationNumber'];
    if (locationNumber === undefined)
      throw new ImsRefusal('invalid', 'Location', 'there is no location where it could be received');
    const { lotStatusOnArrival: lotStatus = 'SALEABLE', numItemsExpected: numItems } = line;
    run(receive, { [lineId]: line.id, locationNumber, lotStatus, numItems });
  }
  run(receipt, { [owner]: id });
}
