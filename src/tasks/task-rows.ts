import { asJsonb } from '../db/json.js';
import type { Sql } from '../db/database.js';
import type { Addressee } from '../messages/message.js';
import type { Lease } from '../worker/lease.js';
import {
  type AttemptEnd,
  CLAIMED,
  asNew,
  claimValues,
  dueRows,
  isUnleased,
  renewRows,
  reviveRows,
  saveAttemptEnd,
} from '../worker/leased-rows.js';

/** Background work for an event that books nothing. */
export type TaskKind = 'choose-carrier' | 'check-delivery-note' | 'identify-document' | 'handover';

/** The kinds as the rows hold them: instances of an older version read and write the same rows. */
const STORED = {
  'choose-carrier': 'choose-carrier',
  'check-delivery-note': 'look-at-delivery-note',
  'identify-document': 'identify-document',
  handover: 'hand-over',
} as const satisfies Readonly<Record<TaskKind, string>>;

type StoredKind = (typeof STORED)[TaskKind];

const KINDS: Readonly<Record<StoredKind, TaskKind>> = {
  'choose-carrier': 'choose-carrier',
  'look-at-delivery-note': 'check-delivery-note',
  'identify-document': 'identify-document',
  'hand-over': 'handover',
};

/** SQL: this version knows the kind; a task of another one is left to the instances of another version. */
const IS_KNOWN = `kind in (${Object.keys(KINDS)
  .map((kind) => `'${kind}'`)
  .join(', ')})`;

/** @param stored as the rows hold it @returns the kind by its name in the code; an unknown one stays as it is */
export function taskKindOf(stored: string): string {
  return KINDS[stored as StoredKind] ?? stored;
}

/** SQL: the version counts the changes of the state and of the lease. */
const CHANGED = ', version = version + 1';

export interface Task {
  /** The event's id. */
  readonly id: string;
  readonly kind: TaskKind;
  readonly area: string;
  readonly shipmentId: string | null;
  readonly documentId: string | null;
  readonly addressee: Addressee;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Digests of what was told; beside them, what a kind of task notes of it. */
  readonly told: readonly string[];
}

interface TaskRow {
  readonly id: string;
  readonly kind: StoredKind;
  readonly area: string;
  readonly shipment_id: string | null;
  readonly document_id: string | null;
  readonly user_id: string | number | null;
  readonly device_name: string | null;
  readonly tries: number;
  readonly created_at: Date;
  readonly told: readonly string[];
}

export async function insertTask(sql: Sql, task: Omit<Task, 'attempts' | 'told'>): Promise<void> {
  const { id, kind, area, shipmentId, documentId, addressee, createdAt } = task;
  await sql.query(
    `insert into task (id, kind, area, shipment_id, document_id, user_id, device_name, state, due_at, created_at)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7, 'open', $8, $8) on conflict do nothing`,
    [id, STORED[kind], area, shipmentId, documentId, asJsonb(addressee.userId), addressee.deviceName, createdAt],
  );
}

export async function claimTask(sql: Sql, id: string, lease: Lease): Promise<Task | null> {
  const rows = await sql.query<TaskRow>(
    `update task set ${CLAIMED} ${CHANGED}
      where id = $1 and state = 'open' and due_at <= $4 and ${isUnleased('$4')} and ${IS_KNOWN} returning *`,
    claimValues(id, lease),
  );
  const [row] = rows;
  if (!row) return null;
  return {
    id: row.id,
    kind: KINDS[row.kind],
    area: row.area,
    shipmentId: row.shipment_id,
    documentId: row.document_id,
    addressee: { eventId: eventOf(row), userId: row.user_id, deviceName: row.device_name },
    attempts: row.tries,
    createdAt: row.created_at,
    told: row.told,
  };
}

/** The id of a task that another task begins: the event's id and the stored kind. */
export function followingTaskId(eventId: string, kind: TaskKind): string {
  return `${eventId}:${STORED[kind]}`;
}

function eventOf({ id, kind }: Pick<TaskRow, 'id' | 'kind'>): string {
  return id.endsWith(`:${kind}`) ? id.slice(0, -`:${kind}`.length) : id;
}

