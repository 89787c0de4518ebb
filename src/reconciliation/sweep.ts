import { withTimeout } from '../worker/with-timeout.js';
import type { ImsDocument, ImsShipment } from '../ims/resources.js';
import {
  type KnownDocument,
  areasThatWait,
  keepSeen,
  knownDocuments,
  knownEvents,
  loadSeen,
  shipmentsChosenFor,
  claimSweep,
} from './known-rows.js';
import { CONSIGNMENT_NOTE, type Lists, notesOf, openLists, oursIn, restsIn } from './ims-lists.js';
import { type Findings, type AllFindings, findingsOf } from './findings.js';
import { lookAtNotes } from './consignment-notes.js';
import {
  type MissedEvent,
  type ReconciliationVerdict,
  verdictOnKnown,
  verdictOnShipment,
  verdictOnUnknown,
} from './verdict.js';
import { type Recover, writeStatusAgain } from './recover.js';
import { isImsError } from '../consignment/steps/ims-failure.js';
import type { BookingContext } from '../consignment/context.js';
import { type Area, areaOf } from '../areas/area.js';

/**
 * The interval of an area's searches. A quiet area costs three requests a search, 18 an hour, and one more each while a
 * booking has not left. The most are seven lists (five, where transport bookings are booked on) of `PAGES_PER_LIST`
 * pages, and the shipments of 20 unknown consignment notes. Failed attempts count too; a list is tried at most four
 * times.
 */
const SWEEP_EVERY_MS = 10 * 60_000;
/** The delay after a start: events that senders held back come first. */
const FIRST_SWEEP_AFTER_MS = 60_000;
/** How far ahead the next search may stand. Clocks of instances differ by less than a minute. */
const MAX_AHEAD_MS = SWEEP_EVERY_MS + 60_000;
const LOOK_EVERY_MS = 30_000;
/** Jitter, so that areas are not searched in step. */
const SPREAD = 0.1;
/** An event may be delayed by this time. */
const GRACE_MS = 2 * 60_000;
/** Older documents may belong to the system before Waybridge, so only `replay` recovers them. */
const OLDEST_MS = 7 * 24 * 3_600_000;
/** The limit of recovered events in one search; the next search continues. */
const MAX_RECOVERED = 1_000;
/** The limit of statuses written again in one search, a request each. */
const MAX_STATUSES = 20;
const STOP_WITHIN_MS = 3_000;

/** The result of a search. */
export interface SweepReport {
  readonly bookings: number;
  /** Consignment notes. */
  readonly handovers: number;
  readonly shipments: number;
  readonly statuses: number;
  /** How many were left alone: they are not ours, or too old. */
  readonly leftAlone: number;
}

export interface Reconciliation {
  /**
   * Searches an area now, due or not.
   * @param asOf the time that ages are counted from; default: now
   * @throws what the IMS client throws
   */
  sweep(area: string, asOf?: Date): Promise<SweepReport>;
  /** Starts nothing new. @returns when the running search has ended, or after a few seconds */
  stop(): Promise<void>;
}

/** Searches every area regularly for missed events and recovers them. */
export function startReconciliation(context: BookingContext, recover: Recover): Reconciliation {
  const stopping = new AbortController();
  const sweep = (area: string, asOf = context.clock.now()) =>
    sweepArea({ context, recover, asOf, stopped: stopping.signal }, areaOf(context, area));
  let running: Promise<void> | null = null;
  const look = () => {
    running ??= claimSweeps(context, sweep, stopping.signal)
      .catch((error: unknown) => context.log.warn('database did not say which areas are due', { error }))
      .finally(() => (running = null));
  };
  const first = setTimeout(() => {
    if (stopping.signal.aborted) return;
    look();
    timer = setInterval(look, LOOK_EVERY_MS).unref();
  }, FIRST_SWEEP_AFTER_MS).unref();
  let timer: NodeJS.Timeout | undefined;
  return {
    sweep,
    stop: async () => {
      stopping.abort();
      clearTimeout(first);
      clearInterval(timer);
      await withTimeout(running ?? Promise.resolve(), STOP_WITHIN_MS, () => undefined);
    },
  };
}

