import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import type { Answer, Ask } from '../support.js';
import { clientOf, closeAll, openSandbox, tokenOf } from '../support.js';
import { attributes, unknownId } from './examples.js';
import { exampleOf, goodBody, pathToNothing, pathToRow, pathWith, send } from './requests.js';
import type { Kind, Rows } from './rows.js';
import { createRows } from './rows.js';
import type { Operation, Scopes } from './tables.js';
import { MEANT, METHODS, allOperations, hasBody, isList, nameOf, plausibleValue } from './tables.js';

const SCOPES_OF_CLIENTS = {
  full: ['api/full', 'api/consignment'],
  sales: ['api/sales'],
  purchasing: ['api/purchasing'],
  forecasting: ['api/forecasting'],
  accounting: ['api/accounting'],
  consignment: ['api/consignment'],
};

const KEY = 'area-1-key';
const NO_LIMITS = { requestsPerSecond: null, requestsPerDay: null };
const UNKNOWN_PATH = { message: 'Missing Authentication Token' };

const asking = new Map<string, Ask>();
let sandbox: Sandbox;
let token: string;
let ask: Ask;
let rows: Rows;

beforeAll(async () => {
  sandbox = await openSandbox({ limits: NO_LIMITS });
  for (const client of Object.keys(SCOPES_OF_CLIENTS)) asking.set(client, await clientOf(sandbox, client));
  token = await tokenOf(sandbox);
  ask = await clientOf(sandbox);
  rows = createRows(ask);
});

/** Every answer is compared with the description, which takes a while. */
afterAll(closeAll);

function named(operations: readonly Operation[]): [string, Operation][] {
  return operations.map((operation) => [nameOf(operation), operation]);
}

/** A request that changes nothing. */
function harmless(operation: Operation) {
  return { method: operation.method, path: pathToNothing(operation), body: hasBody(operation) ? '{}' : null };
}

function refusal(messageCode: string | RegExp) {
  return {
    status: 422,
    body: {
      messageType: 'ERROR',
      messageCode: expect.stringMatching(messageCode),
      messageText: expect.stringMatching(/\S/),
    },
  };
}

const ANY_REFUSAL = refusal(/^[a-z]+_([A-Z][a-z]*)+$/);

function seen({ status, body }: Answer) {
  return { status, body };
}

function admits(scopes: Scopes, held: readonly string[]): boolean {
  return scopes === 'key only' || scopes.some((scope) => held.includes(scope) || held.includes(MEANT[scope] ?? ''));
}

const inTheTables = named(allOperations);
const withToken = named(allOperations.filter(({ scopes }) => scopes !== 'key only'));
const withKeyOnly = named(allOperations.filter(({ scopes }) => scopes === 'key only'));
const withBody = named(allOperations.filter(hasBody));
const withMembers = named(allOperations.filter((each) => hasBody(each) && each.method !== 'PUT'));
const misspelt = named(allOperations.filter(({ scopes }) => scopes !== 'key only' && scopes.some((s) => s in MEANT)));

describe('the gateway', () => {
  it.each(inTheTables)('knows %s', async (_name, operation) => {
    const { body } = await send(sandbox, harmless(operation), { token, apiKey: KEY });
    expect(body).not.toEqual(UNKNOWN_PATH);
  });

  it.each(inTheTables)('admits to %s the clients whose scope is listed, and no other', async (_name, operation) => {
    const { method, path, body } = harmless(operation);
    const admitted: string[] = [];
    for (const [client, askAs] of asking) {
      const answer = await askAs(`${method} ${path}`, body === null ? {} : { body });
      if (answer.status === 403) expect(answer.body).toEqual({ message: 'Forbidden' });
      else if (answer.status !== 401) admitted.push(client);
    }
    const listed = Object.entries(SCOPES_OF_CLIENTS).filter(([, held]) => admits(operation.scopes, held));
    expect(admitted).toEqual(listed.map(([client]) => client));
  });

  it.each(withToken)('asks for a token at %s', async (_name, operation) => {
    const answer = await send(sandbox, harmless(operation), { token: null, apiKey: KEY });
    expect(seen(answer)).toEqual({ status: 401, body: { message: 'Unauthorized' } });
  });

  it.each(withKeyOnly)('asks for no token at %s', async (_name, operation) => {
    const { status } = await send(sandbox, harmless(operation), { token: null, apiKey: KEY });
    expect([200, 422]).toContain(status);
  });

  it.each(inTheTables)('asks for a key at %s', async (_name, operation) => {
    const tokenOfIts = operation.scopes === 'key only' ? null : token;
    const answer = await send(sandbox, harmless(operation), { token: tokenOfIts, apiKey: null });
    expect(seen(answer)).toEqual({ status: 403, body: { message: 'Forbidden' } });
  });

  it.each(withBody)('rejects at %s what is no JSON', async (_name, operation) => {
    const answer = await ask(`${operation.method} ${pathToNothing(operation)}`, { body: '{"half":' });
    expect(seen(answer)).toEqual({ status: 400, body: { message: expect.any(String) } });
  });

  it.each(withBody)('rejects at %s what does not say that it is JSON', async (_name, operation) => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await ask(`${operation.method} ${pathToNothing(operation)}`, { body: '{}', headers });
    expect(seen(answer)).toEqual({ status: 415, body: { message: expect.any(String) } });
  });
});

