import { randomBytes } from 'node:crypto';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Database } from '../db/database.js';
import { type Operator, hashOf } from './operators.js';
import {
  type SessionRow,
  deleteOldSessions,
  deleteSession,
  findSession,
  insertSession,
  useSession,
} from './session-rows.js';

/** The longest life of a session, and the longest time without use. */
export const MAX_AGE_MS = 24 * 3_600_000;
export const MAX_IDLE_MS = 8 * 3_600_000;
/** A use is stored once in this time. */
const USE_STORED_EVERY_MS = 60_000;
/** An ended session is known for so long, to say why it ended. */
const KEPT_MS = 7 * 24 * 3_600_000;
const ID_BYTES = 32;
const ID = /^[A-Za-z0-9_-]{43}$/;

/** A browser that is signed in. */
export interface Session {
  readonly id: string;
  readonly operator: Operator;
  /** Every form holds it: another site cannot read it, and so cannot send the form. */
  readonly formToken: string;
}

/** Why a session is none any more. `unknown`: it was signed out, or never was one. */
export type Ended = 'idle' | 'too-old' | 'token-changed' | 'unknown';

/** Sessions are rows: they outlive a restart, and every instance knows them. */
export interface Sessions {
  /** @returns the id, for the cookie */
  begin(operator: Operator): Promise<string>;
  /** @param how `look`: a page that refreshes itself, which is no use */
  find(id: string, how: 'use' | 'look'): Promise<Session | Ended>;
  end(id: string): Promise<void>;
}

export interface SessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly operators: readonly Operator[];
}

export function createSessions({ database, clock, operators }: SessionDeps): Sessions {
  return {
    begin: async (operator) => {
      const now = clock.now();
      const id = randomBytes(ID_BYTES).toString('base64url');
      const old = new Date(now.getTime() - KEPT_MS);
      await deleteOldSessions(database, { begun: old, used: old });
      const { name } = operator;
      await insertSession(database, { idHash: hashOf(id), operator: name, tokenPrint: printOf(operator), now });
      return id;
    },
    find: async (id, how) => {
      const row = ID.test(id) ? await findSession(database, hashOf(id)) : null;
      if (row === null) return 'unknown';
      const now = clock.now();
      const operator = operators.find(({ name }) => name === row.operator);
      const ended = whyEnded(row, operator, now);
      if (ended !== null || operator === undefined) return ended ?? 'token-changed';
      const isDue = now.getTime() - row.used_at.getTime() >= USE_STORED_EVERY_MS;
      if (how === 'use' && isDue) await useSession(database, hashOf(id), now);
      return { id, operator, formToken: hashOf(`form ${id}`) };
    },
    end: (id) => deleteSession(database, hashOf(id)),
  };
}

function whyEnded(row: SessionRow, operator: Operator | undefined, now: Date): Ended | null {
  if (operator === undefined || printOf(operator) !== row.token_print) return 'token-changed';
  if (now.getTime() - row.created_at.getTime() > MAX_AGE_MS) return 'too-old';
  return now.getTime() - row.used_at.getTime() > MAX_IDLE_MS ? 'idle' : null;
}

/** Tells tokens apart; leads neither to the token nor to its hash. */
function printOf({ tokenHash }: Operator): string {
  return hashOf(`token ${tokenHash}`).slice(0, 16);
}
