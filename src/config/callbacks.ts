import 'reflect-metadata';
import { IsIn, IsOptional, IsString, MinLength } from 'class-validator';
import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import { plainTracking } from '../../carriers/toolkit/tracking/plain-tracking.js';
import type { SettingProblem } from './environment.js';
import type { CallbackAccount } from '../../carriers/contract/tracking.js';

/** Minimum length of the secret, in characters. A sender that knows the secret can forge callbacks. */
const SHORTEST_SECRET = 16;
const TOO_SHORT = `must be a secret of at least ${SHORTEST_SECRET} characters, e.g. made by: openssl rand -base64 32`;
const STANDARD_SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** How an account's carrier calls us. */
export class CallbacksConfig {
  @IsString({ message: TOO_SHORT })
  @MinLength(SHORTEST_SECRET, { message: TOO_SHORT })
  secret: string;

  /** The secret before this one. The service accepts it too until the carrier uses the new one. */
  @IsOptional()
  @IsString({ message: TOO_SHORT })
  @MinLength(SHORTEST_SECRET, { message: TOO_SHORT })
  previousSecret?: string;

  @IsIn(['carrier', 'generic'], { message: 'must be carrier or generic' })
  form: 'carrier' | 'generic' = 'carrier';
}

/** Problems that can be found only when the carrier is known. */
export function callbackProblems(
  callbacks: CallbacksConfig | null,
  adapter: CarrierAdapter,
  where: string,
): readonly SettingProblem[] {
  if (callbacks === null) return [];
  if (callbacks.form === 'carrier' && !adapter.parseCallback)
    return [{ where: `${where}.callbacks.form`, rule: `must be generic: ${adapter.name} has no callbacks of its own` }];
  if (callbacks.form === 'carrier') return [];
  return (['secret', 'previousSecret'] as const)
    .filter((key) => callbacks[key] !== undefined && !STANDARD_SECRET.test(callbacks[key]))
    .map((key) => ({ where: `${where}.callbacks.${key}`, rule: 'must be whsec_ and at least 24 bytes in base64' }));
}

export function callbackSecrets(callbacks: CallbacksConfig | null): readonly string[] {
  if (callbacks === null) return [];
  return [callbacks.secret, ...(callbacks.previousSecret === undefined ? [] : [callbacks.previousSecret])];
}

/** The part of an account that concerns callbacks of its carrier. */
export interface CallableAccount {
  readonly name: string;
  readonly adapter: CarrierAdapter;
  /** `null`: the carrier sends no callbacks. */
  readonly callbacks: CallbacksConfig | null;
}

/** Accounts whose carrier calls us, by name. */
export function callbackAccounts(accounts: readonly CallableAccount[]): ReadonlyMap<string, CallbackAccount> {
  return new Map(accounts.flatMap((account) => entry(account)));
}

function entry({ name, adapter, callbacks }: CallableAccount): readonly (readonly [string, CallbackAccount])[] {
  if (callbacks === null) return [];
  const { secret: current, previousSecret } = callbacks;
  const secrets = { current, ...(previousSecret === undefined ? {} : { previous: previousSecret }) };
  const parse = callbacks.form === 'generic' ? plainTracking : adapter.parseCallback?.bind(adapter);
  return parse ? [[name, { secrets, parse }]] : [];
}
