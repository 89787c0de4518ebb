import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  AccountCircuit,
  type CircuitStore,
  type Permit,
  type CallOutcome,
} from '../../src/accounts/account-circuit.js';
import {
  type CircuitRules,
  type CircuitState,
  MAX_LOST,
  NO_OUTAGE,
  PROBE_DISTRUST_MS,
} from '../../src/accounts/circuit-breaker.js';
import { type LogLine, keepLog } from '../support/log-lines.js';
import { NOON } from '../support/consignments.js';
import { ModelClock } from '../support/model-carrier.js';

let clock: ModelClock;
let lines: readonly LogLine[];
let circuit: AccountCircuit;

beforeEach(() => {
  const kept = keepLog();
  clock = new ModelClock(NOON);
  lines = kept.lines;
  circuit = new AccountCircuit({ account: 'gls', clock, random: () => 0, log: kept.log });
});

/** Without a store it answers at once. */
function tryToEnter(consignment: string) {
  const entry = circuit.enter({ consignment, purpose: 'booking' });
  if (entry instanceof Promise) throw new Error('a store was asked');
  return entry;
}

function enter(consignment: string): Permit {
  const entry = tryToEnter(consignment);
  if (entry.kind === 'rejected') throw new Error(`${consignment} is rejected`);
  return entry.permit;
}

const end = (outcome: CallOutcome, lost = false) => ({ outcome, lost, retryAfterMs: null });

function ends(outcome: CallOutcome, ...consignments: readonly string[]): void {
  for (const consignment of consignments) enter(consignment).ended(end(outcome));
}

function opens(): void {
  ends('down', 'a', 'b', 'c', 'd', 'e');
}

it('opens after five failures in a row', () => {
  ends('down', 'a', 'b', 'c', 'd');
  expect(circuit.circuitState()).toBe('closed');
  ends('down', 'e');
  expect(circuit.circuitState()).toBe('open');
  expect(tryToEnter('f')).toEqual({ kind: 'rejected', forMs: 5_000 });
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
  expect(circuit.circuitState()).toBe('closed');
});

it('ignores what became of calls that left before it opened', () => {
  const [answered, failed] = [enter('x'), enter('y')];
  opens();
  answered.ended(end('answers'));
  failed.ended(end('down'));
  expect(tryToEnter('f')).toEqual({ kind: 'rejected', forMs: 5_000 });
});

describe('once it is open', () => {
  beforeEach(() => {
    opens();
    clock.pass(5_000);
  });

  it('allows exactly one probe, which finds out whether the carrier answers again', () => {
    expect(circuit.circuitState()).toBe('half-open');
    enter('a');
    expect(circuit.circuitState()).toBe('open');
    expect(tryToEnter('b').kind).toBe('rejected');
    clock.pass(60_000);
    expect(tryToEnter('b').kind).toBe('rejected');
  });

  it('closes when the probe gets an answer, and says what it cost', () => {
    const probe = enter('a');
    tryToEnter('b');
    clock.pass(1_000);
    probe.ended(end('answers'));
    expect(circuit.circuitState()).toBe('closed');
    expect(lines.map(({ level, event, fields }) => ({ level, event, fields }))).toEqual([
      expect.objectContaining({ event: 'carrier does not answer' }),
      {
        level: 'info',
        event: 'carrier answers again',
        fields: { account: 'gls', forMs: 6_000, failedProbes: 0, failedTrials: 0, lostAnswers: 0, rejections: 1 },
      },
    ]);
  });

  it('leaves the carrier alone for longer after each failure, up to a minute, and says no more', () => {
    const waits = Array.from({ length: 6 }, () => {
      ends('down', 'a');
      const entry = tryToEnter('b');
      const forMs = entry.kind === 'rejected' ? entry.forMs : 0;
      clock.pass(forMs);
      return forMs;
    });
    expect(waits).toEqual([10_000, 20_000, 40_000, 48_000, 48_000, 48_000]);
    expect(lines).toHaveLength(1);
  });

  it('lets the next one in when the first never came to ask', () => {
    ends('nothing', 'a');
    expect(circuit.circuitState()).toBe('half-open');
  });

  it('needs as many failures as before to open again', () => {
    ends('answers', 'a');
    ends('down', 'a', 'b', 'c', 'd');
    expect(circuit.circuitState()).toBe('closed');
  });
});

/** What instances share, and how long an instance does not know what the others have found out. */
function shared(): { readonly store: CircuitStore; readonly state: () => CircuitState } {
  let state = NO_OUTAGE;
  const store: CircuitStore = {
    change: async (_account, change) => {
      const [before, changed] = [state, change(state, clock.now().getTime())];
      if (changed !== before) state = { ...changed, changes: before.changes + 1 };
      return { before, after: state, nowMs: clock.now().getTime() };
    },
  };
  return { store, state: () => state };
}

