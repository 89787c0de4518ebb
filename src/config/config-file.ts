import 'reflect-metadata';
import { Transform, Type, plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsDefined,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { readFileSync } from 'node:fs';
import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import { toText } from '../../carriers/toolkit/settings.js';
import type { Operator } from '../access/operators.js';
import { makesReturns } from './account-settings.js';
import {
  type AccountConfig,
  type AccountContext,
  type ConfiguredAccount,
  readAccount,
  secretsOf,
} from './sections/account.js';
import { AlertsConfig, alertSecrets, alertsProblems } from './sections/alerts.js';
import { MAX_ADAPTERS } from './adapter-entries.js';
import { AreaConfig } from './area-config.js';
import { PrintingConfig, printingProblems } from './sections/printing.js';
import { RetentionConfig } from './sections/retention.js';
import { readNotation } from './yaml.js';
import { flatten } from './problems.js';
import { MAX_RULES, RuleConfig, accountsIn, rulesProblems, toRule } from './rules.js';
import { returnLabelProblems, ruleProductProblems } from './rule-products.js';
import { isJsonObject } from '../../carriers/contract/json.js';
import type { RoutingRule } from '../routing/language/rule.js';
import type { SettingProblem } from './environment.js';

/** `waybridge.yaml`. */
export class ConfigFile {
  @IsArray({ message: 'must be a list' })
  @ArrayNotEmpty({ message: 'must name at least one area' })
  @ValidateNested({ each: true })
  @Type(() => AreaConfig)
  areas: AreaConfig[];

  @IsDefined({ message: 'missing; at least one account' })
  @IsObject({ message: 'must be an object of accounts by name' })
  accounts: Record<string, AccountConfig>;

  /** Carriers from outside: package names, or paths relative to this file. */
  @Transform(({ value }: { value: unknown }) => value ?? undefined)
  @IsOptional()
  @ArrayMaxSize(MAX_ADAPTERS, { message: `must not have more than ${MAX_ADAPTERS}` })
  @IsArray({ message: 'must be a list of packages and folders' })
  @IsString({ each: true, message: 'must be a list of packages and folders' })
  @IsNotEmpty({ each: true, message: 'must not have an empty entry' })
  adapters?: string[];

  @Transform(({ value }: { value: unknown }) => value ?? undefined)
  @IsOptional()
  @ArrayMaxSize(MAX_RULES, { message: `must not have more than ${MAX_RULES}` })
  @IsArray({ message: 'must be a list' })
  @ValidateNested({ each: true })
  @Type(() => RuleConfig)
  rules?: RuleConfig[];

  @Transform(({ value }: { value: unknown }) => value ?? new PrintingConfig())
  @ValidateNested()
  @Type(() => PrintingConfig)
  printing: PrintingConfig = new PrintingConfig();

  /** Where alerts go. Missing: Waybridge sends none; the log and the measures show what needs a person. */
  @IsOptional()
  @IsObject({ message: 'must be an object with url and secret' })
  @ValidateNested()
  @Type(() => AlertsConfig)
  alerts?: AlertsConfig;

  @Transform(({ value }: { value: unknown }) => value ?? new RetentionConfig())
  @IsObject({ message: 'must be an object of days' })
  @ValidateNested()
  @Type(() => RetentionConfig)
  retention: RetentionConfig = new RetentionConfig();
}

export interface ReadConfig {
  readonly file: ConfigFile;
  readonly accounts: readonly ConfiguredAccount[];
  /** All carriers that an account can be of. */
  readonly adapters: readonly CarrierAdapter[];
  /** In the order of the file; empty when it has no rules. */
  readonly rules: readonly RoutingRule[];
  /** Secrets, which no log and no answer may show. */
  readonly secrets: readonly string[];
  /** Those of `OPERATORS_FILE`; `OPERATOR_TOKEN` is one beside them. */
  readonly operators: readonly Operator[];
  /** Settings without effect. They are logged, and the service starts. */
  readonly warnings: readonly SettingProblem[];
}

export interface ConfigContext extends AccountContext {
  readonly environment: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly config: ReadConfig | null;
  readonly problems: readonly SettingProblem[];
  /** The parsed file, even when it has problems; `null` when it is not readable YAML. */
  readonly given: unknown;
}

/** Reads and checks `waybridge.yaml`; every problem comes with its path. */
export function readConfigFile(path: string, context: ConfigContext): Outcome {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    return {
      config: null,
      given: null,
      problems: [
        {
          where: 'CONFIG_FILE',
          rule: `${path} cannot be read (${reason}); begin with a copy of waybridge.example.yaml`,
        },
      ],
    };
  }
  const { problems, ...read } = readConfig(text, context);
  return { ...read, problems: problems.map((problem) => inNamedFile(problem, path)) };
}

