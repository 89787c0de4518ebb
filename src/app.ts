import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { areaTexts } from './area-texts.js';
import type { ConfigFile, ReadConfig } from './config-file.js';
import { connectAccounts } from './connect-accounts.js';
import { connectIms } from './connect-ims.js';
import { advance } from './consignment/advance.js';
import { runErrand } from './consignment/errands.js';
import { explainShipment } from './consignment/explain.js';
import { type LostEvents, startLostEvents } from './consignment/lost-events.js';
import { createReception } from './consignment/reception.js';
import { createReplay } from './consignment/replay.js';
import { createTakeUp } from './consignment/take-up.js';
import { circuitStore } from './consignment/circuit-rows.js';
import { type InstanceCount, keepCircuits } from './consignment/keep-circuits.js';
import { giveBackLeases } from './consignment/due-rows.js';
import { createHeldLeases } from './consignment/held-leases.js';
import { createPromisedReferences } from './consignment/promised-references.js';
import { createUnwrittenAnswers } from './consignment/unwritten-answers.js';
import { LEASE_MS, keepLeases } from './consignment/leases.js';
import { handOverQueries } from './consignment/hand-over-queries.js';
import { operatorActions } from './consignment/operator.js';
import { operatorQueries } from './consignment/operator-queries.js';
import { createRunner, type Runner } from './consignment/runner.js';
import { type Wakers, startSweeper } from './consignment/sweeper.js';
import { settingsDocuments } from './consignment/planning/settled-account.js';
import type { Account, Area, World } from './consignment/world.js';
import { whyNotStoring } from './db/access.js';
import type { Database } from './db/database.js';
import { createBoundedServer } from './http/connections.js';
import { type Inside, createServer } from './http/server.js';
import type { ImsClient } from './ims/client.js';
import { type Assembler, createAssembler } from './labels/assembler.js';
import { createLabelLinks } from './labels/signed-link.js';
import { type Hidden, type Log, createHidden } from './log.js';
import { type Messages, loadMessages } from './messages/messages.js';
import { type OnwardWorld, startOnward } from './onward/onward.js';
import { createSubscribers } from './onward/subscribers.js';
import { type Printing, loadPrintTemplate } from './printing/print-body.js';
import { compileRules } from './routing/choose-carrier.js';
import { openDatabase } from './open-database.js';
import { type Settings, publicUrl, trustedProxies } from './settings.js';
import { RUNNING_ENDS_WITHIN_MS, closeInTime } from './stop.js';
import { templatesFolder } from './templates.js';
import { callbackAccounts } from './config-callbacks.js';
import { startTracking } from './tracking/tracking.js';
import { createHttpPort } from './transport/http-port.js';
import type { Clock } from '../carriers/contract/adapter.js';
import type { HttpPort } from '../carriers/contract/http-port.js';

const READY_WITHIN_MS = 3_000;
/**
 * Of one area; the others wait. Each reads two things, so these fill a second of the 50 requests that the IMS takes: more
 * would only queue up before it, behind one another and before those that are nearly done.
 */
const MOST_PREPARED_AT_ONCE = 25;
/** Ids of unfinished work in one line of the log. */
const MOST_NAMED = 20;
const REAL_CLOCK: Clock = { now: () => new Date() };

/** A running service. */
export interface App {
  readonly url: string;
  /** Looks through an area for events that never came, without waiting for its turn. */
  readonly lookForLost: LostEvents['sweep'];
  /** Takes nothing new, lets what runs end within 20 s, and closes. */
  stop(): Promise<void>;
}

/** What tests put between the service and its world, to watch it and to pull the plug; in earnest there is none of it. */
export interface Seams {
  readonly clock?: Clock;
  readonly database?: (database: Database) => Database;
  readonly http?: (http: HttpPort) => HttpPort;
}

export interface Start {
  readonly settings: Settings;
  readonly config: ReadConfig;
  readonly log: Log;
  /** Opened already, or about to be, without seams; the one of the settings when not given. */
  readonly database?: Promise<Database>;
  readonly seams?: Seams;
}

export function startApp(settings: Settings, config: ReadConfig, log: Log): Promise<App> {
  return startAppWith({ settings, config, log });
}

