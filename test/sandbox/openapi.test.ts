import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Resource } from '../../src/sandbox/schema/resource.js';
import { equal, match, only, value } from '../../src/sandbox/schema/resource.js';
import type { ImsEndpoint } from '../../src/sandbox/api/endpoint.js';
import type { Json } from '../../src/sandbox/store/json.js';
import { imsApiDocument } from '../../src/sandbox/openapi/document.js';
import { docsRouter } from '../../src/sandbox/openapi/docs-router.js';
import { exchangeTap, type ImsExchange } from '../../src/sandbox/openapi/exchange-tap.js';
import { openApiRouter } from '../../src/sandbox/openapi/openapi-router.js';
import { conformityChecker } from './conformity.js';
import type { Answer } from './support.js';
import { closeAll, openSandbox, read } from './support.js';

const VERSION = '2026-01-31T10:00:00Z';

const crate: Resource = {
  name: 'Crate',
  needed: ['crateNumber'],
  references: [{ id: 'carrierId', key: 'carrierName', to: 'Carrier', needed: true }],
  fields: {
    crateNumber: { kind: 'text', min: 1, max: 36, singleLine: 'yes', always: true },
    carrierId: { kind: 'number', fractionDigits: 0 },
    carrierName: { kind: 'text' },
    status: { kind: 'one-of', values: ['OPEN', 'CLOSED'] },
    weight: { kind: 'number', min: 0.001, max: 999.999, fractionDigits: 3 },
    sentOn: { kind: 'date' },
    timeCreated: { kind: 'date-time', set: 'by-service' },
    address: { kind: 'object', fields: { postalCode: { kind: 'text', max: 255 } } },
    dataDocument: { kind: 'json-text' },
    lines: { kind: 'list', of: 'CrateLine', set: 'by-service' },
    labels: { kind: 'list', of: 'Label', set: 'by-service' },
  },
};

const crateLine: Resource = {
  name: 'CrateLine',
  needed: ['numItems'],
  references: [{ id: 'crateId', key: 'crateNumber', to: 'Crate', needed: true }],
  fields: {
    crateId: { kind: 'number', fractionDigits: 0, set: 'on-create', always: true },
    crateNumber: { kind: 'text', set: 'on-create' },
    numItems: { kind: 'number', min: 1, fractionDigits: 0, always: true },
  },
};

const silent = (): Json => null;
const one = { kind: 'one', of: crate } as const;
const crates: readonly ImsEndpoint[] = [
  {
    ...{ method: 'get', path: '/crates', scopes: ['api/sales', 'api/full'], isList: true },
    answer: { kind: 'list', of: crate },
    filters: {
      crateNumberMatch: match('crateNumber', 'carrierName'),
      carrierName: equal('carrierName'),
      onlyOpen: only('that are open', () => true),
      minWeight: value('number', 'with at least this weight', () => true),
    },
    handle: silent,
  },
  {
    method: 'post',
    path: '/crates',
    scopes: ['api/full'],
    body: { kind: 'create', of: crate },
    answer: one,
    handle: silent,
  },
  { method: 'get', path: '/crates/:id', scopes: [], answer: one, handle: silent },
  {
    method: 'patch',
    path: '/crates/:id',
    scopes: ['api/full'],
    body: { kind: 'change', of: crate },
    answer: one,
    handle: silent,
  },
  { method: 'put', path: '/crates/:id/:attribute', scopes: [], body: { kind: 'literal' }, answer: one, handle: silent },
  { method: 'delete', path: '/crates/:id', scopes: ['api/full'], answer: one, handle: silent },
  {
    method: 'get',
    path: '/crateLines',
    scopes: ['api/full'],
    isList: true,
    answer: { kind: 'list', of: crateLine },
    handle: silent,
  },
  {
    ...{ method: 'patch', path: '/crates', scopes: ['api/full'], answer: one, beyondTables: 'guides' },
    body: { kind: 'change', of: crate, needed: ['id'] },
    handle: silent,
  },
  {
    ...{ method: 'post', path: '/invocations/closeCrate', scopes: ['api/full'], answer: { kind: 'object' } },
    body: { kind: 'parameters', name: 'CloseCrate', fields: { crateId: { kind: 'number' } }, needed: ['crateId'] },
    handle: silent,
  },
  {
    ...{ method: 'post', path: '/events/:id/messages', scopes: ['api/consigment'], answer: { kind: 'object' } },
    body: { kind: 'object' },
    handle: silent,
  },
  {
    ...{ method: 'post', path: '/crates/:id/lines', scopes: ['api/full'], answer: { kind: 'object' } },
    body: { kind: 'create', of: crateLine },
    handle: silent,
  },
  {
    method: 'get',
    path: '/shipments',
    scopes: ['api/full'],
    isList: true,
    answer: { kind: 'list', of: crate },
    handle: silent,
  },
];

