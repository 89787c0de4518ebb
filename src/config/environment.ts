import 'reflect-metadata';
import { Transform, plainToInstance } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { nearestWord } from '../../carriers/contract/plain-text.js';

/** One problem of the settings: its place and the broken rule. It never contains the value, which may be a secret. */
export interface SettingProblem {
  readonly where: string;
  readonly rule: string;
}

/** Carries all problems of the settings; the process ends with `exitCode`. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** EX_CONFIG of sysexits.h. */
  readonly exitCode = 78;

  constructor(readonly problems: readonly SettingProblem[]) {
    const width = Math.max(...problems.map((problem) => problem.where.length));
    const lines = problems.map((problem) => `  ${problem.where.padEnd(width)}  ${problem.rule}`);
    super(`settings: ${problems.length} problem${problems.length === 1 ? '' : 's'}\n${lines.join('\n')}`);
  }
}

/** Shorter names are near to those of other programs. */
const LONG_NAME = 8;
/** Letters that may be wrong. */
const MISSPELT_BY = 2;

const toNumber = ({ value }: { value: unknown }) => (typeof value === 'string' && value !== '' ? Number(value) : value);

/** The environment, checked once at start. Every variable is explained in `.env.example`. */
export class Settings {
  @IsString()
  HOST: string = '0.0.0.0';

  @Transform(toNumber)
  @IsInt({ message: 'must be a port number, e.g. 8080' })
  @Min(0, { message: 'must be a port number, e.g. 8080' })
  @Max(65_535, { message: 'must be a port number, e.g. 8080' })
  PORT: number = 8080;

  @IsOptional()
  @IsWebAddress('https://waybridge.example')
  PUBLIC_URL?: string;

  @IsOptional()
  @AreProxies()
  TRUSTED_PROXIES?: string;

  @IsNotEmpty({ message: 'missing; the address of the IMS with its version segment, e.g. https://ims.example/2' })
  @IsReachableAddress('https://ims.example/2')
  IMS_BASE_URL: string;

  @IsNotEmpty({ message: 'missing; the address before /oauth2/token, e.g. https://auth.ims.example' })
  @IsReachableAddress('https://auth.ims.example')
  IMS_AUTH_URL: string;

  @IsNotEmpty({ message: 'missing; issued by the operator of the IMS' })
  IMS_CLIENT_ID: string;

  @IsNotEmpty({ message: 'missing; issued by the operator of the IMS' })
  IMS_CLIENT_SECRET: string;

  @IsString()
  CONFIG_FILE: string = './waybridge.yaml';

