import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Decision, decide } from '../../src/planning/decide.js';
import type { CarrierSetting } from '../../src/planning/assignment/assigned-carrier.js';
import { readShipment } from '../../src/ims/resources.js';
import { compileRules } from '../../src/routing/choose-carrier.js';
import type { RoutingRule } from '../../src/routing/language/rule.js';
import { shipment as sample } from '../routing/shipments.js';
import { propertyRuns } from '../support/property-runs.js';

const accounts = [
  { name: 'gls', imsCarrierName: 'GLS' },
  { name: 'gls2', imsCarrierName: 'GLS' },
  { name: 'dao', imsCarrierName: 'DAO' },
];
const MORNING = new Date('2026-03-04T08:00:00Z');
const AFTERNOON = new Date('2026-03-04T15:00:00Z');

function shipment(changes: Readonly<Record<string, unknown>> = {}) {
  const read = readShipment({ ...sample(), ...changes });
  if (read === null) throw new Error('the sample is no shipment');
  return read;
}

interface Moment {
  readonly carrierName: string | null;
  readonly setting: CarrierSetting | null;
  readonly now: Date;
  readonly packed?: boolean;
}

function decided(rules: readonly RoutingRule[], { carrierName, setting, now, packed = false }: Moment): Decision {
  const shippingContainers = packed ? [{ id: 7, grossWeight: 5 }] : [];
  const subject = { shipment: shipment({ carrierName, shippingContainers }), carrierName, setting };
  return decide(compileRules(rules, accounts), subject, { timeZone: 'Europe/Copenhagen', now });
}

function settingBy(account: string, rule: string, changes: Partial<CarrierSetting> = {}): CarrierSetting {
  const carrierName = accounts.find(({ name }) => name === account)?.imsCarrierName ?? account;
  const common = { carrierName, account, rule, provisional: false, insteadOf: null, confirmed: true, refused: null };
  return { ...common, setAt: MORNING, ...changes };
}

const HOURS: readonly RoutingRule[] = [
  { name: 'people', when: { carrierName: 'GLS' }, use: { account: 'gls', service: 'shop' } },
  { name: 'morning', when: { hour: { $lt: 12 } }, use: { account: 'gls2', service: 'flex', options: { email: true } } },
  { name: 'rest', when: {}, use: { account: 'gls', service: 'business' } },
];

describe('a carrier that we set for good', () => {
  it.each([
    ['when the IMS has it', { carrierName: 'GLS', setting: settingBy('gls2', 'morning') }],
    [
      'when nobody knows whether the IMS has it',
      { carrierName: null, setting: settingBy('gls2', 'morning', { confirmed: false }) },
    ],
  ])('keeps account, service and options of its rule, hours later, %s', (_when, moment) => {
    const { choice, kept } = decided(HOURS, { ...moment, now: AFTERNOON, packed: true });
    expect(choice).toMatchObject({ account: 'gls2', service: 'flex', options: { email: true }, rule: 'morning' });
    expect(kept).toBe(moment.setting);
  });

  it('is judged by the rules as they were then', () => {
    const moment = { carrierName: 'GLS', setting: settingBy('gls2', 'morning'), now: AFTERNOON };
    expect(decided(HOURS, moment).verdicts.map(({ outcome }) => outcome)).toEqual(['failed', 'matched', 'not-reached']);
  });

  it('is one that people chose where its rule is not there any more', () => {
    const moment = { carrierName: 'GLS', setting: settingBy('gls2', 'gone'), now: AFTERNOON };
    expect(decided(HOURS, moment)).toMatchObject({ choice: { rule: 'people', service: 'shop' }, kept: null });
  });
});

it('a carrier that a person chose goes by the rules for people', () => {
  const { choice } = decided(HOURS, { carrierName: 'GLS', setting: null, now: MORNING });
  expect(choice).toMatchObject({ rule: 'people', account: 'gls' });
});

const conditions = fc.constantFrom<RoutingRule['when']>(
  ...[{}, { hour: { $lt: 12 } }, { hour: { $gte: 12 } }, { carrierName: 'GLS' }, { carrierName: null }],
  ...[{ weightKg: { $gte: 4 } }, { weekday: 'monday' }, { seller: 'S-1' }],
);
const lists = fc
  .array(fc.tuple(conditions, fc.constantFrom('gls', 'gls2', 'dao')), { maxLength: 6 })
  .map((rules) =>
    rules.map(([when, account], place): RoutingRule => ({ name: `rule ${place}`, when, use: { account } })),
  );
const times = fc.integer({ min: 0, max: 72 }).map((hours) => new Date(MORNING.getTime() + hours * 3_600_000));

it('from the creation to the booking a choice for good stays, and the verdicts never contradict it', () => {
  fc.assert(
    fc.property(lists, fc.tuple(times, times), fc.boolean(), (rules, [setAt, now], confirmed) => {
      const { choice } = decided(rules, { carrierName: null, setting: null, now: setAt });
      if (choice.kind !== 'chosen' || choice.rule === null) return;
      const provisional = choice.undecided.length > 0;
      const setting = settingBy(choice.account, choice.rule, { provisional, setAt, confirmed });
      const moment = { carrierName: setting.carrierName, setting, now, packed: true };
      const later = decided(rules, moment);
      const fresh = decided(rules, { ...moment, carrierName: null, setting: null });
      expect(later.choice).toEqual(provisional ? fresh.choice : choice);
      const matched = later.verdicts.find(({ outcome }) => outcome === 'matched');
      if (later.choice.kind === 'chosen') expect(matched?.rule).toBe(later.choice.rule);
    }),
    { numRuns: propertyRuns(500) },
  );
});
