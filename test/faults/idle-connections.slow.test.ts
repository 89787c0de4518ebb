import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { buildChild } from '../crash/build-child.js';
import { Stage } from '../crash/stage.js';
import { ship } from '../crash/story.js';
import { checkFinalState } from '../crash/crash-stage.js';
import { until } from '../support/harness.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

const MAX_FILES = 512;
const CONNECTIONS = 700;
const BOOKINGS = 45;
const ANSWERS_WITHIN_MS = 60_000;
const SETTLES_WITHIN_MS = 180_000;
const { oneParcel } = sampleShipments;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-idle-'));
  program = await buildChild();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Connects again and again, says nothing, and never ends a connection by itself. */
function keepIdle(port: number, addresses: readonly string[]) {
  const sockets = new Set<Socket>();
  let opened = 0;
  let over = false;
  const open = (from: string) => {
    if (over) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    sockets.add(socket);
    socket.on('connect', () => (opened += 1));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(open, 100, from).unref();
    });
  };
  for (let n = 0; n < CONNECTIONS; n += 1) open(addresses[n % addresses.length] ?? '');
  return {
    opened: () => opened,
    end: () => {
      over = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe.each([
  ['of one other address, all the time', ['127.0.0.2'], 'until all is done'],
  ['of many addresses, for a moment', ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'], 'for a moment'],
])('with more idle connections than files, %s', (_what, addresses, howLong) => {
  it('the service answers, and all bookings end, none of them twice', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    await placeEmptyDatabase(dataDir);
    const stage = await Stage.open({
      program,
      before: ['sh', '-c', `ulimit -n ${MAX_FILES} && exec "$@"`, 'sh'],
      database: { environment: { DATA_DIR: dataDir }, drop: async () => undefined },
    });
    try {
      const { service } = await stage.start();
      const idle = keepIdle(Number(new URL(stage.liveUrl).port), addresses);
      try {
        for (let n = 0; n < BOOKINGS; n += 1) ship(stage.sandbox, oneParcel, 'Pretend');
        await until('more than it may open have connected', () => idle.opened() > MAX_FILES);
        if (howLong === 'for a moment') idle.end();
        const alive = async () => (await fetch(`${stage.urlOf(0)}/healthz`).catch(() => null))?.status === 200;
        await until('it answers', alive, ANSWERS_WITHIN_MS);
        const rows = await stage.settle(SETTLES_WITHIN_MS);
        expect(checkFinalState(await stage.context(rows))).toEqual([]);
        expect(service.isAlive).toBe(true);
        expect(rows.consignments.map(({ state }) => state)).toEqual(Array.from({ length: BOOKINGS }, () => 'closed'));
      } finally {
        idle.end();
      }
    } finally {
      await stage.close();
    }
  });
});
