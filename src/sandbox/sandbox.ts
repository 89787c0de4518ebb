import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Router } from 'express';
import type { RequestFields } from '../../carriers/contract/http-port.js';
import type { Simulator, StartSimulator } from '../../carriers/contract/simulator.js';
import { Callers } from './access/callers.js';
import type { Control } from './control/control.js';
import { createControl } from './control/control.js';
import { type ControlledFrom, controlRouter } from './control/control-router.js';
import type { Ims } from './ims.js';
import type { PrefixRoute } from './api/router.js';
import { routeRequests } from './api/router.js';
import { EventDelivery } from './events/event-delivery.js';
import type { EventTarget } from './events/event-target.js';
import { Events } from './events/events.js';
import { Faults } from './faults/faults.js';
import { FileAddresses, filesRouter } from './api/files.js';
import { imsEndpoints } from './api/ims-endpoints.js';
import { imsRouter } from './api/ims-router.js';
import { kinds } from './store/kinds.js';
import { docsRouter } from './openapi/docs-router.js';
import type { ImsExchange } from './openapi/exchange-tap.js';
import { exchangeTap } from './openapi/exchange-tap.js';
import { openApiRouter } from './openapi/openapi-router.js';
import type { PresentOptions } from './api/present.js';
import { quickJson } from './control/quick-json.js';
import { RandomStreams } from './control/random.js';
import { RequestLog } from './api/request-log.js';
import { asWarehouse } from './scenarios/into-ims.js';
import { loadScenario } from './scenarios/load-scenario.js';
import type { Scenario } from './scenarios/scenario.js';
import { seedArea } from './store/seed.js';
import { Store } from './store/store.js';
import { Switches, changeSwitches } from './control/switches.js';
import { tokenRouter } from './access/token-endpoint.js';
import { CallbackCalls } from './tracking/callback-calls.js';
import { trackingControl } from './tracking/tracking-control.js';
import { Travellers } from './tracking/travellers.js';
import { Tokens } from './access/tokens.js';

/** A carrier to simulate; entries of the list of carriers have this form. */
export interface SandboxCarrier {
  readonly adapter: {
    readonly id: string;
    readonly name: string;
    readonly requestFields?: Pick<RequestFields, 'secret'>;
  };
  readonly simulator: () => Promise<StartSimulator>;
}

export interface SandboxOptions {
  /** 0: the operating system picks a free port. */
  readonly port: number;
  /** `127.0.0.1` when not given. */
  readonly host?: string;
  /** Who may use the control interface, which asks for no credentials; `this machine` when not given. */
  readonly controlledFrom?: ControlledFrom;
  readonly carriers: readonly SandboxCarrier[];
  /** The subscribers that receive events; the control interface can replace them later. */
  readonly eventTargets?: readonly EventTarget[];
  readonly switches?: Partial<Switches>;
  /** Limits of the requests for each area key; `null`: no limit. 50 a second and 100,000 a day when not given. */
  readonly limits?: Partial<Pick<Switches, 'requestsPerSecond' | 'requestsPerDay'>>;
  readonly now?: () => Date;
  /** Seed of all random streams; 1 when not given. */
  readonly seed?: number;
  /** The initial data. Areas 1 and 2 always exist. */
  readonly scenario?: Scenario;
  /** Called with every request to the IMS that got a JSON response, and with that response. */
  readonly onExchange?: (exchange: ImsExchange) => void;
}

export interface Sandbox {
  /** Without a trailing slash, like all URLs here. */
  readonly url: string;
  readonly imsBaseUrl: string;
  /** Base URL of the token endpoint, `<authUrl>/oauth2/token`. */
  readonly authUrl: string;
  carrierUrl(id: string): string;
  readonly control: Control;
  close(): Promise<void>;
}

/**
 * Starts a simulation of the IMS and of carriers over real HTTP, with all data in memory. Areas 1 and 2 have the keys
 * `area-1-key` and `area-2-key`; the clients are `full`, `sales`, `purchasing`, `forecasting`, `accounting` and
 * `consignment`, with the secrets `<client>-secret`.
 * @throws Error with the reason when it cannot listen on the host and port
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', port, now = () => new Date() } = options;
  const routes = new Map<string, PrefixRoute>();
  const parts = createParts(options, now);
  const starts = await loadSimulators(options.carriers);
  const server = await listen(createServer(routeRequests({ ...parts, routes, store: parts.ims.store })), {
    host,
    port,
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`;
  parts.files.origin = url;
  const carrierUrl = (id: string) => `${url}/carriers/${id}`;
  for (const [id, start] of starts) {
    const journeys = parts.travellers.of(id);
    parts.simulators.set(id, start({ publicUrl: carrierUrl(id), now, journeys }));
  }
  const carrierIds = () => [...parts.simulators.keys()];
  const control = createControl({ ...parts, tracking: trackingControl({ ...parts, carriers: carrierIds }) });
  const { onExchange = null, controlledFrom = 'this machine' } = options;
  openRoutes(routes, { ...parts, onExchange, controlledFrom }, control);
  return {
    url,
    imsBaseUrl: `${url}/2`,
    authUrl: url,
    carrierUrl,
    control,
    close: async () => {
      parts.travellers.close();
      await parts.calls.close();
      await parts.delivery.close();
      await closeServer(server);
    },
  };
}

/** Loads the simulators in sequence: jest's module loader fails when concurrent imports share modules. */
async function loadSimulators(listed: readonly SandboxCarrier[]): Promise<ReadonlyMap<string, StartSimulator>> {
  const starts = new Map<string, StartSimulator>();
  for (const { adapter, simulator } of listed) starts.set(adapter.id, await simulator());
  return starts;
}

