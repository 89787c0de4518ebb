import { asJsonb } from '../../db/json.js';
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../db/database.js';
import { named } from '../../db/named.js';
import type { Consignment } from '../consignment.js';
import type { Lease } from '../../worker/lease.js';
import { isOfLivingInstance } from '../../ims/limits/instance-rows.js';
import { type ConsignmentRow, planOfPossiblyBooked, toConsignment } from './row.js';
import { sqlStatesThat } from '../states.js';
import { SIBLING_SNAPSHOT, type SiblingSnapshot, noSiblings } from './sequence.js';
import { CLAIMED, claimValues, isUnleased, releaseRow, renewRows } from '../../worker/leased-rows.js';

const REOPENED_BY_EVENT = sqlStatesThat(({ newRun }) => newRun === 'by-event');
/** A row in another state is left to the instances of the version that has stored it. */
const KNOWN = sqlStatesThat(() => true);

/**
 * Claims a due consignment without a lease; `null`: there is none. Skips a row that another session has locked: its
 * lease holder may be storing a carrier's answer.
 */
export async function claim(sql: Sql, id: string, lease: Lease): Promise<Consignment | null> {
  const rows = await sql.query<ConsignmentRow>(
    `update consignment set ${CLAIMED}, version = version + 1
      where id = (select id from consignment
                   where id = $1 and due_at <= $4 and ${isUnleased('$4')} and state in ${KNOWN}
                     and not ${isOfLivingInstance('$2', '$4')}
                     for update skip locked) returning *`,
    claimValues(id, lease),
  );
  return rows[0] ? toConsignment(rows[0]) : null;
}

/** Claims a consignment, due or not; `null` while it is leased. */
export async function seize(sql: Sql, id: string, lease: Lease): Promise<Consignment | null> {
  const rows = await sql.query<ConsignmentRow>(
    `update consignment set ${CLAIMED}, version = version + 1
      where id = $1 and ${isUnleased('$4')} returning *`,
    claimValues(id, lease),
  );
  return rows[0] ? toConsignment(rows[0]) : null;
}

/** Renews the leases of an instance; an expired lease stays expired. @returns the ids that it still holds */
export async function renewLeases(sql: Sql, lease: Lease, ids: readonly string[]): Promise<readonly string[]> {
  return renewRows(sql, 'consignment', { lease, ids });
}

/** Releases a lease; changes nothing when `owner` does not hold it. */
export async function giveBack(sql: Sql, id: string, owner: string): Promise<void> {
  await releaseRow(sql, 'consignment', { id, owner });
}

export interface NewConsignment {
  readonly area: string;
  readonly bookedOn: Consignment['bookedOn'];
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  /** The name in the event. */
  readonly carrierName?: string | null;
  readonly addressee: Consignment['addressee'];
  readonly now: Date;
  readonly possiblyBooked?: boolean;
  /** The row is claimed for this process as it is inserted; missing: it is not. */
  readonly lease?: Lease;
}

/** A new row. */
export interface Inserted {
  readonly id: string;
  /** The consignment, where its row was inserted with a lease. */
  readonly claimed: Consignment | null;
}

/**
 * SQL: whether the new row `given` asks for a booking that was deleted: of its document or, without a document, of its
 * shipment.
 */
const IS_PAST = `(
  exists (select from past_booking p where p.document_id = given.document_id and p.area = given.area)
  or (given.document_id is null
      and exists (select from past_booking p where p.shipment_id = given.shipment_id and p.area = given.area)))`;

/** @returns the new id, or `null` when the document has a consignment already, or had one that was deleted */
export async function insertConsignment(sql: Sql, consignment: NewConsignment): Promise<string | null> {
  const [inserted = null] = await insertConsignments(sql, [consignment]);
  return inserted?.id ?? null;
}