const PERSON = { lostAnswers: 'person' } as const;

function instance(name: string, store: CircuitStore, rules: CircuitRules): AccountCircuit {
  const { log } = keepLog();
  return new AccountCircuit({ account: 'gls', clock, random: () => 0.5, log, rules, store, owner: name });
}

/** What the carrier does with a booking, and with a probe. */
interface Carrier {
  readonly books: () => boolean;
  /** `null`: nobody knows what to probe with. */
  readonly answers: (() => boolean) | null;
}

/** Every half second each instance tries to book something, as long as anything waits. @returns bookings whose answers were lost */
async function play(
  circuits: readonly AccountCircuit[],
  state: () => CircuitState,
  carrier: Carrier & { readonly forMs: number },
) {
  const { forMs } = carrier;
  let lost = 0;
  let booked = 0;
  const book = async (one: AccountCircuit, n: number) => {
    const entry = await one.enter({ consignment: `${n}`, purpose: 'booking' });
    if (entry.kind === 'rejected') return;
    const fine = carrier.books();
    if (fine) booked += 1;
    else lost += 1;
    entry.permit.ended(end(fine ? 'answers' : 'down', !fine));
    await one.flush();
  };
  const probe = () => (carrier.answers?.() ? Promise.resolve() : Promise.reject(new Error('down')));
  for (let ms = 0; ms < forMs; ms += 500) {
    await Promise.all(circuits.map((one, n) => book(one, ms + n)));
    for (const one of circuits) {
      one.learn(state(), clock.now().getTime());
      if (carrier.answers) await one.probeWhenDue(probe);
      else if (one.isProbeDue()) one.cannotProbe();
      await one.flush();
    }
    clock.pass(500);
  }
  return { lost, booked };
}

const TEN_MINUTES_MS = 600_000;
const ALL_RULES: readonly (readonly [string, CircuitRules, boolean])[] = [
  ['without a probe', { ...PERSON, probe: 'no' }, false],
  ['with a probe that is not answered', { ...PERSON, probe: 'yes' }, false],
  ['with a probe that is answered while bookings fail', { ...PERSON, probe: 'yes' }, true],
];

it('seems down until a probe is answered, and again once a booking fails in spite of it', async () => {
  const { log } = keepLog();
  circuit = new AccountCircuit({ account: 'gls', clock, random: () => 0, log, rules: { ...PERSON, probe: 'yes' } });
  const answered = async () => {
    clock.pass(120_000);
    await circuit.probeWhenDue(() => Promise.resolve());
  };
  expect(circuit.seemsDown()).toBe(false);
  opens();
  expect(circuit.seemsDown()).toBe(true);
  await answered();
  expect(circuit.seemsDown()).toBe(false);
  ends('down', 'a');
  expect(circuit.seemsDown()).toBe(true);
  await answered();
  expect(circuit.seemsDown()).toBe(true);
  ends('answers', 'a');
  expect(circuit.seemsDown()).toBe(false);
});

it.each([
  ['a carrier without a probe', { ...PERSON, probe: 'no' }],
  ['an instance that has nothing to probe with', { ...PERSON, probe: 'not-here' }],
  ['a carrier that answers no probe', { ...PERSON, probe: 'yes' }],
] as const)('seems down during the first trial of %s', (_case, rules) => {
  const { log } = keepLog();
  circuit = new AccountCircuit({ account: 'gls', clock, random: () => 0, log, rules });
  opens();
  clock.pass(PROBE_DISTRUST_MS);
  const { ended } = enter('a');
  expect(circuit.seemsDown()).toBe(true);
  ended(end('nothing'));
  expect(circuit.seemsDown()).toBe(true);
  ends('answers', 'b');
  expect(circuit.seemsDown()).toBe(false);
});

