import { mayCarryCredentials, processEnvironment, publicUrl, readSettings } from '../../config/environment.js';

const TOKEN_MISSING =
  "OPERATOR_TOKEN is missing: put the service's own into the environment, e.g. by node --env-file=.env";

/** What is sent to the running service. */
export interface Question {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  /** JSON, or a table as text. */
  readonly body?: object | string;
  readonly withinMs: number;
}

/** Asks the running service. @throws Error in words: it does not answer, or what it says */
export type AskService = (question: Question) => Promise<unknown>;

/**
 * The service at `--url`, WAYBRIDGE_URL or PUBLIC_URL, with the token of OPERATOR_TOKEN.
 * @throws Error when the token would leave this machine unprotected
 */
export function serviceAt(url: string | undefined, environment = processEnvironment()): AskService {
  const { settings } = readSettings(environment);
  const base = (url ?? environment['WAYBRIDGE_URL'] ?? publicUrl(settings)).replace(/\/+$/, '');
  const token = settings.OPERATOR_TOKEN;
  if (!token) throw new Error(TOKEN_MISSING);
  if (!mayCarryCredentials(base, settings.ALLOW_PRIVATE_ADDRESSES))
    throw new Error('--url must be an https address (plain http only to this machine), e.g. https://waybridge.example');
  return async ({ method, path, body, withinMs }) => {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    }).catch((cause: unknown) => {
      throw new Error(`the service at ${new URL(base).origin} does not answer: is it running?`, { cause });
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && answer !== null && typeof answer === 'object') return answer;
    if (response.status === 401)
      throw new Error(`OPERATOR_TOKEN is not a token of the service at ${new URL(base).origin}`);
    throw refusedBy(response.status, answer);
  };
}

function refusedBy(status: number, answer: unknown): Error {
  const { title = 'no reason', detail } = (answer ?? {}) as { readonly title?: string; readonly detail?: string };
  return new Error(`the service says ${status}: ${title}${detail === undefined ? '' : `: ${detail}`}`);
}
