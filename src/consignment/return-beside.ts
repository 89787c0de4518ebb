import type { Consignment } from './consignment.js';

/** The option of a rule that asks for return labels together with a booking; all carriers that make any have it. */
const OPTION = 'withReturnLabel';

/** The place of return labels that come with a booking: the last pages of its label file, or a file of their own. */
export type ReturnPlace = 'last-page' | 'document';

/** What came of the return label of one parcel. */
export interface ReturnBeside {
  readonly parcelId: string;
  /** As it can be printed; `null`: there is none, or none yet. */
  readonly label: Uint8Array | null;
  /** Why there is none, and what to do; `null` where there is one. */
  readonly problem: string | null;
}

/**
 * Asks the carrier for a return label of each booked parcel, each at most once, and waits a few seconds at most. When it is asked
 * again for the same booking, it gives what came of the first time.
 * @throws DatabaseUnavailable nothing else: what the carrier or the IMS says is a `problem`
 */
export type ReturnsBeside = (consignment: Consignment) => Promise<readonly ReturnBeside[]>;

/** Whether a booking asks for return labels, by its frozen requests. @returns `null`: it does not */
export function returnPlaceOf({ parts }: Pick<Consignment, 'parts'>): ReturnPlace | null {
  const asked = parts.map(({ request }) => request.options[OPTION]);
  if (asked.includes('document')) return 'document';
  return asked.some((value) => value === true || value === 'last-page') ? 'last-page' : null;
}
