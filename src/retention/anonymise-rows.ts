import { anonymous } from '../consignment/anonymise.js';
import { type ConsignmentRow, rowValues, toConsignment } from '../consignment/ledger/row.js';
import { holdUntilCommit } from '../db/advisory-locks.js';
import type { Sql } from '../db/database.js';
import { AT_REST, PARCELS_ENDED } from './at-rest.js';

/** The fields of a history entry that name no person; all others may quote texts of other systems. */
export const KEPT_FIELDS: readonly string[] = [
  ...['account', 'rule', 'reference', 'parts', 'part', 'result', 'code', 'codes', 'carrierNumber', 'container', 'from'],
  ...['state', 'waitingFor', 'tries', 'until', 'key', 'writes', 'action', 'by', 'run', 'kind', 'count', 'removed'],
];

/** What was removed with the addresses of some consignments. */
export interface Removed {
  readonly requests: number;
  readonly historyTexts: number;
  readonly trackingTexts: number;
  readonly returnLabels: number;
  /** Runs whose requests lost both sides, or links to labels. */
  readonly requestBodies: number;
}

/**
 * Consignments at rest whose addresses are there, the oldest first; their rows are locked. So is tracking: what a carrier says
 * of a parcel is stored before, or finds its consignment marked.
 */
export async function rowsToAnonymise(sql: Sql, before: Date, limit: number): Promise<readonly ConsignmentRow[]> {
  await holdUntilCommit(sql, 'tracking');
  return sql.query<ConsignmentRow>(
    `select c.* from consignment c
      where c.due_at is null and c.anonymised_at is null and c.updated_at < $1 and ${AT_REST} and ${PARCELS_ENDED}
      order by c.updated_at limit $2 for update of c skip locked`,
    [before, limit],
  );
}

/**
 * Removes names, addresses and quoted texts of consignments whose rows are locked; inside a transaction. A consignment whose
 * parcels are on their way is not marked: when they have ended, retention removes what the carrier has said meanwhile.
 */
export async function anonymiseRows(sql: Sql, rows: readonly ConsignmentRow[], now: Date): Promise<Removed> {
  const after = rows.map((row) => {
    const { parts, effects, problems, plan } = rowValues(anonymous(toConsignment(row), now.toISOString()));
    return { id: row.id, parts, effects, problems, plan };
  });
  const ids = rows.map(({ id }) => id);
  for (const { id, parts, effects, problems, plan } of after)
    await sql.query(
      `update consignment c set parts = $2::jsonb, effects = $3::jsonb, problems = $4::jsonb, plan = $5::jsonb,
              user_id = null, device_name = null, anonymised_at = case when ${PARCELS_ENDED} then $6::timestamptz end
        where id = $1`,
      [id, parts, effects, problems, plan, now],
    );
  await blankTasks(sql, ids);
  return {
    requests: rows.reduce((sum, row) => sum + row.parts.length, 0),
    historyTexts: await blankHistory(sql, ids),
    trackingTexts: await blankTracking(sql, ids),
    returnLabels: await dropReturnLabels(sql, ids),
    requestBodies: await emptyRequests(sql, ids),
  };
}

/** An open task tells its worker how it ends. A note may be what the IMS said. */
async function blankTasks(sql: Sql, ids: readonly string[]): Promise<void> {
  for (const same of [
    't.document_id = c.document_id',
    't.shipment_id = c.shipment_id',
    't.document_id = c.handed_over_by',
  ])
    await sql.query(
      `update task t set user_id = null, device_name = null, note = null from consignment c
        where c.id = any($1::text[]) and t.area = c.area and ${same} and t.state <> 'open'
          and (t.user_id is not null or t.device_name is not null or t.note is not null)`,
      [ids],
    );
}

async function blankHistory(sql: Sql, ids: readonly string[]): Promise<number> {
  const rows = await sql.query(
    `update journal set fields =
            (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(fields) where key = any($2::text[]))
      where consignment_id = any($1::text[])
        and exists (select from jsonb_object_keys(fields) as key where key <> all($2::text[]))
     returning id`,
    [ids, KEPT_FIELDS],
  );
  return rows.length;
}

/** Texts of carriers about a parcel may name who took it, and those of the IMS its recipient. */
async function blankTracking(sql: Sql, ids: readonly string[]): Promise<number> {
  const texts = await sql.query(
    `update tracking_event e set text = null, place = null from tracked_parcel p
      where p.consignment_id = any($1::text[]) and e.account = p.account and e.tracking_number = p.tracking_number
        and e.moment >= p.events_from and e.moment < coalesce(p.replaced_at, 'infinity')
        and (e.text is not null or e.place is not null)
     returning e.id`,
    [ids],
  );
  await sql.query(
    'update tracked_parcel set place = null, user_id = null, device_name = null where consignment_id = any($1::text[])',
    [ids],
  );
  await sql.query(
    `update tracking_outbox o set note = null from tracked_parcel p
      where p.consignment_id = any($1::text[]) and o.parcel_id = p.id and o.state <> 'open' and o.note is not null`,
    [ids],
  );
  return texts.length;
}

/** SQL: whether request `one` fetched a label, and says where. The path of a link to a label is the key to it. */
const HAS_LINK = `(
  one->>'path' <> '' and (one->>'step' = 'fetch-labels' or one->>'step' = 'return' and one->>'method' = 'GET'))`;

async function emptyRequests(sql: Sql, ids: readonly string[]): Promise<number> {
  const rows = await sql.query(
    `update consignment_request set texts = null, requests = coalesce(
       (select jsonb_agg(case when ${HAS_LINK}
                              then one || '{"path": "", "because": null}' || jsonb_build_object('name', split_part(one->>'name', ': ', 1))
                              else one end order by place)
          from jsonb_array_elements(requests) with ordinality as each (one, place)), requests)
      where consignment_id = any($1::text[])
        and (texts is not null or exists (select from jsonb_array_elements(requests) one where ${HAS_LINK}))
     returning n`,
    [ids],
  );
  return rows.length;
}

/** The row stays: its reference is known at the carrier. */
async function dropReturnLabels(sql: Sql, ids: readonly string[]): Promise<number> {
  const rows = await sql.query(
    `update return_label set label = null, note = 'it was deleted'
      where consignment_id = any($1::text[]) and state = 'made' and label is not null returning attempt`,
    [ids],
  );
  return rows.length;
}

/** Deletes labels of bookings at rest. @returns how many */
export async function dropOldLabels(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from label where (consignment_id, n, k) in (
       select l.consignment_id, l.n, l.k from label l join consignment c on c.id = l.consignment_id
        where l.created_at < $1 and c.updated_at < $1 and ${AT_REST} order by l.created_at limit $2)
     returning n`,
    [before, limit],
  );
  return rows.length;
}

/** Deletes the labels of these consignments. @returns how many */
export async function dropLabelsOf(sql: Sql, ids: readonly string[]): Promise<number> {
  return (await sql.query('delete from label where consignment_id = any($1::text[]) returning n', [ids])).length;
}
