import { ImsForbidden, ImsRefused, isNotThere } from '../../ims/errors.js';
import type { ImsShipment } from '../../ims/resources.js';
import { loadCarrierSetting } from '../../planning/assignment/assignment-rows.js';
import { type Consignment, isOfCustomer, partsIn, shipmentName, withParts } from '../consignment.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { logInstructions, logUnusableSettings } from '../../planning/log-instructions.js';
import { type SiblingsWithSnapshot, siblingsWithSnapshot, siblings } from '../ledger/consignment-rows.js';
import { noSiblings, withoutHandedOn } from '../ledger/sequence.js';
import { bookedBeside, isLeftToPerson, parcelsGone } from '../machine/beside.js';
import type { Fact } from '../machine/facts.js';
import { NO_REQUESTS, whyNotBooked } from '../../planning/problems.js';
import { type ShipmentPlan, planShipment } from '../../planning/plan-shipment.js';
import { sourcesOf } from '../../planning/sources.js';
import { settleCarrier } from '../../planning/assignment/assign-carrier.js';
import type { BookingContext } from '../context.js';
import { type Area, areaNotOurs, areaOf } from '../../areas/area.js';
import { claimAfterLoss, claimDocument } from './claim-document.js';
import {
  isInShipment,
  isReplaced,
  obstacleIn,
  referenceAt,
  skipped,
  takeOver,
  unfinishedOf,
} from './earlier-bookings.js';
import { type ChosenAccount, chosenCarrierOf, freeze, settledCustomer } from './freeze.js';
import { postponedByIms } from './ims-failure.js';
import { configuredOtherwise } from './reach-account.js';

/*
 * Preparing decides what is booked where. It sends nothing to the carrier, and stores nothing but the carrier of the
 * shipment in the IMS, so it can be repeated.
 *
 * prepare         claims the document (`claim-document`) and reads the shipment at the same time
 * planFor         looks at the other bookings of the shipment, then chooses account, service and options
 * decide          sets the chosen carrier on the shipment; a person chose another one meanwhile: back to `planFor`.
 *                 Then takes a reference, and the booked parts of earlier bookings
 * freeze          makes the requests for the rest (`freeze`); the result is the fact `prepared`
 *
 * The other results: `skipped` (the document or shipment is not ours, or the shipment is booked), `unusable` (a worker must correct
 * something), `postponed` (the IMS or another booking must come first).
 */
export async function prepare(context: BookingContext, consignment: Consignment): Promise<Fact> {
  const area = areaOf(context, consignment.area);
  const readAt = context.clock.now();
  const early = shipmentWithoutSiblings(context, consignment);
  const [claiming, shipment] = await Promise.allSettled([
    claimDocument(context, area, consignment),
    loadShipment(area, consignment),
  ]);
  const claim =
    claiming.status === 'fulfilled'
      ? claiming.value
      : await claimAfterLoss(area, consignment, { error: claiming.reason, shipment });
  if (claim.kind === 'unknown') return postponedByIms(claim.error, false);
  if (claim.kind === 'not-ours') return notOurs(context, consignment, claim.because);
  const { claimed } = claim;
  if (shipment.status === 'rejected') return withoutShipment(consignment, shipment.reason, claimed);
  const otherArea = areaNotOurs(context, shipment.value);
  if (otherArea !== null) return ofOtherArea(context, consignment, { shipment: shipment.value, otherArea, claimed });
  const read = { area, shipment: shipment.value, readAt, claimed, alone: await early };
  const fact = await planFor(context, consignment, read);
  // The event may have named no shipment.
  return fact.kind === 'unusable' ? { ...fact, shipmentId: read.shipment.id } : fact;
}

/** A document that was claimed must not stay ON_GOING, and its worker must know. */
async function ofOtherArea(
  context: BookingContext,
  consignment: Consignment,
  found: { readonly shipment: ImsShipment; readonly otherArea: string; readonly claimed: boolean },
): Promise<Fact> {
  const { shipment, otherArea: area, claimed } = found;
  const { id, shipmentNumber } = shipment;
  if (claimed) return unusable([say('shipment-of-other-area', { shipmentNumber, area })], claimed, shipmentNumber);
  const because = `shipment ${id} belongs to area ${area}, which is not configured`;
  return { ...(await notOurs(context, consignment, because)), otherArea: area };
}

