import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { taskHandlers } from '../../src/app/task-handlers.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { runTask } from '../../src/tasks/run-task.js';
import { insertTask } from '../../src/tasks/task-rows.js';
import { type TestIms, startTestIms } from '../ims/ims-server.js';
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
});
afterAll(() => database.close());

const MINUTE = 60_000;

/** Runs a task of this age once, whose request the IMS answers with this status. @returns its row */
async function runOnce(status: number, ageMs = 0) {
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
  await runTask(contextOfArea(database, ims, { giveUpAfterMs: 10 * MINUTE }), taskHandlers, 'event-1');
  const [row] = await database.query('select state, note, due_at from task');
  return row;
}

const note = expect.stringContaining('closed for today');

it('gives a task up at once that the IMS refuses', async () => {
  expect(await runOnce(422)).toEqual({ state: 'given-up', note, due_at: null });
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
