import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallbackOutcome } from '../../carriers/contract/tracking.js';
import { applyStored } from '../../src/tracking/callbacks/apply-callbacks.js';
import { type NewCallback, insertCallbacks } from '../../src/tracking/callbacks/callback-rows.js';
import { createInbox } from '../../src/tracking/callbacks/inbox.js';
import { createCallbacks } from '../../src/tracking/callbacks/receive.js';
import { parcelsByNumber } from '../../src/tracking/parcels/parcel-rows.js';
import { event } from './callers.js';
import { type Stage, newParcel, register, trackingStage } from './tracking-stage.js';

const IGNORED: CallbackOutcome = { kind: 'ignored', because: 'this version does not know it' };
const EVENTS: CallbackOutcome = { kind: 'events', events: [event({ trackingNumber: '1', status: 'delivered' })] };

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
});

beforeEach(async () => {
  await stage.database.script('truncate callback, tracked_parcel, tracking_event cascade');
  await register(stage, [newParcel('1')]);
});

afterAll(() => stage.database.close());

/** The carrier sends the same body each time. @param outcome what the version of Waybridge reads in it */
function call(outcome: CallbackOutcome): Promise<string> {
  const callbacks = new Map([['main', { parse: () => outcome, secrets: { current: 'not looked at' } }]]);
  const { take } = createCallbacks({ ...stage.tracking, callbacks }, createInbox(stage.database), () => undefined);
  return take({ account: 'main', raw: Buffer.from('{"the":"same"}'), headers: {}, from: null });
}

async function statusOf(trackingNumber: string): Promise<string | undefined> {
  await applyStored(stage.tracking);
  return (await parcelsByNumber(stage.database, trackingNumber))[0]?.status;
}

describe('a callback that was ignored', () => {
  it('is read when the carrier sends it again to a version that knows it', async () => {
    expect(await call(IGNORED)).toBe('ignored');
    stage.clock.forward(60_000);
    expect(await call(EVENTS)).toBe('stored');
    expect(await statusOf('1')).toBe('delivered');
    const rows = await stage.database.query('select state, note, received_at from callback');
    expect(rows).toEqual([{ state: 'applied', note: null, received_at: stage.clock.now() }]);
  });

  it('is stored with a code of the carrier that the database takes only without its NUL', async () => {
    expect(await call({ kind: 'ignored', because: 'A\0B says nothing of where the parcel is' })).toBe('ignored');
    const rows = await stage.database.query('select note from callback');
    expect(rows).toEqual([{ note: 'A B says nothing of where the parcel is' }]);
  });

  it('stays ignored when it is sent again to the same version', async () => {
    expect([await call(IGNORED), await call(IGNORED)]).toEqual(['ignored', 'known']);
    expect(await statusOf('1')).toBe('registered');
  });
});

describe('a callback that was read', () => {
  it('is known when it comes again, also to a version that ignores it', async () => {
    expect([await call(EVENTS), await call(EVENTS), await call(IGNORED)]).toEqual(['stored', 'known', 'known']);
    expect(await statusOf('1')).toBe('delivered');
    expect([await call(EVENTS), await call(IGNORED)]).toEqual(['known', 'known']);
  });

  it('may come twice in one write, beside one that was ignored', async () => {
    await call(IGNORED);
    const [stored] = await stage.database.query<Pick<NewCallback, 'account' | 'hash'>>(
      'select account, hash from callback',
    );
    if (!stored) throw new Error('no callback');
    const outcome = { events: [event({ trackingNumber: '1', status: 'delivered' })], poll: [] };
    const again = { ...stored, body: Buffer.from('{}'), outcome, note: null, receivedAt: stage.clock.now() };
    expect((await insertCallbacks(stage.database, [again, again])).size).toBe(1);
    expect(await statusOf('1')).toBe('delivered');
  });
});
