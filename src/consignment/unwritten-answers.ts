import type { Fact } from './machine/facts.js';

/** A carrier's confirmation that is not stored yet. */
export interface UnwrittenAnswer {
  readonly consignment: string;
  readonly carrierNumbers: readonly string[];
  readonly trackingNumbers: readonly string[];
}

/**
 * Bookings that only this process knows, because the database is away or another session has locked their rows. If the
 * process has to stop before they are written, the log names them.
 */
export interface UnwrittenAnswers {
  add(consignment: string, fact: Fact): void;
  drop(consignment: string): void;
  all(): readonly UnwrittenAnswer[];
}

export function createUnwrittenAnswers(): UnwrittenAnswers {
  const answers = new Map<string, UnwrittenAnswer>();
  return {
    add: (consignment, fact) => {
      if (fact.kind !== 'sent') return;
      const bookings = fact.results.flatMap((result) => (result.kind === 'booked' ? [result.booking] : []));
      const parcels = bookings.flatMap((booking) => booking.parcels);
      const carrierNumbers = bookings.flatMap(({ carrierNumber }) => carrierNumber ?? []);
      const trackingNumbers = parcels.flatMap((parcel) => (parcel.kind === 'booked' ? [parcel.trackingNumber] : []));
      if (bookings.length > 0) answers.set(consignment, { consignment, carrierNumbers, trackingNumbers });
    },
    drop: (consignment) => void answers.delete(consignment),
    all: () => [...answers.values()],
  };
}