/** Inserts consignments of different documents in one statement; returns them in their order. */
export async function insertConsignments(
  sql: Sql,
  consignments: readonly NewConsignment[],
): Promise<readonly (Inserted | null)[]> {
  const rows = consignments.map((consignment) => ({ id: randomUUID(), ...toNewRow(consignment) }));
  // Whole rows cost time, and only claimed ones are looked at.
  const columns = rows.some(({ lease_owner }) => lease_owner !== null) ? '*' : 'id, lease_until';
  const inserted = await sql.query<ConsignmentRow>(
    `insert into consignment (id, area, booked_on, document_id, shipment_id, event_id, user_id, device_name, state, carrier_name,
                              plan, run_started_at, due_at, created_at, updated_at, lease_owner, lease_until,
                              version)
     select id, area, booked_on, document_id, shipment_id, event_id, user_id, device_name, 'received', carrier_name,
            plan, at, at, at, at, lease_owner, lease_until, version
       from jsonb_to_recordset($1::jsonb) as given (id text, area text, booked_on text, document_id text, shipment_id text,
            event_id text, user_id jsonb, device_name text, carrier_name text, plan jsonb, at timestamptz,
            lease_owner text, lease_until timestamptz, version int)
      where not ${IS_PAST}
     on conflict (area, document_id) where document_id is not null do nothing returning ${columns}`,
    [asJsonb(rows)],
  );
  const found = new Map(inserted.map((row) => [row.id, row]));
  return rows.map(({ id }) => {
    const row = found.get(id);
    return row ? { id, claimed: row.lease_until === null ? null : toConsignment(row) } : null;
  });
}

function toNewRow({ addressee, possiblyBooked, lease, ...consignment }: NewConsignment) {
  return {
    area: consignment.area,
    booked_on: consignment.bookedOn,
    document_id: consignment.documentId,
    shipment_id: consignment.shipmentId,
    event_id: addressee.eventId,
    user_id: addressee.userId,
    device_name: addressee.deviceName,
    carrier_name: consignment.carrierName ?? null,
    plan: possiblyBooked === true ? planOfPossiblyBooked() : null,
    at: consignment.now,
    lease_owner: lease?.owner ?? null,
    lease_until: lease?.until ?? null,
    // As after `claim`: preparing tells by it whether an earlier claim has begun.
    version: lease ? 1 : 0,
  };
}

/** SQL: the plan column as `newRun` leaves it; the claim and the waits of the run before are not those of the next. */
const PLAN_OF_NEW_RUN = `plan - '{heldUntil,areaMissingSince,waitingFor,waitsForAccount}'::text[]
  || '{"outcome": null, "claimed": false, "compensating": false}'`;

/**
 * Reopens the failed consignment of a document for a new event, as `newRun` does, but keeps the effects of earlier runs:
 * their keys name the run and their messages the event, so none is taken for one of the new run.
 * Others stay as they are, also skipped ones: another program may be booking such a document.
 * @returns the id when it was reopened
 */
export async function reopenByDocument(sql: Sql, event: NewConsignment): Promise<string | null> {
  const rows = await sql.query<{ id: string }>(
    `update consignment set state = 'received', run = run + 1, run_started_at = $3, due_at = $3, tries = 0, updated_at = $3,
            problems = '[]', plan = ${PLAN_OF_NEW_RUN}, waiting_told_at = null, waiting_told_again_at = null, event_id = $4, user_id = $5::jsonb, device_name = $6, version = version + 1
      where area = $1 and document_id = $2 and state in ${REOPENED_BY_EVENT} and due_at is null
        and lease_owner is null
      returning id`,
    [
      event.area,
      event.documentId,
      event.now,
      event.addressee.eventId,
      asJsonb(event.addressee.userId),
      event.addressee.deviceName,
    ],
  );
  return rows[0]?.id ?? null;
}

/** @throws when there is none */
export async function loadConsignment(sql: Sql, id: string): Promise<Consignment> {
  const found = await findConsignment(sql, id);
  if (!found) throw new Error(`no consignment ${id}`);
  return found;
}

export async function findConsignment(sql: Sql, id: string): Promise<Consignment | null> {
  const rows = await sql.query<ConsignmentRow>('select * from consignment where id = $1', [id]);
  return rows[0] ? toConsignment(rows[0]) : null;
}

