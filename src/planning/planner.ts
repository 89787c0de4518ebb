import type { Clock } from '../../carriers/contract/adapter.js';
import type { Account } from '../accounts/account.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import type { CompiledRules } from '../routing/choose-carrier.js';

/** What a decision needs; it changes nothing. */
export interface Planner {
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly rules: CompiledRules;
}

/** What carrying out a decision needs in addition. */
export interface PlanningContext extends Planner {
  readonly database: Database;
}