/** Searches the due areas one after the other. */
export async function claimSweeps(
  context: Pick<BookingContext, 'database' | 'clock' | 'random' | 'log' | 'areas'>,
  sweep: (area: string) => Promise<unknown>,
  stopped: AbortSignal,
): Promise<void> {
  const times = () => {
    const now = context.clock.now();
    return { now, latest: new Date(now.getTime() + MAX_AHEAD_MS) };
  };
  const waiting = await areasThatWait(context.database, times());
  for (const area of context.areas.keys()) {
    if (stopped.aborted) return;
    if (waiting.has(area)) continue;
    const { now, latest } = times();
    const nextAt = new Date(now.getTime() + SWEEP_EVERY_MS * (1 - SPREAD * context.random()));
    if (!(await claimSweep(context.database, { area, nextAt, now, latest }))) continue;
    await sweep(area).catch((error: unknown) => {
      if (stopped.aborted) return;
      // The IMS is down or slow, or the day's requests are nearly used up: the next search is soon enough.
      const level = isImsError(error) ? 'warn' : 'error';
      context.log[level]('missed events not looked for', { area, error });
    });
  }
}

interface Sweeping {
  readonly context: BookingContext;
  readonly recover: Recover;
  readonly asOf: Date;
  readonly stopped: AbortSignal;
}

async function sweepArea({ context, recover, asOf, stopped }: Sweeping, area: Area): Promise<SweepReport> {
  const seen = await loadSeen(context.database, area.contextId);
  const lists = openLists(context, area, restsIn(seen));
  const looking: Looking = { context, area, lists, seen, asOf };
  const created = { since: new Date(asOf.getTime() - OLDEST_MS), until: new Date(asOf.getTime() - GRACE_MS) };
  const { verdicts, ...found } = await findingsOf([
    () => lookAtDocuments(looking),
    () => lookAtShipments(looking),
    () => lookAtNotes(context, { area, lists, seen, created }),
  ]);
  if (verdicts.length + found.seen.length === 0 && found.failure) throw found.failure.error;
  const missed = verdicts.flatMap((verdict) => (verdict.kind === 'recover' ? [verdict.missed] : []));
  // If the process dies here, the next search finds the same.
  const taken = stopped.aborted ? [] : await recover(missed.slice(0, MAX_RECOVERED));
  for (const one of taken) tell(context, one);
  const statuses = stopped.aborted ? 0 : await writeStatuses(context, area, verdicts);
  const report: SweepReport = {
    bookings: taken.filter(({ event }) => event.documentId !== null && !isNote(event)).length,
    handovers: taken.filter(({ event }) => isNote(event)).length,
    shipments: taken.filter((one) => one.event.documentId === null).length,
    statuses,
    leftAlone: verdicts.filter((verdict) => verdict.kind === 'not-ours').length,
  };
  const now = context.clock.now();
  const left = leftForNext(looking, found);
  await keepSeen(context.database, { area: area.contextId, seen: left, recovered: taken.length, now });
  if (found.failure) throw found.failure.error;
  const level = taken.length > 0 || statuses > 0 ? 'warn' : 'info';
  context.log[level]('looked for missed events', { area: area.contextId, ...report });
  return report;
}

function isNote({ documentType }: MissedEvent['event']): boolean {
  return documentType === CONSIGNMENT_NOTE;
}

/** The limit of remembered ids; a forgotten one counts as seen for the first time. */
const MAX_SEEN = 20_000;

/** Remembers the ids of lists that were not read, and of all parts of a list that is too long for one search. */
function leftForNext(
  { lists, seen }: Looking,
  { seen: now, failure }: Omit<AllFindings, 'verdicts'>,
): readonly string[] {
  const [before, rests] = [restsIn(seen), lists.rests()];
  const inParts = before.size + rests.size > 0 || failure !== null;
  const earlier = inParts ? [...seen].filter((note) => !notesOf(before).includes(note)) : [];
  return [...notesOf(rests), ...new Set([...now, ...earlier])].slice(0, MAX_SEEN);
}

interface Looking {
  readonly context: BookingContext;
  readonly area: Area;
  readonly lists: Lists;
  /** The ids that the last search has seen. */
  readonly seen: ReadonlySet<string>;
  readonly asOf: Date;
}