async function notOurs({ database }: BookingContext, consignment: Consignment, because: string) {
  const { shipmentId, parts } = consignment;
  const isNew = shipmentId === null || parts.length === 0;
  return skipped(consignment, isNew ? [] : await siblings(database, consignment, shipmentId), because);
}

/**
 * Reads the siblings while the IMS answers. Where there are none, they are not read again: the plan is stored only if that
 * is still so.
 * @returns the shipment that had no other bookings; `null`: they have to be read when the IMS has answered
 */
async function shipmentWithoutSiblings(context: BookingContext, consignment: Consignment): Promise<string | null> {
  const { shipmentId } = consignment;
  if (shipmentId === null) return null;
  try {
    return (await siblings(context.database, consignment, shipmentId)).length === 0 ? shipmentId : null;
  } catch {
    return null;
  }
}

async function loadShipment(area: Area, consignment: Consignment): Promise<ImsShipment> {
  if (consignment.shipmentId !== null) return area.ims.loadShipment(consignment.shipmentId);
  const { documentId } = consignment;
  if (documentId === null) throw new Error(`consignment ${consignment.id} names neither a document nor a shipment`);
  // The event named no shipment: looks for the shipment of the document.
  for await (const row of area.ims.listShipments({ onlyNotCancelled: 'true', onlyNoConsignmentNote: 'true' })) {
    if ([row.transportBookingId, row.deliveryNoteId].includes(documentId)) return area.ims.loadShipment(row.id);
  }
  throw new ImsRefused('unknown_Shipment', `no shipment belongs to document ${documentId}`);
}

function withoutShipment(consignment: Consignment, error: unknown, claimed: boolean): Fact {
  if (isNotThere(error)) {
    return unusable([say('shipment-missing', { shipmentId: consignment.shipmentId ?? '-' })], claimed, null);
  }
  if (isNotAllowed(error)) {
    return unusable([say('shipment-not-readable', { shipmentNumber: shipmentName(consignment) })], claimed, null);
  }
  return postponedByIms(error, claimed);
}

/** The token's scopes do not cover shipments, so waiting does not help. */
function isNotAllowed(error: unknown): boolean {
  return error instanceof ImsForbidden && error.known === 'by-scopes';
}

/** What `prepare` has read. */
interface Read {
  readonly area: Area;
  readonly shipment: ImsShipment;
  readonly readAt: Date;
  readonly claimed: boolean;
  /** The shipment that had no other bookings; `null`: they have to be read. */
  readonly alone: string | null;
}

async function planFor(context: BookingContext, consignment: Consignment, read: Read): Promise<Fact> {
  const { shipment, claimed, area } = read;
  const { shipmentNumber } = shipment;
  if (shipment.cancelled === true) {
    return unusable([say('cancelled-shipment', { shipmentNumber })], claimed, shipmentNumber);
  }
  const { others, snapshot } = await othersBeside(context, consignment, read);
  const obstacle = obstacleIn(others, consignment, claimed);
  if (obstacle) return obstacle;
  const problems = whyNotGoneOn(context, consignment, { others, shipment });
  if (problems.length > 0) return unusable(problems, claimed, shipmentNumber);
  try {
    const plan = await planShipment(context, {
      ...{ id: consignment.id, shipment, timeZone: area.timeZone, quoting: 'ask' },
      earlierChoice: earlierChoice(consignment),
      checksDangerousGoods: area.checksDangerousGoods,
      carrierName: shipment.carrierName ?? consignment.eventCarrierName,
      setting: await loadCarrierSetting(context.database, { area: consignment.area, shipmentId: shipment.id }),
      sources: sourcesOf(area.ims, shipment),
    });
    const ofAnother = bookedForAnother(withoutHandedOn(consignment, others), plan);
    if (ofAnother.length > 0) return unusable(ofAnother, claimed, shipmentNumber);
    return await decide(context, consignment, { ...read, plan, others, snapshot });
  } catch (error) {
    return postponedByIms(error, claimed);
  }
}

