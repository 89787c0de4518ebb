import type { Sql } from '../db/database.js';
import { reopenTasksOfDocuments } from '../tasks/task-rows.js';
import { notesOfFailed, reopenFailed } from './manifest-rows.js';

/**
 * Makes the failed steps of manifests due again, and the task that does them; inside a transaction. The steps that are
 * done stay done. The task goes first: while its row is locked, no instance begins it.
 * @param ids of the manifests' rows
 * @returns how many manifests had a failed step that is tried again; none whose task is at work now
 */
export async function retryManifests(sql: Sql, ids: readonly string[], now: Date): Promise<number> {
  const documents = await notesOfFailed(sql, ids);
  if (documents.length === 0) return 0;
  const reopened = await reopenTasksOfDocuments(sql, { kind: 'handover', documents, now });
  return reopenFailed(sql, ids, reopened);
}
