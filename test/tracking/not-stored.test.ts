import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { plainTracking } from '../../carriers/toolkit/tracking/plain-tracking.js';
import { type Database, DatabaseUnavailable } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { bodyBudget } from '../../src/http/body-budget.js';
import { callbackRoutes } from '../../src/http/callbacks.js';
import { silentLog } from '../../src/log.js';
import { type CallbackInbox, createInbox } from '../../src/tracking/callbacks/inbox.js';
import type { NewCallback } from '../../src/tracking/callbacks/callback-rows.js';
import { createCallbacks } from '../../src/tracking/callbacks/receive.js';
import { describeOnServer } from '../db/postgres-server.js';
import { SECRET, signed } from './callers.js';
import { DAWN, type Stage, trackingStage } from './tracking-stage.js';

/** More than may wait. */
const TOO_MANY = 6_000;

let server: Server;
let stage: Stage;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await stage.database.close();
});

/** The way in. @returns calls it */
async function open(inbox: CallbackInbox): Promise<(code: string) => Promise<Response>> {
  stage = await trackingStage(async () => []);
  const secrets = { current: SECRET };
  const context = { ...stage.tracking.booking, clock: { now: () => new Date() } };
  const callbacks = new Map([['pretend', { secrets, parse: plainTracking }]]);
  const taking = createCallbacks({ ...stage.tracking, booking: context, callbacks }, inbox, () => undefined);
  server = createServer(express().use('/callbacks', callbackRoutes(taking, silentLog, bodyBudget(silentLog))));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return (code) => {
    const event = { trackingNumber: '1', status: 'in-transit', at: new Date().toISOString(), code };
    return fetch(`http://127.0.0.1:${port}/callbacks/pretend`, { method: 'POST', ...signed(event) });
  };
}

function waitingCall(n: number): NewCallback {
  return { account: 'pretend', hash: `h-${n}`, body: Buffer.from('{}'), outcome: null, note: null, receivedAt: DAWN };
}

const seenIn = (answer: Response) => ({ status: answer.status, again: Number(answer.headers.get('retry-after')) > 0 });

describe('a callback that cannot be stored', () => {
  it('is sent away to come again while too many wait for a database that does not answer, and is stored then', async () => {
    const held = await trackingStage(async () => []);
    let leaves: () => void = () => undefined;
    const someLeft = new Promise<void>((done) => (leaves = done));
    let fail: (error: Error) => void = () => undefined;
    let gate: Promise<void> | null = new Promise((_done, failed) => (fail = failed));
    const database: Database = {
      ...held.database,
      query: async <Row>(text: string, values?: readonly unknown[]) => {
        leaves();
        await gate;
        return held.database.query<Row>(text, values);
      },
    };
    const inbox = createInbox(database);
    const call = await open(inbox);
    const fill = (from: number) =>
      Promise.allSettled(Array.from({ length: TOO_MANY }, (_none, n) => inbox.put(waitingCall(from + n))));
    const first = fill(0);
    // Some of them leave for the database, where they stay.
    await someLeft;
    const second = fill(TOO_MANY);
    expect(seenIn(await call('no room'))).toEqual({ status: 503, again: true });
    fail(new DatabaseUnavailable('it broke'));
    const outcomes = [...(await first), ...(await second)];
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(await held.database.query('select from callback')).toEqual([]);
    gate = null;
    expect((await call('again')).status).toBe(200);
    await held.database.close();
  });
});

describeOnServer('a callback that cannot be stored', (url, postgres) => {
  it('is sent away to come again while the database is away, and is stored when it is back', async () => {
    const database = openPostgres(url(), silentLog);
    const call = await open(createInbox(database));
    await migrate(database);
    expect((await call('before')).status).toBe(200);
    await postgres().halt();
    expect(seenIn(await call('meanwhile'))).toEqual({ status: 503, again: true });
    await postgres().resume();
    expect((await call('after')).status).toBe(200);
    expect(await database.query('select from callback')).toHaveLength(2);
    await database.close();
  });
});
