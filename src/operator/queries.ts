import type { Database } from '../db/database.js';
import { type ConsignmentRow, toConsignment } from '../consignment/ledger/row.js';
import { type ConsignmentState, toStoredState } from '../consignment/states.js';
import { type Consignment, bookedParcels, cancelledParcels, lastCarriersNumber } from '../consignment/consignment.js';
import type { MessageDraft } from '../messages/message.js';
import { type HistoryRow, lastAction } from './last-action.js';
import { notDone, printedOf } from './not-done.js';
import { UnknownConsignment } from './actions.js';

export interface Filter {
  readonly state: ConsignmentState | null;
  readonly area: string | null;
  /** Shipment, document or reference, a carrier's or a tracking number, or the consignment's id: exactly. */
  readonly q: string | null;
  readonly cursor: string | null;
  readonly limit: number;
}

export interface OperatorQueries {
  /** Newest first. */
  list(filter: Filter): Promise<{ readonly consignments: readonly object[]; readonly cursor: string | null }>;
  /** With its parts, effects, labels and history. @throws UnknownConsignment */
  one(id: string): Promise<object>;
}

/** @param text a message to a worker as an operator reads it */
export function operatorQueries(database: Database, text: (message: MessageDraft) => string): OperatorQueries {
  return {
    list: async (filter) => {
      const after = readCursor(filter.cursor);
      const rows = await database.query<ConsignmentRow>(
        `${filter.q === null ? EVERYTHING : WHAT_BEARS_IT} select * from consignments
          where ($1::text is null or state = $1) and ($2::text is null or area = $2)
            and ($3::timestamptz is null or (created_at, id) < ($3, $4))
          order by created_at desc, id desc limit $5`,
        [
          filter.state && toStoredState(filter.state),
          filter.area,
          after?.at ?? null,
          after?.id ?? null,
          filter.limit + 1,
          ...asked(filter),
        ],
      );
      const shown = rows.slice(0, filter.limit);
      const last = shown.at(-1);
      return {
        consignments: shown.map((row) => summary(toConsignment(row), row)),
        cursor: rows.length > filter.limit && last ? `${last.created_at.toISOString()}_${last.id}` : null,
      };
    },
    one: async (id) => {
      const [row] = await database.query<ConsignmentRow>('select * from consignment where id = $1', [id]);
      if (!row) throw new UnknownConsignment(`no consignment ${id}`);
      const labels = await database.query<{ n: number }>(
        'select distinct n from label where consignment_id = $1 order by n',
        [id],
      );
      const history = await database.query<HistoryRow>(
        'select at, what, fields from journal where consignment_id = $1 order by id',
        [id],
      );
      return {
        ...summary(toConsignment(row), row),
        ...details(toConsignment(row)),
        lastAction: lastAction(toConsignment(row), history, text),
        labels: labels.map((label) => label.n),
        history,
      };
    },
  };
}

const EVERYTHING = 'with consignments as not materialized (select * from consignment)';

/**
 * Materialized, so that Postgres finds the rows by number first and sorts then; otherwise it would scan all rows in
 * order.
 */
const WHAT_BEARS_IT = `with consignments as materialized (
  select * from consignment
   where id = $6 or shipment_number = $6 or shipment_id = $6 or document_id = $6 or carrier_number = $6
      or reference collate "C" = $6
      or (jsonb_path_exists(parts, '$[*].booking.parcels[*].trackingNumber')
          and jsonb_path_query_array(parts, '$[*].booking.parcels[*].trackingNumber') ? $6))`;

function asked({ q }: Filter): readonly string[] {
  return q === null ? [] : [q];
}

function readCursor(cursor: string | null): { readonly at: Date; readonly id: string } | null {
  const [at = '', id = ''] = cursor?.split('_') ?? [];
  const date = new Date(at);
  return cursor === null || Number.isNaN(date.getTime()) ? null : { at: date, id };
}

function summary(consignment: Consignment, row: ConsignmentRow): object {
  return {
    id: consignment.id,
    area: consignment.area,
    state: consignment.state,
    bookedOn: consignment.bookedOn,
    documentId: consignment.documentId,
    shipmentId: consignment.shipmentId,
    shipmentNumber: consignment.shipmentNumber,
    account: consignment.plan?.account ?? null,
    carrier: consignment.plan?.carrierId ?? null,
    reference: consignment.reference,
    carrierNumber: lastCarriersNumber(consignment),
    parcels: [
      ...bookedParcels(consignment).map((parcel) => parcelShown(parcel, 'booked')),
      ...cancelledParcels(consignment).map((parcel) => parcelShown(parcel, 'cancelled')),
    ],
    printed: printedOf(consignment),
    notDone: notDone(consignment),
    needsOperator: consignment.needsOperator,
    /** The same, under its first name. */
    waitsForPerson: consignment.needsOperator,
    dueAt: consignment.dueAt,
    handedOverAt: row.handed_over_at,
    handedOverBy: row.handed_over_by,
    createdAt: consignment.createdAt,
    updatedAt: row.updated_at,
  };
}

/** Cancelled parcels are shown too, because people ask for their numbers. */
function parcelShown(
  { parcelId, trackingNumber, trackingUrl }: ReturnType<typeof bookedParcels>[number],
  state: 'booked' | 'cancelled',
): object {
  return { containerId: parcelId, trackingNumber, trackingUrl, state };
}

function details(consignment: Consignment): object {
  const { eventId, userId, deviceName } = consignment.addressee;
  return {
    event: { eventId, userId, deviceName },
    rule: consignment.plan?.rule ?? null,
    run: consignment.run,
    parts: consignment.parts.map(
      ({ n, state, attempt, sentAt, problems, unmatched, unusable = [], labels, request }) => ({
        n,
        state,
        attempt,
        sentAt,
        reference: request.reference,
        containers: request.parcels.map((parcel) => parcel.id),
        problems,
        unmatched,
        unusable,
        labels,
      }),
    ),
    writes: consignment.effects.map(({ key, call, state, note }) => ({ key, kind: call.kind, state, note })),
  };
}
