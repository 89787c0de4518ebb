import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import type { Answer } from '../support.js';
import { read } from '../support.js';
import { attributes, examples, unknownId } from './examples.js';
import type { Example } from './examples.js';
import type { Id, Rows } from './rows.js';
import { isKind } from './rows.js';
import type { Operation } from './tables.js';
import { nameOf } from './tables.js';

/** What a request needs to pass the gateway; what is `null` is not sent. */
export interface Credentials {
  readonly token: string | null;
  readonly apiKey: string | null;
}

/** Unlike the tests' usual client, it can leave out credentials. */
export async function send(
  sandbox: Sandbox,
  request: { readonly method: string; readonly path: string; readonly body: string | null },
  { token, apiKey }: Credentials,
): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  if (apiKey !== null) headers['x-api-key'] = apiKey;
  const { method, path, body } = request;
  return read(await fetch(`${sandbox.imsBaseUrl}${path}`, { method, headers, body }));
}

/** The operation's path with that id and, where it has one, an attribute that exists or the one given. */
export function pathWith(operation: Operation, id: Id, attribute = attributes[operation.path]?.attribute): string {
  return operation.path.replace('{id}', String(id)).replace('{attribute}', attribute ?? 'neverHeardOf');
}

/** The operation's path with an id that nothing has. */
export function pathToNothing(operation: Operation): string {
  return pathWith(operation, unknownId(operation.resource ?? ''));
}

/** The operation's path with a row that exists; one of its own where the operation changes it. */
export async function pathToRow(operation: Operation, rows: Rows): Promise<string> {
  const { method, path, resource } = operation;
  const kind = path.endsWith('/deliveryNote') ? 'ShipmentWithDeliveryNote' : resource;
  if (kind === null) return path;
  if (!isKind(kind)) throw new Error(`no way to have a ${kind}`);
  return pathWith(operation, await (method === 'GET' ? rows.id(kind) : rows.fresh(kind)));
}

export function exampleOf(operation: Operation): Example {
  const example = examples[nameOf(operation)];
  if (example === undefined) throw new Error(`no example of ${nameOf(operation)}`);
  return example;
}

/** A body as JSON that the service takes; `null` where none is sent. */
export async function goodBody(operation: Operation, rows: Rows): Promise<string | null> {
  if (operation.method === 'GET' || operation.method === 'DELETE') return null;
  const set = attributes[operation.path];
  return JSON.stringify(set === undefined ? await exampleOf(operation).body(rows) : set.value);
}
