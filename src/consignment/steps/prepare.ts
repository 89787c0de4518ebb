import type { Problem } from '../../../carriers/contract/model.js';
import { toBookingRequest } from '../../ims/booking-request.js';
import { isEmpty, toAddress } from '../../ims/parties.js';
import { ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../../ims/errors.js';
import type { ImsContext, ImsDocument, ImsSeller, ImsShipment } from '../../ims/wire.js';
import { type Choice, chooseCarrier, withoutQuotes } from '../../routing/choose-carrier.js';
import { factsOf } from '../../routing/facts.js';
import { type Consignment, type MessageDraft, type Part, missingContainers, say } from '../consignment.js';
import { siblings } from '../ledger.js';
import type { Fact } from '../machine/fact.js';
import { partReference } from '../reference.js';
import { type Area, type World, accountOf, areaOf } from '../world.js';
import { obstacleIn, referenceAt, sameAccount, takeOver } from './earlier-bookings.js';
import { isImsError, postponedByIms } from './ims-trouble.js';

type Chosen = Extract<Choice, { kind: 'chosen' }>;

/** A taken-up document: ours, or why not. */
type Claim =
  { readonly kind: 'ours'; readonly claimed: boolean } | { readonly kind: 'not-ours'; readonly because: string };

/**
 * Claims the document and reads the shipment beside each other, chooses the carrier and freezes the requests. Changes
 * nothing at the carrier.
 */
export async function prepare(world: World, consignment: Consignment): Promise<Fact> {
  const area = areaOf(world, consignment.area);
  const [asked, shipment] = await Promise.allSettled([
    claimDocument(area, consignment),
    loadShipment(area, consignment),
  ]);
  const claim =
    asked.status === 'fulfilled' ? asked.value : await claimAfterLoss(area, consignment, { asked, shipment });
  if (claim.kind === 'unknown') return postponedByIms(claim.error, false);
  if (claim.kind === 'not-ours') return { kind: 'set-aside', because: claim.because };
  const { claimed } = claim;
  if (shipment.status === 'fulfilled') return planFor(world, consignment, { area, shipment: shipment.value, claimed });
  if (isNotThere(shipment.reason)) {
    return unusable([say('shipment-missing', { shipmentId: consignment.shipmentId ?? '-' })], claimed, null);
  }
  return postponedByIms(shipment.reason, claimed);
}

function isNotThere(error: unknown): boolean {
  return error instanceof ImsRefused || (error instanceof ImsProblem && (error.status === 404 || error.status === 400));
}

/** The answer of the PATCH is the document: no further call tells whether it may be booked. */
async function claimDocument(area: Area, consignment: Consignment): Promise<Claim> {
  if (consignment.documentId === null) return { kind: 'ours', claimed: false };
  try {
    const document = await area.ims.setWorkStatus(consignment.documentId, 'ON_GOING');
    return verdict(document);
  } catch (error) {
    if (error instanceof ImsForbidden) return { kind: 'ours', claimed: false };
    if (!(error instanceof ImsRefused)) throw error;
    // Tried before: the process may have died after its own claim, which is then what refuses it now.
    if (consignment.tries === 0 && !consignment.claimed && consignment.version <= 1) {
      return { kind: 'not-ours', because: error.messageText };
    }
    const document = await area.ims.loadDocument(consignment.documentId);
    return document.workStatus === 'ON_GOING' && document.cancelled !== true
      ? { kind: 'ours', claimed: true }
      : { kind: 'not-ours', because: error.messageText };
  }
}

/** Whoever failed may try again: the next claim tells. */
const STILL_OPEN: readonly (string | null)[] = [null, 'PENDING', 'FAILED'];

/**
 * The IMS may have done what we asked for, and every answer was lost: the document tells, and ON_GOING counts as ours. An
 * IMS that answers to nothing is not asked a third thing.
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
  // An event without its shipment: the shipment knows its booking.
  for await (const row of area.ims.listShipments({ onlyNotCancelled: 'true', onlyNoConsignmentNote: 'true' })) {
    if ([row.transportBookingId, row.deliveryNoteId].includes(documentId)) return area.ims.loadShipment(row.id);
  }
  throw new ImsRefused('unknown_Shipment', `no shipment belongs to document ${documentId}`);
}

interface Prepared {
  readonly area: Area;
  readonly shipment: ImsShipment;
  readonly claimed: boolean;
}

async function planFor(world: World, consignment: Consignment, prepared: Prepared): Promise<Fact> {
  const { shipment, claimed } = prepared;
  const { shipmentNumber } = shipment;
  if (shipment.cancelled === true) {
    return unusable([say('cancelled-shipment', { shipmentNumber })], claimed, shipmentNumber);
  }
  const others = await siblings(world.database, consignment, shipment.id);
  const obstacle = obstacleIn(others, consignment, claimed);
  if (obstacle) return obstacle;
  const named = shipment.carrierName ?? consignment.eventCarrierName;
  const around = { timeZone: prepared.area.timeZone, now: world.clock.now() };
  const facts = factsOf({ fields: shipment.fields, carrierName: named }, around);
  const choice = settled(consignment) ?? withoutQuotes(chooseCarrier(facts, world.rules));
  if (choice.kind !== 'chosen') return unusable([noCarrier(world, shipment, choice)], claimed, shipmentNumber);
  const reference = await referenceAt(world, consignment, { account: choice.account, shipmentNumber });
  const takenOver = await takeOver(world, consignment, sameAccount(others, choice.account));
  return freeze(
    world,
    { ...consignment, parts: [...takenOver, ...consignment.parts] },
    { ...prepared, choice, reference, takenOver },
  );
}

/** What is partly booked already is finished where it was begun, whatever the shipment says meanwhile. */
function settled(consignment: Consignment): Chosen | null {
  const begun = consignment.parts.find((part) => part.state === 'booked');
  if (!begun || !consignment.plan) return null;
  const { account, rule } = consignment.plan;
  const { service, options } = begun.request;
  return { kind: 'chosen', account, service, options, rule, undecided: [] };
}

interface Choosing extends Prepared {
  readonly choice: Chosen;
  readonly reference: string;
  readonly takenOver: readonly Part[];
}

/** Turns the containers that are not booked yet into requests. */
async function freeze(world: World, consignment: Consignment, choosing: Choosing): Promise<Fact> {
  const { shipment, choice, reference, claimed, area, takenOver } = choosing;
  const { adapter, name } = accountOf(world, choice.account);
  const containers = shipment.shippingContainers.map((container) => container.id);
  const { contextId } = area;
  const plan = {
    account: name,
    carrierId: adapter.id,
    carrierName: adapter.name,
    rule: choice.rule,
    containers,
    contextId,
  };
  const kept = consignment.parts.filter((part) => part.state === 'booked' || part.state === 'cancelled');
  const missing = missingContainers({ ...consignment, plan, parts: kept });
  const groups = containers.length > 0 && missing.length === 0 ? [] : chunks(missing, adapter.traits.maxParcels);
  const first = Math.max(0, ...kept.map((part) => part.n)) + 1;
  const common = {
    shipment,
    ...(await senders(area, shipment)),
    service: choice.service,
    options: choice.options,
    shipDate: world.clock.now().toISOString().slice(0, 10),
  };
  const results = groups.map((containerIds, index) => {
    const n = first + index;
    const part = partReference(reference, { n, of: groups.length }, adapter.traits.maxReferenceLength);
    return { n, result: toBookingRequest({ ...common, reference: part, containerIds }) };
  });
  const problems = results.flatMap(({ result }) => (result.kind === 'unusable' ? result.problems : []));
  const { id: shipmentId, shipmentNumber } = shipment;
  if (problems.length > 0)
    return unusable(
      problems.map((problem) => unusableProblem(shipment, problem)),
      claimed,
      shipmentNumber,
    );
  const requests = results.flatMap(({ n, result }) =>
    result.kind === 'request' ? [{ n, request: result.request }] : [],
  );
  return { kind: 'prepared', plan, reference, shipmentId, shipmentNumber, requests, claimed, takenOver };
}

/** At least one group, so that a shipment without containers is refused by the one place that says why. */
function chunks(ids: readonly string[], size: number): readonly (readonly string[])[] {
  const count = Math.max(1, Math.ceil(ids.length / size));
  return Array.from({ length: count }, (_none, index) => ids.slice(index * size, (index + 1) * size));
}

/** The shipment's own seller is enough; the other two are only read where it lacks something. */
async function senders(
  area: Area,
  shipment: ImsShipment,
): Promise<{ readonly seller: ImsSeller | null; readonly context: ImsContext | null }> {
  const own = !isEmpty(toAddress(shipment.sellerAddress));
  if (own && shipment.sellerContactPerson !== null) return { seller: null, context: null };
  const seller = shipment.sellerId === null ? null : await area.ims.loadSeller(shipment.sellerId).catch(() => null);
  if (own || !isEmpty(toAddress(seller?.address))) return { seller, context: null };
  return { seller, context: await area.ims.loadContext(area.contextId).catch(() => null) };
}

function unusable(messages: readonly MessageDraft[], claimed: boolean, shipmentNumber: string | null): Fact {
  return { kind: 'unusable', messages, claimed, shipmentNumber };
}

/** Our own complaints have texts of their own in every language. */
function unusableProblem(shipment: ImsShipment, problem: Problem): MessageDraft {
  const { shipmentNumber } = shipment;
  switch (problem.code) {
    case 'no-delivery-address':
    case 'no-country':
    case 'no-containers':
      return say(problem.code, { shipmentNumber });
    case 'no-weight':
      return say('no-weight', { shipmentNumber, container: containerName(shipment, problem.parcelId) });
    default:
      return say('shipment-unusable', { shipmentNumber, problems: problem.text });
  }
}

function containerName(shipment: ImsShipment, id: string | null): string {
  const place = shipment.shippingContainers.findIndex((container) => container.id === id) + 1;
  return `#${place} (${id})`;
}

function noCarrier(
  world: World,
  shipment: ImsShipment,
  choice: Exclude<Choice, Chosen | { kind: 'quotes' }>,
): MessageDraft {
  const { shipmentNumber } = shipment;
  if (choice.kind === 'none') return say('no-rule', { shipmentNumber });
  const carriers = [...new Set([...world.accounts.values()].map((account) => account.imsCarrierName))].join(', ');
  return say('no-carrier', { shipmentNumber, carrierName: choice.carrierName, carriers });
}