  @IsOptional()
  @IsServerAddress(/^postgres(ql)?:\/\//, 'postgres://user:password@db.example/waybridge')
  DATABASE_URL?: string;

  @IsString()
  DATA_DIR: string = './data';

  /** Keys that seal labels and addresses in the database; the first one seals, all open. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/, {
    message:
      'must be 32 bytes in base64, made by: openssl rand -base64 32; several with commas between, the first one seals',
  })
  DATA_KEY?: string;

  @IsOptional()
  @IsServerAddress(/^rediss?:\/\//, 'redis://:password@redis.example')
  REDIS_URL?: string;

  @IsNotEmpty({ message: 'missing; what the sender of events must show, e.g. made by: openssl rand -hex 24' })
  EVENTS_SECRET: string;

  @IsNotEmpty({ message: 'missing; what an operator must show, e.g. made by: openssl rand -hex 24' })
  OPERATOR_TOKEN: string;

  /** Missing: the measures are shown without one, to this machine and private networks only. */
  @IsOptional()
  @MinLength(16, { message: 'must have at least 16 characters, e.g. made by: openssl rand -hex 24' })
  METRICS_TOKEN?: string;

  /** Further operators; `OPERATOR_TOKEN` is one by itself. */
  @IsOptional()
  @IsString()
  OPERATORS_FILE?: string;

  /** Sign-in at a provider of OpenID Connect; missing: with tokens only. */
  @IsOptional()
  @IsReachableAddress('https://login.example')
  OIDC_ISSUER?: string;

  @IsOptional()
  @IsString()
  OIDC_CLIENT_ID?: string;

  @IsOptional()
  @IsString()
  OIDC_CLIENT_SECRET?: string;

  @IsString()
  OIDC_NAME_CLAIM: string = 'preferred_username';

  @IsString()
  OIDC_ROLE_CLAIM: string = 'roles';

  @IsString()
  OIDC_ACT_VALUES: string = 'waybridge-act';

  @IsString()
  OIDC_VIEW_VALUES: string = 'waybridge-view';

  /** The standard variables of OpenTelemetry; missing: nothing is traced. Its packages read further ones by themselves. */
  @IsOptional()
  @IsWebAddress('http://127.0.0.1:4318')
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @IsOptional()
  @IsIn(['otlp', 'none'], { message: 'must be otlp or none' })
  OTEL_TRACES_EXPORTER?: 'otlp' | 'none';

  @IsString()
  OTEL_SERVICE_NAME: string = 'waybridge';

  @IsIn(['true', 'false'], { message: 'must be true or false' })
  OTEL_SDK_DISABLED: 'true' | 'false' = 'false';

  @IsIn(['true', 'false'], { message: 'must be true or false' })
  ALLOW_PRIVATE_ADDRESSES: 'true' | 'false' = 'false';

  @IsIn(['debug', 'info', 'warn', 'error'], { message: 'must be debug, info, warn or error' })
  LOG_LEVEL: string = 'info';

  @IsIn(['json', 'pretty'], { message: 'must be json or pretty' })
  LOG_FORMAT: 'json' | 'pretty' = 'json';
}

const NAMES = [
  ['HOST', 'PORT', 'PUBLIC_URL', 'IMS_BASE_URL', 'IMS_AUTH_URL', 'IMS_CLIENT_ID', 'IMS_CLIENT_SECRET', 'CONFIG_FILE'],
  ['DATABASE_URL', 'DATA_DIR', 'DATA_KEY', 'REDIS_URL', 'EVENTS_SECRET', 'OPERATOR_TOKEN', 'ALLOW_PRIVATE_ADDRESSES'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER', 'OTEL_SERVICE_NAME', 'OTEL_SDK_DISABLED'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['OIDC_NAME_CLAIM', 'OIDC_ROLE_CLAIM', 'OIDC_ACT_VALUES', 'OIDC_VIEW_VALUES'],
  ['METRICS_TOKEN', 'OPERATORS_FILE', 'TRUSTED_PROXIES', 'LOG_LEVEL', 'LOG_FORMAT'],
].flat() as readonly (keyof Settings)[];

/** The only reader of the process's environment. An empty value counts as left out. */
export function processEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** @returns the settings with the problems found in them, none when they can be used */
export function readSettings(environment: Readonly<Record<string, string>>): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const given = Object.fromEntries(
    NAMES.flatMap((name) => (environment[name] ? [[name, environment[name].trim()]] : [])),
  );
  const settings = plainToInstance(Settings, given, { exposeDefaultValues: true });
  const problems = validateSync(settings).map((error) => ({
    where: error.property,
    // A missing value breaks every rule; only the rule that it is required helps the reader.
    rule: error.constraints?.isNotEmpty ?? Object.values(error.constraints ?? {})[0] ?? 'is not valid',
  }));
  return { settings, problems };
}

/** Variables that are not settings, but whose names nearly match a setting that is not set. */
export function misspeltIn(environment: Readonly<Record<string, string>>): readonly SettingProblem[] {
  const open = NAMES.filter((name) => !environment[name] && name.length >= LONG_NAME);
  return Object.keys(environment).flatMap((name) => {
    const meant = NAMES.some((known) => known === name) ? null : nearestWord(name, open, MISSPELT_BY);
    return meant === null ? [] : [{ where: name, rule: `is not a setting; did you mean ${meant}?` }];
  });
}

/** The keys of `DATA_KEY`, which logs must not show. */
export function dataKeys({ DATA_KEY = '' }: Settings): readonly string[] {
  return DATA_KEY.split(',').flatMap((key) => key.trim() || []);
}

/** The secrets that stand in a variable of their own. */
export function secretsOfEnvironment(settings: Settings): readonly string[] {
  const { IMS_CLIENT_SECRET, EVENTS_SECRET, OPERATOR_TOKEN, METRICS_TOKEN, OIDC_CLIENT_SECRET } = settings;
  const always = [IMS_CLIENT_SECRET, EVENTS_SECRET, OPERATOR_TOKEN];
  return [always, METRICS_TOKEN ?? [], OIDC_CLIENT_SECRET ?? [], dataKeys(settings)].flat();
}

/** `PUBLIC_URL` without a slash at its end. */
export function publicUrl(settings: Settings): string {
  return (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, '');
}

/** The password of a URL, both as written there and percent-decoded, so that logs can redact either form. */
export function passwordsIn(address: string | undefined): readonly string[] {
  const password = address === undefined ? '' : (serverAddress(address)?.password ?? '');
  return password === '' ? [] : [...new Set([password, decoded(password)])];
}

/** An address of Postgres may leave out its host: the server is on this machine. */
function serverAddress(text: string): URL | null {
  const whole = text.replace('@/', '@localhost/');
  return URL.canParse(whole) ? new URL(whole) : null;
}

/** As the driver reads it: a percent sign that begins no code stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Addresses, networks or names of networks of the proxies whose `X-Forwarded-For` the service trusts. */
export function trustedProxies(settings: Settings): readonly string[] {
  const names = (settings.TRUSTED_PROXIES ?? '').split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

/**
 * Whether requests with credentials may go there: https anywhere; plain http only to this machine, or anywhere when
 * private addresses are allowed.
 */
export function mayCarryCredentials(address: string, allowPrivate: 'true' | 'false'): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && (allowPrivate === 'true' || isLoopback(url.hostname));
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}

function IsWebAddress(example: string) {
  return ValidateBy({
    name: 'isWebAddress',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
      defaultMessage: () => `must be an http or https address, e.g. ${example}`,
    },
  });
}

function IsServerAddress(scheme: RegExp, example: string) {
  return ValidateBy({
    name: 'isServerAddress',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && scheme.test(value) && serverAddress(value) !== null,
      defaultMessage: () =>
        `must be an address, e.g. ${example}, with %25, %2F, %23, %3F and %40 for %, /, #, ? and @ in the password; or be left out`,
    },
  });
}

function IsReachableAddress(example: string) {
  return ValidateBy({
    name: 'isReachableAddress',
    validator: {
      validate: (value: unknown, context) =>
        typeof value === 'string' && mayCarryCredentials(value, (context?.object as Settings).ALLOW_PRIVATE_ADDRESSES),
      defaultMessage: () => `must be an https address (plain http only to this machine), e.g. ${example}`,
    },
  });
}

function AreProxies() {
  const names = ['loopback', 'linklocal', 'uniquelocal'];
  const isProxy = (text: string) => names.includes(text) || ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
  return ValidateBy({
    name: 'areProxies',
    validator: {
      validate: (_value: unknown, context) => trustedProxies(context?.object as Settings).every(isProxy),
      defaultMessage: () => 'must be addresses or networks, e.g. loopback, 10.0.0.0/8',
    },
  });
}
