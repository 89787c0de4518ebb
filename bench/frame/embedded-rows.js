// Many consignments in a folder of the embedded database, made of some that were really booked.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MULTIPLY = readFileSync(new URL('../parts/many-consignments.sql', import.meta.url), 'utf8');
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
    for (const statement of MULTIPLY.replaceAll(':count', String(count)).split(/;\s*$/m))
      if (statement.trim() !== '') await database.script(statement);
    if (daysOld > 0) await makeOld(database, daysOld);
    await database.script('vacuum analyze');
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

/** Ended so long ago, with their parcels, and nothing of them is open. */
async function makeOld(database, days) {
  const old = `now() - interval '${days} days' - random() * interval '10 days'`;
  await database.script(`
    update consignment set updated_at = ${old}, tracked_version = version where id like 'made-%';
    update tracked_parcel set ended_at = ${old}, next_ask_at = null where consignment_id like 'made-%';
    update label set created_at = ${old} where consignment_id like 'made-%';
    update webhook_delivery set state = 'done';
  `);
}
