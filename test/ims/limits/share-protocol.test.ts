import { describe, expect, it } from '@jest/globals';
import type { InstanceRow } from '../../../src/ims/limits/instance-rows.js';
import {
  type Membership,
  createAcknowledgment,
  membershipIn,
  requestsPerSecond,
  shareState,
} from '../../../src/ims/limits/share-protocol.js';

const ALONE: Membership = { instances: 1, pooled: 'some', acknowledged: 'by-all' };
const OF_THREE: Membership = { instances: 3, pooled: 'some', acknowledged: 'by-all' };

describe('the share of an instance', () => {
  it.each<readonly [string, Membership | null, boolean, string, number]>([
    ['without a valid heartbeat', null, true, 'absent', 0],
    ['that is alone without Redis', ALONE, false, 'sharing', 50],
    ['that is alone and has lost Redis', { ...ALONE, pooled: 'all' }, false, 'sharing', 50],
    ['of three without Redis', OF_THREE, false, 'sharing', 16],
    ['of three of which another one has lost Redis', OF_THREE, true, 'sharing', 16],
    ['that the others have not acknowledged', { ...OF_THREE, acknowledged: 'not-yet' }, false, 'joining', 0],
    ['of three that all reach Redis', { ...OF_THREE, pooled: 'all' }, true, 'pooled', 50],
    ['that just lost Redis, which the others have not read', { ...OF_THREE, pooled: 'all' }, false, 'leaving-pool', 0],
    ['that takes from the pool at once', { ...OF_THREE, pooled: 'all', acknowledged: 'not-yet' }, true, 'pooled', 50],
  ])('%s', (...[, membership, usesPool, state, perSecond]) => {
    expect(shareState(membership, usesPool)).toBe(state);
    expect(requestsPerSecond(shareState(membership, usesPool), membership?.instances ?? 1)).toBe(perSecond);
  });
});

describe('the rows of all instances', () => {
  const row = (id: string, changes: Partial<InstanceRow> = {}): InstanceRow => ({
    ...{ id, host: null, pid: 1, epoch: 5, ackedEpoch: 5, pooled: false },
    ...changes,
  });
  const ours = { id: 'ours', pooled: false };

  it.each<readonly [string, readonly InstanceRow[], Membership | null]>([
    ['show one that is alone', [row('ours', { ackedEpoch: 0 })], ALONE],
    [
      'show one that another has not acknowledged',
      [row('ours'), row('b', { ackedEpoch: 4 })],
      { ...ALONE, instances: 2, acknowledged: 'not-yet' },
    ],
    ['show one that all have acknowledged', [row('ours'), row('b'), row('c', { ackedEpoch: 9 })], OF_THREE],
    ['say nothing without our row', [row('b')], null],
    ['say nothing while our row says other than our heartbeat', [row('ours', { pooled: true })], null],
  ])('%s', (_what, rows, membership) => {
    expect(membershipIn(rows, ours)).toEqual(membership);
  });
});

describe('an instance acknowledges what it has read', () => {
  it('after what it sent before has left the window, and a later heartbeat has passed', () => {
    const acknowledgment = createAcknowledgment();
    acknowledgment.read(6, 0);
    acknowledgment.read(7, 1_200);
    expect(acknowledgment.ackedEpoch(60_000)).toBe(6);
    acknowledgment.read(8, 2_400);
    expect(acknowledgment.ackedEpoch(2_400)).toBe(6);
    expect(acknowledgment.ackedEpoch(60_000)).toBe(7);
    expect(acknowledgment.ackedEpoch(60_001)).toBe(7);
  });

  it('at once, when it has not sent anything before', () => {
    const acknowledgment = createAcknowledgment();
    expect(acknowledgment.ackedEpoch(0)).toBe(0);
    acknowledgment.read(7, 0);
    expect(acknowledgment.ackedEpoch(0)).toBe(7);
  });
});
