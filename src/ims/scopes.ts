import { tryParseJson, isJsonObject } from '../../carriers/contract/json.js';
import { fieldValue } from './json-fields.js';

/** The prefix of every scope that the interface description of the IMS knows. */
const IMS_SCOPE = 'api/';

/**
 * The scopes inside an access token, read without verification: only to foresee and explain refusals, never to allow.
 * @returns `null` when it is no JWT, or says nothing about the IMS
 */
export function readScopes(accessToken: string): readonly string[] | null {
  const claims = accessToken.split('.')[1];
  if (claims === undefined) return null;
  const payload = tryParseJson(Buffer.from(claims, 'base64url'));
  if (!isJsonObject(payload)) return null;
  const scopes = scopesIn(fieldValue(payload, 'scope') ?? fieldValue(payload, 'scp'));
  return scopes.some((scope) => scope.startsWith(IMS_SCOPE)) ? scopes : null;
}

function scopesIn(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(/\s+/).filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
}
