import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../db/database.js';
import { asJsonb } from '../../db/json.js';
import { Personal, type Seal } from '../../db/sealing/personal.js';
import type { Consignment } from '../consignment.js';
import { named } from '../../db/named.js';
import { CLAIM_NUMBERS, type NumberClaim, NumbersTaken, numberClaimValues, saysTaken } from './parcel-number-rows.js';
import { type StoredLabel, deleteOtherLabels, keepLabels, labelValues } from './label-rows.js';
import { SQL_STEP_COLUMNS, type StepColumns, afterStep, rowValues } from './row.js';
import { SequenceConflict, SIBLING_SNAPSHOT, type SiblingSnapshot } from './sequence.js';

/** An entry of the journal, which operators see as the history of a consignment. */
export interface JournalEntry {
  readonly what: string;
  /** The log level; `info` when missing. */
  readonly level?: 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  /** Texts of other systems: they may quote an address, so they are stored and never logged. */
  readonly said?: Readonly<Record<string, unknown>>;
}

/** Another instance has changed the consignment, or the lease has ended: the result must not be written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface StoredChange {
  readonly owner: string;
  readonly now: Date;
  readonly entries: readonly JournalEntry[];
  readonly keepLease: 'keep' | 'give-back';
  readonly answersCancelRequest: 'answered' | 'stands';
  /** The cancellation request that this step knew of; a newer one makes the row due at once. */
  readonly knownCancelRequest: Consignment['cancelRequest'];
  /**
   * A carrier's answer may be stored after the lease has ended, as long as no other instance has claimed the row; an
   * intent may not.
   */
  readonly afterLease?: 'taken';
  /** Labels that came with the answer; missing: none. */
  readonly labels?: readonly StoredLabel[];
  /** Numbers to claim for the parcels. */
  readonly claim?: NumberClaim;
  /** The siblings that the plan was made beside; the plan is stored only while they are unchanged. */
  readonly others?: SiblingSnapshot | null;
  /** `refused`: a cancellation that the plan does not know of prevents the write, beside changed siblings. */
  readonly newCancelRequest?: 'refused';
}

/** No other cancellation was asked for since the step began. */
const SAME_CANCEL_REQUEST = 'cancel_wanted is not distinct from :knownCancelRequest::jsonb';

/**
 * SQL: the times at which this run told its worker to wait. A run that starts with this statement, or that waits for a
 * new day from now on, finds no row: both times become null, and the worker is told again.
 */
const TOLD_IN_THIS_RUN = `select waiting_told_at, waiting_told_again_at
           where run = :run and (run_started_at > :now or :runStartedAt <= :now)`;

/**
 * Stores the result of a step with history, labels and claimed numbers: one statement, guarded by version and lease, so
 * that no transaction stays open while others wait. Others set `cancel_wanted` at any time, so this removes only the
 * request that the step has answered.
 * @returns the consignment as it is stored now
 * @throws LeaseLost | SequenceConflict | NumbersTaken
 */
export async function save(sql: Sql, consignment: Consignment, change: StoredChange): Promise<Consignment> {
  const { others = null, claim } = change;
  const stored = sql.query<StepColumns>(...named(statementFor(change), valuesOf(consignment, change)));
  const rows = await stored.catch((error: unknown) => {
    throw claim && saysTaken(error) ? new NumbersTaken('a number is not free', { cause: error }) : error;
  });
  if (rows[0]) return afterStep(consignment, rows[0]);
  if (others !== null && (await isOurs(sql, consignment, change))) throw new SequenceConflict(others.shipmentId);
  throw new LeaseLost(`consignment ${consignment.id} is no longer ours`);
}

