/** How many days each kind of data is kept; counted from the end of a booking, or from the arrival. */
export interface KeptDays {
  /** Names, addresses and the texts that may quote them. */
  readonly addresses: number;
  readonly labels: number;
  /** Events as the IMS sent them. */
  readonly bodies: number;
  /** Consignments with their numbers and history, parcels, manifests. */
  readonly history: number;
  /** The record that an event came. */
  readonly events: number;
  readonly callbacks: number;
  readonly audit: number;
  /** The record of booked documents and references, after their consignments are deleted. */
  readonly references: number;
}

const DAY_MS = 24 * 3_600_000;

/** The time before which a kind of data is deleted. */
export function cutoff(days: KeptDays, kind: keyof KeptDays, now: Date): Date {
  return new Date(now.getTime() - days[kind] * DAY_MS);
}
