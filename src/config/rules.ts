import 'reflect-metadata';
import { Transform, Type, plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsDefined,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { toText } from '../../carriers/toolkit/settings.js';
import { readNotation, withPlaceholders } from './yaml.js';
import { flatten } from './problems.js';
import { ruleProblems } from '../routing/language/check-rule.js';
import { pinnedCarrierProblems } from '../routing/pinned-carrier.js';
import type { KnownAccount, RoutingRule, RuleUse } from '../routing/language/rule.js';
import type { SettingProblem } from './environment.js';

const toTexts = ({ value }: { value: unknown }) =>
  Array.isArray(value) ? value.map((item: unknown) => toText({ value: item })) : value;

/** The limit of rules, and so of the accounts that a choice asks in the worst case. */
export const MAX_RULES = 1_000;

class RuleUseConfig {
  @IsOptional()
  @Transform(toText)
  @IsString({ message: 'must be the name of an account' })
  account?: string;

  @IsOptional()
  @Transform(toTexts)
  @IsArray({ message: 'must be a list of accounts, e.g. [bring, gls]' })
  @ArrayMinSize(2, { message: 'must name at least two accounts; for one write account' })
  @ArrayUnique({ message: 'must name each account once' })
  @IsString({ each: true, message: 'must be a list of accounts, e.g. [bring, gls]' })
  cheapest?: string[];

  @IsOptional()
  @Transform(toTexts)
  @IsArray({ message: 'must be a list of accounts, e.g. [bring, gls]' })
  @ArrayMinSize(2, { message: 'must name at least two accounts; for one write account' })
  @ArrayUnique({ message: 'must name each account once' })
  @IsString({ each: true, message: 'must be a list of accounts, e.g. [bring, gls]' })
  fastest?: string[];

  @IsOptional()
  @Transform(toText)
  @IsString({ message: "must be the carrier's own code, as text" })
  service?: string;

  @IsOptional()
  @IsObject({ message: 'must be an object' })
  options?: Record<string, unknown>;
}

export class RuleConfig {
  @Transform(toText)
  @IsString({ message: 'must be a name that people will recognise' })
  @IsNotEmpty({ message: 'must be a name that people will recognise' })
  name: string;

  @IsDefined({ message: 'missing; {} matches every shipment' })
  @IsObject({ message: 'must be an object; {} matches every shipment' })
  when: Record<string, unknown>;

  @IsOptional()
  @IsObject({ message: 'must be an object' })
  unless?: Record<string, unknown>;

  @IsDefined({ message: 'missing' })
  @ValidateNested()
  @Type(() => RuleUseConfig)
  use: RuleUseConfig;
}

/** What is wrong with those rules whose structure is right. @param accounts those that can be used */
export function rulesProblems(
  rules: readonly RuleConfig[],
  accounts: readonly KnownAccount[],
): readonly SettingProblem[] {
  const names = rules.map((rule: Partial<RuleConfig> | null) => rule?.name);
  return rules.flatMap((rule, index) => {
    if (!isWellFormed(rule)) return [];
    const where = `rules[${index}]`;
    const { when, unless } = rule;
    const twice = names.indexOf(rule.name) !== index;
    return [
      ...(twice ? [{ where: `${where}.name`, rule: 'is the name of an earlier rule too' }] : []),
      ...useProblems(rule.use, accounts).map((problem) => ({ ...problem, where: `${where}.use${problem.where}` })),
      ...ruleProblems(unless === undefined ? { when } : { when, unless }).map((problem) => ({
        where: `${where}.${problem.path}`,
        rule: problem.rule,
      })),
      ...carrierProblems(rule, accounts).map((problem) => ({ ...problem, where: `${where}.${problem.where}` })),
    ];
  });
}

export function isWellFormed(rule: unknown): boolean {
  return rule instanceof RuleConfig && validateSync(rule, { whitelist: true, forbidNonWhitelisted: true }).length === 0;
}

/** These checks need the carriers of all accounts. Where one is unknown, its own problem is reported already. */
function carrierProblems({ when, use }: RuleConfig, accounts: readonly KnownAccount[]): readonly SettingProblem[] {
  const named = [use.account ?? use.cheapest ?? use.fastest ?? []].flat();
  const known = accounts.filter(({ name, imsCarrierName }) => named.includes(name) && imsCarrierName !== '');
  if (known.length === 0 || known.length < named.length) return [];
  return pinnedCarrierProblems(when, known).map(({ path, rule }) => ({ where: path, rule }));
}

/** @returns places after `use` */
function useProblems(use: RuleUseConfig, accounts: readonly KnownAccount[]): readonly SettingProblem[] {
  const ways = (['account', 'cheapest', 'fastest'] as const).filter((way) => use[way] !== undefined);
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    return [{ where: '', rule: 'must have one of account, cheapest and fastest' }];
  }
  const named = [use[way] ?? []].flat();
  const there = accounts.map(({ name }) => name).join(', ');
  return named.flatMap((name, place) =>
    accounts.some((account) => account.name === name)
      ? []
      : [
          {
            where: way === 'account' ? '.account' : `.${way}[${place}]`,
            rule: `is not the name of an account; there are: ${there}`,
          },
        ],
  );
}