/** Labels and numbers are written by the same statement where there are any. */
function statementFor({ labels = [], others = null, claim, newCancelRequest }: StoredChange): string {
  const sameSiblings = others === null ? '' : `and ${SIBLING_SNAPSHOT} = :others`;
  const unchanged = newCancelRequest === undefined ? sameSiblings : `${sameSiblings} and ${SAME_CANCEL_REQUEST}`;
  const kept = `, kept as (${keepLabels({ id: 'saved.id', from: 'saved, ', now: ':now' })}),
       others as (${deleteOtherLabels({ id: 'saved.id', from: 'using saved' })})`;
  const claimed = `, claimed as (${CLAIM_NUMBERS})`;
  return `with saved as (
       update consignment set
         shipment_id = :shipmentId, shipment_number = :shipmentNumber, state = :state,
         account = :account, carrier = :carrier, reference = :reference, carrier_number = :carrierNumber,
         plan = :plan::jsonb, parts = :parts::jsonb, effects = :effects::jsonb, problems = :problems::jsonb,
         waits_for_person = :needsOperator, tries = :attempts, updated_at = :now, run = :run, run_started_at = :runStartedAt,
         (waiting_told_at, waiting_told_again_at) = (${TOLD_IN_THIS_RUN}),
         cancel_wanted = case when :answersCancelRequest and ${SAME_CANCEL_REQUEST} then null else cancel_wanted end,
         due_at = case when ${SAME_CANCEL_REQUEST} then :dueAt else :now end,
         lease_owner = case when :keepsLease and lease_until > :now then lease_owner end,
         lease_until = case when :keepsLease and lease_until > :now then lease_until end,
         version = version + 1, anonymised_at = null
       where id = :id and version = :version and lease_owner = :owner and (lease_until > :now or :afterLease) ${unchanged}
       returning *
     ), told as (
       insert into journal (consignment_id, at, what, fields)
       select saved.id, :now, entry->>'what', entry->'fields' from saved, jsonb_array_elements(:entries::jsonb) entry
     )${labels.length === 0 ? '' : kept}${claim === undefined ? '' : claimed}
     select ${SQL_STEP_COLUMNS} from saved`;
}

function valuesOf(consignment: Consignment, change: StoredChange): Readonly<Record<string, unknown>> {
  const { labels = [], others = null, claim } = change;
  return {
    ...rowValues(consignment),
    id: consignment.id,
    version: consignment.version,
    owner: change.owner,
    now: change.now,
    answersCancelRequest: change.answersCancelRequest === 'answered',
    knownCancelRequest: change.knownCancelRequest === null ? null : asJsonb(change.knownCancelRequest),
    keepsLease: change.keepLease === 'keep',
    afterLease: change.afterLease === 'taken',
    entries: new Personal((seal) => asJsonb(change.entries.map((entry) => sealedEntry(entry, seal)))),
    ...(others && { others: others.others, area: consignment.area }),
    ...(labels.length > 0 && labelValues(labels)),
    ...(claim && numberClaimValues(claim)),
  };
}

function sealedEntry({ what, fields, said = {} }: JournalEntry, seal: Seal): object {
  const sealed = Object.entries(said).map(([name, value]) => [name, seal.json(value)] as const);
  return { what, fields: { ...fields, ...Object.fromEntries(sealed) } };
}

/**
 * The result of a step that an earlier attempt of this process has stored, when the answer to that was lost; `null`: it has not, or
 * has released the lease. A claim, too, makes the next version: this process may have claimed the row again after its lease.
 */
export async function storedBefore(sql: Sql, result: Consignment, owner: string): Promise<Consignment | null> {
  const [row] = await sql.query<StepColumns>(
    `select ${SQL_STEP_COLUMNS} from consignment where id = $1 and version = $2 and lease_owner = $3`,
    [result.id, result.version + 1, owner],
  );
  const stored = row ? afterStep(result, row) : null;
  return stored !== null && saysTheSame(stored, result) ? stored : null;
}

/** The effects differ by the intents that are recorded with a result. */
function saysTheSame(stored: Consignment, result: Consignment): boolean {
  return stored.state === result.state && isDeepStrictEqual(inJson(stored.parts), inJson(result.parts));
}

function inJson(value: unknown): unknown {
  return JSON.parse(asJsonb(value));
}

/** Whether the row is still ours, when the statement wrote nothing. */
async function isOurs(sql: Sql, { id, version }: Consignment, { owner }: StoredChange): Promise<boolean> {
  const rows = await sql.query('select 1 from consignment where id = $1 and version = $2 and lease_owner = $3', [
    id,
    version,
    owner,
  ]);
  return rows.length > 0;
}
