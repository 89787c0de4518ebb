import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { carriers } from '../../carriers/index.js';
import type { CarrierAdapter, GivenTools } from '../../carriers/contract/index.js';
import type { StartSimulator } from '../../carriers/contract/simulator.js';
import { startApp } from '../../src/app/app.js';
import { eventTarget, sandboxEnvironment, sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { readConfigFile } from '../../src/config/config-file.js';
import type { LogFields, Log } from '../../src/log.js';
import { masker } from '../../src/log.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { readSettings } from '../../src/config/environment.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';
import type { Cell } from './cell.js';
import { startRefusals } from './refusals.js';
import type { Refusals } from './refusals.js';

/** Deadlines of carriers and what they are at work on afterwards take up to a minute, and bring's bookings show after ten. */
const CARRIER_DEADLINE_MS = 10_000;
const VISIBLE_AFTER_MS = 3_000;
/** The clock of the simulators: what they show after a minute shows before `VISIBLE_AFTER_MS`. */
const SIMULATED_MS_A_MS = 30;
/** They compare a time of ours with their clock. */
const OF_TRUE_TIME: readonly string[] = ['bring'];
/** The simulators of the place keep it: see `inTime`. */
const BOOKING_ENDS_WITHIN_MS = 8_000;
/** A header with the moment at which the sender of a request stops waiting, in milliseconds since 1970. */
const WAITS_UNTIL = 'x-sender-waits-until';

/** One service, one sandbox, and in it a place for every cell. */
export interface Place {
  readonly sandbox: Sandbox;
  readonly refusals: Refusals;
  readonly url: string;
  /** Lines as the service would have written them. */
  readonly lines: readonly string[];
  readonly trap: { readonly url: string; visits(): number };
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly giveUpAfterMs: number;
  /** Before the service starts: what is read at the start can meet a fault too. */
  readonly prepare: (place: Pick<Place, 'sandbox' | 'refusals' | 'trap'>) => void;
}

export async function startPlace(cells: readonly Cell[], options: PlaceOptions): Promise<Place> {
  const sandbox = await startSandbox({ port: 0, carriers: simulated(cells), limits: { requestsPerSecond: null } });
  for (const { area } of cells)
    sandbox.control.addArea({
      contextId: area,
      apiKey: keyOf(area),
      carriers: carriers.map(({ adapter }) => adapter.name),
    });
  const refusals = startRefusals((key) => Number(/^area-(\d+)-key$/.exec(key)?.[1] ?? NaN) || null);
  const trap = await openTrap();
  options.prepare({ sandbox, refusals, trap });
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-faults-'));
  const { settings, config } = await configure(folder, sandbox, cells);
  const areas = config.file.areas.map((area) => ({ ...area, giveUpAfterMinutes: options.giveUpAfterMs / 60_000 }));
  const secrets = [...config.secrets, ...ownSecrets];
  const lines: string[] = [];
  const app = await startApp(settings, { ...config, file: { ...config.file, areas } }, logInto(lines, secrets));
  sandbox.control.setEventTargets([eventTarget(app.url)]);
  const close = async () => {
    await app.stop();
    refusals.end();
    await sandbox.close();
    trap.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { sandbox, refusals, url: app.url, lines, trap, secrets, close };
}

/** What every service is told. */
export const ownSecrets: readonly string[] = Object.entries(sandboxSecrets)
  .filter(([name]) => ['IMS_CLIENT_SECRET', 'EVENTS_SECRET', 'OPERATOR_TOKEN'].includes(name))
  .map(([, secret]) => secret);

/** Every secret of a carrier's sample account. */
export function secretOf(carrier: string): string {
  return Object.values(listed(carrier).adapter.sample.secrets).join(' ');
}

/** The key of an area; it counts as a secret. */
export function keyOf(area: number): string {
  return `area-${area}-key`;
}

function listed(id: string) {
  const found = carriers.find(({ adapter }) => adapter.id === id);
  if (found === undefined) throw new Error(`no carrier ${id}`);
  return found;
}

/** A simulator for each name: what one cell books is never mistaken for another's. */
function simulated(cells: readonly Cell[]) {
  const names = new Map(cells.map((cell) => [cell.carrier, cell.call.carrier]));
  return [...names].map(([id, carrier]) => ({
    adapter: { id, name: listed(carrier).adapter.name },
    simulator: async () =>
      inTime(await listed(carrier).simulator(), OF_TRUE_TIME.includes(carrier) ? 1 : SIMULATED_MS_A_MS),
  }));
}

/**
 * Handles no request that arrives later than `BOOKING_ENDS_WITHIN_MS` after its sender stopped waiting. On a busy machine
 * a new connection waits in the accept queue for half a minute, and requests on kept connections overtake it: a booking
 * would be made after the search for it has found nothing, which the carrier's traits exclude.
 */
function inTime(start: StartSimulator, simulatedMsAMs: number): StartSimulator {
  return (settings) => {
    const beganAt = Date.now();
    const now = () => new Date(beganAt + (Date.now() - beganAt) * simulatedMsAMs);
    const simulator = start({ ...settings, now });
    const handle: RequestListener = (request, response) => {
      const waitsUntil = Number(request.headers[WAITS_UNTIL] ?? Infinity);
      if (Date.now() > waitsUntil + BOOKING_ENDS_WITHIN_MS) request.socket.destroy();
      else simulator.handle(request, response);
    };
    return { ...simulator, handle };
  };
}

async function configure(folder: string, sandbox: Sandbox, cells: readonly Cell[]) {
  const accounts = cells.map(({ carrier, call }) => {
    const baseUrl = sandbox.carrierUrl(carrier);
    const config = listed(call.carrier).adapter.sample.config(baseUrl);
    return [carrier, { carrier: call.carrier, imsCarrierName: 'Pretend', baseUrl, config }];
  });
  const file = {
    areas: cells.map(({ area }) => ({ contextId: area, apiKey: keyOf(area), language: 'en' })),
    accounts: Object.fromEntries(accounts),
    rules: cells.map(({ name, carrier, service }) => ({
      ...{ name, when: { termsOfDelivery: name } },
      use: { account: carrier, ...(service === null ? {} : { service }) },
    })),
  };
  const configFile = join(folder, 'waybridge.yaml');
  const dataDir = join(folder, 'data');
  await writeFile(configFile, stringify(file));
  await placeEmptyDatabase(dataDir);
  const environment = {
    ...sandboxEnvironment(sandbox, { port: 0, configFile, dataDir }),
    IMS_CLIENT_SECRET: 'full-secret',
  };
  const { settings } = readSettings(environment);
  const adapters = carriers.map(({ adapter }) => hurried(adapter));
  const { config, problems } = readConfigFile(configFile, { environment, adapters, allowPrivate: 'true' });
  if (config === null) throw new Error(JSON.stringify(problems));
  return { settings, config };
}

function hurried(adapter: CarrierAdapter): CarrierAdapter {
  const bookingVisibleAfterMs = Math.min(VISIBLE_AFTER_MS, adapter.traits.bookingVisibleAfterMs);
  const shorter = (timeoutMs: number) => Math.min(CARRIER_DEADLINE_MS, timeoutMs);
  const impatient = ({ http, ...tools }: GivenTools): GivenTools => ({
    ...tools,
    http: {
      send: (request) => {
        const timeoutMs = shorter(request.timeoutMs);
        const headers = { ...request.headers, [WAITS_UNTIL]: String(Date.now() + timeoutMs) };
        return http.send({ ...request, headers, timeoutMs });
      },
      fetchLink: (url, limits) => http.fetchLink(url, { ...limits, timeoutMs: shorter(limits.timeoutMs) }),
    },
  });
  return {
    ...adapter,
    traits: { ...adapter.traits, bookingVisibleAfterMs, bookingEndsWithinMs: BOOKING_ENDS_WITHIN_MS },
    connect: (config, tools) => adapter.connect(config, impatient(tools)),
  };
}

/** As the service's own log writes, with the same mask. */
function logInto(lines: string[], secrets: readonly string[]): Log {
  const mask = masker(secrets);
  const bind = (bound: LogFields): Log => {
    const at =
      (level: string) =>
      (event: string, fields: LogFields = {}) => {
        const entries = Object.entries({ ...bound, ...fields });
        const flat = entries.map(([name, value]) => [name, value instanceof Error ? String(value) : value]);
        lines.push(JSON.stringify(mask({ level, event, ...Object.fromEntries(flat) })));
      };
    const { debug, info, warn, error } = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    return { debug, info, warn, error, child: (fields) => bind({ ...bound, ...fields }) };
  };
  return bind({});
}

/** Where redirects lead: a page for people, as a login is. */
async function openTrap() {
  let visits = 0;
  const server = createServer((_request, response) => {
    visits += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, visits: () => visits, close: () => void server.close() };
}
