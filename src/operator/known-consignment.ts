import type { Consignment } from '../consignment/consignment.js';
import type { BookingContext } from '../consignment/context.js';
import { findConsignment } from '../consignment/ledger/consignment-rows.js';

/** There is no consignment with this id. */
export class UnknownConsignment extends Error {
  override readonly name = 'UnknownConsignment';
}

/** @throws UnknownConsignment */
export async function knownConsignment(
  { database }: Pick<BookingContext, 'database'>,
  id: string,
): Promise<Consignment> {
  const consignment = await findConsignment(database, id);
  if (!consignment) throw new UnknownConsignment(`no consignment ${id}`);
  return consignment;
}