/** Whether a booking of a shipment has been asked for, whatever became of it. */
export async function isAskedFor(sql: Sql, { area, shipmentId }: Readonly<Record<'area' | 'shipmentId', string>>) {
  const rows = await sql.query('select id from consignment where area = $1 and shipment_id = $2 limit 1', [
    area,
    shipmentId,
  ]);
  return rows.length > 0;
}

const SIBLINGS = 'consignment where area = :area and shipment_id = :shipmentId and id <> :id order by created_at, id';

/** Other consignments of a shipment, oldest first. */
export async function siblings(
  sql: Sql,
  { area, id }: Consignment,
  shipmentId: string,
): Promise<readonly Consignment[]> {
  const rows = await sql.query<ConsignmentRow>(...named(`select * from ${SIBLINGS}`, { area, id, shipmentId }));
  return rows.map(toConsignment);
}

/** The siblings that a plan is made beside. */
export interface SiblingsWithSnapshot {
  readonly others: readonly Consignment[];
  /** The snapshot of the same moment. */
  readonly snapshot: SiblingSnapshot;
}

/** Reads the siblings of a consignment and their snapshot. */
export async function siblingsWithSnapshot(
  sql: Sql,
  { area, id }: Consignment,
  shipmentId: string,
): Promise<SiblingsWithSnapshot> {
  const rows = await sql.query<ConsignmentRow & { readonly snapshot: string }>(
    ...named(`select *, ${SIBLING_SNAPSHOT} as snapshot from ${SIBLINGS}`, { area, id, shipmentId }),
  );
  const [row] = rows;
  return {
    others: rows.map(toConsignment),
    snapshot: row ? { shipmentId, others: row.snapshot } : noSiblings(shipmentId),
  };
}

/** The account that a reference is wanted for. */
export interface ReferencePlace {
  readonly account: string;
  /** The names of all accounts in the configuration: any other name may be an earlier one of this account. */
  readonly configured: Iterable<string>;
}

/**
 * References at an account, also under a name that is not configured any more, that are the shipment's number or begin with it, and the number itself where a part of
 * another shipment has that name: the carrier could not tell part 1 of `10045` from a shipment `10045-1`. References of
 * return labels and of deleted bookings are among them.
 */
export async function takenReferences(
  sql: Sql,
  { account, configured }: ReferencePlace,
  shipmentNumber: string,
): Promise<ReadonlySet<string>> {
  // The index compares bytes, where "-", "." and "/" follow each other, so the range holds all continuations.
  const rows = await sql.query<{ reference: string }>(
    `select reference from consignment
      where (account = $1 or account <> all ($4)) and reference collate "C" >= $2 and reference collate "C" < $2 || '/'
        and (reference = $2 or starts_with(reference, $2 || '.') or starts_with(reference, $2 || '-'))
     union select part->'request'->>'reference' from consignment, jsonb_array_elements(parts) part
      where (account = $1 or account <> all ($4)) and reference collate "C" = $3 and part->'request'->>'reference' = $2
     union select reference from return_label
      where (account = $1 or account <> all ($4)) and reference collate "C" >= $2 and reference collate "C" < $2 || '/'
        and (reference = $2 or starts_with(reference, $2 || '.') or starts_with(reference, $2 || '-'))
     union select reference from past_reference
      where (account = $1 or account <> all ($4)) and reference collate "C" >= $2 and reference collate "C" < $2 || '/'
        and (reference = $2 or starts_with(reference, $2 || '.') or starts_with(reference, $2 || '-'))`,
    [account, shipmentNumber, shipmentNumber.replace(/-\d+$/, ''), [...configured]],
  );
  return new Set(rows.map((row) => row.reference));
}

/** Adds entries that no fact has written. */
export async function addToJournal(
  sql: Sql,
  {
    id,
    what,
    now,
    fields = {},
  }: { readonly id: string; readonly what: string; readonly now: Date; readonly fields?: object },
): Promise<void> {
  await sql.query('insert into journal (consignment_id, at, what, fields) values ($1, $2, $3, $4::jsonb)', [
    ...[id, now, what, asJsonb(fields)],
  ]);
}
