import { createHash } from 'node:crypto';
import { ImsForbidden, ImsRefused, ImsUnavailable, isRefusal } from '../ims/errors.js';
import type { ImsShipment } from '../ims/wire.js';
import { whilePermitted } from '../permission.js';
import { loadCarrierSetting } from './carrier-setting-rows.js';
import { type MessageDraft, say } from './consignment.js';
import {
  type Errand,
  type ErrandEnding,
  claimErrand,
  insertErrand,
  markErrandTold,
  saveErrand,
} from './errand-rows.js';
import { type Unfinished, handOver, isOld } from './hand-over.js';
import { bodyOfEvent, giveUpOpen } from './hand-over-rows.js';
import { logInstructions, logUnusableSettings } from './instruction-notices.js';
import { demandOfDocument } from './demand.js';
import { beginBooking, eventIn, takeAlong } from './intake.js';
import { wishCancelled } from './ledger.js';
import { patiently } from './patience.js';
import { warningsBeforePacking } from './planning/complaints.js';
import { type ShipmentPlan, planShipment } from './planning/plan-shipment.js';
import { sourcesOf } from './planning/sources.js';
import { delayMs } from './retry.js';
import { setNewCarrier } from './set-carrier.js';
import { post } from './steps/write.js';
import { rememberTold } from './told-before.js';
import { type Area, type World, areaOf } from './world.js';

const DIGEST_CHARACTERS = 16;
/** What waited for a new day does not all begin with its first second. */
const SPREAD_AFTER_MIDNIGHT_MS = 10 * 60_000;

/** Does one errand; repeating one does no harm. @returns rows to look at next */
export async function runErrand(world: World, id: string): Promise<readonly string[]> {
  const now = world.clock.now();
  const until = new Date(now.getTime() + world.lease.lengthMs);
  const { owner, held } = world.lease;
  const errand = await claimErrand(world.database, id, { owner, now, until });
  if (!errand) return [];
  held.take(id, until);
  try {
    return await whilePermitted(
      () => held.holds(id, world.clock.now()),
      () => run(world, errand),
    );
  } finally {
    held.drop(id);
  }
}

async function run(world: World, errand: Errand): Promise<readonly string[]> {
  const { id } = errand;
  try {
    const { note, wake, unfinished } = await perform(world, errand);
    if (unfinished) {
      await goOnLater(world, errand, unfinished);
      return wake;
    }
    await save(world, errand, { state: 'done', note, dueAt: null });
    world.log.info('errand done', { errand: id, kind: errand.kind, area: errand.area, note });
    return wake;
  } catch (error) {
    await failed(world, errand, error instanceof Error ? error : new Error(String(error)));
    return [];
  }
}

async function failed(world: World, errand: Errand, error: Error): Promise<void> {
  const now = world.clock.now();
  const final = error instanceof ImsRefused || error instanceof ImsForbidden;
  const old = isOld(errand, now);
  const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
  if (newDayAt !== null) return waitForNewDay(world, errand, newDayAt);
  const delay = delayMs(errand.tries, null, world.random());
  const dueAt = final || old ? null : new Date(now.getTime() + delay);
  if (dueAt === null) await leaveNothingOpen(world, errand, error.message);
  await save(world, errand, { state: dueAt ? 'open' : 'given-up', note: error.message, dueAt });
  // Nobody else hears of what is given up for want of an IMS.
  world.log[old && !final ? 'error' : 'warn']('errand failed', {
    errand: errand.id,
    kind: errand.kind,
    area: errand.area,
    error,
    again: dueAt !== null,
  });
}

/** What an operator sees as open is being tried by somebody. */
async function leaveNothingOpen(world: World, errand: Errand, why: string): Promise<void> {
  const { id, kind, area, documentId } = errand;
  if (kind !== 'hand-over' || documentId === null) return;
  await patiently(world, { errand: id }, () => giveUpOpen(world.database, { area, documentId }, why));
}

/** Some of it is done; of the rest, what may be tried first says when. */
async function goOnLater(world: World, errand: Errand, { failures, waitsFor }: Unfinished): Promise<void> {
  const { id, kind, area } = errand;
  const soon = world.clock.now().getTime() + delayMs(errand.tries, null, world.random());
  const times = failures.map((error) => {
    const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
    return newDayAt === null ? soon : duringNewDay(world, newDayAt).getTime();
  });
  const dueAt = new Date(Math.min(...times, ...(waitsFor === 'bookings' ? [soon] : [])));
  const [error] = failures;
  await save(world, errand, { state: 'open', note: error?.message ?? `waits for ${waitsFor}`, dueAt });
  if (error) world.log.warn('errand failed', { errand: id, kind, area, error, again: true });
  else world.log.info('errand waits', { errand: id, kind, area, for: waitsFor });
}

