import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { taskHandlers } from '../../src/app/task-handlers.js';
import { type Database, DatabaseUnavailable } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { runTask } from '../../src/tasks/run-task.js';
import { insertTask } from '../../src/tasks/task-rows.js';
import { type TestIms, startTestIms } from '../ims/ims-server.js';
import type { TaskHandler } from '../../src/tasks/task.js';
import { recordingLog } from '../tracking/tracking-stage.js';
import { contextOfArea } from '../support/area-context.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

let database: Database;
let ims: TestIms;

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
});
afterEach(async () => {
  await ims.close();
  await database.script('truncate task');
  lines.length = 0;
});
afterAll(() => database.close());

const MINUTE = 60_000;

const lines: { readonly level: string; readonly event: string }[] = [];

/** Runs a task of this age once, whose request the IMS answers with this status. @returns its row */
async function runOnce(status: number, ageMs = 0, giveUp?: TaskHandler['giveUp']) {
  const json = { messageType: 'ERROR', messageCode: 'closed', messageText: 'closed for today' };
  ims = await startTestIms({ api: () => ({ status, json }) });
  const { clock } = ims;
  const addressee = { eventId: 'event-1', userId: null, deviceName: null };
  const about = {
    area: '550',
    shipmentId: '601',
    documentId: '700',
    addressee,
    createdAt: new Date(clock.now().getTime() - ageMs),
  };
  await insertTask(database, { id: 'event-1', kind: 'check-delivery-note', ...about });
  const context = { ...contextOfArea(database, ims, { giveUpAfterMs: 10 * MINUTE }), log: recordingLog(lines) };
  const checking = { ...taskHandlers['check-delivery-note'], ...(giveUp && { giveUp }) };
  await runTask(context, { ...taskHandlers, 'check-delivery-note': checking }, 'event-1');
  const [row] = await database.query('select state, note, due_at from task');
  return row;
}

const note = expect.stringContaining('closed for today');

it('gives a task up at once that the IMS refuses', async () => {
  expect(await runOnce(422)).toEqual({ state: 'given-up', note, due_at: null });
});

it('gives a task up once, and logs why, where its last step fails', async () => {
  const error = new TypeError('no such text');
  expect(await runOnce(422, 0, () => Promise.reject(error))).toEqual({ state: 'given-up', note, due_at: null });
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ event: 'task ending failed', error }]);
});

it('gives a task up later, where the database is away during its last step', async () => {
  const away = new DatabaseUnavailable('closed', { cause: null });
  await expect(runOnce(422, 0, () => Promise.reject(away))).rejects.toThrow(away);
  expect(await database.query('select state from task')).toEqual([{ state: 'open' }]);
});

it.each([400, 404])(
  'gives a task up that the IMS answers with %d for as long as a booking is tried',
  async (status) => {
    expect(await runOnce(status, 11 * MINUTE)).toEqual({ state: 'given-up', note, due_at: null });
  },
);

it.each([400, 404, 409, 503])('tries a task again that the IMS answers with %d', async (status) => {
  expect(await runOnce(status)).toMatchObject({ state: 'open', due_at: expect.any(Date) });
});
