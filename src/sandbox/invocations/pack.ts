import { ID, numberType, textType } from '../schema/fields.js';
import type { Ims } from '../ims.js';
import { FULL, SALES, rowOfId } from '../api/endpoint.js';
import { timestamp } from '../schema/dates.js';
import { find, show } from '../store/kind.js';
import { ImsRefusal } from '../api/refusal.js';
import { instances } from '../resources/endpoints/outbound-reads.js';
import { refuseClosed, shipmentLines, shipmentOfLine } from '../resources/shipment-lines.js';
import { changeStock } from '../stock/change-stock.js';
import { draw, drawable } from '../stock/draw.js';
import { reserveLine } from '../stock/reserve.js';
import type { ItemRow, Row, ShipmentLineRow, ShipmentRow } from '../store/store.js';
import type { InvocationCall, Invocation } from './invocation.js';
import { PIECES } from './invocation.js';

/** Packs pieces of one shipment line; without `instanceCount`, all pieces left to pack. */
export const pack: Invocation = {
  name: 'pack',
  scopes: [SALES, FULL],
  parameters: 'PackParameters',
  resource: 'ShipmentLine',
  fields: {
    shipmentLineId: ID,
    shippingContainerId: ID,
    instanceCount: PIECES,
    serialNumber: textType(1, 250),
    weight: numberType({ min: 0.001, max: 999_999.999, fractionDigits: 3 }),
  },
  needed: ['shipmentLineId'],
  answers: instances.resource,
  run: (ims, call) => {
    const { contextId, given } = call;
    const line = find(ims, shipmentLines, { contextId, id: given['shipmentLineId'] });
    const shipment = shipmentOfLine(ims, line);
    refuseClosed(shipment);
    refuseContainerOfAnother(ims, call, shipment);
    const instanceCount = piecesOf(line, given['instanceCount']);
    const item = rowOfId(ims.store.globalTradeItems, contextId, {
      resource: 'GlobalTradeItem',
      id: line.globalTradeItemId,
    });
    const numItemsDrawn = piecesToDraw(ims, { line, item, instanceCount });
    const row = packPieces(ims, call, { line, shipment, item, instanceCount, numItemsDrawn });
    return show(ims, instances, row);
  },
};

interface Packing {
  readonly line: ShipmentLineRow;
  readonly shipment: ShipmentRow;
  readonly item: ItemRow;
  readonly instanceCount: number;
  readonly numItemsDrawn: number;
}

function packPieces(ims: Ims, { given, contextId }: InvocationCall, packing: Packing): Row {
  const { line, shipment, item, instanceCount, numItemsDrawn } = packing;
  return changeStock(ims, { contextId, itemIds: [item.id] }, (move) => {
    draw(ims, move, { line, shipment, numItems: numItemsDrawn });
    const packed = ims.store.shipmentLines.put({ ...line, numItemsPacked: line.numItemsPacked + instanceCount });
    const row = ims.store.instances.put({
      id: ims.store.nextId(),
      contextId,
      globalTradeItemId: item.id,
      shipmentId: shipment.id,
      shipmentLineId: line.id,
      shippingContainerId: given['shippingContainerId'] ?? null,
      instanceCount,
      numItemsDrawn,
      serialNumber: given['serialNumber'] ?? null,
      weight: given['weight'] ?? timesPieces(item['weight'], instanceCount),
      volume: timesPieces(item['volume'], instanceCount),
      timePacked: timestamp(ims),
      packedByUserInitials: 'api',
      sellersLineReference: line['sellersReference'] ?? null,
      undone: false,
    });
    reserveLine(ims, shipment, packed);
    return row;
  });
}

/** The total of all pieces, in the unit of `each`, rounded to three decimals. */
function timesPieces(each: unknown, pieces: number): number | null {
  return typeof each === 'number' ? Math.round(each * pieces * 1000) / 1000 : null;
}

function piecesOf(line: ShipmentLineRow, given: unknown): number {
  if (line.abandoned) throw new ImsRefusal('invalid', 'ShipmentLine', `Line ${line.id} is abandoned.`);
  const open = line.numItemsOrdered - line.numItemsPacked;
  const pieces = typeof given === 'number' ? given : open;
  if (open === 0)
    throw new ImsRefusal('invalid', 'ShipmentLine', `All pieces of line ${line.id} have been packed already.`);
  if (pieces > open)
    throw new ImsRefusal('invalid', 'ShipmentLine', `Only ${open} pieces of line ${line.id} are left to pack.`);
  return pieces;
}

/** The number of pieces to draw from stock; 0 for an item that is not stocked. */
function piecesToDraw(
  ims: Ims,
  packing: { readonly line: ShipmentLineRow; readonly item: ItemRow; readonly instanceCount: number },
): number {
  const { line, item, instanceCount } = packing;
  if (!item.stocked) return 0;
  const there = drawable(ims, line);
  if (there < instanceCount && !ims.switches().packBeyondStock)
    throw new ImsRefusal('invalid', 'ShipmentLine', `Only ${there} pieces of ${item.stockKeepingUnit} are in stock.`);
  return Math.min(there, instanceCount);
}

function refuseContainerOfAnother(ims: Ims, { contextId, given }: InvocationCall, shipment: ShipmentRow): void {
  const { shippingContainerId: id } = given;
  if (id === undefined) return;
  const container = rowOfId(ims.store.shippingContainers, contextId, { resource: 'ShippingContainer', id });
  if (container.shipmentId !== shipment.id)
    throw new ImsRefusal('invalid', 'ShippingContainer', `Container ${container.id} belongs to another shipment.`);
}
