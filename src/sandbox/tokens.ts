import { createHmac } from 'node:crypto';
import { CONSIGNMENT } from './endpoint.js';
import type { Switches } from './switches.js';

const CLIENTS = ['full', 'sales', 'purchasing', 'forecasting', 'accounting', 'consignment'];

interface TokensSettings {
  readonly now: () => Date;
  readonly switches: () => Switches;
  readonly newId: () => string;
}

interface Issued {
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

/** Who may ask for tokens, and the tokens that are out. */
export class Tokens {
  private readonly issued = new Map<string, Issued>();

  constructor(private readonly settings: TokensSettings) {}

  /** @returns the new token's text; `null` when there is no such client or the secret is another */
  issue(clientId: string, secret: string): string | null {
    if (!CLIENTS.includes(clientId) || secret !== `${clientId}-secret`) return null;
    const scopes = clientId === 'full' ? ['api/full', CONSIGNMENT] : [`api/${clientId}`];
    const nowMs = this.settings.now().getTime();
    const expiresAtMs = nowMs + this.settings.switches().tokenLifetimeSeconds * 1000;
    const token = this.write(clientId, { scopes, nowMs, expiresAtMs });
    this.issued.set(token, { scopes, expiresAtMs });
    return token;
  }

  /** What an `Authorization` header admits to; `null` when its token is missing, unknown, revoked or has expired. */
  scopesOf(authorization: string | undefined): readonly string[] | null {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    const issued = token === undefined ? undefined : this.issued.get(token);
    if (issued === undefined || issued.expiresAtMs <= this.settings.now().getTime()) return null;
    return issued.scopes;
  }

  /** From now on none of the tokens that are out is accepted. */
  revokeAll(): void {
    this.issued.clear();
  }

  private write(clientId: string, token: Issued & { readonly nowMs: number }): string {
    const jti = this.settings.newId();
    if (this.settings.switches().tokenFormat === 'opaque') return jti.replaceAll('-', '');
    const seconds = (ms: number) => Math.floor(ms / 1000);
    const header = { alg: 'HS256', typ: 'JWT' };
    const claims = {
      sub: clientId,
      client_id: clientId,
      token_use: 'access',
      scope: token.scopes.join(' '),
      iat: seconds(token.nowMs),
      exp: seconds(token.expiresAtMs),
      jti,
    };
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${signed}.${createHmac('sha256', 'sandbox').update(signed).digest('base64url')}`;
  }
}
