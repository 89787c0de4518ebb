import type { HttpAnswer, HttpRequest, Label, Operation, Reading, Tools } from '../contract/index.js';
import { CarrierUnavailable, accepted, carrierError, parseJson, quoted } from '../contract/index.js';
import { pdfLabel, zplLabel } from './answers/pdf-answer.js';
import { neededAt, neededList } from './json.js';

/** The deadline of a probe; bookings wait meanwhile. */
export const PROBE_TIMEOUT_MS = 5_000;
const NO_CONTENT = 204;
const DEFAULT_TIMEOUT_MS = 15_000;

/** How all calls of a carrier's API read its answers. */
type Readings = Omit<Reading, 'operation'>;

/** One call of a carrier's API. Its own settings for reading answers override the client's. */
export interface Endpoint extends Partial<Readings> {
  readonly method: HttpRequest['method'];
  /** Below the base URL; `{name}` stands for one of the call's `params`. */
  readonly path: string;
  /**
   * `change`: after a lost answer the carrier may have booked. The method does not decide it, because some carriers
   * change things by GET.
   */
  readonly effect: Operation;
  /** 15 s when not given. */
  readonly timeoutMs?: number;
  /**
   * The expected answer; missing: JSON; `list`: a JSON list; `page`: one page of a list, whose headers say how many there
   * are; `label`: a PDF or ZPL; `none`: status 204 only; `confirmed`: a success with JSON or with an empty body; `any`:
   * the answer itself.
   */
  readonly answer?: 'json' | 'list' | 'page' | 'pdf' | 'label' | 'none' | 'confirmed' | 'any';
  /** The query of every call; a call's own `query` is added to it. */
  readonly query?: Readonly<Record<string, string>>;
  /** What every call sends, e.g. a media type of its own in `content-type`; a call's own `headers` are added to it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that say "there is none": the call returns `null`, which no body does. */
  readonly noneOn?: readonly number[];
}

/** The values of one call. */
export type Call = Pick<HttpRequest, 'query' | 'json' | 'form' | 'headers'> & {
  /** A list is joined with commas. */
  readonly params?: Params;
};

type Params = Readonly<Record<string, string | readonly string[]>>;

type AnswerOf<Asked extends Endpoint> =
  | (Asked['noneOn'] extends readonly number[] ? null : never)
  | (Asked['answer'] extends keyof Answers ? Answers[Asked['answer']] : unknown);

interface Answers {
  readonly list: readonly unknown[];
  readonly page: { readonly rows: readonly unknown[]; readonly headers: HttpAnswer['headers'] };
  readonly pdf: Label;
  readonly label: Label;
  readonly any: HttpAnswer;
}

/** A function for each endpoint. */
export type JsonClient<Endpoints extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Endpoints]: (call?: Call) => Promise<AnswerOf<Endpoints[Name]>>;
};

export interface Everywhere extends Readings {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Makes a client of a carrier's API from a table of its endpoints and their common settings. */
export function jsonClient<const Endpoints extends Readonly<Record<string, Endpoint>>>(
  { http, baseUrl }: Pick<Tools, 'http' | 'baseUrl'>,
  everywhere: Everywhere,
  endpoints: Endpoints,
): JsonClient<Endpoints> {
  const { headers, query, ...readings } = everywhere;
  const functions = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => {
    const ask = async ({ params = {}, ...call }: Call = {}) => {
      const answer = await http.send({
        ...call,
        method: endpoint.method,
        url: baseUrl.replace(/\/+$/, '') + pathOf(endpoint, params),
        timeoutMs: endpoint.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        ...effectOf(endpoint),
        ...merged('headers', [headers, endpoint.headers, call.headers]),
        ...merged('query', [query, endpoint.query, call.query]),
      });
      if (endpoint.noneOn?.includes(answer.status)) return null;
      return readAnswer(accepted(answer, { ...readings, ...endpoint, operation: endpoint.effect }), endpoint);
    };
    return [name, ask];
  });
  return Object.fromEntries(functions) as JsonClient<Endpoints>;
}

