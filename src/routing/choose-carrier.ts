import type { Facts } from './facts/facts.js';
import { type Judge, type Reason, createJudge } from './language/judge.js';
import { type Compiled, type Predicate, createConditionCompiler } from './language/predicates.js';
import { parseQuery } from './language/query.js';
import {
  type KnownAccount,
  type Query,
  type RoutingRule,
  type RuleUse,
  accountsFor,
  accountsOf,
} from './language/rule.js';

type Options = Readonly<Record<string, unknown>>;

interface Found {
  readonly service: string | null;
  readonly options: Options;
  /** Names of earlier rules that could not be judged yet: the choice is provisional when there are any. */
  readonly undecided: readonly string[];
}

export type Choice =
  /** `rule` is `null` for the account of the shipment's own carrier, which no rule matched. */
  | (Found & { readonly kind: 'chosen'; readonly account: string; readonly rule: string | null })
  /** The quotes of these accounts decide. At least two; the preferred account comes first. */
  | (Found & {
      readonly kind: 'quotes';
      readonly by: 'cheapest' | 'fastest';
      readonly accounts: readonly string[];
      readonly rule: string;
    })
  /** The shipment names a carrier for which no account is configured. */
  | { readonly kind: 'unknown-carrier'; readonly carrierName: string }
  /** The shipment names no carrier, and no rule matched. */
  | { readonly kind: 'none'; readonly verdicts: readonly Verdict[] };

/**
 * `excepted`: its `unless` holds. `not-known-yet`: it depends on what is not known. `other-carrier`: it leads to none of
 * the accounts of the shipment's carrier. `not-reached`: an earlier one matched.
 */
export type RuleOutcome = 'matched' | 'failed' | 'excepted' | 'not-known-yet' | 'other-carrier' | 'not-reached';

/** The outcome of one rule and its reasons; `reasons` is empty for a rule that was not evaluated. */
export interface Verdict {
  readonly rule: string;
  readonly outcome: RuleOutcome;
  readonly reasons: readonly Reason[];
}

export interface Explanation {
  readonly choice: Choice;
  /** One verdict for each rule, in the order of the rules. */
  readonly verdicts: readonly Verdict[];
}

interface CompiledRule {
  readonly rule: RoutingRule;
  readonly accounts: readonly string[];
  readonly when: Compiled;
  readonly unless: Compiled | null;
}

/** Rules whose filters are built. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly predicates: readonly Predicate[];
  readonly accounts: readonly KnownAccount[];
  /** First parts of the fields that rules use. Resources behind other fields need not be read. */
  readonly asked: ReadonlySet<string>;
}

/** Builds the filters of all rules once. @param rules checked by `ruleProblems` */
export function compileRules(rules: readonly RoutingRule[], accounts: readonly KnownAccount[]): CompiledRules {
  const compiler = createConditionCompiler();
  const compile = (query: Query) => compiler.compile(parseQuery(query, '').condition);
  const compiled = rules.map((rule) => ({
    rule,
    accounts: accountsOf(rule.use),
    when: compile(rule.when),
    unless: rule.unless === undefined ? null : compile(rule.unless),
  }));
  const asked = new Set(compiler.predicates.map(({ root }) => root));
  return { rules: compiled, predicates: compiler.predicates, accounts, asked };
}

/**
 * Decides who carries a shipment; pure. A shipment that names a carrier keeps it: then only rules for an account of that
 * carrier count, and without one the account itself.
 */
export function chooseCarrier(facts: Facts, compiled: CompiledRules): Choice {
  return decide(contextOf(facts, compiled)).choice;
}

/** Chooses as `chooseCarrier` does, with the verdict on every rule; pure. */
export function explainChoice(facts: Facts, compiled: CompiledRules): Explanation {
  const context = contextOf(facts, compiled);
  const { choice, last } = decide(context);
  return { choice, verdicts: choice.kind === 'none' ? choice.verdicts : verdicts(context, last) };
}

