import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import { secretsIn } from '../../carriers/contract/define-carrier.js';
import { toText } from '../../carriers/toolkit/settings.js';
import { operatorFiles } from '../program-files.js';
import { flatten, isUnknownKey } from './problems.js';
import type { SettingProblem } from './environment.js';
import { createDryRun } from '../transport/dry-run.js';
import { isSecretName } from '../transport/secret-names.js';

type Given = Readonly<Record<string, unknown>>;

export interface AccountSettings {
  /** An instance of the adapter's `Config`. */
  readonly config: object;
  readonly problems: readonly SettingProblem[];
  /** Keys that the carrier does not know. */
  readonly unknown: readonly SettingProblem[];
}

interface Reading {
  /** Path of the settings, for problems. */
  readonly where: string;
  /** `elsewhere`: the service takes settings that are missing here from another place. */
  readonly rest: 'required' | 'elsewhere';
}

/** Checks the settings of an account by its carrier's class. */
export function readAccountSettings(adapter: CarrierAdapter, given: Given, { where, rest }: Reading): AccountSettings {
  const config = plainToInstance(adapter.Config, withTexts(adapter, given), { exposeDefaultValues: true });
  const skipMissingProperties = rest === 'elsewhere';
  const found = validateSync(config, { whitelist: true, forbidNonWhitelisted: true, skipMissingProperties }).flatMap(
    (error) => flatten(error, where),
  );
  const problems = found.filter((problem) => !isUnknownKey(problem));
  return {
    config,
    problems: problems.length > 0 || rest === 'elsewhere' ? problems : connectProblems(adapter, config, where),
    unknown: found.filter(isUnknownKey),
  };
}

/** What the carrier's `connect` throws at these settings: it sends nothing, and a booking must not be the first to find it. */
function connectProblems(
  { connect, baseUrl }: CarrierAdapter,
  config: object,
  where: string,
): readonly SettingProblem[] {
  try {
    connect(config, { http: createDryRun().port, clock: { now: () => new Date() }, baseUrl, files: operatorFiles });
    return [];
  } catch (error) {
    return [{ where, rule: error instanceof Error ? error.message : String(error) }];
  }
}

interface Configured {
  readonly adapter: CarrierAdapter;
  readonly config: object;
  readonly baseUrl: string;
  readonly fromIms?: object;
}

/** Whether the account makes return labels; also where it is not known, because it has problems or its settings are in the IMS. */
export function makesReturns(account: Configured | null): boolean {
  if (account === null || account.fromIms !== undefined) return true;
  const { adapter, config, baseUrl } = account;
  const clock = { now: () => new Date() };
  const tools = { http: createDryRun().port, clock, baseUrl, files: operatorFiles };
  return adapter.connect(config, tools).returnLabel !== undefined;
}

/** The settings that a carrier's class has. */
export function settingNames({ Config }: CarrierAdapter): readonly string[] {
  return [...new Set(metadataOf(Config).map(({ propertyName }) => propertyName))];
}

/** Numbers become texts where the carrier asks for a text: `customerId: 1` needs no quotes. */
function withTexts({ Config }: CarrierAdapter, given: Given): Record<string, unknown> {
  const isText = metadataOf(Config).filter(({ name }) => name === 'isString');
  const texts = new Set(isText.map(({ propertyName }) => propertyName));
  const entries = Object.entries(given).map(([key, value]) => [key, texts.has(key) ? toText({ value }) : value]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function metadataOf(Config: CarrierAdapter['Config']) {
  return getMetadataStorage().getTargetValidationMetadatas(Config, '', true, false);
}

/** The account's secrets, which no log and no kept request may show: those that its adapter declares, and those that it leaves out. */
export function secretTexts(adapter: CarrierAdapter, config: object): readonly string[] {
  const declared = secretsIn(adapter, config);
  const named = declared === null ? namedAsSecret(config, isKeyOrSecret) : undeclaredSecrets(adapter, config);
  return [...(declared ?? []), ...named.map(({ text }) => text)];
}

/** A setting whose name says that its text is a secret. */
interface NamedAsSecret {
  readonly setting: string;
  readonly text: string;
}

/**
 * The settings that are named as secrets and that the adapter does not declare. An address is no secret, whatever its
 * name: a person needs the one that does not answer.
 */
export function undeclaredSecrets(adapter: CarrierAdapter, config: object): readonly NamedAsSecret[] {
  const declared = secretsIn(adapter, config);
  if (declared === null) return [];
  const named = namedAsSecret(config, isSecretName);
  return named.filter(({ text }) => !declared.includes(text) && !/^https?:\/\//.test(text));
}

const isKeyOrSecret = (name: string) => /key/i.test(name) || isSecretName(name);

/** Also of nested settings, such as the credentials of a second service. */
function namedAsSecret(config: object, isNamed: (name: string) => boolean): readonly NamedAsSecret[] {
  return Object.entries(config).flatMap(([setting, value]: [string, unknown]) => {
    if (isNested(value))
      return namedAsSecret(value, isNamed).map((inner) => ({ ...inner, setting: `${setting}.${inner.setting}` }));
    return typeof value === 'string' && value !== '' && isNamed(setting) ? [{ setting, text: value }] : [];
  });
}

/** Nested settings have a class; the members of any other object have the names of a carrier's codes, whose texts are words. */
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) !== Object.prototype;
}
