import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  CONSIGNMENT_STATES,
  STATE_TRAITS,
  isIncomplete,
  isRefused,
  sqlStatesThat,
  statesThat,
  toStoredState,
} from '../../src/consignment/states.js';
import type { Database } from '../../src/db/database.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const QUOTED = /'([a-z-]+)'/g;
const LIST = /[([]\s*'[a-z-]+'(?:,\s*'[a-z-]+')+,?\s*[\])]/g;
const COMPARED = new RegExp(
  `(?:(?<![\\w.])|\\b(?:consignment|other|row)\\.)state [!=]== '(?:${CONSIGNMENT_STATES.join('|')})'`,
);
/** The machine leads from state to state. The close-out of a manifest has states of the same names. */
const MAY_NAME = /^(consignment\/machine\/|manifests\/settle-manifest\.ts)/;
/** The table of states, and migrations, which never change. */
const MAY_LIST = /^(consignment\/states\.ts|db\/migrations\/|sandbox\/)/;

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map(([, name = '']) => name);
}

function isListOfStates(list: string): boolean {
  return quotedIn(list).every((name) =>
    CONSIGNMENT_STATES.some((state) => state === name || toStoredState(state) === name),
  );
}

function sources(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  return files.filter((path) => path.endsWith('.ts') && !MAY_LIST.test(path));
}

/** Compares the state of a consignment with one, or has a row for each. */
function namesState(text: string): boolean {
  return COMPARED.test(text) || text.includes('<Record<ConsignmentState') || text.includes('<Record<EndState');
}

describe('the table of states', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openEmptyDatabase();
  });
  afterAll(async () => database.close());

  it.each([
    ['consignment_untracked', statesThat(({ isTracked }) => isTracked)],
    ['consignment_untold', statesThat(({ isEnd, needsCorrection }) => isEnd && !needsCorrection)],
  ])('has exactly the states that the partial index %s holds', async (name, states) => {
    const [index] = await database.query<{ indexdef: string }>('select indexdef from pg_indexes where indexname = $1', [
      name,
    ]);
    const quoted = quotedIn(index?.indexdef ?? '').filter((text) => isListOfStates(`'${text}'`));
    expect(quoted).toEqual(states.map((state) => toStoredState(state)));
  });

  it('is found with the index of untracked consignments', async () => {
    const plan = await database.transaction(async (sql) => {
      await sql.query('set local enable_seqscan = off');
      return sql.query<{ 'QUERY PLAN': string }>(
        `explain select id from consignment
          where state in ${sqlStatesThat(({ isTracked }) => isTracked)} and tracked_version is distinct from version
          order by id limit 5`,
      );
    });
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('consignment_untracked');
  });

  it('lets a person begin again what did not end as wanted, and an event only what is not left to others', () => {
    expect(statesThat(({ newRun }) => newRun !== 'never')).toEqual(['refused', 'incomplete', 'skipped']);
    expect(statesThat(({ newRun }) => newRun === 'by-event')).toEqual(['refused', 'incomplete']);
  });

  it('tells what was refused from what lacks something', () => {
    expect(statesThat(isRefused)).toEqual(['refused']);
    expect(statesThat(isIncomplete)).toEqual(['incomplete']);
  });

  it.each(CONSIGNMENT_STATES.map((state) => [state]))('says of %s only what fits together', (state) => {
    const traits = STATE_TRAITS[state];
    const { isEnd, booking, newRun, awaits, documentStatus, freesNumbers, isTracked, isVoid } = traits;
    if (newRun !== 'never') expect(isEnd).toBe(true);
    // Its worker is told to create the document again: that event begins a new run.
    expect(traits.needsCorrection).toBe(newRun === 'by-event');
    if (awaits !== null) expect(isEnd).toBe(false);
    if (booking === 'nothing-booked') expect(isEnd).toBe(true);
    // Numbers of parcels that may be on their way belong to their booking.
    if (freesNumbers) expect(booking).toBe('nothing-booked');
    if (documentStatus === 'DONE') expect({ isEnd, booking }).toEqual({ isEnd: true, booking: 'booked' });
    // The end of its parcels is registered.
    if (isVoid) expect({ booking, isTracked }).toEqual({ booking: 'nothing-booked', isTracked: true });
  });

  it('is the only place with a list of states', () => {
    const lists = sources().flatMap((path) =>
      [...readFileSync(join('src', path), 'utf8').matchAll(LIST)]
        .filter(([list]) => isListOfStates(list))
        .map(([list]) => `${path}: ${list}`),
    );
    expect(lists).toEqual([]);
  });

  it('leaves single states to be named only by files that the architecture page lists', () => {
    const [, listed = ''] = readFileSync('docs/architecture.md', 'utf8').split('### A state of a consignment');
    const [section = ''] = listed.split('\n### ');
    const naming = sources().filter((path) => {
      const text = readFileSync(join('src', path), 'utf8');
      return !MAY_NAME.test(path) && /\bstates\.js'/.test(text) && namesState(text);
    });
    expect(naming.length).toBeGreaterThan(0);
    expect(naming.filter((path) => !section.includes(`\`src/${path}\``))).toEqual([]);
  });
});
