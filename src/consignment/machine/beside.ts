import { type MessageDraft, say } from '../../messages/message.js';
import {
  type BookedOn,
  type Consignment,
  type Effect,
  bookedParcels,
  carrierName,
  partsIn,
  shipmentName,
} from '../consignment.js';
import { withoutHandedOn } from '../ledger/sequence.js';
import { END_STATES } from '../states.js';

/*
 * An earlier booking of a shipment that stays booked, beside a newer one or without one. We have told the worker who booked
 * the shipment again, or who asked for the cancellation, to throw the earlier booking's labels away and to cancel it in the
 * carrier's portal. From then on we do not hand out its numbers again.
 */

const SEPARATOR = ', ';

/** Says which numbers stay booked, and what to do about them; the worker who is told may have booked by another document. */
export function bookedBeside(consignment: Consignment): MessageDraft {
  return { ...say('booked-beside', about(consignment)), bookedOn: consignment.bookedOn };
}

/** Says which numbers stay booked although the shipment has their parcels no more, and what to do about them. */
export function parcelsGone(consignment: Consignment): MessageDraft {
  return say('parcels-gone', about(consignment));
}

interface StillBooked {
  readonly message: MessageDraft;
  /** The event or document that asked for the other booking. */
  readonly bookedOn: BookedOn;
}

/**
 * Says which other bookings of its shipment are booked; without those that a worker was told to cancel, or hears about
 * when their cancellation is answered. Their numbers may still be handed out.
 */
export function stillBooked(consignment: Consignment, others: readonly Consignment[]): readonly StillBooked[] {
  const all = [consignment, ...others];
  return others
    .filter(({ state, cancelRequest }) => END_STATES.includes(state) && cancelRequest === null)
    .map((other) => withoutHandedOn(other, all))
    .filter((other) => partsIn(other, 'booked').length > 0 && !isLeftToPerson(other, all))
    .map((other) => ({ message: say('still-booked', about(other)), bookedOn: other.bookedOn }));
}

function about(consignment: Consignment) {
  return {
    shipmentNumber: shipmentName(consignment),
    carrier: carrierName(consignment),
    numbers: numbersOf(consignment).join(SEPARATOR),
  };
}

/**
 * The numbers of each booked part, with those that were not believed, as the carrier gave them. The reference stands for a part
 * without numbers.
 */
export function numbersOf(consignment: Consignment): readonly string[] {
  return partsIn(consignment, 'booked').flatMap((part) => {
    const parcels = bookedParcels({ ...consignment, parts: [part] });
    const unusable = (part.unusable ?? []).map(({ given }) => given);
    const numbers = [...parcels.map(({ trackingNumber }) => trackingNumber), ...unusable];
    return numbers.length > 0 ? numbers : [part.request.reference];
  });
}

/** @param others the other bookings of its shipment, one of which may have told it */
export function isLeftToPerson(consignment: Consignment, others: readonly Consignment[]): boolean {
  const booked = partsIn(consignment, 'booked');
  if (booked.length === 0) return false;
  return (
    booked.some(({ leftToPerson = false }) => leftToPerson) ||
    [consignment, ...others].some((teller) => hasTold(teller, numbersOf(consignment)))
  );
}

function hasTold({ effects }: Consignment, numbers: readonly string[]): boolean {
  return effects.some((effect) => {
    const told = toldNumbers(effect);
    return told !== null && numbers.every((number) => told.includes(number));
  });
}

/** The numbers that a worker was told to throw away, will be told, or may have been told; `null`: it tells none. */
export function toldNumbers({ call, state }: Effect): readonly string[] | null {
  if (call.kind !== 'message' || call.message.key !== 'booked-beside') return null;
  // The warehouse system refused the message.
  if (state === 'failed' || state === 'not-allowed') return null;
  return String(call.message.values['numbers']).split(SEPARATOR);
}
