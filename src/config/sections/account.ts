import 'reflect-metadata';
import { Transform, Type, plainToInstance } from 'class-transformer';
import {
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
import type { CarrierAdapter } from '../../../carriers/contract/adapter.js';
import type { Party } from '../../../carriers/contract/model.js';
import { toText } from '../../../carriers/toolkit/settings.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { readAccountSettings, secretTexts } from '../account-settings.js';
import { CallbacksConfig, callbackProblems, callbackSecrets } from '../callbacks.js';
import { type SettingProblem, mayCarryCredentials } from '../environment.js';
import { flatten, isMisspelt, unknownCarrier } from '../problems.js';
import { CustomsConfig } from './customs.js';
import { ReturnAddressConfig, returnAddressProblems, toReturnAddress } from './return-address.js';

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

  /** The exporter's numbers, for customs papers and customs data. */
  @IsOptional()
  @IsObject({ message: 'must be an object with eori, vat, voec, ioss' })
  @ValidateNested()
  @Type(() => CustomsConfig)
  customs?: CustomsConfig;

  /** The account's limit of tracking requests a day; the carrier's own limit stands in its `traits`. */
  @IsOptional()
  @IsInt({ message: 'must be a whole number of calls, e.g. 500' })
  @Min(1, { message: 'must be at least 1' })
  @Max(MAX_TRACKING_CALLS_PER_DAY, { message: `must be at most ${MAX_TRACKING_CALLS_PER_DAY}` })
  trackingCallsPerDay?: number;

  @IsDefined({ message: "missing; the carrier's settings" })
  @IsObject({ message: "must hold the carrier's settings" })
  config: Record<string, unknown>;
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

export interface AccountContext {
  readonly adapters: readonly CarrierAdapter[];
  readonly allowPrivate: 'true' | 'false';
}

/** `account` is `null` where it has problems. */
export interface ReadAccount {
  readonly account: ConfiguredAccount | null;
  readonly problems: readonly SettingProblem[];
  readonly warnings: readonly SettingProblem[];
}

export function readAccount(name: string, raw: unknown, context: AccountContext): ReadAccount {
  const where = `accounts.${name}`;
  const given = plainToInstance(AccountConfig, raw ?? {}, { exposeDefaultValues: true });
  const inAccount = problemsIn(given, where);
  const adapter = context.adapters.find((candidate) => candidate.id === given.carrier);
  if (!adapter) {
    const known = context.adapters.map(({ id }) => id);
    const unknown = typeof given.carrier === 'string' ? [unknownCarrier(name, given.carrier, known)] : [];
    return refused([...inAccount, ...unknown]);
  }
  if (!isJsonObject(given.config)) return refused(inAccount);
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

function addressProblems(baseUrl: string, where: string, { allowPrivate }: AccountContext): readonly SettingProblem[] {
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

/** The secrets of its settings and callbacks, which no log and no answer may show. */
export function secretsOf(account: ConfiguredAccount): string[] {
  return [...secretTexts(account.adapter, account.config), ...callbackSecrets(account.callbacks)];
}
