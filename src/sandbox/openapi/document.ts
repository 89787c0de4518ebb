import type { Resource } from '../schema/resource.js';
import type { ImsEndpoint } from '../api/endpoint.js';
import { ACCOUNTING, CONSIGNMENT, FORECASTING, FULL, MEANT, PURCHASING, SALES } from '../api/endpoint.js';
import type { Json, JsonMembers } from '../store/json.js';
import { AREA_KEY, GATEWAY_ERROR_SCHEMA, REFUSAL_SCHEMA, TOKEN, operationOf } from './operation.js';
import type { KnownResources } from './resource-schemas.js';
import { changingName, changingSchema, creatingName, creatingSchema, listed, shownSchema } from './resource-schemas.js';
import { namedObjects, objectSchema } from './value-schema.js';
import { segmentsOf } from './wording.js';

export interface About {
  /** Version of the interface: the timestamp of its last change. */
  readonly version: string;
  /** Scheme, host and port; the document adds the version segment. */
  readonly origin: string;
  /** Base URL of the token endpoint, `<authUrl>/oauth2/token`. */
  readonly authUrl: string;
  /**
   * Resources that no endpoint returns, but that lists inside other resources hold. A list of any other resource is
   * described by the fields that its declaration gives.
   */
  readonly resources?: readonly Resource[];
}

const DESCRIPTION = `A simulation of a warehouse service: items, stock, inbound and outbound shipments, returns and documents.

Every request needs a token (client credentials) and the key of an area; a few need only the key. Lists answer with at
most 1000 rows. A field without a value is null or missing: accept both. Ignore fields that are not
described here.`;

/**
 * The interface as an OpenAPI 3.0.1 document.
 * @throws Error when two endpoints have the same method and path
 */
export function imsApiDocument(endpoints: readonly ImsEndpoint[], about: About): JsonMembers {
  const { origin, version } = about;
  const known = resourcesOf(endpoints, about);
  return {
    openapi: '3.0.1',
    info: { title: 'Warehouse service: REST API, version 2', description: DESCRIPTION, version },
    servers: [{ url: `${origin}{basePath}`, variables: { basePath: { default: '/2' } } }],
    tags: [...new Set(endpoints.map((endpoint) => segmentsOf(endpoint)[0] ?? ''))].map((name) => ({ name })),
    paths: pathsOf(endpoints, known),
    components: { schemas: componentsOf(endpoints, known), securitySchemes: securitySchemes(about, endpoints) },
  };
}

function pathsOf(endpoints: readonly ImsEndpoint[], known: KnownResources): JsonMembers {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const operations = (paths[describedPath(endpoint.path)] ??= {});
    if (endpoint.method in operations) throw new Error(`${endpoint.method} ${endpoint.path} is there twice`);
    operations[endpoint.method] = operationOf(endpoint, known);
  }
  return paths;
}

/** The path with its parameters as `{name}`. */
function describedPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function componentsOf(endpoints: readonly ImsEndpoint[], known: KnownResources): JsonMembers {
  const schemas: Record<string, JsonMembers> = {
    [REFUSAL_SCHEMA]: refusalSchema(),
    [GATEWAY_ERROR_SCHEMA]: objectSchema({ message: { type: 'string' } }, ['message']),
  };
  for (const resource of known.values()) {
    Object.assign(schemas, namedObjects(resource.fields));
    schemas[resource.name] = shownSchema(resource);
  }
  for (const { body } of endpoints) {
    if (body?.kind === 'create') schemas[creatingName(body.of)] = creatingSchema(body.of, known);
    if (body?.kind === 'change') schemas[changingName(body.of)] = changingSchema(body.of);
  }
  return schemas;
}

/** The resources that operations return, and those that lists inside them hold, recursively. */
function resourcesOf(endpoints: readonly ImsEndpoint[], about: About): KnownResources {
  const named = endpoints.flatMap(({ answer }) => (answer.kind === 'object' ? [] : [answer.of]));
  const known = new Map([...(about.resources ?? []), ...named].map((resource) => [resource.name, resource]));
  const reached = new Map(named.map((resource) => [resource.name, resource]));
  for (const { fields } of reached.values())
    for (const resource of listed(fields))
      if (!reached.has(resource.name)) reached.set(resource.name, known.get(resource.name) ?? resource);
  return reached;
}

function refusalSchema(): JsonMembers {
  const text = { type: 'string' };
  const properties = {
    messageType: { ...text, description: '`ERROR` for failures.' },
    messageCode: { ...text, description: '`<kind>_<Resource>`, e.g. `unknown_Shipment`.' },
    messageText: { ...text, description: 'The error as a text for people.' },
  };
  return objectSchema(properties, Object.keys(properties));
}

function securitySchemes({ authUrl }: About, endpoints: readonly ImsEndpoint[]): JsonMembers {
  const listed = endpoints.flatMap((endpoint) => endpoint.scopes);
  const scopes = new Set([SALES, FULL, PURCHASING, FORECASTING, ACCOUNTING, CONSIGNMENT, ...listed]);
  const described = [...scopes].map((scope) => [scope, meaningOf(scope)] as const);
  return {
    [TOKEN]: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: `${authUrl}/oauth2/token`, scopes: Object.fromEntries(described) } },
    },
    [AREA_KEY]: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key of one area.' },
  };
}

function meaningOf(scope: string): string {
  const meant = MEANT[scope];
  return meant === undefined ? `Operations that list ${scope}.` : `Listed with this spelling; ${meant} is meant.`;
}
