import { ImsForbidden, ImsRefused, ImsUnavailable } from '../ims/errors.js';
import { toBookingRequest } from '../ims/booking-request.js';
import type { ImsShipment } from '../ims/wire.js';
import { type Choice, chooseCarrier, withoutQuotes } from '../routing/choose-carrier.js';
import { factsOf } from '../routing/facts.js';
import type { Problem } from '../../carriers/contract/model.js';
import { quoteProblems } from '../messages/quote.js';
import { whilePermitted } from '../permission.js';
import { type MessageDraft, say } from './consignment.js';
import { type Errand, type ErrandEnding, claimErrand, insertErrand, saveErrand } from './errand-rows.js';
import { beginBooking, demandOfDocument } from './intake.js';
import { wishCancelled } from './ledger.js';
import { patiently } from './patience.js';
import { LONGEST_WITH_IMS_MS, delayMs } from './retry.js';
import { post } from './steps/write.js';
import { type Area, type World, areaOf } from './world.js';

const MOST_WARNINGS = 5;
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
    const { note, wake } = await perform(world, errand);
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
  const old = now.getTime() - errand.createdAt.getTime() > LONGEST_WITH_IMS_MS;
  const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
  if (newDayAt !== null) return waitForNewDay(world, errand, newDayAt);
  const delay = delayMs(errand.tries, null, world.random());
  const dueAt = final || old ? null : new Date(now.getTime() + delay);
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

/** Nothing failed: nobody waits for it, and what is left of the day's requests is for bookings. */
async function waitForNewDay(world: World, errand: Errand, newDayAt: Date): Promise<void> {
  const dueAt = new Date(newDayAt.getTime() + Math.round(SPREAD_AFTER_MIDNIGHT_MS * world.random()));
  await save(world, errand, { state: 'open', note: 'waits for the requests of a new day', dueAt });
  world.log.info('errand waits for the new day', { errand: errand.id, kind: errand.kind, area: errand.area, dueAt });
}

function save(world: World, { id }: Errand, ending: ErrandEnding): Promise<void> {
  return patiently(world, { errand: id }, () => saveErrand(world.database, { id, owner: world.lease.owner }, ending));
}

interface Done {
  readonly note: string | null;
  readonly wake: readonly string[];
}

function perform(world: World, errand: Errand): Promise<Done> {
  switch (errand.kind) {
    case 'choose-carrier':
      return chooseForShipment(world, errand);
    case 'look-at-delivery-note':
      return lookAtDeliveryNote(world, errand);
    case 'identify-document':
      return identifyDocument(world, errand);
  }
}

/** Before anyone packs: sets the carrier where there is none, and says what that carrier will miss. */
async function chooseForShipment(world: World, errand: Errand): Promise<Done> {
  const area = areaOf(world, errand.area);
  const shipment = await area.imsBackground.loadShipment(errand.shipmentId ?? '');
  if (shipment.cancelled === true) return { note: 'cancelled', wake: [] };
  const facts = factsOf(shipment, { timeZone: area.timeZone, now: world.clock.now() });
  const choice = withoutQuotes(chooseCarrier(facts, world.rules));
  // A carrier of somebody else's integration is none of our business before a booking is asked for.
  if (choice.kind === 'unknown-carrier') return { note: `carrier ${choice.carrierName} is not ours`, wake: [] };
  const { shipmentNumber } = shipment;
  if (choice.kind === 'none') {
    if (world.rules.rules.length > 0) await warn(world, { area, errand }, [say('no-rule-yet', { shipmentNumber })]);
    return { note: 'no rule matched', wake: [] };
  }
  const account = world.accounts.get(choice.account);
  if (!account) throw new Error(`account ${choice.account} is not configured`);
  if (shipment.carrierName === null)
    await area.imsBackground.patchShipment(shipment.id, { carrierName: account.imsCarrierName });
  const problems = await preflight(world, { area, shipment, choice });
  if (problems.length > 0) {
    const told = problems.slice(0, MOST_WARNINGS);
    await warn(
      world,
      { area, errand },
      told.map((problem) =>
        say('preflight', { shipmentNumber, carrier: account.adapter.name, problems: quoteProblems([problem]) }),
      ),
    );
  }
  return { note: `${account.name}${problems.length > 0 ? `, ${problems.length} problems` : ''}`, wake: [] };
}

interface Preflight {
  readonly area: Area;
  readonly shipment: ImsShipment;
  readonly choice: Extract<Choice, { kind: 'chosen' }>;
}

/** Nothing is packed yet, so containers and weights do not count. */
async function preflight(world: World, { area, shipment, choice }: Preflight): Promise<readonly Problem[]> {
  const account = world.accounts.get(choice.account);
  const context = await area.imsBackground.loadContext(area.contextId).catch(() => null);
  const assumed = shipment.shippingContainers.length > 0 ? {} : { shippingContainers: [ASSUMED_CONTAINER] };
  const result = toBookingRequest({
    shipment: { ...shipment, ...assumed },
    context,
    seller: null,
    reference: shipment.shipmentNumber,
    service: choice.service,
    options: choice.options,
    shipDate: world.clock.now().toISOString().slice(0, 10),
  });
  if (result.kind === 'unusable') return result.problems.filter((problem) => problem.parcelId === null);
  const problems = account?.carrier.check?.(result.request) ?? [];
  return problems.filter((problem) => problem.parcelId === null);
}

const ASSUMED_CONTAINER = {
  id: 'not-packed-yet',
  trackingNumber: null,
  trackingUrl: null,
  containerTypeName: null,
  weight: null,
  grossWeight: 1,
  netWeight: null,
  tareWeight: null,
  dimensions: null,
  outerVolume: null,
  volume: null,
};

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
  if (demand.kind !== 'errand' || demand.errand === 'identify-document')
    return { note: document.documentType, wake: [] };
  const id = `${errand.id}:${demand.errand}`;
  await insertErrand(world.database, { ...errand, id, kind: demand.errand, createdAt: world.clock.now() });
  return { note: document.documentType, wake: [id] };
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

async function warn(
  world: World,
  { area, errand }: { readonly area: Area; readonly errand: Errand },
  messages: readonly MessageDraft[],
): Promise<void> {
  for (const message of messages) await post(world, area, { to: errand.addressee, message });
}
