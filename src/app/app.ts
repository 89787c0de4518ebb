import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { startAlerts } from '../alerts/alerts.js';
import type { ReadConfig } from '../config/config-file.js';
import { connectIms } from './connect-ims.js';
import { connectionsOfBookings } from './connections-of-bookings.js';
import type { Reconciliation } from '../reconciliation/sweep.js';
import { keepCircuits } from '../accounts/circuit-sharing.js';
import { dropAllLeases } from '../worker/leased-rows.js';
import type { BookingContext } from '../consignment/context.js';
import type { Database } from '../db/database.js';
import { createBoundedServer } from '../http/connections.js';
import { type ServerDeps, createServer } from '../http/server.js';
import type { ImsClient } from '../ims/calls/client.js';
import { assemblyAhead } from '../labels/assemble-ahead.js';
import { type Assembler, createAssembler } from '../labels/assembler.js';
import { type Retention, startRetention } from '../retention/retention.js';
import { createLabelLinks } from '../labels/signed-link.js';
import { type Log, createHidden } from '../log.js';
import { type WebhookContext, startWebhooks } from '../webhooks/deliver-webhooks.js';
import { createSubscribers } from '../webhooks/subscribers.js';
import { createAccountToProbe } from '../planning/account-to-probe.js';
import { openDatabase } from '../db/open-database.js';
import { type Settings, publicUrl, secretsOfEnvironment, trustedProxies } from '../config/environment.js';
import { callbackAccounts } from '../config/callbacks.js';
import { listenError } from '../config/exposure.js';
import { startTracking } from '../tracking/tracking.js';
import { createHttpPort } from '../transport/http-port.js';
import { recordedHttp } from '../transport/recorded-http.js';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { HttpPort } from '../../carriers/contract/http-port.js';
import { dashboardOf, operatorAccess } from './dashboard.js';
import { bookingContext, loadTexts } from './context.js';
import { eventQueries } from '../intake/event-queries.js';
import { createMeasuring } from './measuring.js';
import { operatorSide } from './operator-side.js';
import { notReady, warmUp } from './readiness.js';
import { RUNNING_ENDS_WITHIN_MS, closeInTime, closeServer } from './shutdown.js';
import { tracingOf } from './traced.js';
import { startWork } from './work.js';

const REAL_CLOCK: Clock = { now: () => new Date() };

/** A running service. */
export interface App {
  readonly url: string;
  /** Searches for due work now; the sweeper would do it at its next turn. */
  readonly lookForDue: () => Promise<void>;
  /** Searches an area for missed events now; the sweep would do it at its next turn. */
  readonly lookForMissed: Reconciliation['sweep'];
  /** Deletes old data now; the interval would do it at its next turn. */
  readonly deleteOld: Retention['round'];
  /** Accepts no new work, gives running work 20 s to end, and closes everything. */
  stop(): Promise<void>;
}

/** Hooks of tests, to watch the service and to cut its connections. In production there are none. */
export interface Seams {
  readonly clock?: Clock;
  readonly database?: (database: Database) => Database;
  readonly http?: (http: HttpPort) => HttpPort;
}

export interface StartOptions {
  readonly settings: Settings;
  readonly config: ReadConfig;
  readonly log: Log;
  /** The database, open or being opened. Without it, the service opens the one of its settings. */
  readonly database?: Promise<Database>;
  readonly seams?: Seams;
}

export function startApp(settings: Settings, config: ReadConfig, log: Log): Promise<App> {
  return startAppWith({ settings, config, log });
}

/** Creates every part of the service once and connects them. */
export async function startAppWith(start: StartOptions): Promise<App> {
  const { settings, config } = start;
  const base = await connect(start);
  const { log, clock, database, texts, port, ims, links, assembler, measuring, context, accountToProbe } = base;
  const work = startWork(context);
  const tracking = startTracking(trackingDeps(context, config));
  const webhooks = startWebhooks(webhookContext(context, port.links.post));
  const alerts = alerting(webhookContext(context, port.links.post), start);
  const scrape = measuring.scrape(context, settings, config);
  const access = operatorAccess(settings, config, { database, clock, log });
  const { adapters, file } = config;
  const { retention: days } = file;
  const { deleted } = measuring.metrics;
  const retention = startRetention({ ...context, owner: context.lease.owner, days, deleted });
  const { wake } = work.consignments;
  const side = operatorSide(context, { messages: texts.messages, ims, wake, accountToProbe, days, adapters });
  const events = { events: eventQueries(context), replayEvent: work.replayEvent };
  const incoming = { inbox: events, parcels: tracking.queries };
  const inside: ServerDeps = {
    log,
    trustedProxies: trustedProxies(settings),
    eventsSecret: settings.EVENTS_SECRET,
    access,
    metricsToken: settings.METRICS_TOKEN ?? null,
    measures: scrape,
    takeIn: work.takeIn,
    ...side,
    dashboard: dashboardOf(context, settings, { access, ...side, ...incoming }),
    replay: work.replay,
    ...incoming,
    callbacks: measuring.callbacks(tracking.callbacks),
    subscribers: createSubscribers({ database, clock, requireAddress: port.links.requireAddress }),
    notReady: () => notReady(database, ims),
    links,
  };
  const server = await listen(createBoundedServer(createServer(inside), log), settings);
  warmUp(context, ims, assembler);
  const { port: listensOn } = server.address() as AddressInfo;
  log.info('listening', { host: settings.HOST, port: listensOn, database: database.kind, areas: context.areas.size });
  const stop = stopping({
    ...base,
    server,
    running: [work, tracking, webhooks, alerts, retention, base.circuits, scrape],
  });
  const { round: deleteOld } = retention;
  const { lookForDue, missedEvents } = work;
  const url = `http://127.0.0.1:${listensOn}`;
  return { url, lookForDue, lookForMissed: missedEvents.sweep, deleteOld, stop };
}