const about = { version: VERSION, origin: 'http://127.0.0.1:9090', authUrl: 'http://127.0.0.1:9090' };
// What the document says is looked at freely: the test asserts its shape.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const described = (): any => JSON.parse(JSON.stringify(imsApiDocument(crates, about)));

describe('the description of the interface', () => {
  it('is a valid OpenAPI document', async () => {
    expect(await new Validator().validate(described())).toEqual({ valid: true });
  });

  it('is of version 3.0.1, with a timestamp for its own version and a base path of /2', () => {
    const { openapi, info, servers } = described();
    expect(openapi).toBe('3.0.1');
    expect(info.version).toBe(VERSION);
    expect(servers).toEqual([{ url: 'http://127.0.0.1:9090{basePath}', variables: { basePath: { default: '/2' } } }]);
  });

  it('has every endpoint, each with an operationId of its own', () => {
    const { paths } = described();
    const operations = crates.map(({ method, path }) => paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method]);
    expect(operations).not.toContain(undefined);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(crates.length);
    expect(operations[0].tags).toEqual(['crates']);
  });

  it('has every filter of a list, with what it means, and the page', () => {
    const { parameters } = described().paths['/crates'].get;
    expect(parameters.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      ['carrierName', 'crateNumberMatch', 'firstRow', 'maxNumRows', 'minWeight', 'onlyOpen', 'piggyback'].toSorted(),
    );
    const saying = (name: string) => parameters.find((each: { name: string }) => each.name === name).description;
    expect(saying('crateNumberMatch')).toContain('`crateNumber` or `carrierName`');
    expect(saying('onlyOpen')).toContain('that are open');
  });

  it('says of every operation what admits to it: any one of its scopes and the key, or the key alone', () => {
    const { paths } = described();
    expect(paths['/crates'].get.security).toEqual([
      { accessToken: ['api/sales'], areaKey: [] },
      { accessToken: ['api/full'], areaKey: [] },
    ]);
    expect(paths['/crates/{id}'].get.security).toEqual([{ areaKey: [] }]);
  });

  it('knows every scope that an operation names, also a misspelt one', () => {
    const { components } = described();
    const { scopes, tokenUrl } = components.securitySchemes.accessToken.flows.clientCredentials;
    expect(Object.keys(scopes)).toEqual(expect.arrayContaining(['api/full', 'api/consignment', 'api/consigment']));
    expect(tokenUrl).toBe('http://127.0.0.1:9090/oauth2/token');
  });

  it('describes a resource: null unless it is always there, read-only fields, twins for display, limits', () => {
    const { Crate } = described().components.schemas;
    const { properties } = Crate;
    expect(Crate).toMatchObject({ required: ['id', 'contextId', 'crateNumber'], additionalProperties: true });
    expect(properties.crateNumber).toMatchObject({ type: 'string', minLength: 1, maxLength: 36 });
    expect(properties.crateNumber).not.toHaveProperty('nullable');
    expect(properties.status).toEqual({ type: 'string', nullable: true, enum: ['OPEN', 'CLOSED', null] });
    expect(properties.localizedStatus).toMatchObject({ nullable: true, readOnly: true });
    expect(properties.timeCreated).toEqual({ type: 'string', format: 'date-time', nullable: true, readOnly: true });
    expect(properties.weight).not.toHaveProperty('multipleOf');
    expect(properties.lines.items).toEqual({ $ref: '#/components/schemas/CrateLine' });
  });

  it('takes a resource that nothing else describes for any object', () => {
    expect(described().components.schemas.Label).toMatchObject({ type: 'object', additionalProperties: true });
  });

  it('says what creates and what changes a resource', () => {
    const { NewCrate, CrateChanges } = described().components.schemas;
    expect(NewCrate.required).toEqual(['crateNumber']);
    expect(NewCrate.allOf).toMatchObject([{ anyOf: [{ required: ['carrierId'] }, { required: ['carrierName'] }] }]);
    expect(NewCrate.properties.lines.items.required).toEqual(['numItems']);
    expect(CrateChanges).not.toHaveProperty('required');
    expect(Object.keys(CrateChanges.properties)).toContain('address_postalCode');
    expect(Object.keys(CrateChanges.properties)).not.toContain('timeCreated');
  });

  it('does not ask a body for what the path says', () => {
    const operation = described().paths['/crates/{id}/lines'].post;
    const { schema, example } = operation.requestBody.content['application/json'];
    expect(schema.required).toEqual(['numItems']);
    expect(schema).not.toHaveProperty('allOf');
    expect(example).toEqual({ numItems: 1 });
  });

  it('begins every body with an example that is as described', () => {
    const { paths } = described();
    const exampleOf = (path: string, method: string) =>
      paths[path][method].requestBody.content['application/json'].example;
    expect(exampleOf('/crates', 'post')).toEqual({
      carrierName: 'text',
      crateNumber: 'text',
      lines: [{ numItems: 1 }],
    });
    expect(exampleOf('/crates', 'patch')).toEqual({ id: 1, dataDocument: '{"MyApplication":{}}' });
    expect(exampleOf('/invocations/closeCrate', 'post')).toEqual({ crateId: 1 });
  });

  it('takes ids for whole numbers, and for UUIDs where events are meant', () => {
    const { paths } = described();
    expect(paths['/crates/{id}'].get.parameters[0].schema).toEqual({ type: 'integer', format: 'int64' });
    expect(paths['/events/{id}/messages'].post.parameters[0].schema).toEqual({ type: 'string', format: 'uuid' });
    expect(paths['/crates/{id}/{attribute}'].put.parameters[1].schema.enum).toContain('weight');
  });

  it('lists a redirect for the list of shipments alone', () => {
    const { paths } = described();
    expect(paths['/shipments'].get.responses).toHaveProperty('302');
    expect(paths['/crates'].get.responses).not.toHaveProperty('302');
  });

  it('cannot be made of endpoints that contradict each other', () => {
    expect(() => imsApiDocument([...crates, ...crates.slice(0, 1)], about)).toThrow('get /crates is there twice');
  });
});

