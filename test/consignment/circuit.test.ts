import { beforeEach, describe, expect, it } from '@jest/globals';
import { Circuit, type Pass, type Sign } from '../../src/consignment/circuit.js';
import { type LogLine, keepLog } from '../service/log-lines.js';
import { NOON } from './consignments.js';
import { ModelClock } from './model-carrier.js';

let clock: ModelClock;
let lines: readonly LogLine[];
let circuit: Circuit;

beforeEach(() => {
  const kept = keepLog();
  clock = new ModelClock(NOON);
  lines = kept.lines;
  circuit = new Circuit({ account: 'gls', clock, random: () => 0, log: kept.log });
});

function enter(consignment: string): Pass {
  const entry = circuit.enter(consignment);
  if (entry.kind === 'barred') throw new Error(`${consignment} is turned away`);
  return entry.pass;
}

function ends(sign: Sign, ...consignments: readonly string[]): void {
  for (const consignment of consignments) enter(consignment).ended(sign, null);
}

function opens(): void {
  ends('down', 'a', 'b', 'c', 'd', 'e');
}

it('opens after five failures in a row', () => {
  ends('down', 'a', 'b', 'c', 'd');
  expect(circuit.admits()).toBe('all');
  ends('down', 'e');
  expect(circuit.admits()).toBe('nobody');
  expect(circuit.enter('f')).toEqual({ kind: 'barred', forMs: 5_000 });
});

it.each<readonly [string, () => void]>([
  [
    'when an answer comes between the failures',
    () => (ends('down', 'a', 'b', 'c', 'd'), ends('answers', 'e'), ends('down', 'f')),
  ],
  ['for the failures of one consignment', () => ends('down', ...Array.from({ length: 50 }, () => 'a'))],
  ['for mistakes of our own', () => ends('nothing', ...'abcdefgh')],
])('stays closed %s', (_case, happens) => {
  happens();
  expect(circuit.admits()).toBe('all');
});

it('ignores what became of calls that left before it opened', () => {
  const [answered, failed] = [enter('x'), enter('y')];
  opens();
  answered.ended('answers', null);
  failed.ended('down', null);
  expect(circuit.enter('f')).toEqual({ kind: 'barred', forMs: 5_000 });
});

describe('once it is open', () => {
  beforeEach(() => {
    opens();
    clock.pass(5_000);
  });

  it('lets exactly one find out whether the carrier answers again', () => {
    expect(circuit.admits()).toBe('one');
    enter('a');
    expect(circuit.admits()).toBe('nobody');
    expect(circuit.enter('b').kind).toBe('barred');
    clock.pass(60_000);
    expect(circuit.enter('b').kind).toBe('barred');
  });

  it('closes when the one that was let in gets an answer, and says what it cost', () => {
    const probe = enter('a');
    circuit.enter('b');
    clock.pass(1_000);
    probe.ended('answers', null);
    expect(circuit.admits()).toBe('all');
    expect(lines.map(({ level, event, fields }) => ({ level, event, fields }))).toEqual([
      expect.objectContaining({ event: 'carrier does not answer' }),
      {
        level: 'info',
        event: 'carrier answers again',
        fields: { account: 'gls', forMs: 6_000, failedProbes: 0, turnedAway: 1 },
      },
    ]);
  });

  it('leaves the carrier alone for longer after each failure, up to a minute, and says no more', () => {
    const waits = Array.from({ length: 6 }, () => {
      ends('down', 'a');
      const entry = circuit.enter('b');
      const forMs = entry.kind === 'barred' ? entry.forMs : 0;
      clock.pass(forMs);
      return forMs;
    });
    expect(waits).toEqual([10_000, 20_000, 40_000, 48_000, 48_000, 48_000]);
    expect(lines).toHaveLength(1);
  });

  it('lets the next one in when the first never came to ask', () => {
    ends('nothing', 'a');
    expect(circuit.admits()).toBe('one');
  });

  it('needs as many failures as before to open again', () => {
    ends('answers', 'a');
    ends('down', 'a', 'b', 'c', 'd');
    expect(circuit.admits()).toBe('all');
  });
});
