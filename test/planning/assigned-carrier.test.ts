import { describe, expect, it } from '@jest/globals';
import { type CarrierSetting, assignmentOf } from '../../src/planning/assignment/assigned-carrier.js';

const setting = (changes: Partial<CarrierSetting> = {}): CarrierSetting => ({
  ...{
    carrierName: 'GLS',
    account: 'gls',
    rule: 'homes',
    provisional: true,
    insteadOf: null,
    confirmed: true,
    refused: null,
  },
  setAt: new Date('2026-03-04T08:00:00Z'),
  ...changes,
});

describe('the carrier of a shipment is', () => {
  it.each<[string, string | null, CarrierSetting | null, string]>([
    ['missing where nobody chose one', null, null, 'none'],
    ['theirs where we have set none', 'GLS', null, 'theirs'],
    ['chosen again where it is ours for the time being', 'GLS', setting(), 'open'],
    ['the same however it is written', ' gls ', setting(), 'open'],
    ['ours where it is ours for good', 'GLS', setting({ provisional: false }), 'ours'],
    ['theirs where somebody changed it after us', 'DAO', setting(), 'theirs'],
    ['taken away where somebody did so after us', null, setting(), 'removed'],
    ['chosen again where ours never arrived', null, setting({ confirmed: false }), 'open'],
    [
      'chosen again where the change of ours never arrived',
      'GLS',
      setting({ carrierName: 'Bring', insteadOf: 'GLS', confirmed: false, provisional: false }),
      'open',
    ],
    [
      'theirs where somebody went back to the one before ours',
      'GLS',
      setting({ carrierName: 'Bring', insteadOf: 'GLS', provisional: false }),
      'theirs',
    ],
  ])('%s', (...[, carrierName, known, kind]) => {
    expect(assignmentOf(carrierName, known).kind).toBe(kind);
  });
});