describe('what the sandbox says of itself', () => {
  let schemas: Readonly<Record<string, Answer['body']>>;
  let document: Answer['body'];

  beforeAll(async () => {
    const sandbox = await openSandbox();
    ({ body: document } = await read(await fetch(`${sandbox.imsBaseUrl}/openapi.json`)));
    ({ schemas } = document.components);
  });

  afterAll(closeAll);

  it('is a valid OpenAPI document whose references lead somewhere', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    for (const name of new Set(names)) expect(schemas).toHaveProperty(String(name));
  });

  it('says that rows always have an id and an area, and what else is always there', () => {
    const resources = Object.values(schemas).filter(({ properties }) => properties?.contextId?.readOnly === true);
    expect(resources.length).toBeGreaterThan(25);
    for (const { required, properties } of resources) {
      expect(required).toEqual(expect.arrayContaining(['id', 'contextId']));
      expect(required.filter((name: string) => properties[name].nullable === true)).toEqual([]);
    }
    expect(schemas['Shipment'].required).toEqual(expect.arrayContaining(['shipmentNumber', 'customerId']));
  });

  it('says what a new row needs, and what of two is enough', () => {
    const choices = (name: string) =>
      schemas[name].allOf.map(({ anyOf }: Answer['body']) => anyOf.flatMap(({ required }: Answer['body']) => required));
    expect(choices('NewShipment')).toEqual([['customerId', 'customerNumber']]);
    expect(schemas['NewShipment'].allOf[0].anyOf[0].properties).toHaveProperty('customerId.type', 'integer');
    expect(choices('NewShippingContainer')).toEqual([
      ['shipmentId', 'shipmentNumber'],
      ['containerTypeName', 'containerTypeId'],
    ]);
    expect(choices('NewAttachment')).toEqual([['base64EncodedContent', 'presignedUrl']]);
    expect(schemas['NewCustomer'].required).toEqual(['customerNumber']);
    expect(schemas['NewShipment'].properties.shipmentLines).toMatchObject({ type: 'array', maxItems: 1000 });
    expect(schemas['NewShipment'].properties.shipmentLines.items.required).toEqual(['numItemsOrdered']);
  });

  it.each([
    ['Address', 'Shipment', 'deliveryAddress'],
    ['ContactPerson', 'Customer', 'contactPerson'],
    ['Dimensions', 'GlobalTradeItem', 'dimensions'],
    ['ProductVariantKey', 'GlobalTradeItem', 'productVariantKey'],
    ['Address', 'NewShipment', 'deliveryAddress'],
  ])('describes %s once, for %s and others', (name, resource, field) => {
    expect(schemas[resource].properties[field]).toEqual({ $ref: `#/components/schemas/${name}` });
    expect(schemas[name]).toMatchObject({ type: 'object', nullable: true });
  });

  it('keeps what it says of an embedded object beside the reference', () => {
    const { sellerAddress } = schemas['Shipment'].properties;
    expect(sellerAddress).toEqual({ allOf: [{ $ref: '#/components/schemas/Address' }], readOnly: true });
    for (const name of ['dimensions', 'tareWeight', 'netWeight', 'outerVolume', 'platformType'])
      for (const resource of ['ShippingContainer', 'NewShippingContainer'])
        expect(schemas[resource].properties[name].description).toContain('when a container is created');
  });

  it('describes the entries of lists inside products and items', () => {
    expect(schemas['ProductHazard'].required).toEqual(['id', 'contextId', 'hazardCode']);
    expect(schemas['NewProduct'].properties.hazards.items.required).toEqual(['hazardCode']);
    const { properties } = schemas['NewGlobalTradeItem'].properties.bundleComponents.items;
    expect(Object.keys(properties)).toEqual(['numItems', 'componentId', 'componentStockKeepingUnit']);
    expect(schemas['GlobalTradeItem'].properties.logisticVariants.items).toEqual({
      $ref: '#/components/schemas/LogisticVariant',
    });
  });

  it('takes any literal for an attribute, and 13 digits for the location number of a seller', () => {
    const { schema } = document.paths['/shipments/{id}/{attribute}'].put.requestBody.content['application/json'];
    const types = schema.anyOf.map(({ type }: { type: string }) => type);
    expect(types).toEqual(expect.arrayContaining(['string', 'number', 'boolean']));
    for (const each of schema.anyOf) expect(each.nullable).toBe(true);
    expect(schemas['Seller'].properties.globalLocationNumber).toMatchObject({ pattern: '^\\d{13}$' });
  });
});

