// Many consignments in a folder of the embedded database, made of some that were really booked.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MULTIPLY = readFileSync(new URL('../parts/many-consignments.sql', import.meta.url), 'utf8');
/** The age of the newest of them. */
const ENDED = "interval '1 hour'";
const MODELS = 3;

/**
 * @param plan `count`: how many; `daysOld`: how many days ago the newest of them ended
 * @returns the folder, and `end`, which removes it
 */
export async function fillFolder(frame, sandbox, { count, daysOld = 0 }) {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-rows-'));
  frame.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  await bookModels(frame, sandbox, folder);
  const { openEmbedded } = await import('../../dist/src/db/embedded/embedded.js');
  const database = await openEmbedded(folder);
  try {
    const script = MULTIPLY.replaceAll(':count', String(count)).replace(ENDED, `interval '${daysOld} days'`);
    for (const statement of script.split(/;\s*$/m)) if (statement.trim() !== '') await database.script(statement);
    await database.script('vacuum');
    await database.script('checkpoint');
  } finally {
    await database.close();
  }
  return folder;
}

async function bookModels(frame, sandbox, dataDir) {
  const service = await frame.service(sandbox, { dataDir });
  const client = await frame.client();
  const bookings = await sandbox.control.addBookings({ count: MODELS });
  const before = await sandbox.control.done();
  for (const { event } of bookings)
    await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body: event });
  await frame.until('the bookings are done', async () => (await sandbox.control.done()) >= before + MODELS);
  await service.end();
}
