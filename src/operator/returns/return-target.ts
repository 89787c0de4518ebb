import type { BookingRequest, Party } from '../../../carriers/contract/model.js';
import type { Account } from '../../accounts/account.js';
import { areaOf } from '../../areas/area.js';
import { isAnonymous } from '../../consignment/anonymise.js';
import {
  type Consignment,
  type Part,
  bookedParcels,
  cancelledParcels,
  carrierName,
  partsIn,
} from '../../consignment/consignment.js';
import type { BookingContext } from '../../consignment/context.js';
import { findConsignment, siblings, takenReferences } from '../../consignment/ledger/consignment-rows.js';
import { partsHandedOn } from '../../consignment/ledger/sequence.js';
import { isNumberOf } from '../../consignment/machine/numbers.js';
import { NotPossible } from '../../consignment/machine/operator.js';
import { reachAccount } from '../../consignment/steps/reach-account.js';
import { traitsOf } from '../../consignment/states.js';
import { consignmentReference, partReference } from '../../planning/reference.js';
import { warehouseOf } from '../../planning/sources.js';
import { UnknownConsignment } from '../known-consignment.js';
import type { ReturnKey } from './return-label-rows.js';
import { returnNotAnswered } from './return-not-made.js';
import { localDay } from '../../routing/facts/local-time.js';

/** The consignment has no such parcel, or several and none is named; the message lists them. */
export class UnknownParcel extends Error {
  override readonly name = 'UnknownParcel';
}

/** The parcel that comes back. */
export interface ReturnTarget {
  readonly consignment: Consignment;
  readonly part: Part;
  readonly key: ReturnKey;
  /** As people write it. */
  readonly carrier: string;
}

/**
 * Finds the parcel of a return; it may have been cancelled since.
 * @param parcel its container or tracking number; `null`: the only one
 * @throws UnknownConsignment | UnknownParcel | NotPossible
 */
export async function returnTarget(context: BookingContext, id: string, parcel: string | null): Promise<ReturnTarget> {
  const consignment = await findConsignment(context.database, id);
  if (!consignment) throw new UnknownConsignment(`no consignment ${id}`);
  const parcelId = parcelOf(consignment, parcel);
  const parts = [...partsIn(consignment, 'booked'), ...partsIn(consignment, 'cancelled')];
  const part = parts.find(({ booking }) => booking?.parcels.some((one) => one.parcelId === parcelId));
  if (!part || !consignment.plan) throw new NotPossible(`parcel ${parcelId} is not booked`);
  const { account } = consignment.plan;
  const key = { account, bookedReference: part.request.reference, parcelId };
  const now = await asItIsNow(context, consignment, part);
  return { consignment, part: now, key, carrier: carrierName(consignment) };
}

/** A later booking of the shipment that took the part over may have cancelled it. */
async function asItIsNow({ database }: BookingContext, consignment: Consignment, part: Part): Promise<Part> {
  const { shipmentId } = consignment;
  const others = shipmentId === null ? [] : await siblings(database, consignment, shipmentId);
  return partsHandedOn(consignment, others).get(part.request.reference) ?? part;
}

function parcelOf(consignment: Consignment, named: string | null): string {
  const { state } = consignment;
  const parcels = [...bookedParcels(consignment), ...cancelledParcels(consignment)];
  if (parcels.length === 0)
    throw new NotPossible(`it is ${state}: none of its parcels is booked, so that nothing can come back`);
  const list = parcels.map(({ parcelId, trackingNumber }) => `${parcelId} (${trackingNumber})`).join(', ');
  const found = parcels.filter((one) => named === null || [one.parcelId, one.trackingNumber].includes(named));
  const [only, ...more] = found;
  if (!only) throw new UnknownParcel(`it has no booked parcel "${named}"; "parcel" is one of ${list}`);
  if (more.length > 0) throw new UnknownParcel(`it has several parcels: name one with "parcel": ${list}`);
  return only.parcelId;
}

/** @throws NotPossible the parcel does not go to the customer */
export function requireBooked({ consignment: { state }, part, key, carrier }: ReturnTarget): void {
  if (traitsOf(state).booking === 'under-way') throw new NotPossible(`it is ${state}: try again when it is booked`);
  if (part.state !== 'booked')
    throw new NotPossible(`parcel ${key.parcelId} is cancelled, so that it cannot come back`);
  if (isAnonymous(part))
    throw new NotPossible(
      `the address of the recipient was deleted: make the return label in the portal of ${carrier}`,
    );
}