/** Opens the database, and creates what the rooms share. */
async function connect(start: StartOptions) {
  const { settings, config, seams = {} } = start;
  const hidden = createHidden([...secretsOfEnvironment(settings), ...config.secrets]);
  const log = hidden.over(start.log);
  const { clock = REAL_CLOCK } = seams;
  const [database, texts] = await Promise.all([openWithoutLeases(start, log), loadTexts(config.file)]);
  const allowPrivateAddresses = settings.ALLOW_PRIVATE_ADDRESSES === 'true' ? 'allowed' : 'refused';
  const port = createHttpPort({ allowPrivateAddresses });
  const http = seams.http?.(port) ?? port;
  const owner = randomUUID();
  const measuring = createMeasuring();
  const tracing = await tracingOf(settings, { clock, log, owner });
  const { limiter: waited, bookings } = measuring.metrics;
  const measures = tracing?.measures(bookings) ?? bookings;
  const imsHttp = recordedHttp(measuring.imsHttp(http), { kind: 'ims' }, clock);
  const ims = await connectIms(settings, { http: imsHttp, database, log, clock, owner, waited });
  const links = createLabelLinks({ secret: settings.OPERATOR_TOKEN, publicUrl: publicUrl(settings), now: clock.now });
  const assembler = createAssembler();
  const instances = { now: 1 };
  const ahead = connectionsOfBookings(port.ahead, { ims: settings.IMS_BASE_URL, accounts: config.accounts });
  const watch = (carrier: HttpPort, account: string) =>
    recordedHttp(measuring.carrierHttp(carrier, account), { kind: 'carrier', account }, clock);
  const known = { owner, database, http, ims, log, clock, hidden, instances, ahead, measures, watch };
  const drawn = { assembly: assemblyAhead(assembler.assemble), drawing: assembler };
  const deps = { ...known, ...drawn, labelLink: links.link };
  const untraced = bookingContext(config, texts, deps);
  const context = tracing === null ? untraced : { ...untraced, requests: tracing.around(untraced.requests) };
  const accountToProbe = createAccountToProbe(context);
  const circuits = await keepCircuits({ ...context, instances, accountToProbe });
  return { log, clock, database, texts, port, ims, links, assembler, measuring, context, accountToProbe, circuits };
}

function trackingDeps(booking: BookingContext, { accounts, file }: ReadConfig): Parameters<typeof startTracking>[0] {
  return {
    booking,
    callbacks: callbackAccounts(accounts),
    callsPerDay: new Map(accounts.map((account) => [account.name, account.trackingCallsPerDay])),
    options: new Map(file.areas.map((area) => [area.contextId, area.tracking])),
    keptDays: { parcels: file.retention.history, callbacks: file.retention.callbacks },
  };
}

/** Only one process can use the folder of an embedded database, so every stored lease belongs to a dead process. */
async function openWithoutLeases({ settings, seams = {}, ...start }: StartOptions, log: Log): Promise<Database> {
  const database = await (start.database ?? openDatabase(settings, log, seams.database));
  if (database.kind === 'embedded') await dropAllLeases(database);
  return database;
}

interface Open {
  readonly context: Pick<BookingContext, 'requests'>;
  readonly server: Server;
  /** What works in the background. */
  readonly running: readonly { stop(withinMs: number): Promise<void> }[];
  readonly ims: ImsClient;
  readonly database: Database;
  readonly port: { close(): void };
  readonly assembler: Assembler;
  readonly log: Log;
}

function stopping({ server, running, ims, database, port, assembler, log, context }: Open): () => Promise<void> {
  return async () => {
    await closeServer(server, () => Promise.all(running.map((each) => each.stop(RUNNING_ENDS_WITHIN_MS))));
    await closeInTime('ims', ims.close, log);
    // The ledger stops before the connections: closing a connection cuts answers off, and no outcome may be read from those.
    await closeInTime('requests', async () => context.requests?.stop(), log);
    await closeInTime('database', database.close, log);
    port.close();
    assembler.close();
    log.info('stopped');
  };
}

function webhookContext(
  { database, clock, random, log, lease }: BookingContext,
  post: WebhookContext['post'],
): WebhookContext {
  return { database, clock, random, log, owner: lease.owner, post };
}

/** Nothing is sent where no address is configured. */
function alerting(
  webhooks: WebhookContext,
  { settings, config }: StartOptions,
): { stop(withinMs: number): Promise<void> } {
  const { alerts: receiver } = config.file;
  if (receiver === undefined) return { stop: async () => undefined };
  return startAlerts({ ...webhooks, receiver, publicUrl: publicUrl(settings) });
}

function listen(server: Server, settings: Settings): Promise<Server> {
  return new Promise((done, fail) => {
    server.once('error', (error) => fail(listenError(error, settings)));
    server.listen(settings.PORT, settings.HOST, () => done(server));
  });
}
