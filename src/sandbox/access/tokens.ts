import { createHmac } from 'node:crypto';
import type { ApiClient } from './callers.js';
import { CONSIGNMENT } from '../api/endpoint.js';
import type { Switches } from '../control/switches.js';

/** A client that may request tokens. */
export interface Client {
  readonly clientId: string;
  readonly secret: string;
  /** Each token of the client gets all of these, whatever scope the request names; e.g. `api/sales`. */
  readonly scopes: readonly string[];
}

/** The clients that every sandbox starts with. */
const CLIENTS: readonly Client[] = [
  { clientId: 'full', secret: 'full-secret', scopes: ['api/full', CONSIGNMENT] },
  ...['sales', 'purchasing', 'forecasting', 'accounting', 'consignment'].map((clientId) => {
    return { clientId, secret: `${clientId}-secret`, scopes: [`api/${clientId}`] };
  }),
];

interface TokensSettings {
  readonly now: () => Date;
  readonly switches: () => Switches;
  readonly newId: () => string;
}

interface Issued {
  readonly holder: ApiClient;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** The registered clients and the tokens issued to them. */
export class Tokens {
  private readonly known = new Map(CLIENTS.map((client) => [client.clientId, client]));
  private readonly issued = new Map<string, Issued>();

  constructor(private readonly settings: TokensSettings) {}

  /** Adds the client, or replaces the one with the same id. */
  addClient(client: Client): void {
    this.known.set(client.clientId, client);
  }

  clients(): readonly Omit<Client, 'secret'>[] {
    return [...this.known.values()].map(({ clientId, scopes }) => ({ clientId, scopes }));
  }

  /** @returns the new token; `null` when the client is unknown or the secret is wrong */
  issue(clientId: string, secret: string): string | null {
    const client = this.known.get(clientId);
    if (client?.secret !== secret) return null;
    const issuedAtMs = this.settings.now().getTime();
    const expiresAtMs = issuedAtMs + this.settings.switches().tokenLifetimeSeconds * 1000;
    const issued = { holder: { clientId, scopes: client.scopes }, issuedAtMs, expiresAtMs };
    const token = this.write(issued);
    this.forgetExpired(issuedAtMs);
    this.issued.set(token, issued);
    return token;
  }

  /**
   * The client that the token in an `Authorization` header was issued to; `null` when the token is missing, unknown,
   * revoked or expired.
   */
  holderOf(authorization: string | undefined): ApiClient | null {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    const issued = token === undefined ? undefined : this.issued.get(token);
    return issued === undefined || this.isOver(issued) ? null : issued.holder;
  }

  /** Revokes every token issued so far. */
  revokeAll(): void {
    this.issued.clear();
  }

  private isOver({ issuedAtMs, expiresAtMs }: Issued): boolean {
    const { tokensRevokedAfterSeconds: seconds } = this.settings.switches();
    const revokedAtMs = seconds === null ? Infinity : issuedAtMs + seconds * 1000;
    return Math.min(expiresAtMs, revokedAtMs) <= this.settings.now().getTime();
  }

  /**
   * Deletes expired tokens, oldest first, up to the first that is still valid: some clients request a new token for
   * every call.
   */
  private forgetExpired(nowMs: number): void {
    for (const [token, { expiresAtMs }] of this.issued) {
      if (expiresAtMs > nowMs) return;
      this.issued.delete(token);
    }
  }

  private write({ holder: { clientId, scopes }, ...token }: Issued): string {
    const jti = this.settings.newId();
    if (this.settings.switches().tokenFormat === 'opaque') return jti.replaceAll('-', '');
    const seconds = (ms: number) => Math.floor(ms / 1000);
    const header = { alg: 'HS256', typ: 'JWT' };
    const claims = {
      sub: clientId,
      client_id: clientId,
      token_use: 'access',
      scope: scopes.join(' '),
      iat: seconds(token.issuedAtMs),
      exp: seconds(token.expiresAtMs),
      jti,
    };
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${signed}.${createHmac('sha256', 'sandbox').update(signed).digest('base64url')}`;
  }
}