/** Puts everything together, once. */
export async function startAppWith(start: Start): Promise<App> {
  const { settings, config, seams = {} } = start;
  const hidden = createHidden(secretsOf(settings, config));
  const log = hidden.over(start.log);
  const { clock = REAL_CLOCK } = seams;
  const [database, texts] = await Promise.all([
    start.database ?? openDatabase(settings, log, seams.database),
    loadTexts(config.file),
  ]);
  const allowPrivateAddresses = settings.ALLOW_PRIVATE_ADDRESSES === 'true' ? 'allowed' : 'refused';
  const port = createHttpPort({ allowPrivateAddresses });
  const http = seams.http?.(port) ?? port;
  const owner = randomUUID();
  const ims = await connectIms(settings, { http, database, log, clock, owner });
  const links = createLabelLinks({ secret: settings.OPERATOR_TOKEN, publicUrl: publicUrl(settings), now: clock.now });
  const assembler = createAssembler();
  const instances = { now: 1 };
  const known = { owner, database, http, ims, log, clock, hidden, instances };
  const wires = { ...known, labelLink: links.link, assemble: assembler.assemble };
  const world = surroundings(config, texts, wires);
  const circuits = await keepCircuits({ ...world, instances });
  const work = startWork(world);
  const wishes = new Map(config.file.areas.map((area) => [area.contextId, area.tracking]));
  const callsPerDay = new Map(config.accounts.map((account) => [account.name, account.trackingCallsPerDay]));
  const tracking = startTracking({ world, callbacks: callbackAccounts(config.accounts), callsPerDay, wishes });
  const onward = startOnward(onwardWorld(world, port.links.post));
  const inside: Inside = {
    log,
    trustedProxies: trustedProxies(settings),
    eventsSecret: settings.EVENTS_SECRET,
    operatorToken: settings.OPERATOR_TOKEN,
    takeIn: work.takeIn,
    actions: operatorActions(world, work.consignments.wake),
    queries: operatorQueries(database, areaTexts(texts.messages, 'en').text),
    replay: work.replay,
    callbacks: tracking.callbacks,
    parcels: tracking.queries,
    subscribers: createSubscribers({ database, clock, requireAddress: port.links.requireAddress }),
    handOvers: handOverQueries(database),
    explaining: { areas: [...world.areas.keys()], explain: (area, id) => explainShipment(world, area, id) },
    notReady: () => notReady(database, ims),
    links,
  };
  const server = await listen(createBoundedServer(createServer(inside), log), settings);
  warmUp(world, ims, assembler);
  const { port: listensOn } = server.address() as AddressInfo;
  log.info('listening', { host: settings.HOST, port: listensOn, database: database.kind, areas: world.areas.size });
  const stop = stopping({ server, workers: [work, tracking, onward, circuits], ims, database, port, assembler, log });
  return { url: `http://127.0.0.1:${listensOn}`, lookForLost: work.lostEvents.sweep, stop };
}

interface Open {
  readonly server: Server;
  readonly workers: readonly { stop(withinMs: number): Promise<void> }[];
  readonly ims: ImsClient;
  readonly database: Database;
  readonly port: { close(): void };
  readonly assembler: Assembler;
  readonly log: Log;
}

function stopping({ server, workers, ims, database, port, assembler, log }: Open): () => Promise<void> {
  return async () => {
    await closeServer(server, () => Promise.all(workers.map((each) => each.stop(RUNNING_ENDS_WITHIN_MS))));
    await closeInTime('ims', ims.close, log);
    // Before the connections: what an answer that we cut off ourselves seems to say must not be written down.
    await closeInTime('database', database.close, log);
    port.close();
    assembler.close();
    log.info('stopped');
  };
}

function onwardWorld({ database, clock, random, log, lease }: World, post: OnwardWorld['post']): OnwardWorld {
  return { database, clock, random, log, owner: lease.owner, post };
}

function secretsOf(settings: Settings, config: ReadConfig): readonly string[] {
  return [settings.IMS_CLIENT_SECRET, settings.EVENTS_SECRET, settings.OPERATOR_TOKEN, ...config.secrets];
}

interface Wires {
  /** Names this run of the process among all. */
  readonly owner: string;
  readonly database: Database;
  readonly http: HttpPort;
  readonly ims: ImsClient;
  readonly log: Log;
  readonly clock: Clock;
  readonly labelLink: (id: string) => string;
  /** Every secret of the installation. */
  readonly hidden: Hidden;
  readonly assemble: World['assemble'];
  readonly instances: InstanceCount;
}

/** What is said and printed. */
interface Texts {
  readonly messages: Messages;
  readonly printing: Printing;
}

async function loadTexts(file: ConfigFile): Promise<Texts> {
  const templates = templatesFolder();
  return { messages: await loadMessages(templates), printing: await printing(file, templates) };
}

function surroundings(config: ReadConfig, { messages, printing }: Texts, wires: Wires): World {
  const { database, log, clock, labelLink, hidden, assemble } = wires;
  return {
    database,
    clock,
    random: Math.random,
    log,
    areas: new Map(config.file.areas.map((area) => [area.contextId, connectArea(area, wires.ims, messages)])),
    accounts: connectAccounts(config.accounts, {
      ...wires,
      hide: hidden.add,
      circuits: { store: circuitStore(database), owner: wires.owner, instances: () => wires.instances.now },
    }),
    rules: compileRules(config.rules, config.accounts),
    printing,
    assemble,
    labelLink,
    mask: hidden.mask,
    lease: { owner: wires.owner, lengthMs: LEASE_MS, held: createHeldLeases() },
    promised: createPromisedReferences(),
    unwritten: createUnwrittenAnswers(),
  };
}