async function lookAtDocuments({ context, area, lists, seen, asOf }: Looking): Promise<Findings> {
  const { database } = context;
  const open = await lists.documents();
  const known = await knownDocuments(database, area.contextId, idsOf(open));
  const unknown = open.filter((document) => !known.has(document.id));
  const events = await knownEvents(
    database,
    unknown.flatMap((document) => document.documentCreatedEventId ?? []),
  );
  const unheard = unknown.filter((document) => !events.has(document.documentCreatedEventId ?? ''));
  const ripe = unheard.filter((document) => isRipe(document, { asOf, seen, giveUpAfterMs: area.giveUpAfterMs }));
  const shipments = await lists.shipmentsOf(idsOf(ripe));
  const ours = oursIn(context, area);
  return {
    verdicts: [
      ...open.flatMap((document) => verdictsOnEnded(document, known.get(document.id), asOf)),
      ...ripe.map((document) => verdictOnUnknown(document, shipments.get(document.id) ?? null, ours)),
    ],
    seen: unheard.filter((document) => needsSecondLook(document)).map((document) => `document:${document.id}`),
  };
}

/** A consignment that ended a moment ago may be writing its status now. */
function verdictsOnEnded(
  document: ImsDocument,
  known: KnownDocument | undefined,
  asOf: Date,
): readonly ReconciliationVerdict[] {
  if (known?.kind !== 'consignment' || asOf.getTime() - known.updatedAt.getTime() < GRACE_MS) return [];
  return [verdictOnKnown(document, known)];
}

/** Another program may have begun it a moment ago, or its age is unknown. */
function needsSecondLook({ workStatus, timeCreated }: ImsDocument): boolean {
  return workStatus !== 'PENDING' || timeCreated === null;
}

interface Patience {
  readonly asOf: Date;
  readonly seen: ReadonlySet<string>;
  readonly giveUpAfterMs: number;
}

/**
 * Whether its event counts as missed. A document that another program has begun is left to it for `giveUpAfterMs`, and
 * must be unchanged in two searches, since it may be older than that work.
 */
function isRipe(document: ImsDocument, { asOf, seen, giveUpAfterMs }: Patience): boolean {
  const { id, timeCreated, workStatus } = document;
  if (needsSecondLook(document) && !seen.has(`document:${id}`)) return false;
  if (timeCreated === null) return true;
  const ageMs = asOf.getTime() - timeCreated.getTime();
  const atLeastMs = workStatus === 'PENDING' ? GRACE_MS : Math.max(GRACE_MS, giveUpAfterMs);
  return ageMs >= atLeastMs && ageMs <= OLDEST_MS;
}

async function lookAtShipments({ context, area, lists, seen, asOf }: Looking): Promise<Findings> {
  const ours = oursIn(context, area);
  if (ours.rules === 0 || !area.imsBackground.can('patchShipment')) return { verdicts: [], seen: [] };
  const without = (await lists.unpacked()).filter(({ carrierName, cancelled }) => carrierName === null && !cancelled);
  const chosenFor = await shipmentsChosenFor(context.database, area.contextId, idsOf(without));
  const events = await knownEvents(
    context.database,
    without.flatMap((shipment) => shipment.shipmentCreatedEventId ?? []),
  );
  const unheard = without.filter(
    ({ id, shipmentCreatedEventId }) => !chosenFor.has(id) && !events.has(shipmentCreatedEventId ?? ''),
  );
  const ripe = unheard.filter((shipment) => isOldEnough(shipment, asOf, seen));
  return {
    verdicts: ripe.map((shipment) => verdictOnShipment(shipment, ours)),
    seen: unheard.filter(({ timeCreated }) => timeCreated === null).map(({ id }) => `shipment:${id}`),
  };
}

function isOldEnough({ id, timeCreated }: ImsShipment, asOf: Date, seen: ReadonlySet<string>): boolean {
  if (timeCreated === null) return seen.has(`shipment:${id}`);
  const ageMs = asOf.getTime() - timeCreated.getTime();
  return ageMs >= GRACE_MS && ageMs <= OLDEST_MS;
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map((row) => row.id);
}

async function writeStatuses(
  context: BookingContext,
  area: Area,
  verdicts: readonly ReconciliationVerdict[],
): Promise<number> {
  const wrong = verdicts.filter((verdict) => verdict.kind === 'write-status').slice(0, MAX_STATUSES);
  let written = 0;
  for (const { consignment, status } of wrong) {
    if (await writeStatusAgain(context, area, { consignment, status })) written += 1;
  }
  return written;
}

function tell(context: BookingContext, { event, possiblyBooked: inDoubt }: MissedEvent): void {
  const { contextId: area, documentId: document, shipmentId: shipment, eventId, occurredAt } = event;
  const waitedMs = occurredAt === null ? null : context.clock.now().getTime() - occurredAt.getTime();
  context.log.warn('missed event recovered', { area, document, shipment, event: eventId, waitedMs, inDoubt });
}
