import { ImsForbidden, ImsRefused, ImsUnavailable, isNotThere } from '../../ims/errors.js';
import type { ImsDocument, ImsShipment } from '../../ims/resources.js';
import type { Choice } from '../../routing/choose-carrier.js';
import { loadCarrierSetting } from '../../planning/assignment/assignment-rows.js';
import { type Consignment, type Part, type Plan, missingContainers, shipmentName } from '../consignment.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { logInstructions, logUnusableSettings } from '../../planning/instruction-notices.js';
import { siblings } from '../ledger/consignment-rows.js';
import type { Fact } from '../machine/facts.js';
import { NO_REQUESTS, bookedAnyway, whyNotBooked } from '../../planning/problems.js';
import { type ShipmentPlan, planShipment } from '../../planning/plan-shipment.js';
import { type Extent, type Requests, requestsFor } from '../../planning/requests.js';
import { sourcesOf } from '../../planning/sources.js';
import { settleCarrier } from '../../planning/assignment/assign-carrier.js';
import { nextSequence, siblingSnapshot } from '../ledger/sequence.js';
import { notSentBefore } from '../../areas/send-once.js';
import type { BookingContext } from '../context.js';
import { accountOf } from '../../accounts/account.js';
import { type Area, areaOf } from '../../areas/area.js';
import { obstacleIn, referenceAt, sameAccount, takeOver } from './earlier-bookings.js';
import { isImsError, postponedByIms } from './ims-failure.js';

type Chosen = Extract<Choice, { kind: 'chosen' }>;

/** The result of claiming a document. */
type Claim =
  { readonly kind: 'ours'; readonly claimed: boolean } | { readonly kind: 'not-ours'; readonly because: string };

/**
 * Claims the document and reads the shipment concurrently, chooses the carrier and freezes the requests. Sends nothing
 * to the carrier.
 */
export async function prepare(context: BookingContext, consignment: Consignment): Promise<Fact> {
  const area = areaOf(context, consignment.area);
  const readAt = context.clock.now();
  const [asked, shipment] = await Promise.allSettled([
    claimDocument(area, consignment),
    loadShipment(area, consignment),
  ]);
  const claim =
    asked.status === 'fulfilled' ? asked.value : await claimAfterLoss(area, consignment, { asked, shipment });
  if (claim.kind === 'unknown') return postponedByIms(claim.error, false);
  if (claim.kind === 'not-ours') return { kind: 'set-aside', because: claim.because };
  const { claimed } = claim;
  if (shipment.status === 'fulfilled')
    return planFor(context, consignment, { area, shipment: shipment.value, readAt, claimed });
  if (isNotThere(shipment.reason)) {
    return unusable([say('shipment-missing', { shipmentId: consignment.shipmentId ?? '-' })], claimed, null);
  }
  if (isNotAllowed(shipment.reason)) {
    return unusable([say('shipment-not-readable', { shipmentNumber: shipmentName(consignment) })], claimed, null);
  }
  return postponedByIms(shipment.reason, claimed);
}

/** The token's scopes do not cover shipments, so waiting does not help. */
function isNotAllowed(error: unknown): boolean {
  return error instanceof ImsForbidden && error.known === 'by-scopes';
}

/** The answer to the PATCH is the document, so no further call is needed. */
async function claimDocument(area: Area, consignment: Consignment): Promise<Claim> {
  if (consignment.documentId === null) return { kind: 'ours', claimed: false };
  try {
    const document = await area.ims.setWorkStatus(consignment.documentId, 'ON_GOING');
    return verdict(document);
  } catch (error) {
    if (error instanceof ImsForbidden) return { kind: 'ours', claimed: false };
    if (!(error instanceof ImsRefused)) throw error;
    // On a retry the refusal may come from our own earlier claim, after which the process died.
    if (consignment.tries === 0 && !consignment.claimed && consignment.version <= 1) {
      return { kind: 'not-ours', because: error.messageText };
    }
    const document = await area.ims.loadDocument(consignment.documentId);
    return document.workStatus === 'ON_GOING' && document.cancelled !== true
      ? { kind: 'ours', claimed: true }
      : { kind: 'not-ours', because: error.messageText };
  }
}