/** Requests that are being answered end; new ones find nobody. */
async function closeServer(server: Server, stopWork: () => Promise<unknown>): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  await stopWork();
  server.closeAllConnections();
  await closed;
}

function connectArea(area: ConfigFile['areas'][number], ims: ImsClient, messages: Messages): Area {
  const { contextId, apiKey, language, bookOn, giveUpAfterMinutes, timeZone, dangerousGoods } = area;
  return {
    contextId,
    bookOn,
    giveUpAfterMs: giveUpAfterMinutes * 60_000,
    timeZone,
    checksDangerousGoods: dangerousGoods === 'check',
    ims: ims.area(contextId, apiKey, 'booking'),
    imsBackground: ims.area(contextId, apiKey, 'background'),
    ...areaTexts(messages, language),
  };
}

async function printing(file: ConfigFile, templates: string): Promise<Printing> {
  const { mode } = file.printing;
  return mode === 'resource'
    ? { mode, template: await loadPrintTemplate(`${templates}print-resource.json`) }
    : { mode };
}

/** Everything that works through the ledger: runners, leases, the sweeper. */
function startWork(world: World) {
  const consignments = createRunner((id, prepared) => advance(world, id, prepared), world.log, MOST_PREPARED_AT_ONCE);
  const errands: Runner = createRunner(async (id) => consignments.wake(await runErrand(world, id)), world.log);
  const wakers: Wakers = {
    consignments: (due) => due.forEach(({ id, area }) => consignments.wake([id], area)),
    errands: errands.wake,
  };
  const stopSweeper = startSweeper(world, wakers);
  const stopLeases = keepLeases({
    database: world.database,
    log: world.log,
    clock: world.clock,
    lease: world.lease,
    consignments: consignments.running,
    errands: errands.running,
  });
  const reception = createReception(world, wakers);
  const takeUp = createTakeUp(reception.takeInAll);
  const lostEvents = startLostEvents(world, takeUp);
  return {
    consignments,
    lostEvents,
    replay: createReplay(world, takeUp),
    takeIn: reception.takeInBody,
    stop: async () => {
      stopSweeper();
      for (const { queue } of world.accounts.values()) queue.close();
      await Promise.all([
        lostEvents.stop(),
        consignments.stop(RUNNING_ENDS_WITHIN_MS),
        errands.stop(RUNNING_ENDS_WITHIN_MS),
      ]);
      stopLeases();
      await leave(world, [...consignments.running(), ...errands.running()]);
    },
  };
}

/** What has not ended is for another instance, or for the next start. */
async function leave(world: World, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  world.log.warn('left unfinished', { count: ids.length, ids: ids.slice(0, MOST_NAMED) });
  for (const answer of world.unwritten.all()) world.log.error('answer of a carrier not written', { ...answer });
  // First: whoever takes a lease that is given back may begin at once, and then nothing of ours may leave any more.
  for (const id of ids) world.lease.held.drop(id);
  await closeInTime('leases', () => giveBackLeases(world.database, world.lease.owner), world.log);
}

/** The first worker of the day shall not wait for a token, the area's address, or the process that reads labels. */
function warmUp(world: World, ims: ImsClient, assembler: Assembler): void {
  // Behind the token, without which nothing is ready: until then there are no labels either.
  void Promise.allSettled([ims.token()]).then(assembler.warm);
  for (const area of world.areas.values()) {
    const warned = (error: unknown) => world.log.warn('area cannot be read yet', { area: area.contextId, error });
    area.imsBackground.loadContext(area.contextId).catch(warned);
    for (const account of world.accounts.values()) noteSettings(world.log, area, account).catch(warned);
  }
}

/** What a shipment without a seller would be booked with. That it lacks something is no fault where sellers have their own. */
async function noteSettings(log: Log, { contextId, imsBackground }: Area, account: Account): Promise<void> {
  if (!account.settle) return;
  const read = await settingsDocuments(imsBackground, { sellerId: null, carrierName: account.imsCarrierName });
  const settled = account.settle(read);
  const settings =
    settled.kind === 'settled' ? 'complete' : settled.troubles.map(({ path, rule }) => `${path} ${rule}`);
  log.info('settings in the IMS, without those of sellers', { area: contextId, account: account.name, settings });
}

async function notReady(database: Database, ims: ImsClient): Promise<readonly string[]> {
  const within = <T>(work: Promise<T>) =>
    Promise.race([
      work,
      new Promise<never>((_done, fail) => setTimeout(() => fail(new Error('no answer')), READY_WITHIN_MS).unref()),
    ]);
  const [stored, token] = await Promise.allSettled([within(whyNotStoring(database)), within(ims.token())]);
  return [
    ...(stored.status === 'rejected' ? ['the database does not answer'] : []),
    ...(stored.status === 'fulfilled' && stored.value !== null ? [stored.value] : []),
    ...(token.status === 'rejected' ? ['there is no token for the IMS'] : []),
  ];
}

function listen(server: Server, settings: Settings): Promise<Server> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(settings.PORT, settings.HOST, () => done(server));
  });
}
