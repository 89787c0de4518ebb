import { holdEachUntilCommit } from '../db/advisory-locks.js';
import type { Sql } from '../db/database.js';

/**
 * Waits until no other transaction begins or cancels bookings of these shipments by events that name no document, and keeps
 * others from it until this one ends. Without it, two processes that take in a booking and its cancellation at the same moment
 * do not see each other's rows. Comes before the first look at the bookings; call it once in a transaction, so that two
 * transactions do not wait for each other.
 */
export function holdShipments(sql: Sql, shipments: readonly OfArea[]): Promise<void> {
  return holdEachUntilCommit(
    sql,
    'shipmentsWithoutDocument',
    shipments.map(({ area, shipmentId }) => `${area} ${shipmentId}`),
  );
}

interface OfArea {
  readonly area: string;
  readonly shipmentId: string;
}
