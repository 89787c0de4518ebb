import Bottleneck from 'bottleneck';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createHttpServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ConfigFile, ConfiguredAccount, ReadConfig } from './config-file.js';
import { advance } from './consignment/advance.js';
import { runErrand } from './consignment/errands.js';
import { takeInBody } from './consignment/reception.js';
import { LEASE_MS, keepLeases } from './consignment/leases.js';
import { dropAllLeases } from './consignment/ledger.js';
import { operatorActions } from './consignment/operator.js';
import { operatorQueries } from './consignment/operator-queries.js';
import { createRunner, type Runner } from './consignment/runner.js';
import { startSweeper } from './consignment/sweeper.js';
import { usageStore } from './consignment/usage.js';
import type { Account, Area, World } from './consignment/world.js';
import type { Database } from './db/database.js';
import { openEmbedded } from './db/embedded.js';
import { migrate } from './db/migrate.js';
import { openPostgres } from './db/postgres.js';
import { type Inside, createServer } from './http/server.js';
import { type ImsClient, createImsClient } from './ims/client.js';
import { assembleLabels } from './labels/assemble.js';
import { createLabelLinks } from './labels/signed-link.js';
import { type Log, masker } from './log.js';
import { type Messages, loadMessages } from './messages/messages.js';
import { type Printing, loadPrintTemplate } from './printing/print-body.js';
import { startWakeUps } from './queue/wake-ups.js';
import { type Settings, publicUrl } from './settings.js';
import { createHttpPort } from './transport/http-port.js';
import type { HttpPort } from '../carriers/contract/http-port.js';

/** Calls to one carrier account at once: a carrier that hangs holds these and nobody else's. */
const CALLS_PER_ACCOUNT = 16;
const STOP_WITHIN_MS = 20_000;
const READY_WITHIN_MS = 3_000;
/** Beside `src` where the sources run, beside `dist` where they were built. */
const TEMPLATES = ['../templates/ims/', '../../templates/ims/']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

const clock = { now: () => new Date() };

/** A running service. */
export interface App {
  readonly url: string;
  /** Takes nothing new, lets what runs end within 20 s, and closes. */
  stop(): Promise<void>;
}

