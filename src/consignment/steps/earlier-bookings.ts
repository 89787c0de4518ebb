import type { ImsShipment } from '../../ims/resources.js';
import { isLeftToPerson } from '../machine/beside.js';
import { type ChosenCarrier, type Consignment, type Part, isOfCustomer, partsIn, withParts } from '../consignment.js';
import { END_STATES, traitsOf } from '../states.js';
import { takenReferences } from '../ledger/consignment-rows.js';
import { loadLabels, storeLabels } from '../ledger/label-rows.js';
import { LeaseLost } from '../ledger/save.js';
import { personNeeded } from '../machine/doubts.js';
import type { Fact } from '../machine/facts.js';
import { consignmentReference, inOneLine, isPartOf } from '../../planning/reference.js';
import { bySequence, isHandedOn, isUnfinished, partsHandedOn, withoutHandedOn } from '../ledger/sequence.js';
import type { BookingContext } from '../context.js';

/**
 * A free reference at the account. It is reserved in this process until the plan is stored; then a unique index keeps
 * it.
 */
export async function referenceAt(
  context: BookingContext,
  consignment: Consignment,
  { account, shipment }: { readonly account: string; readonly shipment: Pick<ImsShipment, 'id' | 'shipmentNumber'> },
): Promise<string> {
  const { id: shipmentId, shipmentNumber } = shipment;
  const number = inOneLine(shipmentNumber);
  const own = consignment.plan?.account === account && consignment.shipmentNumber === shipmentNumber;
  if (own && consignment.reference !== null) return consignment.reference;
  const place = { account, area: consignment.area, shipmentId };
  const reserved = () => context.reserved.others(place);
  // Includes reservations from before the query: one of them may be stored after the database looked and released
  // before it answers.
  const before = reserved();
  const stored = await takenReferences(context.database, { account, configured: context.accounts.keys() }, number);
  const taken = new Set([...stored, ...before, ...reserved()]);
  // The number of parts is not stored yet: part 1 of `10045` may be named `10045-1`, like this shipment.
  if ([...taken].some((other) => isPartOf(number, other))) taken.add(number);
  const reference = consignmentReference(number, taken);
  context.reserved.reserve(consignment.id, { ...place, reference });
  return reference;
}

/** Why another consignment of the same shipment blocks this one now. */
export function obstacleIn(others: readonly Consignment[], consignment: Consignment, claimed: boolean): Fact | null {
  const doubtful = others.find((other) => other.needsOperator);
  if (doubtful) {
    return {
      kind: 'unusable',
      messages: [personNeeded(doubtful)],
      claimed,
      shipmentNumber: doubtful.shipmentNumber,
    };
  }
  const moving = others.find((other) => goesFirst(other, consignment) || isTakenBack(other));
  if (moving) {
    return { kind: 'postponed', waitingFor: 'sibling', because: `waits for ${moving.id}`, retryAfterMs: null, claimed };
  }
  // The order does not matter: an event without a document asks for no second booking, and arrival times do not tell
  // which was planned first.
  const booked = others.find((other) => isAtCarrier(other, others));
  if (consignment.documentId !== null || booked === undefined) return null;
  return skipped(consignment, others, `booked already as ${booked.id}`);
}

export function skipped(
  consignment: Consignment,
  others: readonly Consignment[],
  because: string,
): Extract<Fact, { kind: 'skipped' }> {
  return { kind: 'skipped', because, handedOn: [...partsHandedOn(consignment, others).keys()] };
}

/** What it has booked is being cancelled: the answer decides whether it is taken over or booked anew. */
function isTakenBack(other: Consignment): boolean {
  const { cancelRequest, dueAt } = other;
  return cancelRequest !== null && dueAt !== null && isUnfinished(other) && partsIn(other, 'booked').length > 0;
}

/** Whether it is tried again, and another booking of the shipment was made since it came, or has taken over its parcels. */
export function isReplaced(consignment: Consignment, others: readonly Consignment[]): boolean {
  if (consignment.run === 1) return false;
  const since = (other: Consignment) => (holdsParts(consignment) ? other.createdAt : other.runStartedAt);
  const isNewer = (other: Consignment) => isAtCarrier(other, others) && since(other) > consignment.createdAt;
  return isHandedOn(consignment, others) || others.some(isNewer);
}

