import type { Database } from '../db/database.js';
import type { CompiledRules } from '../routing/choose-carrier.js';
import type { Query, RuleUse } from '../routing/language/rule.js';

/** The newest bookings in which uses are counted. */
const MAX_COUNTED = 2_000;

/** A rule of the configuration, and how often it has chosen. */
export interface UsedRule {
  readonly name: string;
  readonly when: Query;
  /** `null`: nothing excepts it. */
  readonly unless: Query | null;
  readonly use: RuleUse;
  readonly accounts: readonly string[];
  readonly uses: number;
  /** Among those that were counted; `null`: it has not chosen. */
  readonly lastUsedAt: Date | null;
}

export interface UsedRules {
  /** In the order of the configuration: the first one that matches decides. */
  readonly rules: readonly UsedRule[];
  /** Bookings that were looked at, at most the newest 2,000, and the time of the oldest. */
  readonly counted: number;
  readonly since: Date | null;
  /** Bookings that no rule chose for: the shipment names its carrier. */
  readonly withoutRule: number;
}

export type ReadRules = () => Promise<UsedRules>;

interface Row {
  readonly rule: string | null;
  readonly uses: number;
  readonly first_at: Date;
  readonly last_at: Date;
}

/** Rules do not change while the process runs; a use of a rule that was renamed since counts as without a rule. */
export function rulesReader({
  database,
  rules: { rules },
}: {
  readonly database: Database;
  readonly rules: CompiledRules;
}): ReadRules {
  return async () => {
    const rows = await database.query<Row>(
      `select plan->'plan'->>'rule' as rule, count(*)::int as uses, min(created_at) as first_at, max(created_at) as last_at
         from (select plan, created_at from consignment order by created_at desc, id desc limit $1) newest
        where plan->'plan' is not null and plan->'plan' <> 'null' group by 1`,
      [MAX_COUNTED],
    );
    const counted = rows.reduce((sum, { uses }) => sum + uses, 0);
    const used = rules.map(({ rule, accounts }): UsedRule => {
      const row = rows.find((each) => each.rule === rule.name);
      const { name, when, unless = null, use } = rule;
      return { name, when, unless, use, accounts, uses: row?.uses ?? 0, lastUsedAt: row?.last_at ?? null };
    });
    const first = rows.map(({ first_at: at }) => at.getTime());
    return {
      rules: used,
      counted,
      since: first.length === 0 ? null : new Date(Math.min(...first)),
      withoutRule: counted - used.reduce((sum, { uses }) => sum + uses, 0),
    };
  };
}
