import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Operator, hashOf } from '../../src/access/operators.js';
import { MAX_AGE_MS, MAX_IDLE_MS, type Session, createSessions } from '../../src/access/sessions.js';
import type { Database } from '../../src/db/database.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const mette: Operator = { name: 'Mette', role: 'act', tokenHash: hashOf('one') };
const MINUTE_MS = 60_000;

let database: Database;
let now: Date;
const clock = { now: () => now };
const sessionsOf = (...operators: readonly Operator[]) =>
  createSessions({ database, clock, operators, provider: null });
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

beforeAll(async () => {
  database = await openEmptyDatabase();
});
beforeEach(() => {
  now = new Date('2026-03-04T08:00:00Z');
});
afterAll(() => database.close());

describe('a session', () => {
  it('is known to another instance, and after a restart', async () => {
    const id = await sessionsOf(mette).begin(mette);
    expect(await sessionsOf(mette).find(id, 'use')).toMatchObject({ operator: mette });
  });

  it('is stored without its id', async () => {
    const id = await sessionsOf(mette).begin(mette);
    const rows = await database.query('select * from session');
    expect(JSON.stringify(rows)).not.toContain(id);
    expect(JSON.stringify(rows)).not.toContain(mette.tokenHash);
  });

  it('has a form token of its own, which stays', async () => {
    const sessions = sessionsOf(mette);
    const [one, other] = [await sessions.begin(mette), await sessions.begin(mette)];
    const formToken = async (id: string) => ((await sessions.find(id, 'use')) as Session).formToken;
    expect(await formToken(one)).toBe(await formToken(one));
    expect(await formToken(one)).not.toBe(await formToken(other));
  });

  it('ends after eight hours without use, and lives on with use', async () => {
    const sessions = sessionsOf(mette);
    const id = await sessions.begin(mette);
    later(MAX_IDLE_MS - MINUTE_MS);
    expect(await sessions.find(id, 'use')).toMatchObject({ operator: mette });
    later(MAX_IDLE_MS - MINUTE_MS);
    expect(await sessions.find(id, 'use')).toMatchObject({ operator: mette });
    later(MAX_IDLE_MS + 1);
    expect(await sessions.find(id, 'use')).toBe('idle');
  });

  it('is not used by a page that refreshes itself', async () => {
    const sessions = sessionsOf(mette);
    const id = await sessions.begin(mette);
    later(MAX_IDLE_MS - MINUTE_MS);
    expect(await sessions.find(id, 'look')).toMatchObject({ operator: mette });
    later(2 * MINUTE_MS);
    expect(await sessions.find(id, 'look')).toBe('idle');
  });

  it('ends after a day, however much it is used', async () => {
    const sessions = sessionsOf(mette);
    const id = await sessions.begin(mette);
    for (let passed = 0; passed < MAX_AGE_MS; passed += MAX_IDLE_MS / 2) {
      expect(await sessions.find(id, 'use')).toMatchObject({ operator: mette });
      later(MAX_IDLE_MS / 2);
    }
    later(1);
    expect(await sessions.find(id, 'use')).toBe('too-old');
  });

  it.each([
    ['has a new token', [{ ...mette, tokenHash: hashOf('two') }]],
    ['is no operator any more', []],
  ])('ends when its operator %s', async (_what, operators) => {
    const id = await sessionsOf(mette).begin(mette);
    expect(await sessionsOf(...operators).find(id, 'use')).toBe('token-changed');
  });

  it('has the role that its operator has now', async () => {
    const id = await sessionsOf(mette).begin(mette);
    expect(await sessionsOf({ ...mette, role: 'view' }).find(id, 'use')).toMatchObject({ operator: { role: 'view' } });
  });

  it('is unknown once it is signed out, and with an id that is none', async () => {
    const sessions = sessionsOf(mette);
    const id = await sessions.begin(mette);
    await sessions.end(id);
    expect(await sessions.find(id, 'use')).toBe('unknown');
    expect(await sessions.find("' or true", 'use')).toBe('unknown');
  });
});
