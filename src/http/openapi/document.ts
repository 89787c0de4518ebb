import type { ApiOperation } from './operation.js';
import { OPERATIONS } from './operations.js';
import type { Parameter, Parameters } from './parameters.js';

const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'Not authentic',
  403: 'The role does not allow it',
  404: 'There is none',
  409: 'Not possible now',
  422: 'It cannot be right',
  502: 'The other side does not allow it',
  503: 'The other side does not answer',
};

const PROBLEM = { $ref: '#/components/schemas/Problem' };

/** The OpenAPI document of the API below `/api/v1`, made of the parameters that its requests are read with. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationOf(operation) };
  return {
    openapi: '3.1.0',
    info: { title: 'Waybridge: operator API', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api/v1' }],
    security: [{ operator: [] }],
    paths,
    components: {
      securitySchemes: { operator: { type: 'http', scheme: 'bearer', description: 'The token of an operator' } },
      schemas: {
        Problem: {
          type: 'object',
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            detail: { type: 'string' },
          },
          required: ['type', 'title', 'status'],
        },
      },
    },
  };
}

function operationOf({ path, tag, summary, query = {}, body, answer, problems = [] }: ApiOperation): object {
  const failures = [400, 401, ...problems].map((status) => {
    const content = { 'application/problem+json': { schema: PROBLEM } };
    return [String(status), { description: PROBLEMS[status], content }] as const;
  });
  return {
    tags: [tag],
    summary,
    parameters: [...inPath(path), ...inQuery(query)],
    ...(body && { requestBody: bodyOf(body) }),
    responses: { [String(answer.status)]: answerOf(answer), ...Object.fromEntries(failures) },
  };
}

function inPath(path: string): readonly object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: 'string' },
  }));
}

function inQuery(query: Parameters): readonly object[] {
  return Object.entries(query).map(([name, { description, schema, several }]: [string, Parameter<unknown>]) => ({
    ...{ name, in: 'query', description },
    schema: several === 'yes' ? { type: 'array', items: schema } : schema,
  }));
}

function bodyOf({ takes: { schema, examples }, required, csv }: NonNullable<ApiOperation['body']>): object {
  const table = csv === 'too' ? { 'text/csv': { schema: { type: 'string' } } } : {};
  return { required, content: { 'application/json': { schema: { ...schema, examples } }, ...table } };
}

function answerOf({ status, type, has }: ApiOperation['answer']): object {
  if (status === 204) return { description: 'Done' };
  const schema = has === undefined ? { type: 'string' } : { type: 'object', required: has };
  return { description: 'As asked', content: { [type ?? 'application/json']: { schema } } };
}