/** Puts everything together, once. */
export async function startApp(settings: Settings, config: ReadConfig, log: Log): Promise<App> {
  const database = await openDatabase(settings, log);
  await migrate(database);
  if (database.kind === 'embedded') await dropAllLeases(database);
  const allowPrivateAddresses = settings.ALLOW_PRIVATE_ADDRESSES === 'true' ? 'allowed' : 'refused';
  const http = createHttpPort({ allowPrivateAddresses });
  const ims = imsClient(settings, { http, database, log });
  const links = createLabelLinks({ secret: settings.OPERATOR_TOKEN, publicUrl: publicUrl(settings), now: clock.now });
  const mask = textMask(settings, config);
  const world = await surroundings(config, { database, http, ims, log, labelLink: links.link, mask });
  const work = await startWork(world);
  const inside: Inside = {
    log,
    eventsSecret: settings.EVENTS_SECRET,
    operatorToken: settings.OPERATOR_TOKEN,
    takeIn: work.takeIn,
    actions: operatorActions(world, work.consignments.wake),
    queries: operatorQueries(database),
    notReady: () => notReady(database, ims),
    links,
  };
  const server = await listen(createHttpServer(createServer(inside)), settings);
  warmUp(world);
  const { port } = server.address() as AddressInfo;
  log.info('listening', { host: settings.HOST, port, database: database.kind, areas: world.areas.size });
  const stop = async () => {
    await closeServer(server, work.stop);
    await ims.close();
    http.close();
    await database.close();
    log.info('stopped');
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Hides every secret of the installation in a text, whoever wrote it. */
function textMask(settings: Settings, config: ReadConfig): (text: string) => string {
  const own = [settings.IMS_CLIENT_SECRET, settings.EVENTS_SECRET, settings.OPERATOR_TOKEN];
  const mask = masker([...own, ...config.secrets]);
  return (text) => String(mask(text));
}

interface Wires {
  readonly database: Database;
  readonly http: HttpPort;
  readonly ims: ImsClient;
  readonly log: Log;
  readonly labelLink: (id: string) => string;
  readonly mask: (text: string) => string;
}

async function surroundings(config: ReadConfig, wires: Wires): Promise<World> {
  if (TEMPLATES === undefined) throw new Error('the folder templates/ is missing beside the program');
  const messages = await loadMessages(TEMPLATES);
  const { database, log, labelLink, mask } = wires;
  return {
    database,
    clock,
    random: Math.random,
    log,
    areas: new Map(config.file.areas.map((area) => [area.contextId, connectArea(area, wires.ims, messages)])),
    accounts: new Map(config.accounts.map((account) => [account.name, connectAccount(account, wires.http)])),
    rules: config.file.rules ?? [],
    printing: await printing(config.file, TEMPLATES),
    assemble: assembleLabels,
    labelLink,
    mask,
    lease: { owner: randomUUID(), lengthMs: LEASE_MS },
  };
}

/** Requests that are being answered end; new ones find nobody. */
async function closeServer(server: Server, stopWork: () => Promise<void>): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  await stopWork();
  server.closeAllConnections();
  await closed;
}

async function openDatabase(settings: Settings, log: Log): Promise<Database> {
  return settings.DATABASE_URL === undefined
    ? openEmbedded(settings.DATA_DIR)
    : openPostgres(settings.DATABASE_URL, log);
}

function imsClient(
  settings: Settings,
  tools: { readonly http: HttpPort; readonly database: Database; readonly log: Log },
): ImsClient {
  const { http, database, log } = tools;
  return createImsClient(
    {
      baseUrl: settings.IMS_BASE_URL,
      authUrl: settings.IMS_AUTH_URL,
      clientId: settings.IMS_CLIENT_ID,
      clientSecret: settings.IMS_CLIENT_SECRET,
    },
    // A wait for the limits of a key shall not keep a process alive that has stopped.
    { http, clock, log, usage: usageStore(database), sleep: (ms) => pause(ms, undefined, { ref: false }) },
  );
}

function connectArea(area: ConfigFile['areas'][number], ims: ImsClient, messages: Messages): Area {
  const { contextId, apiKey, language, bookOn, giveUpAfterMinutes } = area;
  return {
    contextId,
    bookOn,
    giveUpAfterMs: giveUpAfterMinutes * 60_000,
    ims: ims.area(contextId, apiKey, 'booking'),
    imsBackground: ims.area(contextId, apiKey, 'background'),
    text: (message) => messages.text(language, message.key, message.values as never),
  };
}

function connectAccount(account: ConfiguredAccount, http: HttpPort): Account {
  const { name, adapter, imsCarrierName, baseUrl, config } = account;
  const limiter = new Bottleneck({ maxConcurrent: CALLS_PER_ACCOUNT });
  return {
    name,
    imsCarrierName,
    adapter,
    carrier: adapter.connect(config, { http, clock, baseUrl }),
    slot: (call) => limiter.schedule(call),
    waiting: () => limiter.counts().QUEUED,
  };
}

async function printing(file: ConfigFile, templates: string): Promise<Printing> {
  const { mode } = file.printing;
  return mode === 'resource'
    ? { mode, template: await loadPrintTemplate(`${templates}print-resource.json`) }
    : { mode };
}

/** Everything that works through the ledger: wake-ups, runners, leases, the sweeper. */
async function startWork(world: World) {
  const consignments = createRunner((id) => advance(world, id), world.log);
  const errands: Runner = createRunner(async (id) => consignments.wake(await runErrand(world, id)), world.log);
  const wake = (ids: readonly string[]) => {
    // A wake-up does not say what its id stands for: the other runner finds nothing to claim.
    consignments.wake(ids);
    errands.wake(ids);
  };
  const wakeUps = await startWakeUps(world.database, wake, world.log);
  const stopSweeper = startSweeper(world, { consignments: consignments.wake, errands: errands.wake });
  const stopLeases = keepLeases({
    database: world.database,
    log: world.log,
    owner: world.lease.owner,
    running: consignments.running,
  });
  return {
    consignments,
    takeIn: (body: Uint8Array) => takeInBody(world, wakeUps, body),
    stop: async () => {
      stopSweeper();
      await wakeUps.stop();
      await Promise.all([consignments.stop(STOP_WITHIN_MS), errands.stop(STOP_WITHIN_MS)]);
      stopLeases();
    },
  };
}

/** The first worker of the day shall not wait for a token or the area's address. */
function warmUp(world: World): void {
  for (const area of world.areas.values()) {
    area.imsBackground.loadContext(area.contextId).catch((error: unknown) => {
      world.log.warn('area cannot be read yet', { area: area.contextId, error });
    });
  }
}

async function notReady(database: Database, ims: ImsClient): Promise<readonly string[]> {
  const within = <T>(work: Promise<T>) =>
    Promise.race([
      work,
      new Promise<never>((_done, fail) => setTimeout(() => fail(new Error('no answer')), READY_WITHIN_MS).unref()),
    ]);
  const [stored, token] = await Promise.allSettled([within(database.query('select 1')), within(ims.token())]);
  return [
    ...(stored.status === 'rejected' ? ['the database does not answer'] : []),
    ...(token.status === 'rejected' ? ['there is no token for the IMS'] : []),
  ];
}

function listen(server: Server, settings: Settings): Promise<Server> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(settings.PORT, settings.HOST, () => done(server));
  });
}