const SEEDED_AREAS = [1, 2];

type Parts = ReturnType<typeof createParts>;

function createParts(options: SandboxOptions, now: () => Date) {
  const switches = { current: changeSwitches(new Switches(), { ...options.switches, ...options.limits }) };
  const current = () => switches.current;
  const store = new Store();
  const random = new RandomStreams(options.seed ?? 1);
  const delivery = new EventDelivery(current, random);
  const events = new Events({ now, newId: randomUUID, switches: current, delivery });
  events.setTargets(options.eventTargets ?? []);
  const files = new FileAddresses(now);
  const callers = new Callers();
  const ims: Ims = {
    ...{ store, now, switches: current, events, kinds },
    caller: () => callers.now(),
    manner: () => mannerOf(current(), random),
    fileUrl: (attachment) => files.urlOf(attachment),
  };
  const simulators = new Map<string, Simulator>();
  const calls = new CallbackCalls({ simulators, switches: current, now });
  if (options.scenario !== undefined) loadScenario(options.scenario, asWarehouse(ims), now());
  const named = options.carriers.map(({ adapter }) => adapter.name);
  const secret = options.carriers.flatMap(({ adapter }) => adapter.requestFields?.secret ?? []);
  for (const contextId of SEEDED_AREAS)
    if (store.contexts.byId(contextId) === null)
      seedArea(store, { contextId, apiKey: `area-${contextId}-key`, carriers: named });
  return {
    ims,
    callers,
    files,
    events,
    delivery,
    switches,
    tokens: new Tokens({ now, switches: current, newId: randomUUID }),
    faults: new Faults(random),
    random,
    requests: new RequestLog(now, secret),
    simulators,
    calls,
    travellers: new Travellers({ random, switches: current, now, calls }),
  };
}

/** How responses write rows, by the switches. */
function mannerOf({ nulls, unknownFields }: Switches, random: RandomStreams): PresentOptions {
  const writesNull = { omitted: () => false, explicit: () => true, mixed: () => random.next('nulls') < 0.5 }[nulls];
  return { writesNull, unknownFields };
}

/** Version of the simulated interface, as the OpenAPI document states it. */
const INTERFACE_VERSION = '2026-11-21T12:00:00Z';

function openRoutes(
  routes: Map<string, PrefixRoute>,
  parts: Parts & { readonly onExchange: SandboxOptions['onExchange'] | null; readonly controlledFrom: ControlledFrom },
  control: Control,
): void {
  const { ims, tokens, callers, switches, simulators, files, onExchange, controlledFrom } = parts;
  const endpoints = imsEndpoints(ims);
  const interfaceRouter = express.Router();
  interfaceRouter.use(
    openApiRouter(endpoints, {
      version: INTERFACE_VERSION,
      resources: [...kinds.values()].map((kind) => kind.resource),
    }),
  );
  if (onExchange) interfaceRouter.use(exchangeTap(onExchange));
  interfaceRouter.use(imsRouter(ims, endpoints, { tokens, callers }));
  routes.set('oauth2', { target: 'token', mount: '', handle: appOf(tokenRouter(tokens, () => switches.current)) });
  routes.set('2', { target: 'ims', mount: '/2', handle: appOf(interfaceRouter) });
  routes.set('docs', {
    ...{ target: null, mount: '/docs' },
    handle: appOf(docsRouter({ at: '/docs', document: '/2/openapi.json' })),
  });
  routes.set('', { target: null, mount: '', handle: toDocs });
  routes.set('files', { target: null, mount: '/files', handle: appOf(filesRouter(files, ims.store)) });
  routes.set('control', { target: null, mount: '/control', handle: appOf(controlRouter(control, controlledFrom)) });
  for (const [id, simulator] of simulators)
    routes.set(`carriers/${id}`, { target: id, mount: `/carriers/${id}`, handle: simulator.handle });
}

/** Redirects the root URL to the API documentation. */
const toDocs: RequestListener = ({ url = '' }, response) => {
  if (url === '/') response.writeHead(302, { location: '/docs' }).end();
  else response.writeHead(404).end();
};

function appOf(router: Router): RequestListener {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.response.json = quickJson;
  return app.use(router);
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'something else listens there already. Stop it, or add `--port 9091` (or another one) to the command'
          : cause.message;
      reject(new Error(`The sandbox cannot listen on ${host}, port ${port}: ${why}.`, { cause }));
    });
    server.listen(port, host, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
