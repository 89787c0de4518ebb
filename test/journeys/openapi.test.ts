import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { Router } from 'express';
import { BadRequest } from '../../src/http/bad-request.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import type { ServerDeps } from '../../src/http/server.js';
import { createServer } from '../../src/http/server.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService } from '../support/harness.js';

interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema: { readonly required?: readonly string[] } }>> }
    >
  >;
}
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

let service: Service;
let document: Document;

beforeAll(async () => {
  service = await startService();
  await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
  document = (await service.ask('/api/openapi.json', {})).body;
});
afterAll(() => service.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  );

const lists = () => operations().filter(({ path, method }) => method === 'get' && !path.includes('{'));

describe('/api/openapi.json', () => {
  it('is a valid document, which needs no token', async () => {
    const { valid, errors } = await new Validator().validate(document);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('has every request of the API, and no other', () => {
    const described = operations().map(({ path, method }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...routes()].sort());
  });

  it('says what lists answer', async () => {
    for (const { path, described } of lists()) {
      const query = path === '/pickup-points' ? '?account=gls&countryCode=DK&postalCode=5000' : '';
      const answer = await service.operator(`${path}${query}`);
      const [type] = Object.keys(described.responses['200']?.content ?? {});
      expect([path, answer.status, answer.type]).toEqual([path, 200, expect.stringContaining(String(type))]);
      const fields = type === 'application/json' ? Object.keys(answer.body) : [];
      expect([path, fields.sort()]).toEqual([path, required(described, '200').sort()]);
    }
  });

  it('says what lists take: everything else is refused, with what is known', async () => {
    for (const { path, described } of lists()) {
      const refused = await service.operator(`${path}?nonsense=1`);
      expect([path, refused.status]).toEqual([path, 400]);
      const names = described.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
      for (const name of names) expect([path, refused.body.detail]).toEqual([path, expect.stringContaining(name)]);
    }
  });

  it('refuses an unknown parameter of whatever else is read', async () => {
    const one = operations().filter(({ path, method }) => method === 'get' && path.includes('{'));
    expect(one.length).toBeGreaterThan(8);
    for (const { path, described } of one) {
      const refused = await service.operator(`${path.replace(/\{\w+\}/g, '1')}?nonsense=1`);
      expect([path, refused.status, refused.body.detail]).toEqual([path, 400, expect.stringContaining('nonsense')]);
      const names = described.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
      for (const name of names) expect([path, refused.body.detail]).toEqual([path, expect.stringContaining(name)]);
    }
  });

  it('says what one consignment and an action answer', async () => {
    const [{ id }] = (await service.operator('/consignments')).body.consignments;
    const one = document.paths['/consignments/{id}']?.['get'];
    const { body } = await service.operator(`/consignments/${id}`);
    expect(Object.keys(body).sort()).toEqual(required(one, '200').sort());
    const { consignment: refused } = await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
    expect(Object.keys(refused).sort()).toEqual(required(one, '200').sort());
    const reprint = document.paths['/consignments/{id}/reprint']?.['post'];
    const answer = await service.operator(`/consignments/${id}/reprint`, { method: 'POST' });
    expect(answer.status).toBe(202);
    expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(required(reprint, '202')));
    expect([answer.headers.get('location'), answer.body.resultAt]).toEqual(Array(2).fill(`/api/v1/consignments/${id}`));
  });
});

describe('the body of', () => {
  const bodies = OPERATIONS.flatMap(({ method, path, body }) =>
    body === undefined ? [] : [[`${method} ${path}`, { path, takes: body.takes }] as const],
  );
  const refusal = (read: () => unknown) => {
    try {
      return ['read', read()];
    } catch (error) {
      return error instanceof BadRequest ? error.message : ['broke', error];
    }
  };

  it.each(bodies)('%s is taken as the examples have it, and each described field is in one', (_name, { takes }) => {
    const { schema, examples } = takes;
    const fits = new Ajv({ allowUnionTypes: true }).addFormat('uri', true).compile(schema);
    for (const example of examples) {
      expect([example, fits(example), fits.errors]).toEqual([example, true, null]);
      expect(takes.read(example)).toBeDefined();
    }
    const shown = new Set(examples.flatMap((example) => Object.keys(example)));
    expect([...shown].sort()).toEqual(Object.keys(schema.properties).sort());
  });

  it.each(bodies)('%s is read as it is described, field by field', (_name, { takes }) => {
    for (const example of takes.examples)
      for (const field of Object.keys(example)) {
        const wrong = refusal(() => takes.read({ ...example, [field]: [[]] }));
        expect([example, field, wrong]).toEqual([example, field, expect.any(String)]);
        if (!takes.schema.required?.includes(field)) continue;
        const lacking = refusal(() => takes.read({ ...example, [field]: undefined }));
        expect([example, field, lacking]).toEqual([example, field, expect.any(String)]);
      }
  });

  it.each(bodies)('%s may hold nothing else: what may be in it is said', async (_name, { path, takes }) => {
    const address = path.replace(/\{\w+\}/g, '1');
    const answer = await service.operator(address, { method: 'POST', body: { nonsense: 1 } });
    const names = Object.keys(takes.schema.properties).join(', ');
    expect([answer.status, answer.body.detail]).toEqual([
      400,
      expect.stringContaining(`"nonsense" is none of ${names}`),
    ]);
  });
});

describe('/docs', () => {
  it('shows it with files of this service only', async () => {
    const page = await service.ask('/docs', {});
    expect([page.status, page.type]).toEqual([200, expect.stringContaining('text/html')]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const files = [...page.bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(5);
    for (const file of files) expect([file, (await service.ask(file, {})).status]).toEqual([file, 200]);
  });
});

function required(described: Described | undefined, status: string): string[] {
  return [...(described?.responses[status]?.content?.['application/json']?.schema.required ?? [])];
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
  match(path: string): { readonly path: string } | null;
}

/** The routes below `/api/v1`, as Express has them: `get /consignments/{id}`. */
function routes(): ReadonlySet<string> {
  const anything: unknown = new Proxy(() => undefined, {
    get: (_target, name) => (name === Symbol.iterator ? () => [].values() : anything),
  });
  const deps = {
    access: anything,
    dashboard: () => Router(),
    explaining: { areas: [] },
    metricsToken: null,
    trustedProxies: [],
    eventsSecret: 'x',
  };
  const app = createServer(
    new Proxy(deps, {
      get: (target, name) => Reflect.get(target, name) ?? (name === 'metricsToken' ? null : anything),
    }) as unknown as ServerDeps,
  );
  const { stack } = app.router as unknown as { readonly stack: readonly Layer[] };
  const below = stack.filter((layer) => layer.handle.stack && layer.match('/api/v1/x')?.path === '/api/v1');
  const found = below.flatMap((layer) => layer.handle.stack ?? []).flatMap(({ route }) => (route ? [route] : []));
  return new Set(
    found.flatMap(({ path, methods }) =>
      Object.keys(methods).map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
    ),
  );
}
