import {
  type Settings,
  mayCarryCredentials,
  processEnvironment,
  publicUrl,
  readSettings,
} from '../../config/environment.js';

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
  const { where, address } = addressOf(url, environment, settings);
  const base = address.replace(/\/+$/, '');
  const token = settings.OPERATOR_TOKEN;
  if (!token) throw new Error(TOKEN_MISSING);
  if (!mayCarryCredentials(base, settings.ALLOW_PRIVATE_ADDRESSES))
    throw new Error(
      `${where} must be an https address (plain http only to this machine), e.g. https://waybridge.example`,
    );
  const { origin } = new URL(base);
  return async ({ method, path, body, withinMs }) => {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    })
      .then(async (answered) => ({ ok: answered.ok, status: answered.status, text: await answered.text() }))
      .catch((cause: unknown) => {
        throw new Error(`the service at ${origin} does not answer: is it running?`, { cause });
      });
    return answerIn(response, origin);
  };
}

interface Answered {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

/** @throws Error in words */
function answerIn({ ok, status, text }: Answered, origin: string): object {
  const answer = jsonIn(text);
  if (status === 401) throw new Error(`OPERATOR_TOKEN is not a token of the service at ${origin}`);
  if (!ok) throw refusedBy(status, answer);
  if (answer !== null) return answer;
  throw new Error(
    `what answers at ${origin} is not Waybridge: name the address of the service, with --url or WAYBRIDGE_URL`,
  );
}

function jsonIn(text: string): object | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' ? answer : null;
  } catch {
    return null;
  }
}

/** The address, and where it stands. */
function addressOf(url: string | undefined, { WAYBRIDGE_URL }: Readonly<Record<string, string>>, settings: Settings) {
  if (url !== undefined) return { where: '--url', address: url };
  if (WAYBRIDGE_URL) return { where: 'WAYBRIDGE_URL', address: WAYBRIDGE_URL };
  return { where: 'PUBLIC_URL', address: publicUrl(settings) };
}

function refusedBy(status: number, answer: unknown): Error {
  const { title = 'no reason', detail } = (answer ?? {}) as { readonly title?: string; readonly detail?: string };
  return new Error(`the service says ${status}: ${title}${detail === undefined ? '' : `: ${detail}`}`);
}
