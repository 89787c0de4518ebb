import { asJsonb } from '../../db/json.js';
import type { Sql } from '../../db/database.js';
import type { Consignment } from '../consignment.js';
import { sqlStatesThat } from '../states.js';

const NOTHING_BOOKED = sqlStatesThat(({ booking }) => booking === 'nothing-booked');

/** A forwarder may hold back events and send them later. Without the time of its event, a booking has that of its row. */
const ASKED_FOR_AT = 'least(created_at, (select occurred_at from event where event.event_id = consignment.event_id))';

interface OfShipments {
  readonly area: string;
  readonly shipmentIds: readonly string[];
  /** Only bookings that were asked for before this time: a cancellation never hits a newer booking. */
  readonly before: Date;
}

/** SQL with the area, shipments and time of `OfShipments`. */
const MAY_BE_BOOKED = `area = $1 and shipment_id = any($2::text[]) and state not in ${NOTHING_BOOKED}
  and ${ASKED_FOR_AT} <= $3`;

/** Finds the shipments in which a cancellation would cancel something: their numbers, or ids where they have none. */
export async function mayBeBooked(sql: Sql, { area, shipmentIds, before }: OfShipments): Promise<readonly string[]> {
  const rows = await sql.query<{ shipment: string }>(
    `select distinct coalesce(shipment_number, shipment_id) as shipment from consignment where ${MAY_BE_BOOKED} order by 1`,
    [area, [...shipmentIds], before],
  );
  return rows.map(({ shipment }) => shipment);
}

/** SQL: a booking whose event did not name its document, where no booking has the document $6. */
const MAY_BE_OF_DOCUMENT = `document_id is null and booked_on <> 'packing-completed'
  and not exists (select from consignment own where own.area = $1 and own.document_id = $6)`;

/**
 * Stores a request to cancel the booking of a document or, without one, those of shipments; the lease holder sees it with
 * its next write. A document that has no booking means those of its shipments that name no document.
 */
export async function requestCancel(
  sql: Sql,
  request: OfShipments & {
    readonly documentId: string | null;
    readonly by: Consignment['cancelRequest'];
    readonly now: Date;
  },
): Promise<readonly string[]> {
  const { area, documentId, shipmentIds, before, by, now } = request;
  const own =
    documentId === null
      ? []
      : await sql.query<{ id: string }>(
          `update consignment set cancel_wanted = $3::jsonb, due_at = $4
            where area = $1 and document_id = $2 and state not in ${NOTHING_BOOKED} returning id`,
          [area, documentId, asJsonb(by), now],
        );
  if (own.length > 0 || shipmentIds.length === 0) return own.map(({ id }) => id);
  const rows = await sql.query<{ id: string }>(
    `update consignment set cancel_wanted = $4::jsonb, due_at = $5
      where ${MAY_BE_BOOKED} and ($6::text is null or (${MAY_BE_OF_DOCUMENT})) returning id`,
    [area, [...shipmentIds], before, asJsonb(by), now, documentId],
  );
  return rows.map(({ id }) => id);
}

/** As `requestCancel`, for one consignment. */
export async function requestCancelById(
  sql: Sql,
  request: { readonly id: string; readonly by: Consignment['cancelRequest']; readonly now: Date },
): Promise<void> {
  await sql.query('update consignment set cancel_wanted = $2::jsonb, due_at = $3 where id = $1', [
    request.id,
    asJsonb(request.by),
    request.now,
  ]);
}
