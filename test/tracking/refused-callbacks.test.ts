import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createInbox } from '../../src/tracking/callbacks/inbox.js';
import { type Callbacks, createCallbacks } from '../../src/tracking/callbacks/receive.js';
import { plainTracking } from '../../carriers/toolkit/tracking/plain-tracking.js';
import { FOREIGN_SECRET, SECRET, signed } from './callers.js';
import { type Stage, recordingLog, trackingStage } from './tracking-stage.js';

const lines: { readonly level: string; readonly event: string }[] = [];
let stage: Stage;
let callbacks: Callbacks;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
  const account = { secrets: { current: SECRET }, parse: plainTracking };
  const tracking = {
    ...stage.tracking,
    booking: { ...stage.tracking.booking, log: recordingLog(lines) },
    callbacks: new Map([
      ['gls', account],
      ['dao', account],
    ]),
  };
  callbacks = createCallbacks(tracking, createInbox(stage.database), () => undefined);
});
afterAll(() => stage.database.close());

async function refused(account: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const { body, headers } = signed({ events: [] }, { secret: FOREIGN_SECRET, at: stage.clock.now() });
    const call = { account, raw: Buffer.from(body), headers, from: '192.0.2.7' };
    expect(await callbacks.take(call)).toBe('refused');
  }
}

it('refused callbacks are told once a minute for each account, with the number of those left out', async () => {
  await refused('gls', 100);
  await refused('dao', 2);
  stage.clock.forward(60_000);
  await refused('gls', 3);
  stage.clock.forward(60_000);
  await refused('gls', 1);
  const told = { level: 'warn', event: 'callback refused', from: '192.0.2.7' };
  expect(lines).toMatchObject([
    { ...told, account: 'gls', leftOut: 0 },
    { ...told, account: 'dao', leftOut: 0 },
    { ...told, account: 'gls', leftOut: 99 },
    { ...told, account: 'gls', leftOut: 2 },
  ]);
});
