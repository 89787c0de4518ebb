import type { NewEvent } from './endpoint.js';
import type { OtherDocument } from './other-documents.js';
import type { QuickShipment } from './quick-shipment.js';
import type { Json, JsonObject } from './json.js';
import { isJsonArray, isJsonObject } from './json.js';
import { BadControlBody, readWhole } from './members.js';
import { LARGEST_SEED } from './random.js';
import type { Area } from './store.js';
import type { Client } from './tokens.js';

/** @throws BadControlBody */
export function readQuickShipment(body: JsonObject): QuickShipment {
  const { containers, event } = body;
  if (event !== undefined && event !== 'send' && event !== 'none')
    throw new BadControlBody('event must be "send" or "none"');
  return {
    area: integer(body, 'area'),
    shipment: object(body['shipment'] ?? {}, 'shipment'),
    ...(isJsonArray(containers) ? { containers: containers.map((container) => object(container, 'a container')) } : {}),
    ...(event === undefined ? {} : { event }),
  };
}

/** @throws BadControlBody */
export function readHandOver(body: JsonObject): { readonly area: number; readonly shipmentIds?: readonly number[] } {
  const { shipmentIds } = body;
  return {
    area: integer(body, 'area'),
    ...(shipmentIds === undefined ? {} : { shipmentIds: ids(body, 'shipmentIds') }),
  };
}

/** @throws BadControlBody */
export function readOtherDocument(body: JsonObject): OtherDocument {
  const { shipmentIds, globalTradeItemIds, inboundShipmentId } = body;
  return {
    area: integer(body, 'area'),
    documentType: text(body, 'documentType'),
    ...(shipmentIds === undefined ? {} : { shipmentIds: ids(body, 'shipmentIds') }),
    ...(globalTradeItemIds === undefined ? {} : { globalTradeItemIds: ids(body, 'globalTradeItemIds') }),
    ...(inboundShipmentId === undefined ? {} : { inboundShipmentId: integer(body, 'inboundShipmentId') }),
  };
}

function ids(body: JsonObject, name: string): readonly number[] {
  const value = body[name];
  if (!isJsonArray(value)) throw new BadControlBody(`${name} must be a list of ids`);
  return value.map(Number);
}

/** @throws BadControlBody */
export function readArea(body: JsonObject): Area {
  return { contextId: integer(body, 'contextId'), apiKey: text(body, 'apiKey') };
}

/** @throws BadControlBody with every problem */
export function readClient(body: JsonObject): Client {
  return readWhole(body, (members) => {
    const clientId = members.text('clientId');
    // Basic authentication ends a name at the first colon.
    if (clientId === '' || clientId.includes(':')) members.problem('clientId', 'must be text without a colon', null);
    return { clientId, secret: members.text('secret'), scopes: members.texts('scopes') };
  });
}

/** @throws BadControlBody with every problem */
export function readSeed(body: JsonObject): number {
  return readWhole(body, (members) => members.whole('seed', { max: LARGEST_SEED }));
}

/** @throws BadControlBody */
export function readEvent(body: JsonObject): NewEvent {
  const detail = Object.entries(object(body['detail'] ?? {}, 'detail')).map(([name, value]) => [name, value ?? null]);
  return { contextId: integer(body, 'area'), type: text(body, 'type'), detail: Object.fromEntries(detail) };
}

/** @throws BadControlBody */
export function object(value: Json | undefined, name: string): JsonObject {
  if (!isJsonObject(value)) throw new BadControlBody(`${name} must be a JSON object`);
  return value;
}

/** @throws BadControlBody */
export function text(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new BadControlBody(`${name} must be text`);
  return value;
}

/** @throws BadControlBody */
export function integer(body: JsonObject, name: string): number {
  const value = body[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new BadControlBody(`${name} must be a whole number`);
  return value;
}
