import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';
import type { TrackingEvent } from '../../carriers/contract/tracking.js';
import { insertAudit, latestAudit } from '../../src/access/audit-rows.js';
import type { Database } from '../../src/db/database.js';
import { asJsonb } from '../../src/db/json.js';
import { DataKeyMismatch, requireDataKeys } from '../../src/db/sealing/data-keys.js';
import { createKeyRing } from '../../src/db/sealing/key-ring.js';
import { MEMBER, Personal } from '../../src/db/sealing/personal.js';
import { sealedDatabase, unsealedDatabase } from '../../src/db/sealing/sealed-database.js';
import { auditedAction } from '../../src/http/audited-action.js';
import { insertEvents } from '../../src/intake/ims-event-rows.js';
import { resealBatch } from '../../src/retention/reseal.js';
import { insertCallbacks, storedCallbacks } from '../../src/tracking/callbacks/callback-rows.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const MOST = { callbacks: 10, events: 100 };
const EVENT: TrackingEvent = {
  ...{ trackingNumber: '1', status: 'delivered', code: 'D', text: 'left with a neighbour', place: 'Tindborg' },
  ...{ at: '2026-11-01T10:00:00Z', zone: 'stated', estimatedDelivery: null, id: null },
};

let stored: Database;

beforeEach(async () => {
  stored = await openEmptyDatabase();
});
afterEach(() => stored.close());

/** The database as an instance has it that starts with these keys. */
async function startedWith(...keys: readonly Uint8Array[]): Promise<Database> {
  const ring = createKeyRing(keys);
  await requireDataKeys(stored, ring);
  return sealedDatabase(stored, ring);
}

/** @returns how many batches it took */
async function sealAll(database: Database): Promise<number> {
  let batches = 0;
  while ((await database.transaction((sql) => resealBatch(sql, database.dataKey ?? ''))) > 0) batches += 1;
  return batches;
}

async function receive(database: Database, hash: string): Promise<void> {
  const outcome = { events: [EVENT], poll: [] };
  const body = Buffer.from(hash);
  await insertCallbacks(database, [{ account: 'a', hash, body, outcome, note: null, receivedAt: new Date() }]);
}

describe('a callback that waits when the data key changes', () => {
  it('is read with the new key alone, its texts and places too', async () => {
    await receive(await startedWith(OLD), 'waiting');
    await sealAll(await startedWith(NEW, OLD));
    const [callback] = await storedCallbacks(await startedWith(NEW), MOST);
    expect(callback?.outcome.events).toEqual([EVENT]);
  });
});

describe('an instance without a data key, beside one that has it', () => {
  it('refuses what the other one sealed, bytes and texts alike, and reads the rest', async () => {
    const without = unsealedDatabase(stored);
    await receive(without, 'plain');
    await receive(await startedWith(NEW), 'sealed');
    const [plain] = await storedCallbacks(without, { ...MOST, callbacks: 1 });
    expect(plain?.outcome.events).toEqual([EVENT]);
    await expect(storedCallbacks(without, MOST)).rejects.toThrow(DataKeyMismatch);
    const body = "select body from callback where hash = 'sealed'";
    await expect(without.query(body)).rejects.toThrow(/this instance has no key/);
    await expect(without.transaction((sql) => sql.query(body))).rejects.toThrow(DataKeyMismatch);
  });
});

describe('a text of a stranger that begins as a sealed one does', () => {
  const MARK = '\u00a7wb1\u00a7';
  const forged = [`${MARK}AAAA`, `\\${MARK}AAAA`, `\\\\${MARK}`];

  it('is read as it was written, with a key and without', async () => {
    for (const database of [await startedWith(NEW), unsealedDatabase(stored)])
      for (const text of forged) {
        const entry = { at: new Date(), operator: text, action: text, target: text, address: null, detail: text };
        await insertAudit(database, { ...entry, result: 'done', status: 200 });
        const read = await latestAudit(database, text);
        expect(read).toEqual([expect.objectContaining({ operator: text, target: text, detail: text })]);
        const json = { text, texts: { all: [text] }, object: { [MEMBER]: text } };
        const values = [forged, asJsonb(json), new Personal((seal) => asJsonb({ sealed: seal.json(json) }))];
        const columns =
          "$1::text[] as texts, $2::jsonb as json, $2::jsonb->>'text' as text, $3::jsonb->'sealed' as sealed";
        expect(await database.query(`select ${columns}`, values)).toEqual([
          { texts: forged, json, text, sealed: json },
        ]);
      }
  });

  it('is read as it was written in an event and in the body of a callback', async () => {
    for (const [place, database] of [await startedWith(NEW), unsealedDatabase(stored)].entries())
      for (const text of forged) {
        const ids = { id: text + String(place), documentId: text, shipmentId: text, documentType: null };
        const about = { area: '1', eventType: 'documentCreated', outcome: 'accepted' as const, problems: [] };
        const times = { occurredAt: new Date(), receivedAt: new Date() };
        await insertEvents(database, [{ ...ids, ...about, ...times, body: text }]);
        const [event] = await database.query('select event_id, document_id, body from event where event_id = $1', [
          ids.id,
        ]);
        expect(event).toEqual({ event_id: ids.id, document_id: text, body: text });
        await receive(database, ids.id);
        const [callback] = await database.query('select hash, body from callback where hash = $1', [ids.id]);
        expect(callback).toEqual({ hash: ids.id, body: Buffer.from(ids.id) });
      }
  });

  it('is ASCII in the audit log where it is the path of a request', () => {
    const request = { method: 'POST', path: '/consignments/\u00c2\u00a7wb1\u00c2\u00a7/retry', ip: '::1' };
    expect(auditedAction(request as Request).target).toBe('consignments/%C2%A7wb1%C2%A7');
  });
});

describe('sealing again with a key that comes first', () => {
  it('begins anew when the key was first before, and finds what another instance sealed behind it', async () => {
    await startedWith(OLD);
    const again = await startedWith(NEW, OLD);
    for (let batch = 0; batch < 6; batch += 1) await again.transaction((sql) => resealBatch(sql, again.dataKey ?? ''));
    await receive(await startedWith(OLD, NEW), 'behind');
    await sealAll(await startedWith(NEW, OLD));
    expect(await storedCallbacks(await startedWith(NEW), MOST)).toHaveLength(1);
  });

  it('passes again over rows that another instance sealed with the old key meanwhile', async () => {
    const rolling = await startedWith(OLD);
    await receive(rolling, 'first');
    const next = await startedWith(NEW, OLD);
    for (let batch = 0; batch < 6; batch += 1) await next.transaction((sql) => resealBatch(sql, next.dataKey ?? ''));
    await receive(rolling, 'behind');
    await sealAll(next);
    expect(await storedCallbacks(await startedWith(NEW), MOST)).toHaveLength(2);
  });
});