describe('a scope that is misspelt in the tables', () => {
  let strict: Sandbox;

  beforeAll(async () => {
    strict = await openSandbox({ limits: NO_LIMITS, switches: { strictScopeSpelling: true } });
  });

  async function statusFor(where: Sandbox, operation: Operation, scope: string): Promise<number> {
    const clientId = `only ${scope}`;
    where.control.addClient({ clientId, secret: `${clientId}-secret`, scopes: [scope] });
    const answer = await send(where, harmless(operation), { token: await tokenOf(where, clientId), apiKey: KEY });
    return answer.status;
  }

  function spellings({ scopes }: Operation): { readonly asListed: string; readonly asMeant: string } {
    const asListed = scopes === 'key only' ? undefined : scopes.find((scope) => scope in MEANT);
    const asMeant = MEANT[asListed ?? ''];
    if (asListed === undefined || asMeant === undefined) throw new Error('none of its scopes is misspelt');
    return { asListed, asMeant };
  }

  it.each(misspelt)('admits to %s as it is listed and as it is meant', async (_name, operation) => {
    const { asListed, asMeant } = spellings(operation);
    expect(await statusFor(sandbox, operation, asListed)).toBe(422);
    expect(await statusFor(sandbox, operation, asMeant)).toBe(422);
  });

  it.each(misspelt)('admits to %s only as it is listed, when spelling is strict', async (_name, operation) => {
    const { asListed, asMeant } = spellings(operation);
    expect(await statusFor(strict, operation, asListed)).toBe(422);
    expect(await statusFor(strict, operation, asMeant)).toBe(403);
  });
});

describe('the service', () => {
  it.each(inTheTables)('does %s', async (_name, operation) => {
    const path = await pathToRow(operation, rows);
    const body = await goodBody(operation, rows);
    const answer = await ask(`${operation.method} ${path}`, body === null ? {} : { body });
    expect(answer.status).toBe(200);
    if (operation.method !== 'DELETE') expect(answer.body).toEqual(expect.any(isList(operation) ? Array : Object));
  });

  const withId = named(allOperations.filter(({ resource }) => resource !== null));

  it.each(withId)('does not know the id in %s', async (_name, operation) => {
    const body = await goodBody(operation, rows);
    const answer = await ask(`${operation.method} ${pathToNothing(operation)}`, body === null ? {} : { body });
    expect(seen(answer)).toEqual(refusal(`^unknown_${operation.resource}$`));
  });

  const references = withMembers.flatMap(([name, operation]) =>
    Object.entries(exampleOf(operation).names ?? {}).map(
      ([member, resource]): [
        string,
        { readonly member: string; readonly resource: string; readonly operation: Operation },
      ] => [`${member} in the body of ${name}`, { member, resource, operation }],
    ),
  );

  it.each(references)('does not know the %s', async (_name, { member, resource, operation }) => {
    const body = { ...(await exampleOf(operation).body(rows)), [member]: unknownId(resource) };
    const answer = await ask(`${operation.method} ${await pathToRow(operation, rows)}`, { body });
    expect(seen(answer)).toEqual(refusal(`^unknown_${resource}$`));
  });

  it.each(withBody)('refuses an array as the body of %s', async (_name, operation) => {
    const answer = await ask(`${operation.method} ${await pathToRow(operation, rows)}`, { body: [{}] });
    expect(seen(answer)).toEqual(ANY_REFUSAL);
  });

  const typed = withMembers.filter(([, operation]) => exampleOf(operation).scalar !== null);

  it.each(typed)('refuses a member of another type in the body of %s', async (_name, operation) => {
    const { body, scalar } = exampleOf(operation);
    const wrong = { ...(await body(rows)), [scalar ?? '']: { not: 'a scalar' } };
    const answer = await ask(`${operation.method} ${await pathToRow(operation, rows)}`, { body: wrong });
    expect(seen(answer)).toEqual(ANY_REFUSAL);
  });

  const sets = named(allOperations.filter(({ method }) => method === 'PUT'));

  it.each(sets)('refuses an attribute that does not exist in %s', async (_name, operation) => {
    const path = (await pathToRow(operation, rows)).replace(/\w+$/, 'neverHeardOf');
    expect(seen(await ask(`PUT ${path}`, { body: '"x"' }))).toEqual(ANY_REFUSAL);
  });

  it.each(sets)('refuses a literal of another type in %s', async (_name, operation) => {
    const wrong = JSON.stringify(attributes[operation.path]?.wrong);
    expect(seen(await ask(`PUT ${await pathToRow(operation, rows)}`, { body: wrong }))).toEqual(ANY_REFUSAL);
  });
});

