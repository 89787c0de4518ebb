import { type MessageDraft, say } from '../../messages/message.js';
import { type Consignment, bookedParcels, carrierName, partsIn, shipmentName } from '../consignment.js';

/*
 * A booking of a shipment that stays booked beside another one, or without one. Somebody was told to throw its labels
 * away and to cancel it in the carrier's portal. From then on its numbers are not handed out again.
 */

/** Says which numbers stay booked, and what to do about them. */
export function bookedBeside(consignment: Consignment): MessageDraft {
  return say('booked-beside', {
    shipmentNumber: shipmentName(consignment),
    carrier: carrierName(consignment),
    numbers: numbersOf(consignment),
  });
}

/** The numbers of what is booked, also as given those that were not believed; the reference where there are none. */
export function numbersOf(consignment: Consignment): string {
  const held = partsIn(consignment, 'booked').flatMap(({ unusable = [] }) => unusable.map(({ given }) => given));
  const numbers = [...bookedParcels(consignment).map(({ trackingNumber }) => trackingNumber), ...held];
  return numbers.join(', ') || (consignment.reference ?? '-');
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

function hasTold({ effects }: Consignment, numbers: string): boolean {
  return effects.some(
    ({ call }) =>
      call.kind === 'message' && call.message.key === 'booked-beside' && call.message.values['numbers'] === numbers,
  );
}