/**
 * A consignment with a plan goes first. Without plans: one that already has a booking at the carrier, then the one that
 * came first, then a fixed order, so that every process decides the same.
 */
function goesFirst(other: Consignment, consignment: Consignment): boolean {
  if (END_STATES.includes(other.state)) return false;
  if (traitsOf(other.state).isPrepared) return true;
  const [theirs, ours] = [other, consignment].map((one) => (holdsParts(one) ? 0 : 1));
  if (theirs !== ours) return Number(theirs) < Number(ours);
  return isBefore(other, consignment);
}

function isBefore(other: Consignment, consignment: Consignment): boolean {
  const later = other.createdAt.getTime() - consignment.createdAt.getTime();
  return later === 0 ? other.id < consignment.id : later < 0;
}

/** Parts that a later booking has taken over count as that booking's. */
function isAtCarrier(other: Consignment, others: readonly Consignment[]): boolean {
  const own = withoutHandedOn(other, others);
  const { isPrepared, booking } = traitsOf(other.state);
  if (!isPrepared || own.parts.length < other.parts.length) return holdsParts(own);
  return booking !== 'nothing-booked';
}

function holdsParts(consignment: Consignment): boolean {
  return partsIn(consignment, 'booked', 'sending', 'in-doubt').length > 0;
}

/** The account at which a booking is to be made, and the customer of the carrier; `null`: nothing identifies it. */
export interface BookingPlace extends ChosenCarrier {
  readonly customer: string | null;
}

/**
 * Bookings of the shipment that did not finish, or were made before there was a document. `last`: one at this place,
 * whose parcels are not booked again; `beside`: those that stay booked beside the new one, also parcels that are in the
 * shipment no more.
 */
export function unfinishedOf(others: readonly Consignment[], place: BookingPlace, shipment: ImsShipment) {
  const unfinished = others
    .filter(isUnfinished)
    .map((other) => withoutHandedOn(other, others))
    .filter(hasBooked);
  const isThere = (part: Part) => isInShipment(part, shipment);
  const [last = null] = unfinished
    .filter(({ plan }) => plan?.account === place.account && plan.carrierId === place.carrierId)
    .filter(({ plan }) => isOfCustomer(plan, place.customer))
    .filter((other) => !isLeftToPerson(other, others))
    .map((other) => withParts(other, isThere))
    .filter(hasBooked)
    .sort(bySequence)
    .reverse();
  const beside = unfinished
    .map((other) => (other.id === last?.id ? withParts(other, (part) => !isThere(part)) : other))
    .filter(hasBooked);
  return { last, beside };
}

/** Whether the shipment still has all its containers; a packer may have replaced some. */
export function isInShipment(
  { request }: Part,
  { shippingContainers }: Pick<ImsShipment, 'shippingContainers'>,
): boolean {
  const ids = new Set(shippingContainers.map(({ id }) => id));
  return request.parcels.every(({ id }) => ids.has(id));
}

function hasBooked(consignment: Consignment): boolean {
  return partsIn(consignment, 'booked').length > 0;
}

/** Takes over the booked parts of another booking of the shipment, and their labels. @throws LeaseLost */
export async function takeOver(
  context: BookingContext,
  consignment: Consignment,
  last: Consignment,
): Promise<readonly Part[]> {
  const parts = partsIn(last, 'booked');
  const stored = await loadLabels(context.database, last.id);
  const labels = stored.filter(({ n }) => parts.some((part) => part.n === n));
  const [{ owner }, now] = [context.lease, context.clock.now()];
  const isStored = labels.length === 0 || (await storeLabels(context.database, consignment, { labels, owner, now }));
  if (!isStored) throw new LeaseLost(`consignment ${consignment.id} is no longer ours`);
  const hasLabel = ({ n }: Part) => labels.some((label) => label.n === n);
  // Old labels are deleted; the carrier may have them.
  return parts.map((part) => (part.labels === 'stored' && !hasLabel(part) ? { ...part, labels: 'missing' } : part));
}