/** A rule without problems, in the form that the choice of a carrier takes. */
export function toRule({ name, when, unless, use }: RuleConfig): RoutingRule {
  return { name, when, ...(unless === undefined ? {} : { unless }), use: toUse(use) };
}

function toUse({ account, cheapest, fastest, service, options }: RuleUseConfig): RuleUse {
  const product = { ...(service === undefined ? {} : { service }), ...(options === undefined ? {} : { options }) };
  if (account !== undefined) return { account, ...product };
  if (cheapest !== undefined) return { cheapest, ...product };
  if (fastest !== undefined) return { fastest, ...product };
  throw new Error('a rule leads nowhere');
}

class RulesSection {
  @ArrayMaxSize(MAX_RULES, { message: `must not have more than ${MAX_RULES}` })
  @IsArray({ message: 'must be a list' })
  @ValidateNested({ each: true })
  @Type(() => RuleConfig)
  rules: RuleConfig[];
}

export interface RulesOfFile {
  readonly rules: readonly RoutingRule[];
  /** The rules as the file has them. */
  readonly given: readonly RuleConfig[];
  /** Ids of carriers by the names of their accounts. */
  readonly carriers: ReadonlyMap<string, string>;
  readonly accounts: readonly KnownAccount[];
  readonly problems: readonly SettingProblem[];
}

/**
 * Reads only the rules of `waybridge.yaml` and the names of its accounts, so that nobody needs to set secrets to try
 * rules. Checks nothing else in the file.
 */
export function readRules(text: string, environment: Readonly<Record<string, string>>): RulesOfFile {
  const filled = readNotation(text, withPlaceholders(text, environment));
  if (filled.value === undefined)
    return { rules: [], given: [], carriers: new Map(), accounts: [], problems: filled.problems };
  const inAccounts = sectionOf(filled.value, 'accounts');
  const accounts = accountsIn(inAccounts);
  const section = plainToInstance(RulesSection, { rules: sectionOf(filled.value, 'rules') ?? [] });
  const structure = validateSync(section, { whitelist: true, forbidNonWhitelisted: true });
  const problems = structure.flatMap((error) => flatten(error, ''));
  const found = problems.length > 0 ? problems : rulesProblems(section.rules, accounts);
  const given = found.length > 0 ? [] : section.rules;
  return { rules: given.map(toRule), given, carriers: carriersIn(inAccounts), accounts, problems: found };
}

function sectionOf(file: unknown, name: string): unknown {
  return typeof file === 'object' && file !== null
    ? Object.entries(file).find(([key]) => key === name)?.[1]
    : undefined;
}

function carriersIn(section: unknown): ReadonlyMap<string, string> {
  const accounts = typeof section === 'object' && section !== null ? Object.entries(section) : [];
  return new Map(accounts.map(([name, account]: [string, unknown]) => [name, String(sectionOf(account, 'carrier'))]));
}

/** The names in the section of accounts, before it is checked; one without a carrier's name has an empty one. */
export function accountsIn(section: unknown): readonly KnownAccount[] {
  if (typeof section !== 'object' || section === null) return [];
  return Object.entries(section).map(([name, account]: [string, unknown]) => {
    const imsCarrierName = toText({ value: sectionOf(account, 'imsCarrierName') });
    return { name, imsCarrierName: typeof imsCarrierName === 'string' ? imsCarrierName : '' };
  });
}