describe('the check of exchanges against the description', () => {
  const identity = { id: 7, contextId: 1 };
  const shown = {
    ...identity,
    crateNumber: 'A1',
    status: 'OPEN',
    localizedStatus: 'open',
    sentOn: '2026-01-31',
    ofLater: 1,
  };
  const exchange = (changes: Partial<ImsExchange>): ImsExchange => ({
    ...{ method: 'GET', path: '/crates/7', query: new URLSearchParams(), requestBody: null, status: 200 },
    ...{ responseBody: shown },
    ...changes,
  });
  const problems = (changes: Partial<ImsExchange>) => conformityChecker(described()).check(exchange(changes));
  const create = { method: 'POST', path: '/crates' };

  it.each<[string, Partial<ImsExchange>]>([
    ['an answer with a field of a later version', {}],
    ['a null', { responseBody: { ...shown, status: null, address: { postalCode: null } } }],
    ['a list', { path: '/crates', query: new URLSearchParams('onlyOpen=true&maxNumRows=5'), responseBody: [shown] }],
    [
      'a refusal',
      { status: 422, responseBody: { messageType: 'ERROR', messageCode: 'unknown_Crate', messageText: '' } },
    ],
    ['an error of the gateway', { status: 403, responseBody: { message: 'Forbidden' } }],
    ['a path that does not exist', { path: '/boxes', status: 403, responseBody: { message: 'Forbidden' } }],
    ['a creation', { ...create, requestBody: { crateNumber: 'A1', carrierName: 'Pretend', sentOn: 1769850000000 } }],
    ['an attribute', { method: 'PUT', path: '/crates/7/weight', requestBody: 1.25 }],
    ['text that holds an object', { responseBody: { ...shown, dataDocument: '{"a":1}' } }],
  ])('has nothing against %s', (_case, changes) => {
    expect(problems(changes)).toEqual([]);
  });

  it.each<[string, Partial<ImsExchange>, string]>([
    ['a field that is always there and is not', { responseBody: identity }, "required property 'crateNumber'"],
    ['an id that is not there', { responseBody: { ...shown, id: null } }, '/id'],
    ['a value that is not in the enumeration', { responseBody: { ...shown, status: 'LOST' } }, '/status'],
    ['text that is no date', { responseBody: { ...shown, sentOn: '31.01.2026' } }, '/sentOn'],
    ['text that holds no object', { responseBody: { ...shown, dataDocument: 'x' } }, '/dataDocument'],
    ['one where a list is meant', { path: '/crates', responseBody: shown }, 'must be array'],
    ['a status nobody described', { status: 418, responseBody: {} }, 'status 418 is not described'],
    ['a creation without what is needed', { ...create, requestBody: { carrierId: 1 } }, 'crateNumber'],
    ['a creation without a reference', { ...create, requestBody: { crateNumber: 'A1' } }, 'carrierId'],
    ['an attribute that cannot be set', { method: 'PUT', path: '/crates/7/timeCreated', requestBody: 1 }, 'attribute'],
    [
      'a filter of another type',
      { path: '/crates', query: new URLSearchParams('onlyOpen=1'), responseBody: [] },
      'onlyOpen',
    ],
    ['success where nothing is', { path: '/boxes' }, 'no such operation'],
  ])('finds %s', (_case, changes, expected) => {
    expect(problems(changes).join('\n')).toContain(expected);
  });
});

