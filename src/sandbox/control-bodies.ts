import type { NewEvent } from './endpoint.js';
import type { EventTarget } from './event-delivery.js';
import type { QuickShipment } from './control.js';
import type { Fault, FaultKind } from './faults.js';
import type { Json, JsonObject } from './json.js';
import { isJsonArray, isJsonObject } from './json.js';
import type { Area } from './store.js';

/** What was sent to the control interface cannot be understood: status 400. */
export class BadControlBody extends Error {
  override readonly name = 'BadControlBody';
}

/** @throws BadControlBody */
export function readFault(body: JsonObject): Fault {
  const { method, path, times, after } = body;
  return {
    target: text(body, 'target'),
    ...(method === undefined ? {} : { method: text(body, 'method') }),
    ...(path === undefined ? {} : { path: text(body, 'path') }),
    ...(times === undefined ? {} : { times: integer(body, 'times') }),
    ...(after === undefined ? {} : { after: integer(body, 'after') }),
    ...readFaultKind(body),
  };
}

function readFaultKind(body: JsonObject): FaultKind {
  const kind = text(body, 'kind');
  switch (kind) {
    case 'status':
      return readStatusFault(body);
    case 'delay':
      return { kind, ms: integer(body, 'ms') };
    case 'trickle':
      return { kind, msPerByte: integer(body, 'msPerByte') };
    case 'redirect':
      return { kind, location: text(body, 'location') };
    case 'drop-before':
    case 'drop-after':
    case 'cut-body':
      return { kind };
    default:
      throw new BadControlBody(
        `kind is ${kind}: must be status, delay, drop-before, drop-after, cut-body, trickle or redirect`,
      );
  }
}

function readStatusFault(body: JsonObject): FaultKind {
  const status = integer(body, 'status');
  if (status < 200 || status > 599) throw new BadControlBody(`status is ${status}: must be from 200 to 599`);
  const { headers, body: answer, contentType } = body;
  return {
    kind: 'status',
    status,
    ...(headers === undefined ? {} : { headers: texts(headers) }),
    ...(answer === undefined ? {} : { body: answer }),
    ...(contentType === undefined ? {} : { contentType: text(body, 'contentType') }),
  };
}

/** One target or several. @throws BadControlBody */
export function readTargets(body: Json): readonly EventTarget[] {
  const targets = isJsonArray(body) ? body : [body];
  return targets.map((target) => {
    const members = object(target, 'a target');
    const url = text(members, 'url');
    if (!URL.canParse(url)) throw new BadControlBody('url must be an address, e.g. http://127.0.0.1:8080/events');
    return { url, ...(members['headers'] === undefined ? {} : { headers: texts(members['headers']) }) };
  });
}

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
export function readArea(body: JsonObject): Area {
  return { contextId: integer(body, 'contextId'), apiKey: text(body, 'apiKey') };
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

function texts(value: Json): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(object(value, 'headers')).map(([name, member]) => [name, String(member)]));
}
