import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../store/json.js';
import { isJsonArray, readJson } from '../store/json.js';

/** The log keeps at least this many of the newest requests. It drops older ones in batches of `FORGOTTEN_AT_ONCE`. */
const KEPT_REQUESTS = 20_000;
const FORGOTTEN_AT_ONCE = 2_000;
const READ_BYTES = 15_000_000;
const KEPT_BODY_CHARACTERS = 20_000;
const KEPT_TEXT_CHARACTERS = 2_000;
/** Levels of nesting that the log keeps of a body; `<deep>` replaces deeper values. */
const KEPT_LEVELS = 50;
/** Names of body members and query parameters whose values the log masks, beside those that carriers declare. */
const SECRET = /pass(word)?|secret|token|api-?_?key|^pin$/i;
const HIDDEN = '***';

/** One received request, with secrets masked. */
export interface LoggedRequest {
  /** Sequence number, from 1. */
  readonly n: number;
  /** Time of arrival, in milliseconds since 1970. */
  readonly at: number;
  /** `token`, `ims`, or a carrier's id. */
  readonly target: string;
  readonly method: string;
  /** The path below the target's base URL: for the IMS without its version segment. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** `contextId` of the area whose key the request carried; `null` without a known key. */
  readonly area: number | null;
  /** `null`: the response has not ended yet, or the connection ended without one. */
  readonly status: number | null;
  /** `null`: the response has not ended yet. */
  readonly durationMs: number | null;
  /** The JSON body, shortened; `null` when the request had none. */
  readonly body: Json;
  /** The kind of fault that the sandbox applied, other than latency; `null` for none. */
  readonly fault: string | null;
  /** The latency added to the response, in milliseconds. */
  readonly latencyMs: number;
}

export interface RequestFilter {
  readonly target?: string;
  readonly area?: number;
}

type Open = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] };

export type ArrivedRequest = Pick<
  LoggedRequest,
  'target' | 'method' | 'path' | 'query' | 'area' | 'fault' | 'latencyMs'
>;

/** The newest requests, in the order of their arrival. */
export class RequestLog {
  private entries: Open[] = [];
  private count = 0;

  /** @param secret names, in small letters, whose values are masked: as carriers declare them */
  constructor(
    private readonly now: () => Date,
    private readonly secret: readonly string[],
  ) {}

  /** Logs the request at once, and its outcome when the response ends or its connection closes. */
  follow(arrival: ArrivedRequest, request: IncomingMessage, response: ServerResponse): void {
    this.count += 1;
    const at = this.now().getTime();
    const isSecret = (name: string) => SECRET.test(name) || this.secret.includes(name.toLowerCase());
    const query = Object.fromEntries(
      Object.entries(arrival.query).map(([name, value]) => [name, isSecret(name) ? HIDDEN : value]),
    );
    const entry: Open = { n: this.count, at, ...arrival, query, status: null, durationMs: null, body: null };
    this.entries.push(entry);
    if (this.entries.length >= KEPT_REQUESTS + FORGOTTEN_AT_ONCE) this.entries = this.entries.slice(-KEPT_REQUESTS);
    const body = tapBody(request, isSecret);
    const conclude = () => {
      if (entry.durationMs !== null) return;
      entry.durationMs = this.now().getTime() - at;
      entry.status = response.headersSent ? response.statusCode : null;
      entry.body = body();
    };
    response.once('finish', conclude);
    response.once('close', conclude);
  }

  all(filter: RequestFilter = {}): readonly LoggedRequest[] {
    const { target, area } = filter;
    return this.entries
      .slice(-KEPT_REQUESTS)
      .filter((entry) => target === undefined || entry.target === target)
      .filter((entry) => area === undefined || entry.area === area)
      .map((entry) => ({ ...entry }));
  }

  forget(): void {
    this.entries = [];
  }
}

type IsSecret = (name: string) => boolean;

/**
 * Copies the body while it arrives and leaves the stream to the handler.
 * @returns a function that gives the shortened body; `null` without a body, or when it is not JSON
 */
function tapBody(request: IncomingMessage, isSecret: IsSecret): () => Json {
  if (!hasBody(request)) return () => null;
  const chunks: Buffer[] = [];
  let size = 0;
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array && size < READ_BYTES) {
      size += chunk.length;
      chunks.push(Buffer.from(chunk));
    }
    return push(chunk, encoding);
  };
  return () => {
    if (size === 0) return null;
    // An event listener runs this, so a thrown error would end the process: a body that is not JSON is logged as
    // `null`.
    try {
      return shortened(readJson(Buffer.concat(chunks).toString('utf8')), isSecret);
    } catch {
      return null;
    } finally {
      chunks.length = 0;
    }
  };
}

/** Whether the headers announce a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

function shortened(body: Json, isSecret: IsSecret): Json {
  const short = shorten(body, KEPT_LEVELS, isSecret);
  const characters = JSON.stringify(short).length;
  return characters > KEPT_BODY_CHARACTERS ? `<${characters} characters of JSON>` : short;
}

function shorten(value: Json, levels: number, isSecret: IsSecret): Json {
  if (typeof value === 'string') return value.length > KEPT_TEXT_CHARACTERS ? `<${value.length} characters>` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '<deep>';
  if (isJsonArray(value)) return value.map((each) => shorten(each, levels - 1, isSecret));
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    if (name === 'base64EncodedContent' && typeof member === 'string') return [name, `<${member.length} characters>`];
    return [name, isSecret(name) ? HIDDEN : shorten(member ?? null, levels - 1, isSecret)];
  });
  return Object.fromEntries(members);
}
