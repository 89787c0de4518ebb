import type { Endpoint, Ims, ImsRequest } from './endpoint.js';
import { CONSIGNMENT, FULL, PURCHASING, SALES, rowOfId, rowOfPath, timestamp } from './endpoint.js';
import { readChanges } from './field-rules.js';
import type { Json, JsonObject } from './json.js';
import { isJsonArray, membersOf } from './json.js';
import type { Filters } from './lists.js';
import { filterRows, pageOf } from './lists.js';
import { present } from './present.js';
import { Refusal } from './refusal.js';
import { shipmentLineShape, shipmentShape } from './shapes.js';
import { containersOf, presentContainer } from './shipping-containers.js';
import type { Row, ShipmentRow } from './store.js';

const MAX_LINES = 1000;

const filters: Filters<ShipmentRow> = {
  only: {
    onlyNotCancelled: (shipment) => shipment.cancelled !== true,
    onlyNoDeliveryNote: (shipment) => (shipment.deliveryNoteId ?? null) === null,
    onlyNoConsignmentNote: (shipment) => (shipment.consignmentNoteId ?? null) === null,
  },
  equal: { carrierName: 'carrierName' },
  match: { shipmentNumberMatch: 'shipmentNumber', carriersShipmentNumberMatch: 'carriersShipmentNumber' },
};

export function shipmentEndpoints(ims: Ims): readonly Endpoint[] {
  const one = (request: ImsRequest) => rowOfPath(ims.store.shipments, request, 'Shipment');
  return [
    { method: 'get', path: '/shipments', scopes: [SALES, PURCHASING, CONSIGNMENT, FULL], handle: (r) => list(ims, r) },
    { method: 'post', path: '/shipments', scopes: [SALES, FULL], handle: (r) => create(ims, r) },
    {
      method: 'get',
      path: '/shipments/:id',
      scopes: [SALES, FULL, CONSIGNMENT],
      handle: (r) => presentShipment(ims, one(r)),
    },
    {
      method: 'patch',
      path: '/shipments/:id',
      scopes: [FULL, SALES],
      handle: (r) => presentShipment(ims, changeShipment(ims, one(r), r.body)),
    },
    {
      method: 'put',
      path: '/shipments/:id/:attribute',
      scopes: [SALES, FULL],
      handle: (r) => presentShipment(ims, changeShipment(ims, one(r), attributeOf(r))),
    },
    {
      method: 'get',
      path: '/shipments/:id/globalTradeItemInstances',
      scopes: [FULL, SALES],
      // Packing single items is not simulated: containers come ready-made.
      handle: (r) => (one(r), []),
    },
  ];
}

function list(ims: Ims, request: ImsRequest): Json {
  const { nulls, firstRowOrigin: origin } = ims.switches();
  const found = filterRows(ims.store.shipments.in(request.contextId), request.query, filters);
  const show =
    request.query.get('piggyback') === 'true'
      ? (row: ShipmentRow) => presentShipment(ims, row)
      : (row: ShipmentRow) => present(shipmentShape, withoutChildren(ims, row), nulls);
  return pageOf(found, request.query, { resource: 'Shipment', origin }).map(show);
}

function create(ims: Ims, request: ImsRequest): Json {
  const { customerId, customerNumber } = membersOf(request.body);
  if ((customerId ?? customerNumber ?? null) === null)
    throw new Refusal('invalid', 'Shipment', 'A shipment must refer to a customer: give customerId or customerNumber.');
  return presentShipment(ims, announce(ims, addShipment(ims, request.contextId, request.body)));
}

/**
 * Stores a new shipment with its lines; tells nobody.
 * @throws Refusal
 */
export function addShipment(ims: Ims, contextId: number, body: Json): ShipmentRow {
  const given = resolveNames(ims, contextId, readChanges(shipmentShape, body, {}));
  const shipmentNumber =
    typeof given['shipmentNumber'] === 'string' ? given['shipmentNumber'] : takeNumber(ims, contextId);
  refuseDuplicate(ims, contextId, shipmentNumber);
  const lines = readLines(body);
  const row: ShipmentRow = {
    onHold: false,
    cancelled: false,
    deliverToPickUpPoint: false,
    ...given,
    id: ims.store.nextId(),
    contextId,
    shipmentNumber,
    timeCreated: timestamp(ims),
  };
  for (const line of lines)
    ims.store.shipmentLines.put({ ...line, id: ims.store.nextId(), contextId, shipmentId: row.id, shipmentNumber });
  return ims.store.shipments.put(row);
}

/** Sends `shipmentCreated`. */
export function announce(ims: Ims, row: ShipmentRow): ShipmentRow {
  const { id: shipmentId, contextId } = row;
  const shipmentCreatedEventId = ims.events.emit({ contextId, type: 'shipmentCreated', detail: { shipmentId } });
  return ims.store.shipments.put({ ...row, shipmentCreatedEventId });
}

