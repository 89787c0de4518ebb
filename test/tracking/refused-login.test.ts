import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { Account } from '../../src/accounts/account.js';
import type { Area } from '../../src/areas/area.js';
import { readFeed } from '../../src/tracking/polling/feed.js';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { refusedLogins } from '../../src/tracking/polling/refused-logins.js';
import { DAWN, type Stage, newParcel, recordingLog, register, trackingStage } from './tracking-stage.js';

const HOUR_MS = 3_600_000;
const refusal = (because: 'data' | 'credentials') =>
  new CarrierRejected([{ code: '401', text: 'unknown key', parcelId: null }], because);

let stage: Stage;
let lines: { readonly level: string; readonly event: string }[];
/** `null`: the carrier answers. */
let failure: Error | null;

async function answer<Result>(result: Result): Promise<Result> {
  if (failure !== null) throw failure;
  return result;
}

async function open(able: Parameters<typeof trackingStage>[0]): Promise<void> {
  const bare = await trackingStage(able);
  const booking = { ...bare.tracking.booking, log: recordingLog(lines) };
  stage = { ...bare, tracking: { ...bare.tracking, booking } };
}

function account(): Account {
  const found = stage.tracking.booking.accounts.get('main');
  if (!found) throw new Error('no account');
  return found;
}

const refused = async () => [...(await refusedLogins(stage.database, stage.clock.now()))];

const track: NonNullable<CarrierAccount['track']> = () => answer([]);
const trackChanges = () => answer({ cursor: 'c', events: [], waitMs: HOUR_MS });
const poll = () => pollDue(stage.tracking, account(), () => false);
const feed = () => readFeed(stage.tracking, account(), () => false);

beforeEach(() => {
  lines = [];
  failure = null;
});
afterEach(() => stage.database.close());

describe.each([
  ['is asked about parcels', { able: track, ask: poll, notAnswered: 'tracking not answered' }],
  ['tells what changed', { able: { trackChanges }, ask: feed, notAnswered: 'tracking feed not answered' }],
])('a carrier that %s', (_case, { able, ask, notAnswered }) => {
  beforeEach(async () => {
    await open(able);
    await register(stage, [newParcel('1', { nextPollAt: DAWN })]);
  });

  it('is known to refuse the login until it answers', async () => {
    failure = refusal('credentials');
    await ask();
    expect(lines).toMatchObject([{ level: 'warn', event: 'tracking login refused', account: 'main' }]);
    expect(await refused()).toEqual(['main']);
    stage.clock.forward(6 * HOUR_MS);
    expect(await refused()).toEqual(['main']);
    failure = null;
    await ask();
    expect(await refused()).toEqual([]);
  });

  it.each([
    ['refuses a number', refusal('data')],
    ['does not answer', new CarrierUnavailable('down')],
  ])('is not known to refuse the login when it %s', async (_what, error) => {
    failure = error;
    await ask();
    expect(lines).toMatchObject([{ level: 'warn', event: notAnswered }]);
    expect(await refused()).toEqual([]);
  });

  it('is not known to refuse it any more when it was not asked for long', async () => {
    failure = refusal('credentials');
    await ask();
    stage.clock.forward(9 * HOUR_MS);
    expect(await refused()).toEqual([]);
  });
});

it('an answer to the login of one seller does not hide that the one of another is refused', async () => {
  await open(track);
  await register(stage, [newParcel('1', { nextPollAt: DAWN, shipmentId: null })]);
  failure = refusal('credentials');
  await poll();
  failure = null;
  stage.clock.forward(HOUR_MS);
  const area = { imsBackground: { listCarriers: async () => [] } } as unknown as Area;
  const areas = new Map([['1', area]]);
  const tracking = { ...stage.tracking, booking: { ...stage.tracking.booking, areas } };
  const ofSellers: Account = { ...account(), settle: () => ({ kind: 'settled', account: account(), customer: null }) };
  expect(await pollDue(tracking, ofSellers, () => false)).toMatchObject({ answered: 1 });
  expect(await refused()).toEqual(['main']);
});
