import type { HttpRequest } from '../../carriers/contract/http-port.js';

/** One operation of the IMS that we use. */
export interface ImsOperation {
  readonly method: HttpRequest['method'];
  /** Below the base address; `{id}` is replaced. */
  readonly path: string;
  /** Token scopes of which any one allows it. */
  readonly scopes: readonly string[];
  /** Scopes that should allow it but are listed in another spelling: the call is tried, and a refusal counts. */
  readonly doubtfulScopes?: readonly string[];
  /**
   * Whether sending it again does no harm when the answer to the first was lost. A file of the same name replaces the
   * first; a message shown twice is better than one that never arrives; a label printed twice ends up on the wrong
   * parcel.
   */
  readonly repeatable: 'yes' | 'no';
  /** Completes "Could not …" and "may not …". */
  readonly does: string;
  /** The effect for people while it is not allowed. */
  readonly lost: string;
}

/** Paths and scopes as in the endpoint tables of the IMS's interface description, version 2. */
const operations = {
  setWorkStatus: {
    method: 'PATCH',
    path: '/documents/{id}',
    scopes: ['api/full', 'api/sales'],
    repeatable: 'yes',
    does: 'set the work status of a document',
    lost: 'transport bookings stay PENDING in the IMS, also when they are booked or refused',
  },
  loadDocument: {
    method: 'GET',
    path: '/documents/{id}',
    scopes: ['api/full', 'api/sales', 'api/purchasing', 'api/accounting'],
    repeatable: 'yes',
    does: 'read a document',
    lost: 'events that do not say their document type are not understood',
  },
  listDocuments: {
    method: 'GET',
    path: '/documents',
    scopes: ['api/full', 'api/sales', 'api/purchasing'],
    repeatable: 'yes',
    does: 'list documents',
    lost: 'bookings whose event was lost are not found again',
  },
  loadShipment: {
    method: 'GET',
    path: '/shipments/{id}',
    scopes: ['api/full', 'api/sales', 'api/consignment'],
    repeatable: 'yes',
    does: 'read a shipment',
    lost: 'nothing can be booked',
  },
  listShipments: {
    method: 'GET',
    path: '/shipments',
    scopes: ['api/full', 'api/sales', 'api/purchasing', 'api/consignment'],
    repeatable: 'yes',
    does: 'list shipments',
    lost: 'bookings whose event was lost are not found again',
  },
  listPackedItems: {
    method: 'GET',
    path: '/shipments/{id}/globalTradeItemInstances',
    scopes: ['api/full', 'api/sales'],
    repeatable: 'yes',
    does: 'read what is packed in a shipment',
    lost: 'rules and checks know nothing of dangerous goods',
  },
  patchShipment: {
    method: 'PATCH',
    path: '/shipments/{id}',
    scopes: ['api/full', 'api/sales'],
    repeatable: 'yes',
    does: 'change a shipment',
    lost: "the carrier and the carrier's shipment number are not written to shipments",
  },
  patchShippingContainer: {
    method: 'PATCH',
    path: '/shippingContainers/{id}',
    scopes: ['api/full', 'api/consignment'],
    repeatable: 'yes',
    does: 'change a shipping container',
    lost: 'tracking numbers are not written to shipping containers: they stand on the labels and in the operator API',
  },
  attachToDocument: {
    method: 'POST',
    path: '/documents/{id}/attachments',
    scopes: ['api/full'],
    repeatable: 'yes',
    does: 'attach a file to a document',
    lost: 'labels are neither attached to the transport booking nor printed: the worker gets a link to the label',
  },
  attachToShipment: {
    method: 'POST',
    path: '/shipments/{id}/attachments',
    scopes: ['api/full'],
    repeatable: 'yes',
    does: 'attach a file to a shipment',
    lost: 'labels are not attached to shipments: the worker gets a link to the label',
  },
  postEventMessage: {
    method: 'POST',
    path: '/events/{id}/messages',
    scopes: ['api/full', 'api/sales', 'api/purchasing', 'api/consigment'],
    doubtfulScopes: ['api/consignment'],
    repeatable: 'yes',
    does: 'post a message to an event',
    lost: 'workers are not told what went wrong',
  },
  printResource: {
    method: 'POST',
    path: '/invocations/printResource',
    scopes: ['api/full'],
    repeatable: 'no',
    does: 'print a resource',
    lost: 'labels are not printed',
  },
  printDocument: {
    method: 'POST',
    path: '/invocations/printDocument',
    scopes: ['api/full'],
    repeatable: 'no',
    does: 'print a document',
    lost: 'labels are not printed',
  },
  loadContext: {
    method: 'GET',
    path: '/contexts/{id}',
    scopes: ['api/full', 'api/sales', 'api/purchasing', 'api/consignment'],
    repeatable: 'yes',
    does: 'read an area',
    lost: "the area's own address cannot be used as the sender",
  },
  loadSeller: {
    method: 'GET',
    path: '/sellers/{id}',
    scopes: ['api/full', 'api/sales'],
    repeatable: 'yes',
    does: 'read a seller',
    lost: "the area's address is the sender of a seller's parcels",
  },
  listSellers: {
    method: 'GET',
    path: '/sellers',
    scopes: ['api/full', 'api/sales'],
    repeatable: 'yes',
    does: 'list sellers',
    lost: 'this check does not see the settings that sellers keep in the IMS',
  },
  listCarriers: {
    method: 'GET',
    path: '/carriers',
    scopes: ['api/full'],
    repeatable: 'yes',
    does: 'list carriers',
    lost: 'carrier settings that are kept in the IMS are not found',
  },
} as const satisfies Readonly<Record<string, ImsOperation>>;

export type OperationName = keyof typeof operations;

/** Every operation with its name, in the order of the table. */
export const operationNames = Object.keys(operations) as readonly OperationName[];

/** The table's row, under its general type. */
export function operation(name: OperationName): ImsOperation {
  return operations[name];
}

/** The queue of a call: bookings go before background work. */
export type Priority = 'booking' | 'background';