async function othersBeside(
  { database }: BookingContext,
  consignment: Consignment,
  { alone, shipment }: Read,
): Promise<SiblingsWithSnapshot> {
  if (alone === shipment.id) return { others: [], snapshot: noSiblings(shipment.id) };
  return siblingsWithSnapshot(database, consignment, shipment.id);
}

/** Messages that end this run because parts of an earlier run must stay as they are; none: preparing continues. */
function whyNotGoneOn(
  context: BookingContext,
  consignment: Consignment,
  { others, shipment }: { readonly others: readonly Consignment[]; readonly shipment: ImsShipment },
): readonly MessageDraft[] {
  const own = withoutHandedOn(consignment, others);
  const beside = partsIn(own, 'booked').length > 0 ? [bookedBeside(own)] : [];
  const { shipmentNumber } = shipment;
  if (isReplaced(consignment, others)) return [say('booked-since', { shipmentNumber }), ...beside];
  if (isLeftToPerson(own, others) || isAccountGone(context, own)) return beside;
  const gone = withParts(own, (part) => !isInShipment(part, shipment));
  return partsIn(gone, 'booked').length > 0 ? [parcelsGone(gone)] : [];
}

/** The message that ends this run because another customer's settings are in the IMS now; none: it continues. */
function bookedForAnother(own: Consignment, { settled }: ShipmentPlan): readonly MessageDraft[] {
  const isOfSame = isOfCustomer(own.plan, settledCustomer(settled));
  return isOfSame || partsIn(own, 'booked').length === 0 ? [] : [bookedBeside(own)];
}

/** Tells whether the account has left the configuration, or its name stands for another carrier or customer by now. */
function isAccountGone({ accounts }: BookingContext, { plan }: Consignment): boolean {
  return plan !== null && configuredOtherwise(plan, accounts.get(plan.account)) !== null;
}

/** The account and service of an earlier run with booked parts: those are kept, even if the shipment has changed. */
function earlierChoice(consignment: Consignment): ChosenAccount | null {
  const [booked] = partsIn(consignment, 'booked');
  if (!booked || !consignment.plan) return null;
  const { account, rule } = consignment.plan;
  const { service, options } = booked.request;
  return { kind: 'chosen', account, service, options, rule, undecided: [] };
}

interface Planned extends Read, SiblingsWithSnapshot {
  readonly plan: ShipmentPlan;
}

/** Sets the carrier on the shipment where it differs from the plan, then fixes reference and parts. */
async function decide(context: BookingContext, consignment: Consignment, planned: Planned): Promise<Fact> {
  const { shipment, claimed, area, plan, others } = planned;
  await logInstructions(context, consignment.area, plan);
  logUnusableSettings(context, consignment.area, plan);
  const set = await settleCarrier(context, { ims: area.ims, shipment, readAt: planned.readAt, plan });
  // Ends by itself: it repeats only when a person has chosen another carrier meanwhile.
  if (set.kind === 'changed') return planFor(context, consignment, { area, claimed, ...set, alone: null });
  const problems = whyNotBooked(context, area, { plan, shipment, found: NO_REQUESTS });
  const { choice } = plan;
  if (choice.kind !== 'chosen') return unusable(problems, claimed, shipment.shipmentNumber);
  if (problems.length > 0) {
    const chosen = chosenCarrierOf(context, choice.account);
    return { kind: 'unusable', messages: problems, claimed, shipmentNumber: shipment.shipmentNumber, chosen };
  }
  const reference = await referenceAt(context, consignment, { account: choice.account, shipment });
  const place = { ...chosenCarrierOf(context, choice.account), customer: settledCustomer(plan.settled) };
  const { last, beside } = unfinishedOf(others, place, shipment);
  const isOwn = partsIn(consignment, 'booked').length > 0;
  const takenOver = last === null || isOwn ? [] : await takeOver(context, consignment, last);
  const messages = [...set.messages, ...beside.map(bookedBeside)];
  return freeze(context, consignment, { ...planned, choice, reference, takenOver, messages });
}

function unusable(messages: readonly MessageDraft[], claimed: boolean, shipmentNumber: string | null): Fact {
  return { kind: 'unusable', messages, claimed, shipmentNumber };
}
