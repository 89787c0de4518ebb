import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import {
  claimTask,
  dueTasks,
  followingTaskId,
  insertTask,
  tasksOfEvents,
  type TaskKind,
} from '../../src/tasks/task-rows.js';
import { logTasksOfOtherVersions } from '../../src/tasks/run-task.js';
import { NOON } from '../support/consignments.js';
import { keepLog } from '../support/log-lines.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const LEASE = { owner: 'us', now: NOON, until: new Date(NOON.getTime() + 60_000) };

let database: Database;

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
});
afterAll(() => database.close());

it.each<[string, TaskKind]>([
  ['choose-carrier', 'choose-carrier'],
  ['look-at-delivery-note', 'check-delivery-note'],
  ['identify-document', 'identify-document'],
  ['hand-over', 'handover'],
])('takes a row of an older version with the kind "%s" as %s, and writes it the same', async (stored, kind) => {
  await database.query(
    `insert into task (id, kind, area, state, due_at, created_at) values ($1, $2, '1', 'open', $3, $3)`,
    [`e-1:${stored}`, stored, NOON],
  );
  expect(await claimTask(database, `e-1:${stored}`, LEASE)).toMatchObject({ kind, addressee: { eventId: 'e-1' } });

  const addressee = { eventId: 'e-2', userId: null, deviceName: null };
  const about = { area: '1', shipmentId: null, documentId: null, addressee, createdAt: NOON };
  const id = followingTaskId('e-2', kind);
  await insertTask(database, { ...about, id, kind });
  expect(await database.query('select id, kind from task where id = $1', [id])).toEqual([
    { id: `e-2:${stored}`, kind: stored },
  ]);
});

it('leaves a task of a kind that only another version knows to that one, and shows it by its kind', async () => {
  await database.query(
    `insert into task (id, kind, area, state, due_at, created_at) values ('e-9', 'weigh-pallet', '1', 'open', $1, $1)`,
    [NOON],
  );
  expect(await claimTask(database, 'e-9', LEASE)).toBeNull();
  expect(await dueTasks(database, NOON, 100)).not.toContain('e-9');
  expect(await tasksOfEvents(database, ['e-9'])).toMatchObject([{ kind: 'weigh-pallet', state: 'open' }]);
  const { log, lines } = keepLog();
  await logTasksOfOtherVersions({ database, log });
  expect(lines).toMatchObject([
    { level: 'warn', event: 'tasks of another version', fields: { kind: 'weigh-pallet', count: 1 } },
  ]);
});
