import { describe, expect, it } from '@jest/globals';
import { access } from '../../src/db/access.js';
import { DatabaseUnavailable } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { describeOnServer } from './postgres-server.js';

describe('the embedded database', () => {
  it('is writable', async () => {
    const database = await openEmptyDatabase();
    expect(await access(database)).toBe('writable');
    await database.close();
  });
});

describeOnServer('a server that is set to read-only', (url) => {
  it('is seen as such, and what cannot be written counts as not now', async () => {
    const database = openPostgres(url(), silentLog);
    expect(await access(database)).toBe('writable');
    await database.script('alter database postgres set default_transaction_read_only = on');
    const later = openPostgres(url(), silentLog);
    expect(await access(later)).toBe('read-only');
    await expect(later.script('create table t (n int)')).rejects.toThrow(DatabaseUnavailable);
    await Promise.all([database.close(), later.close()]);
  });
});