/** The account of the consignment. @throws NotPossible it makes no return labels */
export function returnAccount({ accounts }: BookingContext, target: ReturnTarget): Account {
  const { account: name } = target.key;
  const account = accounts.get(name);
  if (!account) throw new NotPossible(`its account "${name}" is not in the configuration any more`);
  return account.settle ? account : able(account, target);
}

/** Settings decide what an account can do: where they are in the IMS, it is known when they are read. */
function able(account: Account, { carrier }: ReturnTarget): Account {
  if (account.carrier.returnLabel) return account;
  throw new NotPossible(`${carrier} makes no return labels for Waybridge: make one in the portal of ${carrier}`);
}

/**
 * The account with the settings of the seller that the parcel was booked for.
 * @throws NotPossible it makes no return labels, or its settings are another customer's
 * @throws ReturnNotMade its settings cannot be read now
 */
export async function reachReturnAccount(context: BookingContext, target: ReturnTarget): Promise<Account> {
  returnAccount(context, target);
  const reached = await reachAccount(context, target.consignment);
  switch (reached.kind) {
    case 'reached':
      return able(reached.account, target);
    case 'not-now':
      throw returnNotAnswered(target.carrier, reached.postponed.because);
    case 'gone':
      throw new NotPossible(`${reached.problem.text}: make the return label in the portal of ${target.carrier}`);
  }
}

/** Whether a number can be that of the return: in the carrier's form, and not of a parcel on its way to the customer. */
export function isReturnNumber({ consignment }: ReturnTarget, { adapter }: Account, number: string): boolean {
  const isOutgoing = bookedParcels(consignment).some(({ trackingNumber }) => trackingNumber === number);
  return !isOutgoing && isNumberOf(number, adapter.traits.trackingNumberPattern ?? null);
}

/** A reference for the return at the account: that of the booking with `-R` and the parcel's place in it. */
export async function freeReturnReference(
  { database, accounts }: BookingContext,
  { part, key }: ReturnTarget,
  { adapter }: Account,
): Promise<string> {
  const place = part.request.parcels.findIndex(({ id }) => id === key.parcelId) + 1;
  const wanted = `${key.bookedReference}-R${place}`;
  const free = consignmentReference(
    wanted,
    await takenReferences(database, { account: key.account, configured: accounts.keys() }, wanted),
  );
  return partReference(free, { n: 1, of: 1 }, adapter.traits.maxReferenceLength);
}

/**
 * What the carrier is asked for: from the recipient of the booking to the warehouse.
 * @param asked `at`: when the carrier was asked for the return first; a search for a lost one begins with that day
 * @throws ImsUnavailable | ImsCredentials | ImsProblem the warehouse's address cannot be read now
 */
export async function returnRequest(
  context: BookingContext,
  target: ReturnTarget,
  { reference, at }: { readonly reference: string; readonly at: Date },
): Promise<BookingRequest> {
  const { consignment, part } = target;
  const { ims, timeZone } = areaOf(context, consignment.area);
  const warehouse = await warehouseOf(ims);
  const shipDate = localDay(at, timeZone);
  return onItsWayBack(target, { reference, shipDate, warehouse: warehouse ?? part.request.sender });
}

interface Back {
  readonly reference: string;
  readonly shipDate: string;
  readonly warehouse: Party;
}

/** What the recipient wished for the delivery says nothing of the way back. */
function onItsWayBack({ part: { request, booking }, key }: ReturnTarget, back: Back): BookingRequest {
  return {
    ...{ ...request, returnTo: undefined, ...(booking?.carrierNumber && { returnOf: booking.carrierNumber }) },
    reference: back.reference,
    shipDate: back.shipDate,
    sender: request.recipient,
    recipient: back.warehouse,
    options: {},
    deliverToPickUpPoint: false,
    pickUpPointId: null,
    privateDelivery: false,
    unattendedDelivery: false,
    notesOnDelivery: null,
    parcels: request.parcels.filter(({ id }) => id === key.parcelId),
  };
}
