import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../store/json.js';
import { isJsonArray, readJson } from '../store/json.js';

/** The newest so many; the others go when there are enough of them. */
const KEPT_REQUESTS = 20_000;
const FORGOTTEN_AT_ONCE = 2_000;
const READ_BYTES = 15_000_000;
const KEPT_BODY_CHARACTERS = 20_000;
const KEPT_TEXT_CHARACTERS = 2_000;
/** What is nested deeper is left out. */
const KEPT_LEVELS = 50;
/** Members and query parameters whose values are never kept. */
const SECRET = /pass(word)?|secret|token|api-?_?key|^[ck]ode$|^pin$/i;
const HIDDEN = '***';

/** One request that came in; what a secret was in it is hidden. */
export interface LoggedRequest {
  /** Counts from 1. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `token`, `ims`, or a carrier's id. */
  readonly target: string;
  readonly method: string;
  /** Below the target's address: for the IMS without its version segment. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** `contextId` of the key it carried; `null` without a key that is known. */
  readonly area: number | null;
  /** `null`: not answered yet, or never. */
  readonly status: number | null;
  /** `null`: not ended yet. */
  readonly durationMs: number | null;
  /** Its JSON, shortened; `null` when it had none. */
  readonly body: Json;
  /** The kind of fault that befell it, other than latency. */
  readonly fault: string | null;
  /** For how long latencies held its answer back. */
  readonly latencyMs: number;
}

export interface RequestFilter {
  readonly target?: string;
  readonly area?: number;
}

type Open = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] };

export type Arrival = Pick<LoggedRequest, 'target' | 'method' | 'path' | 'query' | 'area' | 'fault' | 'latencyMs'>;

/** What came in, in order; the newest so many. */
export class RequestLog {
  private entries: Open[] = [];
  private count = 0;

  constructor(private readonly now: () => Date) {}

  /** Writes the request down now, and its outcome when it has one. */
  follow(arrival: Arrival, request: IncomingMessage, response: ServerResponse): void {
    this.count += 1;
    const at = this.now().getTime();
    const query = Object.fromEntries(
      Object.entries(arrival.query).map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : value]),
    );
    const entry: Open = { n: this.count, at, ...arrival, query, status: null, durationMs: null, body: null };
    this.entries.push(entry);
    if (this.entries.length >= KEPT_REQUESTS + FORGOTTEN_AT_ONCE) this.entries = this.entries.slice(-KEPT_REQUESTS);
    const body = tapBody(request);
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

/**
 * Looks on while the body arrives, without reading it in the handler's place.
 * @returns gives what is kept of it; `null` without a body, or when it is no JSON
 */
function tapBody(request: IncomingMessage): () => Json {
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
    // Whatever is wrong with a body, nothing may be thrown here: nobody would catch it.
    try {
      return shortened(readJson(Buffer.concat(chunks).toString('utf8')));
    } catch {
      return null;
    } finally {
      chunks.length = 0;
    }
  };
}

/** Whether a body comes with the request. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

function shortened(body: Json): Json {
  const short = shorten(body, KEPT_LEVELS);
  const characters = JSON.stringify(short).length;
  return characters > KEPT_BODY_CHARACTERS ? `<${characters} characters of JSON>` : short;
}

function shorten(value: Json, levels: number): Json {
  if (typeof value === 'string') return value.length > KEPT_TEXT_CHARACTERS ? `<${value.length} characters>` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '<deep>';
  if (isJsonArray(value)) return value.map((each) => shorten(each, levels - 1));
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [name, shortenMember(name, member ?? null, levels - 1)]));
}

function shortenMember(name: string, value: Json, levels: number): Json {
  if (name === 'base64EncodedContent' && typeof value === 'string') return `<${value.length} characters>`;
  return SECRET.test(name) ? HIDDEN : shorten(value, levels);
}
