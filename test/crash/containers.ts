import type { SimulatedBooking } from '../../carriers/contract/simulator.js';
import type { ConsignmentView } from './child/protocol.js';

type Booking = SimulatedBooking & { readonly carrier: string };

/** The numbers that carriers have given to each container of a shipment, by what lives on their books. */
export function numbersOfContainers(
  consignments: readonly ConsignmentView[],
  bookings: readonly Booking[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const numbers = new Map<string, Set<string>>();
  for (const { carrier, parts } of consignments) {
    for (const { reference, containers } of parts) {
      const own = bookings.filter(
        (one) => one.carrier === carrier && one.reference === reference && one.state === 'booked',
      );
      for (const booking of own) {
        // A carrier that is not told what the parcels are called numbers them in the order in which they came.
        (booking.parcelIds ?? containers).forEach((id, place) => {
          const number = booking.trackingNumbers[place];
          if (number !== undefined) numbers.set(id, (numbers.get(id) ?? new Set()).add(number));
        });
      }
    }
  }
  return numbers;
}

/** The reference that a whole shipment was booked under: part 2 of `10045` is `10045-2`. */
export function wholeReference(reference: string): string {
  return reference.replace(/-\d+$/, '');
}