function duringNewDay(world: World, newDayAt: Date): Date {
  return new Date(newDayAt.getTime() + Math.round(SPREAD_AFTER_MIDNIGHT_MS * world.random()));
}

/** Nothing failed: nobody waits for it, and what is left of the day's requests is for bookings. */
async function waitForNewDay(world: World, errand: Errand, newDayAt: Date): Promise<void> {
  const dueAt = duringNewDay(world, newDayAt);
  await save(world, errand, { state: 'open', note: 'waits for the requests of a new day', dueAt });
  world.log.info('errand waits for the new day', { errand: errand.id, kind: errand.kind, area: errand.area, dueAt });
}

function save(world: World, { id }: Errand, ending: ErrandEnding): Promise<void> {
  return patiently(world, { errand: id }, () => saveErrand(world.database, { id, owner: world.lease.owner }, ending));
}

interface Done {
  readonly note: string | null;
  readonly wake: readonly string[];
  /** It is not done: performed again, it goes on. */
  readonly unfinished?: Unfinished | null;
}

async function perform(world: World, errand: Errand): Promise<Done> {
  switch (errand.kind) {
    case 'choose-carrier':
      return chooseForShipment(world, errand);
    case 'look-at-delivery-note':
      return lookAtDeliveryNote(world, errand);
    case 'identify-document':
      return identifyDocument(world, errand);
    case 'hand-over':
      return { ...(await handOver(world, errand, (message) => warnOfHandOver(world, errand, message))), wake: [] };
  }
}

/** Before anyone packs: sets the carrier where there is none, and says what that carrier will miss. */
async function chooseForShipment(world: World, errand: Errand): Promise<Done> {
  const area = areaOf(world, errand.area);
  const ims = area.imsBackground;
  const readAt = world.clock.now();
  const read = await ims.loadShipment(errand.shipmentId ?? '');
  if (read.cancelled === true) return { note: 'cancelled', wake: [] };
  let shipment = read;
  let plan = await planBeforePacking(world, errand, shipment);
  const set = await setNewCarrier(world, { ims, shipment, readAt, plan });
  if (set.kind === 'changed') {
    // The carrier is somebody else's business now; what it would refuse is told all the same.
    ({ shipment } = set);
    plan = await planBeforePacking(world, errand, shipment);
  }
  await logInstructions(world, errand.area, plan);
  logUnusableSettings(world, errand.area, plan);
  const refused = set.kind === 'settled' ? set.messages : [];
  const messages = [...refused, ...warningsBeforePacking(world, area, { plan, shipment })];
  await warn(world, { area, errand }, messages);
  await rememberTold(world, { area: errand.area, shipmentId: shipment.id }, messages);
  return { note: noteOn(plan, messages.length), wake: [] };
}

async function planBeforePacking(world: World, errand: Errand, shipment: ImsShipment): Promise<ShipmentPlan> {
  const { timeZone, checksDangerousGoods, imsBackground } = areaOf(world, errand.area);
  return planShipment(world, {
    ...{ id: errand.id, shipment, carrierName: shipment.carrierName, timeZone, checksDangerousGoods, quoting: 'never' },
    setting: await loadCarrierSetting(world.database, { area: errand.area, shipmentId: shipment.id }),
    sources: sourcesOf(imsBackground, shipment),
  });
}

function noteOn({ choice, provisional }: ShipmentPlan, problems: number): string {
  if (choice.kind === 'none') return 'no rule matched';
  // A carrier of somebody else's integration is none of our business before a booking is asked for.
  if (choice.kind === 'unknown-carrier') return `carrier ${choice.carrierName} is not ours`;
  return [
    choice.account,
    ...(provisional ? ['provisional'] : []),
    ...(problems > 0 ? [`${problems} problems`] : []),
  ].join(', ');
}

