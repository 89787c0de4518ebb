import type { Configuration } from 'openid-client';
import { type Role, hashOf } from './operators.js';

/** The longest time for one answer of the provider, in seconds. */
const ANSWERS_WITHIN_SECONDS = 10;
const MAX_NAME = 60;
const SCOPE = 'openid profile email';

/** An OpenID provider, and what its claims mean here. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the provider sends browsers back to. */
  readonly callback: string;
  /** The claim that the audit log calls a person by. */
  readonly nameClaim: string;
  /** The claim with the roles of a person: a text, or a list of texts. */
  readonly roleClaim: string;
  /** The values of that claim that give each role. */
  readonly values: Readonly<Record<Role, readonly string[]>>;
}

/** A person whom the provider knows. */
export interface ProvidedOperator {
  readonly name: string;
  readonly role: Role;
}

/** What a browser keeps between leaving for the provider and coming back. */
export interface Departure {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Why a person is not signed in.
 * - `no-role`: the provider knows the person, and gives no role here.
 * - `refused`: the provider, or the person, said no; `message` quotes it.
 * - `unreachable`: the provider did not answer, or not as it should.
 * - `other-departure`: the answer belongs to no departure of this browser.
 */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
  constructor(
    readonly because: 'no-role' | 'refused' | 'unreachable' | 'other-departure',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface OpenId {
  /** As people know the provider. */
  readonly host: string;
  /** Changes with the settings: sessions of other settings end. */
  readonly print: string;
  /** @throws NotSignedIn `unreachable` */
  depart(): Promise<{ readonly url: string; readonly departure: Departure }>;
  /**
   * @param query of the address that the provider sent the browser to, with its `?`
   * @throws NotSignedIn
   */
  arrive(query: string, departure: Departure): Promise<ProvidedOperator>;
}

/** Authorization code with PKCE, state and nonce. The package is loaded when the first person signs in. */
export function createOpenId(settings: OpenIdSettings): OpenId {
  const { issuer, clientId, callback, roleClaim, values } = settings;
  let found: Promise<Configuration> | null = null;
  const configuration = () => {
    found ??= discover(settings).catch((error: unknown) => {
      found = null;
      throw new NotSignedIn('unreachable', 'the provider does not answer', { cause: error });
    });
    return found;
  };
  return {
    host: new URL(issuer).host,
    print: hashOf(JSON.stringify([issuer, clientId, roleClaim, values])).slice(0, 16),
    depart: async () => {
      const client = await import('openid-client');
      const departure = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const { href } = client.buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: callback, scope: SCOPE, state: departure.state, nonce: departure.nonce },
        code_challenge: await client.calculatePKCECodeChallenge(departure.verifier),
        code_challenge_method: 'S256',
      });
      return { url: href, departure };
    },
    arrive: async (query, { state, nonce, verifier }) => {
      const client = await import('openid-client');
      if (new URLSearchParams(query).get('state') !== state)
        throw new NotSignedIn('other-departure', 'the state is another one');
      const config = await configuration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await client
        .authorizationCodeGrant(config, new URL(`${callback}${query}`), checks)
        .catch((error: unknown) => {
          throw failureOf(error);
        });
      return operatorOf(tokens.claims() ?? {}, settings);
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const client = await import('openid-client');
  // Settings allow plain http to this machine only.
  const execute = [
    client.enableNonRepudiationChecks,
    ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
  ];
  return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: ANSWERS_WITHIN_SECONDS,
  });
}

/** The provider's own words are quoted where it sent some. */
function failureOf(error: unknown): NotSignedIn {
  const { error: code, error_description: words }: { error?: unknown; error_description?: unknown } = Object(error);
  if (typeof code !== 'string')
    return new NotSignedIn('unreachable', 'the provider answered something else', { cause: error });
  return new NotSignedIn('refused', typeof words === 'string' ? words : code, { cause: error });
}

/** The name ends with the provider's host, so that it never equals the name of an operator with a token. */
function operatorOf(claims: Readonly<Record<string, unknown>>, settings: OpenIdSettings): ProvidedOperator {
  const { nameClaim, roleClaim, values, issuer } = settings;
  const given = [claims[roleClaim]].flat().filter((value) => typeof value === 'string');
  const role = (['act', 'view'] as const).find((one) => given.some((value) => values[one].includes(value)));
  const named = [claims[nameClaim], claims['sub']].find((value) => typeof value === 'string' && value.trim() !== '');
  const name = `${String(named).replace(/\p{C}/gu, '').trim().slice(0, MAX_NAME)} (${new URL(issuer).host})`;
  if (role === undefined) throw new NotSignedIn('no-role', `${name} has none of the values in ${roleClaim}`);
  return { name, role };
}
