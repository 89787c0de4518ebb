import type { Sql } from '../../db/database.js';
import { asJsonb } from '../../db/json.js';
import type { Consignment } from '../consignment.js';
import { type Claim, NumbersTaken, claimColumns, claimNumbers, saysTaken } from './parcel-number-rows.js';
import { type StoredLabel, keepLabels, labelColumns } from './label-rows.js';
import { type ConsignmentRow, columnsOf, toConsignment } from './row.js';
import { SequenceConflict, SIBLING_SNAPSHOT, type SiblingSnapshot } from './sequence.js';

/** An entry in the history that operators see. */
export interface JournalEntry {
  readonly what: string;
  /** The log level; `info` when missing. */
  readonly level?: 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  /** Texts of other systems: they may quote an address, so they are stored and never logged. */
  readonly said?: Readonly<Record<string, unknown>>;
}

/** Another worker has changed the consignment, or the lease has ended: the result must not be written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface Change {
  readonly owner: string;
  readonly now: Date;
  readonly entries: readonly JournalEntry[];
  readonly keepLease: 'keep' | 'give-back';
  readonly answersCancelRequest: 'answered' | 'stands';
  /** The cancellation request that this step knew of; a newer one makes the row due at once. */
  readonly knownCancelRequest: Consignment['cancelRequest'];
  /**
   * A carrier's answer may be stored after the lease has ended, as long as no other worker has claimed the row; an
   * intent may not.
   */
  readonly afterLease?: 'taken';
  /** Labels that came with the answer; missing: none. */
  readonly labels?: readonly StoredLabel[];
  /** Numbers to claim for the parcels. */
  readonly claim?: Claim;
  /** The siblings that the plan was made beside; the plan is stored only while they are unchanged. */
  readonly others?: SiblingSnapshot | null;
}

/**
 * Stores the result of a step with history, labels and claimed numbers: one statement, guarded by version and lease, so
 * that no transaction stays open while others wait. Others set `cancel_wanted` at any time, so this removes only the
 * request that the step has answered.
 * @returns the consignment as it is stored now
 * @throws LeaseLost | SequenceConflict | NumbersTaken
 */
export async function save(sql: Sql, consignment: Consignment, change: Change): Promise<Consignment> {
  const { labels = [], others = null, claim } = change;
  const values = [...valuesOf(consignment, change)];
  /** @returns the parameter number of the first value */
  const add = (...more: readonly unknown[]) => values.push(...more) - more.length + 1;
  const where = others === null ? '' : `and ${SIBLING_SNAPSHOT} = $${add(others.others)}`;
  const first = labels.length === 0 ? null : add(...labelColumns(labels));
  const kept =
    first === null ? '' : `, kept as (${keepLabels({ id: 'saved.id', from: 'saved, ', first, now: '$17' })})`;
  const claimed = claim === undefined ? '' : `, claimed as (${claimNumbers(add(...claimColumns(claim)), '$17')})`;
  const stored = sql.query<ConsignmentRow>(
    `with saved as (
       update consignment set
         shipment_id = $4, shipment_number = $5, state = $6, account = $7, carrier = $8, reference = $9,
         carrier_number = $10, plan = $11::jsonb, parts = $12::jsonb, effects = $13::jsonb, problems = $14::jsonb,
         waits_for_person = $15, tries = $16, updated_at = $17, run = $23, run_started_at = $24,
         (waiting_told_at, waiting_told_again_at) = (select waiting_told_at, waiting_told_again_at where run = $23 and (run_started_at > $17 or $24 <= $17)),
         cancel_wanted = case when $18 and cancel_wanted is not distinct from $22::jsonb then null else cancel_wanted end,
         due_at = case when cancel_wanted is not distinct from $22::jsonb then $19 else $17 end,
         lease_owner = case when $20 and lease_until > $17 then lease_owner end, lease_until = case when $20 and lease_until > $17 then lease_until end,
         version = version + 1
       where id = $1 and version = $2 and lease_owner = $3 and (lease_until > $17 or $25) ${where}
       returning *
     ), told as (
       insert into journal (consignment_id, at, what, fields)
       select saved.id, $17, entry->>'what', entry->'fields' from saved, jsonb_array_elements($21::jsonb) entry
     )${kept}${claimed}
     select * from saved`,
    values,
  );
  const rows = await stored.catch((error: unknown) => {
    throw claim && saysTaken(error) ? new NumbersTaken('a number is not free', { cause: error }) : error;
  });
  if (rows[0]) return toConsignment(rows[0]);
  if (others !== null && (await isOurs(sql, consignment, change))) throw new SequenceConflict(others.shipmentId);
  throw new LeaseLost(`consignment ${consignment.id} is no longer ours`);
}

function valuesOf(consignment: Consignment, change: Change): readonly unknown[] {
  return [
    consignment.id,
    consignment.version,
    change.owner,
    ...columnsOf(consignment),
    change.now,
    change.answersCancelRequest === 'answered',
    consignment.dueAt,
    change.keepLease === 'keep',
    asJsonb(change.entries.map(({ what, fields, said }) => ({ what, fields: { ...fields, ...said } }))),
    change.knownCancelRequest === null ? null : asJsonb(change.knownCancelRequest),
    consignment.run,
    consignment.runStartedAt,
    change.afterLease === 'taken',
  ];
}

/** Whether the row is still ours, when the statement wrote nothing. */
async function isOurs(sql: Sql, { id, version }: Consignment, { owner }: Change): Promise<boolean> {
  const rows = await sql.query('select 1 from consignment where id = $1 and version = $2 and lease_owner = $3', [
    id,
    version,
    owner,
  ]);
  return rows.length > 0;
}
