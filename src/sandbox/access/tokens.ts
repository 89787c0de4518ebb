import { createHmac } from 'node:crypto';
import type { Caller } from './callers.js';
import { CONSIGNMENT } from '../api/endpoint.js';
import type { Switches } from '../control/switches.js';

/** Who may ask for tokens. */
export interface Client {
  readonly clientId: string;
  readonly secret: string;
  /** All of them, whatever the request for a token says; e.g. `api/sales`. */
  readonly scopes: readonly string[];
}

/** The clients there are from the start. */
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
  readonly holder: Caller;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** Who may ask for tokens, and the tokens that are out. */
export class Tokens {
  private readonly known = new Map(CLIENTS.map((client) => [client.clientId, client]));
  private readonly issued = new Map<string, Issued>();

  constructor(private readonly settings: TokensSettings) {}

  /** Takes the place of the client with that id, if there is one. */
  addClient(client: Client): void {
    this.known.set(client.clientId, client);
  }

  clients(): readonly Omit<Client, 'secret'>[] {
    return [...this.known.values()].map(({ clientId, scopes }) => ({ clientId, scopes }));
  }

  /** @returns the new token's text; `null` when there is no such client or the secret is another */
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

  /** Whom an `Authorization` header names; `null` when its token is missing, unknown, revoked or has expired. */
  holderOf(authorization: string | undefined): Caller | null {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    const issued = token === undefined ? undefined : this.issued.get(token);
    return issued === undefined || this.isOver(issued) ? null : issued.holder;
  }

  /** From now on none of the tokens that are out is accepted. */
  revokeAll(): void {
    this.issued.clear();
  }

  private isOver({ issuedAtMs, expiresAtMs }: Issued): boolean {
    const { tokensRevokedAfterSeconds: seconds } = this.settings.switches();
    const revokedAtMs = seconds === null ? Infinity : issuedAtMs + seconds * 1000;
    return Math.min(expiresAtMs, revokedAtMs) <= this.settings.now().getTime();
  }

  /** From the oldest on, as far as they have expired: some clients take a new token for every call. */
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