describe('an outage at a carrier that cannot be asked', () => {
  it.each(ALL_RULES)(
    'costs two instances at most five lost answers in ten minutes, %s',
    async (_case, rules, answers) => {
      const { store, state } = shared();
      const circuits = ['one', 'two'].map((name) => instance(name, store, rules));
      const { lost } = await play(circuits, state, {
        books: () => false,
        answers: () => answers,
        forMs: TEN_MINUTES_MS,
      });
      expect(lost).toBeLessThanOrEqual(MAX_LOST);
      expect(lost).toBeGreaterThan(0);
    },
  );

  it.each(ALL_RULES)(
    'of 45 s is over for all instances within a minute and a half more, %s',
    async (_case, rules, answers) => {
      const { store, state } = shared();
      const circuits = ['one', 'two'].map((name) => instance(name, store, rules));
      const since = clock.now().getTime();
      const up = () => clock.now().getTime() - since >= 45_000;
      const { lost, booked } = await play(circuits, state, {
        books: up,
        answers: () => answers || up(),
        forMs: 135_000,
      });
      expect(lost).toBeLessThanOrEqual(MAX_LOST);
      expect(booked).toBeGreaterThan(0);
      expect(circuits.map((one) => one.circuitState())).toEqual(['closed', 'closed']);
    },
  );

  it('is over at last, and costs little, however it comes and goes', async () => {
    const phases = fc.array(
      fc.record({ up: fc.boolean(), answers: fc.boolean(), ms: fc.integer({ min: 1, max: 120_000 }) }),
      {
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(phases, fc.constantFrom(...ALL_RULES), async (all, [, rules]) => {
        const { store, state } = shared();
        const circuits = ['one', 'two', 'three'].map((name) => instance(name, store, rules));
        for (const { up, answers, ms } of all)
          await play(circuits, state, { books: () => up, answers: () => up || answers, forMs: ms });
        await play(circuits, state, { books: () => true, answers: () => true, forMs: 2 * TEN_MINUTES_MS });
        expect(circuits.map((one) => one.circuitState())).toEqual(['closed', 'closed', 'closed']);
        expect(state().holder).toBeNull();
      }),
      { numRuns: 20 },
    );
  });

  it('does not keep bookings for ever when only the probe fails', async () => {
    const { store, state } = shared();
    const one = instance('one', store, { ...PERSON, probe: 'yes' });
    const since = clock.now().getTime();
    const books = () => clock.now().getTime() > since;
    const { lost, booked } = await play([one], state, { books, answers: () => false, forMs: 2 * TEN_MINUTES_MS });
    expect(lost).toBe(1);
    expect(booked).toBeGreaterThan(0);
  });

  it('tries single bookings within a minute where nobody knows settings to probe with', async () => {
    const { store, state } = shared();
    const circuits = ['one', 'two'].map((name) => instance(name, store, { ...PERSON, probe: 'yes' }));
    const since = clock.now().getTime();
    const books = () => clock.now().getTime() - since >= 10_000;
    const { lost, booked } = await play(circuits, state, { books, answers: null, forMs: 60_000 });
    expect(lost).toBeLessThanOrEqual(2);
    expect(booked).toBeGreaterThan(0);
  });

  it('costs at most five lost answers in ten minutes where nobody knows settings to probe with', async () => {
    const { store, state } = shared();
    const circuits = ['one', 'two'].map((name) => instance(name, store, { ...PERSON, probe: 'yes' }));
    const { lost } = await play(circuits, state, { books: () => false, answers: null, forMs: TEN_MINUTES_MS });
    expect(lost).toBeLessThanOrEqual(MAX_LOST);
    expect(lost).toBeGreaterThan(2);
  });

  it('is left to the probes of the instance that knows settings to probe with', async () => {
    const { store, state } = shared();
    const [asks, cannot] = ['asks', 'cannot'].map((name) => instance(name, store, { ...PERSON, probe: 'yes' }));
    if (!asks || !cannot) throw new Error('no instances');
    const down = { books: () => false, forMs: 500 };
    for (let seconds = 0; seconds < 600; seconds += 1) {
      await play([asks], state, { ...down, answers: () => false });
      await play([cannot], state, { ...down, answers: null });
    }
    expect(state().lost).toBeLessThanOrEqual(2);
    expect(state().failedProbes).toBeGreaterThan(5);
  });

  it('lets another instance go on where the one that tried has died', async () => {
    const { store, state } = shared();
    const [dies, lives] = [
      instance('dies', store, { ...PERSON, probe: 'no' }),
      instance('lives', store, { ...PERSON, probe: 'no' }),
    ];
    const entry = await dies.enter({ consignment: 'a', purpose: 'booking' });
    if (entry.kind === 'in') entry.permit.ended(end('down', true));
    await dies.flush();
    expect(await dies.enter({ consignment: 'b', purpose: 'booking' })).toMatchObject({ kind: 'in' });
    const { booked } = await play([lives], state, { books: () => true, answers: () => true, forMs: TEN_MINUTES_MS });
    expect(booked).toBeGreaterThan(0);
    expect(lives.circuitState()).toBe('closed');
  });

  it('opens with the first lost answer, not with a refusal to connect', () => {
    circuit = new AccountCircuit({
      ...{ account: 'gls', clock, random: () => 0, log: keepLog().log, rules: { ...PERSON, probe: 'yes' as const } },
    });
    enter('a').ended(end('down'));
    expect(circuit.circuitState()).toBe('closed');
    enter('b').ended(end('down', true));
    expect(circuit.circuitState()).toBe('open');
  });
});