/** Marks a message as sent, so that it is sent once, however often the task is tried. */
export async function markTaskTold(sql: Sql, id: string, digest: string): Promise<void> {
  await sql.query('update task set told = told || $2::jsonb where id = $1', [id, asJsonb([digest])]);
}

/** What `markTaskTold` has stored so far, also since the task was claimed. */
export async function toldByTask(sql: Sql, id: string): Promise<readonly string[]> {
  const rows = await sql.query<Pick<TaskRow, 'told'>>('select told from task where id = $1', [id]);
  return rows[0]?.told ?? [];
}

/** Renews the leases of an instance; an expired lease stays expired. @returns the ids that it still holds */
export async function renewTaskLeases(sql: Sql, lease: Lease, ids: readonly string[]): Promise<readonly string[]> {
  return renewRows(sql, 'task', { lease, ids });
}

/** Changes nothing when `owner` does not hold the lease. */
export async function saveTask(
  sql: Sql,
  { id, owner }: { readonly id: string; readonly owner: string },
  end: AttemptEnd,
): Promise<void> {
  await saveAttemptEnd(sql, { table: 'task', id, owner, also: CHANGED }, end);
}

/** The limit of one sweep. */
export const MAX_DUE_AT_ONCE = 200;

/** Due ids without a lease: each area gets its turn, and in each the longest waiting comes first. */
export async function dueTasks(sql: Sql, now: Date, limit: number): Promise<readonly string[]> {
  return dueRows(sql, 'task', { now, limit, which: IS_KNOWN });
}

/** The kinds of open tasks that this version does not know. */
export async function unknownTasks(sql: Sql): Promise<readonly { readonly kind: string; readonly count: number }[]> {
  return sql.query(
    `select kind, count(*)::int as count from task where state = 'open' and not ${IS_KNOWN} group by kind order by kind`,
  );
}

/** A task as operators see it. */
export interface TaskView {
  readonly id: string;
  readonly eventId: string;
  /** As the row holds it where only another version knows it. */
  readonly kind: string;
  readonly state: AttemptEnd['state'];
  /** The result, or the latest error. */
  readonly note: string | null;
  readonly attempts: number;
  /** The next attempt; `null`: none. */
  readonly dueAt: Date | null;
}

type ViewRow = Pick<TaskRow, 'id' | 'kind' | 'tries'> &
  Pick<TaskView, 'state' | 'note'> & { readonly due_at: Date | null };

/** The tasks that these events have begun, with those that followed from them. */
export async function tasksOfEvents(sql: Sql, eventIds: readonly string[]): Promise<readonly TaskView[]> {
  const kinds = Object.keys(KINDS);
  const rows = await sql.query<ViewRow>(
    'select id, kind, state, note, tries, due_at from task where id = any($1::text[]) order by created_at, id',
    [eventIds.flatMap((id) => [id, ...kinds.map((kind) => `${id}:${kind}`)])],
  );
  return rows.map((row) => {
    const { id, state, note, tries: attempts, due_at: dueAt } = row;
    return { id, eventId: eventOf(row), kind: taskKindOf(row.kind), state, note, attempts, dueAt };
  });
}

/** Begins tasks again that were given up. @returns how many */
export async function reviveTasks(sql: Sql, ids: readonly string[], now: Date): Promise<number> {
  return reviveRows(sql, { table: 'task', ids, state: 'given-up', also: CHANGED }, now);
}

/** A document of the IMS. */
interface OfDocument {
  readonly area: string;
  readonly documentId: string;
}

/** Makes the tasks of documents due again, unless an instance is at them. @returns the documents that have such a task */
export async function reopenTasksOfDocuments(
  sql: Sql,
  { kind, documents, now }: { readonly kind: TaskKind; readonly documents: readonly OfDocument[]; readonly now: Date },
): Promise<readonly OfDocument[]> {
  return sql.query<OfDocument>(
    `update task set ${asNew('$4')} ${CHANGED}
      where (area, document_id) in (select * from unnest($1::text[], $2::text[])) and kind = $3 and ${isUnleased('$4')}
      returning area, document_id as "documentId"`,
    [documents.map(({ area }) => area), documents.map(({ documentId }) => documentId), STORED[kind], now],
  );
}
