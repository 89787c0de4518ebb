import type { OpenIdSettings } from '../access/openid.js';
import { type SettingProblem, type Settings, publicUrl } from './environment.js';

/** Where the provider sends browsers back to. */
const CALLBACK_PATH = '/sign-in/openid/callback';

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** Sign-in by OpenID Connect takes three settings together. */
export function openIdProblems(settings: Settings): readonly SettingProblem[] {
  const missing = REQUIRED.filter((name) => settings[name] === undefined);
  if (missing.length === REQUIRED.length) return [];
  return missing.map((where) => ({ where, rule: `missing; sign-in by OpenID Connect takes ${REQUIRED.join(', ')}` }));
}

/** @returns `null`: operators sign in with their tokens only */
export function openIdSettings(settings: Settings): OpenIdSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    ...{ issuer, clientId, clientSecret },
    callback: `${publicUrl(settings)}${CALLBACK_PATH}`,
    nameClaim: settings.OIDC_NAME_CLAIM,
    roleClaim: settings.OIDC_ROLE_CLAIM,
    values: { act: listOf(settings.OIDC_ACT_VALUES), view: listOf(settings.OIDC_VIEW_VALUES) },
  };
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
