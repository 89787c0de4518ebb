import { randomBytes } from 'node:crypto';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { Database } from '../db/database.js';
import type { ProvidedOperator } from './openid.js';
import { type Operator, ROLES, type Role, hashOf } from './operators.js';
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
  readonly operator: Pick<Operator, 'name' | 'role'>;
  /** Every form holds it: another site cannot read it, and so cannot send the form. */
  readonly formToken: string;
}

/** Why an id signs nobody in any more. `unknown`: its session was signed out, or there never was one. */
export type Ended = 'idle' | 'too-old' | 'token-changed' | 'unknown';

/** Sessions are rows: they outlive a restart, and every instance knows them. */
export interface Sessions {
  /** @returns the id, for the cookie */
  begin(operator: Operator): Promise<string>;
  /** Begins a session for a person of the OpenID provider. The role holds as long as the session. */
  beginProvided(operator: ProvidedOperator): Promise<string>;
  /** @param how `look`: a page refreshes itself, which does not count as a use of the session */
  find(id: string, how: 'use' | 'look'): Promise<Session | Ended>;
  end(id: string): Promise<void>;
}

export interface SessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly operators: readonly Operator[];
  /** The name of the OpenID provider; `null`: there is none. */
  readonly provider: string | null;
}

export function createSessions({ database, clock, operators, provider }: SessionDeps): Sessions {
  const begin = async (operator: string, tokenPrint: string) => {
    const now = clock.now();
    const id = randomBytes(ID_BYTES).toString('base64url');
    const old = new Date(now.getTime() - KEPT_MS);
    await deleteOldSessions(database, { begun: old, used: old });
    await insertSession(database, { idHash: hashOf(id), operator, tokenPrint, now });
    return id;
  };
  const known = ({ operator, token_print }: SessionRow): Session['operator'] | null => {
    const role = ROLES.find((one) => provider !== null && token_print === providedPrint(one, provider));
    if (role !== undefined) return { name: operator, role };
    return operators.find((one) => one.name === operator && printOf(one) === token_print) ?? null;
  };
  return {
    begin: (operator) => begin(operator.name, printOf(operator)),
    beginProvided: ({ name, role }) => {
      if (provider === null) throw new Error('there is no OpenID provider');
      return begin(name, providedPrint(role, provider));
    },
    find: async (id, how) => {
      const row = ID.test(id) ? await findSession(database, hashOf(id)) : null;
      if (row === null) return 'unknown';
      const now = clock.now();
      const operator = known(row);
      const ended = whyEnded(row, now);
      if (operator === null) return 'token-changed';
      if (ended !== null) return ended;
      const isDue = now.getTime() - row.used_at.getTime() >= USE_STORED_EVERY_MS;
      if (how === 'use' && isDue) await useSession(database, hashOf(id), now);
      return { id, operator, formToken: hashOf(`form ${id}`) };
    },
    end: (id) => deleteSession(database, hashOf(id)),
  };
}

function whyEnded(row: SessionRow, now: Date): Ended | null {
  if (now.getTime() - row.created_at.getTime() > MAX_AGE_MS) return 'too-old';
  return now.getTime() - row.used_at.getTime() > MAX_IDLE_MS ? 'idle' : null;
}

/** Tells tokens apart; leads neither to the token nor to its hash. */
function printOf({ tokenHash }: Operator): string {
  return hashOf(`token ${tokenHash}`).slice(0, 16);
}

/** What a session of an OpenID provider has in place of a token's hash. It has a blank, which no hash has. */
function providedPrint(role: Role, provider: string): string {
  return `openid ${role} ${provider}`;
}
