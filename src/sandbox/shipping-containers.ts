import type { Endpoint, Ims, ImsRequest } from './endpoint.js';
import { CONSIGNMENT, FULL, SALES, rowOfPath, timestamp } from './endpoint.js';
import { readChanges } from './field-rules.js';
import type { Json, JsonObject } from './json.js';
import type { Filters } from './lists.js';
import { filterRows, pageOf } from './lists.js';
import { present } from './present.js';
import { Refusal } from './refusal.js';
import { containerShape, newContainerShape } from './shapes.js';
import type { ContainerRow, ShipmentRow } from './store.js';

const filters: Filters<ContainerRow> = { only: {}, equal: {}, match: { trackingNumberMatch: 'trackingNumber' } };

export function shippingContainerEndpoints(ims: Ims): readonly Endpoint[] {
  const path = '/shippingContainers';
  const one = (request: ImsRequest) => rowOfPath(ims.store.shippingContainers, request, 'ShippingContainer');
  return [
    { method: 'get', path, scopes: [SALES, FULL], handle: (r) => list(ims, r) },
    {
      method: 'post',
      path,
      scopes: [SALES, FULL],
      handle: (r) => presentContainer(ims, addContainer(ims, r.contextId, r.body)),
    },
    { method: 'get', path: `${path}/:id`, scopes: [SALES, FULL], handle: (r) => presentContainer(ims, one(r)) },
    {
      method: 'patch',
      path: `${path}/:id`,
      scopes: [FULL, CONSIGNMENT],
      handle: (r) => presentContainer(ims, change(ims, one(r), r.body)),
    },
  ];
}

function list(ims: Ims, request: ImsRequest): Json {
  const { firstRowOrigin: origin } = ims.switches();
  const found = filterRows(ims.store.shippingContainers.in(request.contextId), request.query, filters);
  return pageOf(found, request.query, { resource: 'ShippingContainer', origin }).map((row) =>
    presentContainer(ims, row),
  );
}

/** @throws Refusal */
export function addContainer(ims: Ims, contextId: number, body: Json): ContainerRow {
  const given = readChanges(newContainerShape, body, {});
  if ((given['containerTypeId'] ?? given['containerTypeName'] ?? null) === null)
    throw new Refusal('invalid', 'ShippingContainer', 'Give containerTypeId or containerTypeName.');
  const shipment = shipmentOf(ims, contextId, given);
  return ims.store.shippingContainers.put({
    ...given,
    id: ims.store.nextId(),
    contextId,
    shipmentId: shipment.id,
    timeCreated: timestamp(ims),
  });
}

function change(ims: Ims, row: ContainerRow, body: Json): ContainerRow {
  const changes = readChanges(containerShape, body, row);
  const moved = changes['shipmentId'] !== undefined || changes['shipmentNumber'] !== undefined;
  const shipmentId = moved ? shipmentOf(ims, row.contextId, changes).id : row.shipmentId;
  return ims.store.shippingContainers.put({ ...row, ...changes, shipmentId });
}

function shipmentOf(ims: Ims, contextId: number, given: JsonObject): ShipmentRow {
  const { shipmentId, shipmentNumber } = given;
  const shipment = ims.store.shipments
    .in(contextId)
    .find((row) => (shipmentId === undefined ? row.shipmentNumber === shipmentNumber : row.id === shipmentId));
  if (shipment === undefined)
    throw new Refusal(
      'unknown',
      'Shipment',
      `There is no shipment ${String(shipmentId ?? shipmentNumber)} in this area.`,
    );
  return shipment;
}

export function containersOf(ims: Ims, shipment: ShipmentRow): readonly ContainerRow[] {
  return ims.store.shippingContainers.in(shipment.contextId).filter((row) => row.shipmentId === shipment.id);
}

export function presentContainer(ims: Ims, row: ContainerRow): JsonObject {
  const shipment = ims.store.shipments.find(row.contextId, row.shipmentId);
  const ofShipment = {
    shipmentNumber: shipment?.shipmentNumber,
    carrierName: shipment?.carrierName,
    carriersShipmentNumber: shipment?.['carriersShipmentNumber'],
  };
  // A weight somebody entered takes the place of the one that was computed.
  const grossWeight = row['weight'] ?? row['grossWeight'];
  return present(newContainerShape, { ...row, ...ofShipment, grossWeight }, ims.switches().nulls);
}