/** When no quote comes in time, the preferred account is used. */
export function withoutQuotes(choice: Choice): Exclude<Choice, { kind: 'quotes' }> {
  if (choice.kind !== 'quotes') return choice;
  const { accounts, service, options, rule, undecided } = choice;
  const [account] = accounts;
  if (account === undefined) throw new Error(`rule ${rule} leads to no account`);
  return { kind: 'chosen', account, service, options, rule, undecided };
}

interface ChoiceContext {
  readonly compiled: CompiledRules;
  readonly carrierName: string | null;
  /** Accounts that may be chosen, in the order of the configuration. */
  readonly eligible: readonly KnownAccount[];
  readonly names: ReadonlySet<string>;
  readonly judge: Judge;
}

function contextOf(facts: Facts, compiled: CompiledRules): ChoiceContext {
  const carrierName = facts.carrierName === '' ? null : facts.carrierName;
  const eligible = accountsFor(carrierName, compiled.accounts);
  const names = new Set(eligible.map(({ name }) => name));
  return { compiled, carrierName, eligible, names, judge: createJudge(facts, compiled.predicates) };
}

/** @returns `last`: the place of the rule that matched, or behind the last one */
function decide(context: ChoiceContext): { readonly choice: Choice; readonly last: number } {
  const { compiled, carrierName, eligible } = context;
  const { rules } = compiled;
  const [only] = eligible;
  if (carrierName !== null && !only) return { choice: { kind: 'unknown-carrier', carrierName }, last: rules.length };
  const undecided: string[] = [];
  for (const [place, candidate] of rules.entries()) {
    const outcome = outcomeOf(candidate, context);
    if (outcome === 'matched') return { choice: chosen(candidate, context, undecided), last: place };
    if (outcome === 'not-known-yet') undecided.push(candidate.rule.name);
  }
  if (carrierName === null || !only) {
    return { choice: { kind: 'none', verdicts: verdicts(context, rules.length) }, last: rules.length };
  }
  const choice = { kind: 'chosen', account: only.name, service: null, options: {}, rule: null, undecided } as const;
  return { choice, last: rules.length };
}

function outcomeOf({ accounts, when, unless }: CompiledRule, { names, judge }: ChoiceContext): RuleOutcome {
  if (!accounts.some((account) => names.has(account))) return 'other-carrier';
  const found = judge.judge(when);
  if (found === 'false') return 'failed';
  const excepted = unless === null ? 'false' : judge.judge(unless);
  if (excepted === 'true') return 'excepted';
  return found === 'true' && excepted === 'false' ? 'matched' : 'not-known-yet';
}

function chosen({ rule, accounts }: CompiledRule, { names }: ChoiceContext, undecided: readonly string[]): Choice {
  const { use } = rule;
  const found = { service: use.service ?? null, options: use.options ?? {}, rule: rule.name, undecided };
  const open = accounts.filter((account) => names.has(account));
  const [first] = open;
  if (first === undefined) throw new Error(`rule ${rule.name} leads to no account`);
  // A single account needs no quote.
  return open.length === 1
    ? { kind: 'chosen', account: first, ...found }
    : { kind: 'quotes', by: orderOf(use), accounts: open, ...found };
}

function orderOf(use: RuleUse): 'cheapest' | 'fastest' {
  return 'fastest' in use ? 'fastest' : 'cheapest';
}

function verdicts(context: ChoiceContext, last: number): readonly Verdict[] {
  return context.compiled.rules.map((candidate, place) => {
    const outcome = place > last ? 'not-reached' : outcomeOf(candidate, context);
    return { rule: candidate.rule.name, outcome, reasons: reasonsOf(candidate, outcome, context.judge) };
  });
}

function reasonsOf({ when, unless }: CompiledRule, outcome: RuleOutcome, { reasons }: Judge): readonly Reason[] {
  switch (outcome) {
    case 'matched':
      return reasons(when, 'true');
    case 'failed':
      return reasons(when, 'false');
    case 'excepted':
      return unless === null ? [] : reasons(unless, 'true');
    case 'not-known-yet':
      return [...reasons(when, 'not-known'), ...(unless === null ? [] : reasons(unless, 'not-known'))];
    case 'other-carrier':
    case 'not-reached':
      return [];
  }
}
