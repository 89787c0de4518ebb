import type { Clock } from '../../../carriers/contract/adapter.js';
import { retryAfterMs } from '../../../carriers/contract/classify.js';
import type { HttpAnswer, HttpPort } from '../../../carriers/contract/http-port.js';
import { NoAnswer } from '../../../carriers/contract/http-port.js';
import { tryParseJson, isJsonObject } from '../../../carriers/contract/json.js';
import { withoutSendGuard } from '../../transport/send-guard.js';
import { ImsCredentials, ImsUnavailable } from '../errors.js';
import { numberField, textField } from '../json-fields.js';
import { readScopes } from '../scopes.js';

/** An access token. */
export interface Token {
  /** Value of the `Authorization` header. */
  readonly authorization: string;
  /** `null`: unknown. */
  readonly scopes: readonly string[] | null;
  readonly fetchedAtMs: number;
}

export interface TokenSource {
  /**
   * The current token. Without a valid one, a token is fetched first; concurrent callers share one request. A token
   * that ends soon is returned and renewed in the background.
   * @throws ImsUnavailable | ImsCredentials
   */
  current(): Promise<Token>;
  /** A token other than `refused`; it is fetched unless another caller has fetched one since. Throws as `current`. */
  renew(refused: Token): Promise<Token>;
  /** The last token; `null` before the first. */
  last(): Token | null;
  /** Stops the renewal. */
  close(): void;
}

export interface TokenSettings {
  /** `/oauth2/token` is added. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sent only when set; as a rule the client's registration decides. */
  readonly scope?: string;
}

const TOKEN_DEADLINE_MS = 10_000;
/** The life of a token without `expires_in`, which the interface does not promise: the usual hour. */
const LIFETIME_WITHOUT_EXPIRY_MS = 3_600_000;
/** A token is renewed this long before its end, but never before half of its life. */
const RENEWAL_MARGIN_MS = 60_000;
/**
 * A token is not sent during this time before its end, or the last quarter of its life, because it must be valid when
 * the request arrives.
 */
const END_MARGIN_MS = 5_000;
/** The longest delay of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;
/** The pause between two attempts to renew a valid token. */
const RENEWAL_RETRY_MS = 10_000;

interface CachedToken {
  readonly token: Token;
  readonly renewAtMs: number;
  readonly endsAtMs: number;
}

/**
 * Access tokens by the client credentials grant (OAuth 2.0, RFC 6749 section 4.4). A token is renewed before it ends, also while
 * nothing is sent, so that no request waits for it.
 */
export function createTokenSource(
  settings: TokenSettings,
  tools: { readonly http: HttpPort; readonly clock: Clock },
): TokenSource {
  let cached: CachedToken | null = null;
  let fetching: Promise<Token> | null = null;
  let renewal: NodeJS.Timeout | null = null;
  let isClosed = false;

  async function fetchToken(): Promise<Token> {
    const askedAtMs = tools.clock.now().getTime();
    const answer = await askForToken(settings, tools.http);
    cached = cachedFrom(askedAtMs, readToken(answer, askedAtMs));
    renewIn(cached.renewAtMs - tools.clock.now().getTime());
    return cached.token;
  }

  function renewIn(ms: number): void {
    clearTimeout(renewal ?? undefined);
    renewal = isClosed ? null : setTimeout(() => void renewBeside(), Math.min(ms, MAX_TIMER_MS)).unref();
  }

  /** Ignores a failed renewal: a caller that needs a token after the end of this one gets the error. */
  async function renewBeside(): Promise<void> {
    if (!isDue()) return renewIn((cached?.renewAtMs ?? 0) - tools.clock.now().getTime());
    await fetchOnce().catch(() => {
      if (cached === null || !isValid()) return;
      cached = { ...cached, renewAtMs: tools.clock.now().getTime() + RENEWAL_RETRY_MS };
      renewIn(RENEWAL_RETRY_MS);
    });
  }

  const isDue = () => cached !== null && tools.clock.now().getTime() >= cached.renewAtMs;
  const isValid = () => cached !== null && tools.clock.now().getTime() < cached.endsAtMs;

  function fetchOnce(): Promise<Token> {
    fetching ??= withoutSendGuard(fetchToken).finally(() => (fetching = null));
    return fetching;
  }

  return {
    current: async () => {
      if (!cached || !isValid()) return fetchOnce();
      if (isDue()) void renewBeside();
      return cached.token;
    },
    renew: async (refused) => (cached && cached.token !== refused ? cached.token : fetchOnce()),
    last: () => cached?.token ?? null,
    close: () => {
      isClosed = true;
      clearTimeout(renewal ?? undefined);
    },
  };
}

function cachedFrom(askedAtMs: number, { token, lifetimeMs }: ReturnType<typeof readToken>): CachedToken {
  return {
    token,
    renewAtMs: askedAtMs + lifetimeMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2),
    endsAtMs: askedAtMs + lifetimeMs - Math.min(END_MARGIN_MS, lifetimeMs / 4),
  };
}

async function askForToken(settings: TokenSettings, http: HttpPort): Promise<HttpAnswer> {
  const credentials = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64');
  try {
    return await http.send({
      method: 'POST',
      url: `${settings.authUrl.replace(/\/+$/, '')}/oauth2/token`,
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
      form: { grant_type: 'client_credentials', ...(settings.scope === undefined ? {} : { scope: settings.scope }) },
      timeoutMs: TOKEN_DEADLINE_MS,
    });
  } catch (cause) {
    const because = cause instanceof NoAnswer ? cause.message : 'the request could not be sent';
    throw new ImsUnavailable(
      `Could not get a token for the IMS: ${because}. If this stays, check IMS_AUTH_URL.`,
      'none',
      { cause },
    );
  }
}

function readToken(answer: HttpAnswer, nowMs: number): { readonly token: Token; readonly lifetimeMs: number } {
  if (answer.status === 400 || answer.status === 401)
    throw new ImsCredentials(
      'client',
      `The IMS gives no token (status ${answer.status}). Check IMS_CLIENT_ID and IMS_CLIENT_SECRET.`,
    );
  const body = answer.status === 200 ? tryParseJson(answer.body) : undefined;
  const accessToken = isJsonObject(body) ? textField(body, 'access_token') : null;
  if (!isJsonObject(body) || accessToken === null)
    throw new ImsUnavailable(
      `Could not get a token for the IMS: status ${answer.status}, and no token in the answer. If this stays, check IMS_AUTH_URL.`,
      'none',
      { retryAfterMs: retryAfterMs(answer, nowMs) },
    );
  const expiresInSeconds = numberField(body, 'expires_in') ?? 0;
  return {
    token: {
      authorization: `${textField(body, 'token_type') ?? 'Bearer'} ${accessToken}`,
      scopes: readScopes(accessToken),
      fetchedAtMs: nowMs,
    },
    lifetimeMs: expiresInSeconds > 0 ? expiresInSeconds * 1000 : LIFETIME_WITHOUT_EXPIRY_MS,
  };
}
