import type { RequestShape, ImsEndpoint } from '../api/endpoint.js';
import type { JsonMembers } from '../store/json.js';
import { exampleOf } from './examples.js';
import { queryParameters } from './query-parameters.js';
import type { KnownResources } from './resource-schemas.js';
import { attributesOf, bodySchema } from './resource-schemas.js';
import { objectSchema, schemaRef } from './value-schema.js';
import { descriptionOf, operationIdOf, segmentsOf, summaryOf } from './wording.js';

/** Names of the two security schemes. */
export const TOKEN = 'accessToken';
export const AREA_KEY = 'areaKey';
export const REFUSAL_SCHEMA = 'Refusal';
export const GATEWAY_ERROR_SCHEMA = 'GatewayError';

/** Descriptions of the gateway's own error responses, by status. */
const GATEWAY_ANSWERS: Readonly<Record<string, string>> = {
  400: 'The request cannot be read.',
  401: 'The token is missing, unknown or has expired.',
  403: 'The area key is missing or unknown, or the token lacks the scope.',
  413: 'The body is too long for the gateway.',
  415: 'The body is not JSON.',
  429: 'The limit of the area key is exceeded.',
  500: 'An internal error.',
  503: 'The service is not available.',
};

/** One endpoint as an operation object. */
export function operationOf(endpoint: ImsEndpoint, known: KnownResources): JsonMembers {
  const { body } = endpoint;
  const description = descriptionOf(endpoint);
  return {
    operationId: operationIdOf(endpoint),
    tags: [segmentsOf(endpoint)[0] ?? ''],
    summary: summaryOf(endpoint),
    ...(description === null ? {} : { description }),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body, known, saidByPath(endpoint)) }),
    responses: { 200: { description: 'Done.', content: jsonOf(answerSchema(endpoint)) }, ...otherAnswers(endpoint) },
    security: securityOf(endpoint),
  };
}

function requestBodyOf(body: RequestShape, known: KnownResources, given: readonly string[]): JsonMembers {
  const schema = bodySchema(body, known, given);
  return { required: true, content: { 'application/json': { schema, example: exampleOf(body, known, given) } } };
}

/** The body fields whose values the path gives, e.g. `eventId` for `/events/:id/messages`. */
function saidByPath(endpoint: ImsEndpoint): readonly string[] {
  const [owner = '', id, subordinate] = segmentsOf(endpoint);
  return id === ':id' && subordinate !== undefined ? [`${owner.replace(/s$/, '')}Id`] : [];
}

/** One security requirement for each scope, because any one of the scopes is enough. */
function securityOf({ scopes }: ImsEndpoint): readonly JsonMembers[] {
  if (scopes.length === 0) return [{ [AREA_KEY]: [] }];
  return scopes.map((scope) => ({ [TOKEN]: [scope], [AREA_KEY]: [] }));
}

function pathParameters(endpoint: ImsEndpoint): readonly JsonMembers[] {
  return segmentsOf(endpoint)
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
    .map((name) => ({ name, in: 'path', required: true, schema: pathParameterSchema(endpoint, name) }));
}

function pathParameterSchema({ path, answer }: ImsEndpoint, name: string): JsonMembers {
  if (name === 'id')
    return path.startsWith('/events/') ? { type: 'string', format: 'uuid' } : { type: 'integer', format: 'int64' };
  const isAttribute = name === 'attribute' && answer.kind === 'one';
  return { type: 'string', ...(isAttribute ? { enum: attributesOf(answer.of) } : {}) };
}

function answerSchema({ answer }: ImsEndpoint): JsonMembers {
  switch (answer.kind) {
    case 'one':
      return schemaRef(answer.of.name);
    case 'list':
      return { type: 'array', items: schemaRef(answer.of.name) };
    case 'object':
      return objectSchema({});
  }
}

function otherAnswers({ method, path }: ImsEndpoint): JsonMembers {
  const refused = { description: 'Processing failed.', content: jsonOf(schemaRef(REFUSAL_SCHEMA)) };
  const gatewayErrors = Object.entries(GATEWAY_ANSWERS).map(([status, description]) => {
    return [status, { description, content: jsonOf(schemaRef(GATEWAY_ERROR_SCHEMA)) }] as const;
  });
  const redirected =
    method === 'get' && path === '/shipments' ? { 302: { description: 'The list is at another address.' } } : {};
  return { ...redirected, ...Object.fromEntries(gatewayErrors), 422: refused };
}

function jsonOf(schema: JsonMembers): JsonMembers {
  return { 'application/json': { schema } };
}