describe('the list of', () => {
  // A filter that cannot cope with rows shows only where there are some.
  beforeAll(() => rows.fill());

  const lists = named(allOperations.filter(isList));
  const narrowed = lists.flatMap(([name, operation]) =>
    operation.filters.map((filter): [string, string, Operation] => [
      name,
      `${filter}=${plausibleValue(filter)}`,
      operation,
    ]),
  );

  it.each(narrowed)('%s can be narrowed by %s', async (_name, query, operation) => {
    const answer = await ask(`GET ${await pathToRow(operation, rows)}?${query}`);
    expect(seen(answer)).toEqual({ status: 200, body: expect.any(Array) });
  });

  it.each(lists)('%s has no more rows than are asked for', async (_name, operation) => {
    const { status, body } = await ask(`GET ${await pathToRow(operation, rows)}?maxNumRows=1`);
    expect({ status, body }).toEqual({ status: 200, body: expect.any(Array) });
    expect(body.length).toBeLessThanOrEqual(1);
  });

  it.each(lists)('%s is refused when the number of rows is none', async (_name, operation) => {
    const answer = await ask(`GET ${await pathToRow(operation, rows)}?maxNumRows=abc`);
    expect(seen(answer)).toEqual(ANY_REFUSAL);
  });
});

describe('what is not in the tables', () => {
  /** Integrations use these, so the sandbox has them unless it is told otherwise. */
  const inUse: [string, Kind | null][] = [
    ['GET /contexts/{id}/dataDocument', 'Context'],
    ['PATCH /suppliers/{id}/dataDocument', 'Supplier'],
    ['PATCH /globalTradeItems/{id}/dataDocument', 'GlobalTradeItem'],
    ['GET /dataExtensions', null],
  ];
  const patterns = allOperations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // PUT of `/shipments/1/attachments` is no gap: there it is the name of an attribute.
  const isListed = (method: string, path: string) =>
    patterns.some((each) => each.method === method && each.pattern.test(path));
  const pathsOfTables = [...new Set(allOperations.map((operation) => pathWith(operation, 1)))];
  const gaps = pathsOfTables.flatMap((path) =>
    [...METHODS, 'HEAD', 'OPTIONS'].filter((method) => !isListed(method, path)).map((method) => `${method} ${path}`),
  );
  let described: Ask;

  beforeAll(async () => {
    described = await clientOf(await openSandbox({ limits: NO_LIMITS, switches: { onlyDescribedPaths: true } }));
  });

  const unknown = new Set([
    ...gaps,
    ...inUse.map(([request]) => request.replace('{id}', '1')),
    'GET /',
    'GET /pallets',
    'GET /Shipments',
    'GET /shipments/',
    'GET //shipments',
    'GET /shipments/1/lines',
    'GET /shipments/1/attachments/1',
    'GET /events',
    'GET /events/1',
    'GET /contexts',
    'GET /stockTakings',
    'GET /inventoryTransactions/1',
    'PATCH /inboundShipmentLines/1',
    'GET /invocations',
    'POST /invocations',
    'POST /invocations/undoPack',
    'POST /invocations/createConsignmentNote',
    'POST /invocations/cancelDocument',
  ]);

  it.each([...unknown])('is answered as an unknown path: %s', async (request) => {
    const answer = await described(request, /^(POST|PUT|PATCH)/.test(request) ? { body: {} } : {});
    // An answer to HEAD never has a body.
    expect(seen(answer)).toEqual({ status: 403, body: request.startsWith('HEAD') ? '' : UNKNOWN_PATH });
  });

  it.each(inUse)('is there for the integrations that use it: %s', async (request, kind) => {
    const filled = kind === null ? request : request.replace('{id}', String(await rows.id(kind)));
    const answer = await ask(filled, request.startsWith('GET') ? {} : { body: {} });
    expect(seen(answer)).toEqual({ status: 200, body: expect.any(Object) });
  });
});
