import type { Sql } from '../../db/database.js';
import type { BookedOn } from '../../consignment/consignment.js';
import type { MessageDraft } from '../../messages/message.js';
import { NOT_BOOKED_SINCE } from '../../consignment/ledger/not-booked-since.js';
import {
  type ConsignmentState,
  type Stored,
  fromStoredState,
  statesThat,
  toStoredState,
} from '../../consignment/states.js';
import { troubles } from '../reason.js';

/** The most bookings that are sorted into causes; the newest. */
export const MAX_BOOKINGS = 2_000;
/** A refused booking that was left alone for so long needs no person any more. */
export const FAILED_SHOWN_DAYS = 7;

/** A booking whose parcels cannot leave. */
export interface FailedBooking {
  readonly id: string;
  readonly kind: 'in-doubt' | 'refused' | 'incomplete';
  readonly area: string;
  readonly bookedOn: BookedOn;
  readonly account: string | null;
  readonly carrier: string | null;
  readonly shipment: string;
  readonly parcels: number;
  /** What went wrong, of the latest run. */
  readonly trouble: MessageDraft | null;
  readonly since: Date;
}

interface Row {
  readonly id: string;
  readonly area: string;
  readonly booked_on: BookedOn;
  readonly state: Stored<ConsignmentState>;
  readonly needs_operator: boolean;
  readonly account: string | null;
  readonly carrier: string | null;
  readonly shipment: string;
  readonly parcels: number;
  readonly messages: readonly MessageDraft[] | null;
  readonly since: Date;
}

/** A part for each state: the index `consignment_state` gives the newest of one state in order. */
const ENDED = statesThat(({ needsCorrection }) => needsCorrection).map(
  (state) => `(select id from consignment c where state = '${toStoredState(state)}' and created_at >= $2
           and ($1::text is null or area = $1) and ${NOT_BOOKED_SINCE} order by created_at desc, id desc limit $3)`,
);

/** The ids of bookings whose parcels cannot leave, newest first. $1 area, or null; $2 since; $3 the most. */
const OPEN = `(select id from consignment where waits_for_person and ($1::text is null or area = $1)
         order by created_at desc, id desc limit $3)
       union ${ENDED.join(' union ')}`;

export interface FailedSpan {
  /** `null`: of all. */
  readonly area: string | null;
  readonly now: Date;
}

/**
 * Bookings in doubt that need a person, and those that ended as refused or incomplete within a week and were not booked
 * again; newest first.
 */
export async function failedBookings(sql: Sql, span: FailedSpan): Promise<readonly FailedBooking[]> {
  const rows = await sql.query<Row>(
    `with open as (${OPEN})
     select id, area, booked_on, state, waits_for_person as needs_operator, account,
            coalesce(plan->'plan'->>'carrierName', carrier_name) as carrier,
            coalesce(shipment_number, shipment_id, document_id, id) as shipment,
            coalesce(jsonb_array_length(plan->'plan'->'containers'), 1) as parcels, updated_at as since,
            (select jsonb_agg(effect->'call'->'message' order by place)
               from jsonb_array_elements(effects) with ordinality as given (effect, place)
              where effect->'call'->>'kind' = 'message' and split_part(effect->>'key', ':', 2) = run::text) as messages
       from consignment where id in (select id from open) order by created_at desc, id desc limit $3`,
    valuesOf(span),
  );
  return rows.map(toFailed);
}

/** How many `failedBookings` gives; at most 2,000. */
export async function countFailedBookings(sql: Sql, span: FailedSpan): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::int as count from (select id from (${OPEN}) open limit $3) counted`,
    valuesOf(span),
  );
  return rows[0]?.count ?? 0;
}

function valuesOf({ area, now }: FailedSpan): readonly unknown[] {
  return [area, new Date(now.getTime() - FAILED_SHOWN_DAYS * 86_400_000), MAX_BOOKINGS];
}

function toFailed({ state, booked_on: bookedOn, needs_operator: needsOperator, messages, ...row }: Row): FailedBooking {
  const ended = fromStoredState(state) === 'refused' ? 'refused' : 'incomplete';
  const trouble = troubles(messages ?? []).at(-1) ?? null;
  return { ...row, bookedOn, kind: needsOperator ? 'in-doubt' : ended, trouble };
}