/** A line says nothing without its file. */
function inNamedFile({ where, rule }: SettingProblem, path: string): SettingProblem {
  return { where: /^line \d/.test(where) ? `${path} ${where}` : where, rule };
}

/** Does the same as `readConfigFile` for a text. */
export function readConfig(text: string, context: ConfigContext): Outcome {
  const filled = readNotation(text, context.environment);
  if (filled.value === undefined) return { config: null, given: null, problems: filled.problems };
  const given = filled.value;
  if (!isJsonObject(given ?? {}))
    return {
      ...{ config: null, given },
      problems: [{ where: 'CONFIG_FILE', rule: 'must begin with keys, as areas: and accounts:' }],
    };
  const file = plainToInstance(ConfigFile, given ?? {}, { exposeDefaultValues: true });
  const structure = validateSync(file, { forbidUnknownValues: true, whitelist: true, forbidNonWhitelisted: true });
  const inFile = [...filled.problems, ...structure.flatMap((error) => flatten(error, ''))];
  // These checks run even when the structure is wrong elsewhere, so that one start reports all problems.
  const entries = isJsonObject(file.accounts) ? Object.entries(file.accounts) : [];
  const accounts = entries.map(([name, raw]) => readAccount(name, raw, context));
  const inAccounts = accounts.flatMap((account) => account.problems);
  const adapterOf = (name: string) => accounts.find(({ account }) => account?.name === name)?.account?.adapter;
  const inProducts = ruleProductProblems(Array.isArray(file.rules) ? file.rules : [], adapterOf);
  const inReturns = returnLabelProblems(Array.isArray(file.rules) ? file.rules : [], (name) =>
    makesReturns(accounts.find(({ account }) => account?.name === name)?.account ?? null),
  );
  const inAlerts = alertsProblems(file.alerts, context.allowPrivate);
  const all = unique([...inFile, ...inAccounts, ...acrossSections(file), ...inProducts, ...inReturns, ...inAlerts]);
  if (all.length > 0) return { config: null, given, problems: all };
  const readable = accounts.flatMap((account) => account.account ?? []);
  const secretsInFile = [...file.areas.map((area) => area.apiKey), ...alertSecrets(file.alerts)];
  const secrets = [...filled.secrets, ...secretsInFile, ...readable.flatMap(secretsOf)];
  const warnings = accounts.flatMap((account) => account.warnings);
  const rules = (file.rules ?? []).map(toRule);
  const { adapters } = context;
  return {
    config: { file, accounts: readable, adapters, rules, secrets, warnings, operators: [] },
    given,
    problems: [],
  };
}

/** The first problem of each place. */
function unique(problems: readonly SettingProblem[]): readonly SettingProblem[] {
  return problems.filter(({ where }, index) => problems.findIndex((other) => other.where === where) === index);
}

/** Problems between two sections; each section may have problems of its own. */
function acrossSections(file: ConfigFile): SettingProblem[] {
  const areas = Array.isArray(file.areas) ? file.areas.map((area: Partial<AreaConfig> | null) => area?.contextId) : [];
  const twice = repeated(areas.map((contextId, index) => [`areas[${index}].contextId`, contextId]));
  const sections = isJsonObject(file.accounts) ? file.accounts : {};
  // Accounts are not checked yet; an empty account is null here.
  const names = Object.entries(sections).map(
    ([name, account]: [string, Partial<AccountConfig> | null]) =>
      [`accounts.${name}.imsCarrierName`, toText({ value: account?.imsCarrierName })] as const,
  );
  const ambiguous = file.rules ? [] : repeated(names);
  const rules = Array.isArray(file.rules) ? file.rules : [];
  const ids = { areas: areas.flatMap((id) => id ?? []), carriers: carriersIn(sections) };
  return [
    ...twice.map((where) => ({ where, rule: 'is the contextId of another area too' })),
    ...ambiguous.map((where) => ({ where, rule: 'is that of another account too; rules must choose between them' })),
    ...rulesProblems(rules, accountsIn(sections)),
    ...printingProblems(file.printing, ids),
  ];
}

/** Ids of the accounts' carriers, before they are checked. */
function carriersIn(sections: object): readonly string[] {
  return Object.values(sections).flatMap((account: Partial<AccountConfig> | null) =>
    typeof account?.carrier === 'string' ? [account.carrier] : [],
  );
}

/** Paths whose value appears under an earlier path too. */
function repeated(entries: readonly (readonly [string, unknown])[]): readonly string[] {
  const values = entries.map(([, value]) => value);
  return entries.flatMap(([where, value], index) =>
    value !== undefined && values.indexOf(value) !== index ? [where] : [],
  );
}
