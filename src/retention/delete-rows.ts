import type { Sql } from '../db/database.js';
import { AT_REST, PARCELS_ENDED } from './at-rest.js';

/**
 * Deletes consignments at rest with their labels, history and returns. Their documents and references stay known, so that
 * an event that comes again books nothing, and no reference is used twice.
 * @returns how many
 */
export async function dropOldConsignments(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `with old as (
       select c.* from consignment c
        where c.due_at is null and c.updated_at < $1 and ${AT_REST} and ${PARCELS_ENDED}
        order by c.updated_at limit $2 for update of c skip locked
     ), past as (
       insert into past_booking (consignment_id, area, document_id, shipment_id, ended_at)
       select id, area, document_id, shipment_id, updated_at from old on conflict do nothing
     ), returns as (
       delete from return_label r using old where r.consignment_id = old.id returning r.account, r.reference, old.updated_at
     ), used as (
       insert into past_reference (account, reference, ended_at)
       select account, reference, max(updated_at) from (
         select account, reference, updated_at from old
          union all
         select account, part->'request'->>'reference', updated_at from old, jsonb_array_elements(parts) part
          union all
         select account, reference, updated_at from returns
       ) each where account is not null and reference is not null group by account, reference
       on conflict do nothing
     ), labels as (
       delete from label using old where label.consignment_id = old.id
     ), history as (
       delete from journal using old where journal.consignment_id = old.id
     ), requests as (
       delete from consignment_request r using old where r.consignment_id = old.id
     )
     delete from consignment using old where consignment.id = old.id returning consignment.id`,
    [before, limit],
  );
  return rows.length;
}

/** Empties the bodies of old events; that they came stays known. @returns how many */
export async function emptyOldBodies(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `update event set body = '' where event_id in (
       select event_id from event where body <> '' and received_at < $1 order by received_at limit $2)
     returning event_id`,
    [before, limit],
  );
  return rows.length;
}

/** Removes both sides of old requests; what is known of each stays. @returns how many rows */
export async function emptyOldRequests(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `update consignment_request r set texts = null
       from (select consignment_id, n from consignment_request
              where texts is not null and at < $1 order by at limit $2) old
      where r.consignment_id = old.consignment_id and r.n = old.n
     returning r.n`,
    [before, limit],
  );
  return rows.length;
}

/** A table whose rows are deleted by their age alone. */
interface ByAge {
  readonly table: string;
  readonly key: string;
  readonly age: string;
  /** SQL: whether the row may go. */
  readonly mayGo: string;
}

export const BY_AGE = {
  events: {
    ...{ table: 'event', key: 'event_id', age: 'received_at' },
    mayGo: "not exists (select from task t where t.id = event.event_id and t.state = 'open')",
  },
  tasks: {
    ...{ table: 'task', key: 'id', age: 'created_at' },
    // Without its task, a failed manifest could not be tried again.
    mayGo: `state <> 'open'
      and not exists (select from handover h where task.kind = 'hand-over' and h.area = task.area and h.document_id = task.document_id
                         and (h.close_out in ('refused', 'given-up') or h.attachment in ('refused', 'given-up')))`,
  },
  manifests: {
    ...{ table: 'handover', key: 'id', age: 'created_at' },
    mayGo: `not 'open' in (close_out, attachment)
      and not exists (select from consignment c where c.area = handover.area and c.handed_over_by = handover.document_id)`,
  },
  notes: {
    ...{ table: 'consignment_note', key: 'ctid', age: 'created_at' },
    mayGo: `not exists (select from task t where t.area = consignment_note.area
                          and t.document_id = consignment_note.document_id and t.state = 'open')`,
  },
  requests: {
    ...{ table: 'consignment_request', key: 'ctid', age: 'at' },
    mayGo: 'not exists (select from consignment c where c.id = consignment_request.consignment_id)',
  },
  choices: { table: 'carrier_setting', key: 'ctid', age: 'set_at', mayGo: 'true' },
  audit: { table: 'audit', key: 'id', age: 'at', mayGo: 'true' },
  numbers: { table: 'number_given', key: 'ctid', age: 'given_at', mayGo: 'true' },
  // Of one shipment or booking, and claims on messages (`telling …`), which hold for minutes; what is told once in an area
  // is not told again.
  sentMessages: {
    ...{ table: 'sent_message', key: 'ctid', age: 'told_at' },
    mayGo: "(topic like 'told %' or topic like 'status-refused:%' or topic like 'telling %')",
  },
  pastBookings: { table: 'past_booking', key: 'consignment_id', age: 'ended_at', mayGo: 'true' },
  pastReferences: { table: 'past_reference', key: 'ctid', age: 'ended_at', mayGo: 'true' },
} as const satisfies Readonly<Record<string, ByAge>>;

/** @returns how many rows were deleted */
export async function dropByAge(
  sql: Sql,
  { table, key, age, mayGo }: ByAge,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const rows = await sql.query(
    `delete from ${table} where ${key} = any(array(
       select ${key} from ${table} where ${age} < $1 and ${mayGo} order by ${age} limit $2))
     returning ${key}`,
    [before, limit],
  );
  return rows.length;
}