type Texts = Readonly<Record<string, string>>;

/** The later ones go before the earlier ones; nothing where none is given. */
function merged<Name extends 'headers' | 'query'>(
  name: Name,
  given: readonly (Texts | undefined)[],
): { readonly [Each in Name]?: Texts } {
  const texts = given.filter((each) => each !== undefined);
  return texts.length === 0 ? {} : ({ [name]: Object.assign({}, ...texts) } as { [Each in Name]: Texts });
}

function pathOf({ path }: Endpoint, params: Params): string {
  return path.replace(/\{(\w+)\}/g, (_placeholder, name: string) =>
    [params[name] ?? ''].flat().map(encodeURIComponent).join(','),
  );
}

/**
 * Names the effect where the method does not imply it: a carrier may change things by GET, or answer questions by POST.
 */
function effectOf({ method, effect }: Endpoint): Pick<HttpRequest, 'effect'> {
  if (effect === 'change' && method === 'GET') return { effect: 'change' };
  return effect === 'read' && method === 'POST' ? { effect: 'repeatable' } : {};
}

function readAnswer(answer: HttpAnswer, { answer: expected = 'json', noneOn }: Endpoint): unknown {
  switch (expected) {
    case 'any':
      return answer;
    case 'none':
      if (answer.status === NO_CONTENT) return undefined;
      throw new Error(`an answer that confirms nothing, status ${answer.status}: ${quoted(answer)}`);
    case 'confirmed':
      return answer.body.length === 0 ? undefined : jsonIn(answer, noneOn);
    case 'pdf':
      return pdfLabel(answer);
    case 'label':
      return zplLabel(answer) ?? pdfLabel(answer);
    case 'list':
      return neededList(jsonIn(answer, noneOn));
    case 'page':
      return { rows: neededList(jsonIn(answer, noneOn)), headers: answer.headers };
    case 'json':
      return jsonIn(answer, noneOn);
  }
}

function jsonIn(answer: HttpAnswer, noneOn: Endpoint['noneOn']): unknown {
  const json = parsed(answer);
  if (json === null && noneOn !== undefined)
    throw new Error(`status ${answer.status} with null; "none" is status ${noneOn.join(' or ')}`);
  return json;
}

function parsed(answer: HttpAnswer): unknown {
  try {
    return parseJson(answer.body);
  } catch (cause) {
    throw new Error(`status ${answer.status} without JSON: ${quoted(answer)}`, { cause });
  }
}

/**
 * What `book` reads before it books: when that fails, certainly nothing was booked. Never for what it reads afterwards.
 * @throws CarrierRejected | CarrierUnavailable
 */
export async function readBefore<Result>(read: Promise<Result>): Promise<Result> {
  try {
    return await read;
  } catch (error) {
    throw carrierError(error, 'read');
  }
}

/** What stands behind `Basic` in a header. */
export function basicCredentials(user: string, password: string): string {
  return Buffer.from(`${user}:${password}`).toString('base64');
}

/** The call that asks for a token, but for its path: 400 says that the login is not known (RFC 6749, section 5.2). */
export const TOKEN_CALL = {
  method: 'POST',
  effect: 'read',
  meansOtherwise: ({ status }: HttpAnswer) => (status === 400 ? 'credentials' : null),
} as const;

/**
 * Logs in as a client (RFC 6749, section 4.4). @param token asks for the token @returns the header of the calls with it
 */
export async function clientLogin(
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
  token: (call: Call) => Promise<unknown>,
): Promise<{ readonly authorization: string }> {
  const answer = await token({
    headers: { authorization: `Basic ${basicCredentials(clientId, clientSecret)}` },
    form: { grant_type: 'client_credentials' },
  });
  return { authorization: `Bearer ${neededAt(answer, 'access_token')}` };
}

/** An answer that does not come from the carrier's API, such as a maintenance page. */
export function notTheCarrier(answer: HttpAnswer): CarrierUnavailable {
  return new CarrierUnavailable(`status ${answer.status}, not from the carrier: ${quoted(answer)}`);
}
