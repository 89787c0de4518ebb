import 'reflect-metadata';
import { Transform, Type, plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsDefined,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { readFileSync } from 'node:fs';
import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { Party } from '../../carriers/contract/model.js';
import { toText } from '../../carriers/toolkit/settings.js';
import type { Operator } from '../access/operators.js';
import { makesReturns, readAccountSettings, secretTexts } from './account-settings.js';
import { CustomsConfig } from './sections/customs.js';
import { ReturnAddressConfig, returnAddressProblems, toReturnAddress } from './sections/return-address.js';
import { AlertsConfig, alertSecrets, alertsProblems } from './sections/alerts.js';
import { MAX_ADAPTERS } from './adapter-entries.js';
import { AreaConfig } from './area-config.js';
import { CallbacksConfig, callbackProblems, callbackSecrets } from './callbacks.js';
import { PrintingConfig, printingProblems } from './sections/printing.js';
import { RetentionConfig } from './sections/retention.js';
import { readNotation } from './yaml.js';
import { flatten, isMisspelt, unknownCarrier } from './problems.js';
import { MAX_RULES, RuleConfig, accountsIn, rulesProblems, toRule } from './rules.js';
import { returnLabelProblems, ruleProductProblems } from './rule-products.js';
import { isObject } from '../routing/facts/json-values.js';
import type { Rule } from '../routing/language/rule.js';
import { mayCarryCredentials, type SettingProblem } from './environment.js';

const MAX_TRACKING_CALLS_PER_DAY = 1_000_000;

export class AccountConfig {
  @IsString({ message: 'must be the id of a carrier' })
  carrier: string;

  @Transform(toText)
  @IsString({ message: "must be the carrier's name in the IMS" })
  @IsNotEmpty({ message: "must be the carrier's name in the IMS" })
  imsCarrierName: string;

  @IsOptional()
  @IsString({ message: 'must be an address' })
  baseUrl?: string;

  @IsOptional()
  @IsObject({ message: 'must be an object with a secret' })
  @ValidateNested()
  @Type(() => CallbacksConfig)
  callbacks?: CallbacksConfig;

  @IsOptional()
  @IsObject({ message: 'must be an object with name, street, postalCode, city, countryCode' })
  @ValidateNested()
  @Type(() => ReturnAddressConfig)
  returnAddress?: ReturnAddressConfig;

  /** Of the exporter: for papers, and for data for customs. */
  @IsOptional()
  @IsObject({ message: 'must be an object with eori, vat, voec, ioss' })
  @ValidateNested()
  @Type(() => CustomsConfig)
  customs?: CustomsConfig;

  /** For a carrier that limits tracking requests a day; the carrier's own limit stands in its `traits`. */
  @IsOptional()
  @IsInt({ message: 'must be a whole number of calls, e.g. 500' })
  @Min(1, { message: 'must be at least 1' })
  @Max(MAX_TRACKING_CALLS_PER_DAY, { message: `must be at most ${MAX_TRACKING_CALLS_PER_DAY}` })
  trackingCallsPerDay?: number;

  @IsDefined({ message: "missing; the carrier's settings" })
  @IsObject({ message: "must hold the carrier's settings" })
  config: Record<string, unknown>;
}

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

/** An account with its carrier and its checked settings. */
export interface ConfiguredAccount {
  readonly name: string;
  readonly adapter: CarrierAdapter;
  readonly imsCarrierName: string;
  readonly baseUrl: string;
  readonly config: object;
  /** The account's settings are in the IMS. Settings given in `config` take precedence over them. */
  readonly fromIms?: { readonly given: Readonly<Record<string, unknown>> };
  /** Missing: parcels that cannot be delivered go to the sender. */
  readonly returnAddress?: Party;
  /** Missing: the account has no numbers for customs. */
  readonly customs?: CustomsConfig;
  /** `null`: the carrier sends no callbacks. */
  readonly callbacks: CallbacksConfig | null;
  /** `null`: any number. */
  readonly trackingCallsPerDay: number | null;
}

export interface ReadConfig {
  readonly file: ConfigFile;
  readonly accounts: readonly ConfiguredAccount[];
  /** In the order of the file; empty when it has no rules. */
  readonly rules: readonly Rule[];
  /** Secrets, which no log and no answer may show. */
  readonly secrets: readonly string[];
  /** Those of `OPERATORS_FILE`; `OPERATOR_TOKEN` is one beside them. */
  readonly operators: readonly Operator[];
  /** Settings without effect. They are logged, and the service starts. */
  readonly warnings: readonly SettingProblem[];
}

export interface ConfigContext {
  readonly environment: Readonly<Record<string, string>>;
  readonly adapters: readonly CarrierAdapter[];
  readonly allowPrivate: 'true' | 'false';
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
  if (!isObject(given ?? {}))
    return {
      ...{ config: null, given },
      problems: [{ where: 'CONFIG_FILE', rule: 'must begin with keys, as areas: and accounts:' }],
    };
  const file = plainToInstance(ConfigFile, given ?? {}, { exposeDefaultValues: true });
  const structure = validateSync(file, { forbidUnknownValues: true, whitelist: true, forbidNonWhitelisted: true });
  const inFile = [...filled.problems, ...structure.flatMap((error) => flatten(error, ''))];
  // These checks run even when the structure is wrong elsewhere, so that one start reports all problems.
  const entries = isObject(file.accounts) ? Object.entries(file.accounts) : [];
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
  return { config: { file, accounts: readable, rules, secrets, warnings, operators: [] }, given, problems: [] };
}

interface ReadAccount {
  readonly account: ConfiguredAccount | null;
  readonly problems: readonly SettingProblem[];
  readonly warnings: readonly SettingProblem[];
}

function readAccount(name: string, raw: unknown, context: ConfigContext): ReadAccount {
  const where = `accounts.${name}`;
  const given = plainToInstance(AccountConfig, raw ?? {}, { exposeDefaultValues: true });
  const inAccount = problemsIn(given, where);
  const adapter = context.adapters.find((candidate) => candidate.id === given.carrier);
  if (!adapter) {
    const known = context.adapters.map(({ id }) => id);
    const unknown = typeof given.carrier === 'string' ? [unknownCarrier(name, given.carrier, known)] : [];
    return refused([...inAccount, ...unknown]);
  }
  if (!isObject(given.config)) return refused(inAccount);
  const settings = settingsOf(adapter, given, where);
  const account = configured(name, given, { adapter, settings });
  const problems = [
    ...inAccount,
    ...settings.problems,
    ...addressProblems(account.baseUrl, where, context),
    ...(inAccount.length > 0 ? [] : callbackProblems(account.callbacks, adapter, where)),
    ...(inAccount.length > 0 ? [] : returnAddressProblems(account.returnAddress, adapter, where)),
  ];
  // An unknown key has no effect; beside a missing one it is most likely a misspelling of it.
  if (problems.length > 0) return refused([...problems, ...settings.unknown.filter(isMisspelt)]);
  return { account, problems, warnings: settings.unknown };
}

function configured(
  name: string,
  { imsCarrierName, baseUrl, callbacks, customs, returnAddress, trackingCallsPerDay }: AccountConfig,
  { adapter, settings }: { readonly adapter: CarrierAdapter; readonly settings: ReturnType<typeof settingsOf> },
): ConfiguredAccount {
  const { config, fromIms } = settings;
  return {
    ...{ name, adapter, imsCarrierName, config },
    callbacks: callbacks ?? null,
    baseUrl: (typeof baseUrl === 'string' ? baseUrl : adapter.baseUrl).replace(/\/+$/, ''),
    trackingCallsPerDay: trackingCallsPerDay ?? adapter.traits.trackCallsPerDay ?? null,
    ...(fromIms && { fromIms }),
    ...(customs && { customs }),
    ...(returnAddress && { returnAddress: toReturnAddress(returnAddress) }),
  };
}

function problemsIn(section: object, where: string): readonly SettingProblem[] {
  const errors = validateSync(section, { whitelist: true, forbidNonWhitelisted: true });
  return errors.flatMap((error) => flatten(error, where));
}

function addressProblems(baseUrl: string, where: string, { allowPrivate }: ConfigContext): readonly SettingProblem[] {
  if (mayCarryCredentials(baseUrl, allowPrivate)) return [];
  return [{ where: `${where}.baseUrl`, rule: 'must be an https address (plain http only to this machine)' }];
}

const refused = (problems: readonly SettingProblem[]): ReadAccount => ({ account: null, problems, warnings: [] });

/** `from` names the place of the settings that are missing here. */
function settingsOf(adapter: CarrierAdapter, given: AccountConfig, where: string) {
  const { from, ...own } = given.config;
  const rest = from === undefined ? 'required' : 'elsewhere';
  const read = readAccountSettings(adapter, own, { where: `${where}.config`, rest });
  const rule = placeProblem(adapter, from);
  const place = rule === null ? [] : [{ where: `${where}.config.from`, rule }];
  return { ...read, fromIms: from === undefined ? null : { given: own }, problems: [...place, ...read.problems] };
}

function placeProblem({ name, settingsInIms }: CarrierAdapter, from: unknown): string | null {
  if (from === undefined) return null;
  if (from !== 'ims') return 'must be ims, or left out';
  return settingsInIms ? null : `cannot be ims: ${name} has no settings there that we know; write them here`;
}

/** The first problem of each place. */
function unique(problems: readonly SettingProblem[]): readonly SettingProblem[] {
  return problems.filter(({ where }, index) => problems.findIndex((other) => other.where === where) === index);
}

/** Problems between two sections; each section may have problems of its own. */
function acrossSections(file: ConfigFile): SettingProblem[] {
  const areas = Array.isArray(file.areas) ? file.areas.map((area: Partial<AreaConfig> | null) => area?.contextId) : [];
  const twice = repeated(areas.map((contextId, index) => [`areas[${index}].contextId`, contextId]));
  const sections = isObject(file.accounts) ? file.accounts : {};
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

function secretsOf(account: ConfiguredAccount): string[] {
  return [...secretTexts(account.config), ...callbackSecrets(account.callbacks)];
}