/** At the delivery note every container should have its number. */
async function lookAtDeliveryNote(world: World, errand: Errand): Promise<Done> {
  const area = areaOf(world, errand.area);
  if (errand.shipmentId === null) return { note: 'names no shipment', wake: [] };
  const shipment = await area.imsBackground.loadShipment(errand.shipmentId);
  const ours = [...world.accounts.values()].some((account) => account.imsCarrierName === shipment.carrierName);
  const without = shipment.shippingContainers.filter((container) => !container.trackingNumber);
  if (!ours || without.length === 0) return { note: null, wake: [] };
  const containers = without.map((container) => container.id).join(', ');
  await warn(world, { area, errand }, [
    say('no-tracking-number', { shipmentNumber: shipment.shipmentNumber, containers }),
  ]);
  return { note: `${without.length} containers without number`, wake: [] };
}

/** A forwarder that sends only some fields leaves out what kind of document it is: the document knows. */
async function identifyDocument(world: World, errand: Errand): Promise<Done> {
  const area = areaOf(world, errand.area);
  const document = await area.ims.loadDocument(errand.documentId ?? '');
  if (document.cancelled === true) return cancelIdentified(world, errand, document.documentType);
  const demand = demandOfDocument(document.documentType ?? '', area);
  const { shipmentId, documentId, addressee } = errand;
  if (demand.kind === 'book') {
    const now = world.clock.now();
    const { bookedOn } = demand;
    const wake = await beginBooking(world.database, {
      area: errand.area,
      bookedOn,
      documentId,
      shipmentId,
      addressee,
      now,
    });
    return { note: document.documentType, wake };
  }
  const next = demand.kind === 'errand' ? demand.errand : demand.kind;
  if (next === 'nothing' || next === 'cancel' || next === 'identify-document')
    return { note: document.documentType, wake: [] };
  if (next === 'hand-over') await markNamed(world, errand);
  const id = `${errand.id}:${next}`;
  await insertErrand(world.database, { ...errand, id, kind: next, createdAt: world.clock.now() });
  return { note: document.documentType, wake: [id] };
}

/** The document does not say which shipments left by it; the event does. */
async function markNamed({ database }: World, { id, area, documentId, createdAt }: Errand): Promise<void> {
  const event = eventIn(await bodyOfEvent(database, id), id);
  const left = { documentId, shipmentIds: event?.shipmentIds ?? [], occurredAt: event?.occurredAt ?? null };
  await takeAlong(database, { event: left, area, now: createdAt });
}

/** Such a forwarder does not say either whether the document was created or cancelled. */
async function cancelIdentified(world: World, errand: Errand, documentType: string | null): Promise<Done> {
  const { area, documentId, shipmentId, addressee, createdAt } = errand;
  const booked = demandOfDocument(documentType ?? '', areaOf(world, area)).kind === 'book';
  if (!booked && documentType !== 'DELIVERY_NOTE') return { note: 'cancelled', wake: [] };
  const wake = await wishCancelled(world.database, {
    area,
    documentId: booked ? documentId : null,
    shipmentId,
    before: createdAt,
    by: { ...addressee, by: 'document' },
    now: world.clock.now(),
  });
  return { note: 'cancelled', wake };
}

/** Each once: what was told before the errand failed is not told again. */
async function warn(
  world: World,
  { area, errand }: { readonly area: Area; readonly errand: Errand },
  messages: readonly MessageDraft[],
): Promise<void> {
  for (const message of messages) {
    const digest = digestOf(message);
    if (errand.told.includes(digest)) continue;
    await post(world, area, { to: errand.addressee, message });
    await markErrandTold(world.database, errand.id, digest);
  }
}

function digestOf(message: MessageDraft): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, DIGEST_CHARACTERS);
}

/**
 * Nobody waits for it at a screen: it goes after what bookings need. What the IMS does not take is not said again, so that
 * the rest of the hand-over goes on; it is in the log, and in the list's row.
 */
async function warnOfHandOver(world: World, errand: Errand, message: MessageDraft): Promise<void> {
  const area = areaOf(world, errand.area);
  try {
    await warn(world, { area: { ...area, ims: area.imsBackground }, errand }, [message]);
  } catch (error) {
    const waitsForNewDay = error instanceof ImsUnavailable && error.newDayAt !== null;
    const isLast = isOld(errand, world.clock.now()) && error instanceof ImsUnavailable && !waitsForNewDay;
    if (!isRefusal(error) && !isLast) throw error;
    const { id, documentId: document } = errand;
    // An event that the IMS does not know has nobody who could be told.
    const level = error instanceof ImsRefused && error.messageCode === 'unknown_Event' ? 'warn' : 'error';
    world.log[level]('hand-over not told', { errand: id, area: area.contextId, document, message: message.key, error });
    await markErrandTold(world.database, id, digestOf(message));
  }
}