describe('the addresses without credentials', () => {
  let server: Server;
  let url: string;
  const told: ImsExchange[] = [];

  beforeEach(async () => {
    const app = express();
    const echo = express.Router().post('/echo', express.raw({ type: () => true }), (_request, response) => {
      response.status(422).json({ kept: 1, dropped: undefined });
    });
    app.use(
      '/2',
      exchangeTap((exchange) => told.push(exchange)),
      openApiRouter(crates, { version: VERSION }),
      echo,
    );
    app.use('/docs', docsRouter({ at: '/docs', document: '/2/openapi.json' }));
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  it('serve the description, with the address that was asked', async () => {
    const answer = await fetch(`${url}/2/openapi.json`);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toMatchObject({ openapi: '3.0.1', servers: [{ url: `${url}{basePath}` }] });
  });

  it('serve a page that names the description, and every file it needs', async () => {
    const page = await (await fetch(`${url}/docs`)).text();
    expect(page).toContain('/2/openapi.json');
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const path of files) {
      const answer = await fetch(`${url}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.arrayBuffer();
    }
    expect(await (await fetch(`${url}/docs/start.js`)).text()).toContain('/2/openapi.json');
  });

  it('serve nothing else of the package, and let the page load nothing from elsewhere', async () => {
    expect((await fetch(`${url}/docs/package.json`)).status).toBe(404);
    expect((await fetch(`${url}/docs`)).headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  it('tell of an exchange what the client saw of it', async () => {
    await fetch(`${url}/2/echo?a=1`, { method: 'POST', body: '{"b":2}' });
    expect(told.at(-1)).toMatchObject({ method: 'POST', path: '/echo', requestBody: { b: 2 }, status: 422 });
    expect(told.at(-1)?.responseBody).toEqual({ kept: 1 });
    expect(told.at(-1)?.query.get('a')).toBe('1');
  });
});