/** `FAILED` too: the next claim tells whether the document can be booked again. */
const STILL_OPEN: readonly (string | null)[] = [null, 'PENDING', 'FAILED'];

/**
 * Every answer to the claim was lost, but the IMS may have set the status: reads the document and counts ON_GOING as
 * ours. If the IMS does not answer at all, nothing more is asked.
 */
async function claimAfterLoss(
  area: Area,
  { documentId }: Consignment,
  { asked, shipment }: { readonly asked: PromiseRejectedResult; readonly shipment: PromiseSettledResult<ImsShipment> },
): Promise<Claim | { readonly kind: 'unknown'; readonly error: unknown }> {
  const error: unknown = asked.reason;
  const unknown = { kind: 'unknown', error } as const;
  const perhapsDone = error instanceof ImsUnavailable && error.effect === 'unknown';
  const isDown = shipment.status === 'rejected' && shipment.reason instanceof ImsUnavailable;
  if (!perhapsDone || isDown || documentId === null) return unknown;
  try {
    const document = await area.ims.loadDocument(documentId);
    return document.cancelled !== true && STILL_OPEN.includes(document.workStatus) ? unknown : verdict(document);
  } catch (unread) {
    if (!isImsError(unread)) throw unread;
    return unknown;
  }
}

function verdict(document: ImsDocument): Claim {
  if (document.cancelled === true) return { kind: 'not-ours', because: 'the document is cancelled' };
  const taken = document.workStatus === null || document.workStatus === 'ON_GOING';
  return taken
    ? { kind: 'ours', claimed: true }
    : { kind: 'not-ours', because: `the document is ${document.workStatus}` };
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

interface Prepared {
  readonly area: Area;
  readonly shipment: ImsShipment;
  readonly readAt: Date;
  readonly claimed: boolean;
}

async function planFor(context: BookingContext, consignment: Consignment, prepared: Prepared): Promise<Fact> {
  const { shipment, claimed, area } = prepared;
  const { shipmentNumber } = shipment;
  if (shipment.cancelled === true) {
    return unusable([say('cancelled-shipment', { shipmentNumber })], claimed, shipmentNumber);
  }
  const others = await siblings(context.database, consignment, shipment.id);
  const obstacle = obstacleIn(others, consignment, claimed);
  if (obstacle) return obstacle;
  try {
    const plan = await planShipment(context, {
      ...{ id: consignment.id, shipment, timeZone: area.timeZone, quoting: 'ask', begun: settled(consignment) },
      checksDangerousGoods: area.checksDangerousGoods,
      carrierName: shipment.carrierName ?? consignment.eventCarrierName,
      setting: await loadCarrierSetting(context.database, { area: consignment.area, shipmentId: shipment.id }),
      sources: sourcesOf(area.ims, shipment),
    });
    return await take(context, consignment, { ...prepared, plan, others });
  } catch (error) {
    return postponedByIms(error, claimed);
  }
}

interface Planned extends Prepared {
  readonly plan: ShipmentPlan;
  readonly others: readonly Consignment[];
}

/** Sets the carrier on the shipment where it differs from the plan, and freezes the requests. */
async function take(context: BookingContext, consignment: Consignment, planned: Planned): Promise<Fact> {
  const { shipment, claimed, area, plan, others } = planned;
  const { shipmentNumber } = shipment;
  await logInstructions(context, consignment.area, plan);
  logUnusableSettings(context, consignment.area, plan);
  const set = await settleCarrier(context, { ims: area.ims, shipment, readAt: planned.readAt, plan });
  // Ends by itself: it repeats only when a person has chosen another carrier meanwhile.
  if (set.kind === 'changed') return planFor(context, consignment, { area, claimed, ...set });
  const messages = whyNotBooked(context, area, { plan, shipment, found: NO_REQUESTS });
  const { choice } = plan;
  if (choice.kind !== 'chosen' || messages.length > 0) return unusable(messages, claimed, shipmentNumber);
  const reference = await referenceAt(context, consignment, { account: choice.account, shipment });
  const takenOver = await takeOver(context, consignment, sameAccount(others, choice.account));
  return freeze(
    context,
    { ...consignment, parts: [...takenOver, ...consignment.parts] },
    { ...planned, choice, reference, takenOver, told: set.messages },
  );
}

/** The account and service of an earlier run with booked parts: those are kept, whatever the shipment says now. */
function settled(consignment: Consignment): Chosen | null {
  const begun = consignment.parts.find((part) => part.state === 'booked');
  if (!begun || !consignment.plan) return null;
  const { account, rule } = consignment.plan;
  const { service, options } = begun.request;
  return { kind: 'chosen', account, service, options, rule, undecided: [] };
}

interface Choosing extends Planned {
  readonly choice: Chosen;
  readonly reference: string;
  readonly takenOver: readonly Part[];
  /** Messages that go out in addition. */
  readonly told: readonly MessageDraft[];
}

/** The containers that are not booked yet, as requests. */
async function freeze(context: BookingContext, consignment: Consignment, choosing: Choosing): Promise<Fact> {
  const { shipment, choice, reference, claimed, area, takenOver, others } = choosing;
  const account = accountOf(context, choice.account);
  const { adapter, name } = account;
  const containers = shipment.shippingContainers.map((container) => container.id);
  const plan: Plan = {
    ...{ account: name, carrierId: adapter.id, carrierName: adapter.name, rule: choice.rule },
    ...{ containers, contextId: area.contextId, turn: nextSequence(consignment, others) },
    ...settledFor(choosing),
  };
  const kept = consignment.parts.filter((part) => part.state === 'booked' || part.state === 'cancelled');
  const missing = missingContainers({ ...consignment, plan, parts: kept });
  const first = Math.max(0, ...kept.map((part) => part.n)) + 1;
  const isWhole = containers.length > 0 && missing.length === 0;
  const found = isWhole ? NO_REQUESTS : ordered(choosing.plan, { containerIds: missing, reference, first });
  const { id: shipmentId, shipmentNumber } = shipment;
  // Skips the checks where another program has begun the booking: the carrier may have accepted what we would refuse,
  // so it is asked first.
  const refused = consignment.possiblyBooked === true ? [] : found.refused;
  const messages = whyNotBooked(context, area, { plan: choosing.plan, shipment, found: { ...found, refused } });
  if (messages.length > 0) return unusable(messages, claimed, shipmentNumber);
  const whose = { area: consignment.area, shipmentId };
  const { doubts, losses } = found;
  const anyway = await notSentBefore(context, whose, bookedAnyway(area, { doubts, losses, account, shipmentNumber }));
  const warnings = [...choosing.told, ...anyway];
  const { requests } = found;
  return {
    ...{ kind: 'prepared', plan: { ...plan, warnings } },
    ...{ reference, shipmentId, shipmentNumber, requests, claimed, takenOver },
    seen: siblingSnapshot(shipmentId, others),
  };
}

/** The settings' owner, stored so that later steps use the same settings. */
function settledFor({ plan: { settled }, shipment }: Choosing): Pick<Plan, 'seller' | 'customer'> {
  if (settled?.kind !== 'settled' || settled.customer === null) return {};
  return { seller: shipment.sellerId, customer: settled.customer };
}

function ordered({ order }: ShipmentPlan, extent: Extent): Requests {
  return order === null ? NO_REQUESTS : requestsFor(order, extent);
}

function unusable(messages: readonly MessageDraft[], claimed: boolean, shipmentNumber: string | null): Fact {
  return { kind: 'unusable', messages, claimed, shipmentNumber };
}
