import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallbackOutcome, TrackingEvent } from '../../carriers/contract/tracking.js';
import { applyStored } from '../../src/tracking/callbacks/apply-callbacks.js';
import { createInbox } from '../../src/tracking/callbacks/inbox.js';
import { createCallbacks } from '../../src/tracking/callbacks/receive.js';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { type Stage, newParcel, register, trackingStage } from './tracking-stage.js';

let stage: Stage;
let polled: string[] = [];

beforeAll(async () => {
  stage = await trackingStage((numbers) => {
    polled.push(...numbers);
    return Promise.resolve([]);
  });
});

beforeEach(async () => {
  polled = [];
  await stage.database.script('truncate callback, tracked_parcel, tracking_event cascade');
  await register(stage, [newParcel('1', { nextPollAt: null }), newParcel('2', { nextPollAt: null })]);
});

afterAll(() => stage.database.close());

async function receive(outcome: CallbackOutcome): Promise<void> {
  const callbacks = new Map([['main', { parse: () => outcome, secrets: { current: 'not looked at' } }]]);
  const { take } = createCallbacks({ ...stage.tracking, callbacks }, createInbox(stage.database), () => undefined);
  await take({ account: 'main', raw: Buffer.from('{}'), headers: {}, from: null });
}

async function call(outcome: CallbackOutcome): Promise<void> {
  await receive(outcome);
  await applyStored(stage.tracking);
  const account = stage.tracking.booking.accounts.get('main');
  if (!account) throw new Error('no account');
  await pollDue(stage.tracking, account, () => false);
}

describe('the parcels that a callback names without saying what happened', () => {
  it('are polled at once, and no others', async () => {
    await call({ kind: 'events', events: [], poll: ['1'] });
    expect(polled).toEqual(['1']);
  });

  it('are polled also where an adapter from outside names them by the former name, `ask`', async () => {
    await call({ kind: 'events', events: [], ask: ['1'] });
    expect(polled).toEqual(['1']);
  });

  it('are stored under the former name, by which an instance of the version before reads them', async () => {
    await receive({ kind: 'events', events: [], poll: ['1'] });
    expect(await stage.database.query('select outcome from callback')).toEqual([
      { outcome: { events: [], ask: ['1'] } },
    ]);
  });

  it('are polled again where the same call comes again after it was applied, however soon', async () => {
    await call({ kind: 'events', events: [], poll: ['1'] });
    stage.clock.forward(1_000);
    await call({ kind: 'events', events: [], poll: ['1'] });
    expect(polled).toEqual(['1', '1']);
  });

  it('are polled again also where the call says of another parcel what happened', async () => {
    const event: TrackingEvent = {
      ...{ trackingNumber: '2', status: 'in-transit', code: null, text: null, place: null, id: null },
      ...{ at: '2026-03-04T05:00:00Z', zone: 'stated', estimatedDelivery: null },
    };
    await call({ kind: 'events', events: [event], poll: ['1'] });
    stage.clock.forward(1_000);
    await call({ kind: 'events', events: [event], poll: ['1'] });
    expect(polled).toEqual(['1', '1']);
  });

  it('are polled once for the same call that comes twice before it is applied', async () => {
    await receive({ kind: 'events', events: [], poll: ['1'] });
    await call({ kind: 'events', events: [], poll: ['1'] });
    expect(polled).toEqual(['1']);
  });

  it('are none where a callback names none', async () => {
    await call({ kind: 'events', events: [] });
    expect(polled).toEqual([]);
  });
});