function readLines(body: Json): readonly JsonObject[] {
  const lines = membersOf(body)['shipmentLines'];
  if (!isJsonArray(lines)) return [];
  if (lines.length > MAX_LINES) throw new Refusal('invalid', 'Shipment', `A shipment has at most ${MAX_LINES} lines.`);
  return lines.map((line) => ({ abandoned: false, numItemsPacked: 0, ...readChanges(shipmentLineShape, line, {}) }));
}

function takeNumber(ims: Ims, contextId: number): string {
  const context = rowOfId(ims.store.contexts, contextId, { resource: 'Context', id: contextId });
  const next = Number(context['nextShipmentNumber']);
  ims.store.contexts.put({ ...context, nextShipmentNumber: next + 1 });
  return String(next);
}

function refuseDuplicate(ims: Ims, contextId: number, shipmentNumber: string): void {
  if (ims.store.shipments.in(contextId).some((other) => other.shipmentNumber === shipmentNumber))
    throw new Refusal('duplicate', 'Shipment', `There is a shipment ${shipmentNumber} already.`);
}

function changeShipment(ims: Ims, row: ShipmentRow, body: Json): ShipmentRow {
  const changes = resolveNames(ims, row.contextId, readChanges(shipmentShape, body, row));
  const shipmentNumber = changes['shipmentNumber'];
  if (typeof shipmentNumber === 'string' && shipmentNumber !== row.shipmentNumber)
    refuseDuplicate(ims, row.contextId, shipmentNumber);
  return ims.store.shipments.put({ ...row, ...changes });
}

/** `PUT /…/{attribute}` is a change of that one attribute. */
function attributeOf(request: ImsRequest): JsonObject {
  const attribute = request.params['attribute'] ?? '';
  if (!Object.hasOwn(shipmentShape.writable, attribute))
    throw new Refusal('invalid', 'Shipment', `A shipment has no attribute ${attribute} that can be set.`);
  return { [attribute]: request.body };
}

/** A carrier or seller may be given by name or by id: both are stored. */
function resolveNames(ims: Ims, contextId: number, changes: JsonObject): JsonObject {
  return {
    ...changes,
    ...resolve(changes, {
      id: 'carrierId',
      name: 'carrierName',
      resource: 'Carrier',
      rows: ims.store.carriers.in(contextId),
    }),
    ...resolve(changes, {
      id: 'sellerId',
      name: 'sellerNumber',
      resource: 'Seller',
      rows: ims.store.sellers.in(contextId),
    }),
  };
}

interface Reference {
  /** Field with the other resource's id. */
  readonly id: string;
  /** Field with its name, called the same in both resources. */
  readonly name: string;
  readonly resource: string;
  readonly rows: readonly Row[];
}

function resolve(changes: JsonObject, reference: Reference): JsonObject {
  const { id, name, resource, rows } = reference;
  const given = [changes[name], changes[id]].find((value) => value !== undefined);
  if (given === undefined) return {};
  if (given === null) return { [id]: null, [name]: null };
  const row = rows.find((other) => other[name] === given || other.id === given);
  if (row === undefined)
    throw new Refusal('unknown', resource, `There is no ${resource} ${String(given)} in this area.`);
  return { [id]: row.id, [name]: row[name] };
}

/** With its containers and lines, as one shipment alone is always shown. */
export function presentShipment(ims: Ims, row: ShipmentRow): JsonObject {
  const { nulls } = ims.switches();
  const lines = ims.store.shipmentLines.in(row.contextId).filter((line) => line.shipmentId === row.id);
  const children = {
    shipmentLines: lines.map((line) => present(shipmentLineShape, line, nulls)),
    shippingContainers: containersOf(ims, row).map((container) => presentContainer(ims, container)),
  };
  return present(shipmentShape, { ...withoutChildren(ims, row), ...children }, nulls);
}

function withoutChildren(ims: Ims, row: ShipmentRow): JsonObject {
  const seller = typeof row.sellerId === 'number' ? ims.store.sellers.find(row.contextId, row.sellerId) : null;
  return {
    ...row,
    shippingStatus: shippingStatus(row),
    sellerAddress: seller?.['address'],
    sellerContactPerson: seller?.['contactPerson'],
    customerAddress: row['customerAddress'] ?? row['deliveryAddress'],
  };
}

function shippingStatus(row: ShipmentRow): string {
  if (row.cancelled === true) return 'CANCELLED';
  if (typeof row.consignmentNoteId === 'number') return 'CONSIGNED';
  if (typeof row.deliveryNoteId === 'number') return 'PACKED';
  return row['onHold'] === true ? 'ON_HOLD' : 'NEW';
}
