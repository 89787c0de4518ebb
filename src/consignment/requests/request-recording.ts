import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../carriers/contract/adapter.js';
import type { HttpAnswer } from '../../../carriers/contract/http-port.js';
import type { Database } from '../../db/database.js';
import type { Log } from '../../log.js';
import { type RecordedExchange, whileRecorded } from '../../transport/recorded-http.js';
import { scoped } from '../../transport/scoped.js';
import { type PendingExchange, type Keeping, MAX_READ_BYTES, keepExchange } from './keep-exchange.js';
import type { KeptRequest, RequestStep } from './kept-request.js';
import { type Masking, maskPath, maskingAll, shortened } from './mask-secrets.js';
import { requestName } from './request-name.js';
import { type RequestRow, insertRequests } from './request-rows.js';

/** Requests of one run that are kept; when there are more, only failed ones follow, up to the second number. */
const MAX_REQUESTS = 100;
const MAX_WITH_FAILED = 150;
/** Runs that are stored together, and runs that wait for that; of more, none is kept. */
const MAX_TOGETHER = 25;
const MAX_WAITING = 500;
/** Bytes of answers that wait in memory, of all runs; the bodies of further answers are not kept. */
const MAX_WAITING_BYTES = 32_000_000;
/** The time between the end of a run and its storing, so that several share a statement. */
const GATHER_MS = 500;

/** One run of a consignment, with what it sent. */
interface Run {
  readonly consignment: string;
  readonly sent: Sent[];
  step: RequestStep | null;
  bytes: number;
  ended: boolean;
}

interface Sent {
  readonly exchange: PendingExchange;
  readonly step: RequestStep | null;
  refused: boolean;
}

/** Keeps both sides of the requests of consignments. */
export interface RequestRecording {
  /** Records the requests of `work`, and stores them some time after its end; never delays it. */
  during<Result>(consignment: string, work: () => Promise<Result>): Promise<Result>;
  /** Stores what waits; nothing is recorded afterwards. */
  stop(): Promise<void>;
}

export interface RecordingDeps extends Keeping {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const current = scoped<Run>('run');

/** @param requests missing: none are kept */
export function whileKept<Result>(
  requests: RequestRecording | undefined,
  consignment: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return requests ? requests.during(consignment, work) : work();
}

/** Requests from now on belong to this step. */
export function noteStep(step: RequestStep): void {
  const run = current.value();
  if (run) run.step = step;
}

/** The carrier has refused in an answer with a good status: that of the only request to it in this step. */
export function noteRefusal(): void {
  const run = current.value();
  const asked =
    run?.sent.filter(({ step, exchange }) => step === run.step && exchange.receiver.kind === 'carrier') ?? [];
  const [only] = asked;
  if (only && asked.length === 1 && (only.exchange.answer?.status ?? 500) < 400) only.refused = true;
}

/**
 * Requests are stored after the booking that sent them, in statements of their own for several bookings: no commit of a
 * booking waits for them. A process that dies loses those of the last half second, and no booking. Not a `createBatcher`,
 * which stores the first item at once, drops none, and keeps its callers waiting.
 */
export function createRequestRecording(deps: RecordingDeps): RequestRecording {
  const waiting: Run[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  function record(run: Run, exchange: RecordedExchange): void {
    if (run.ended || !hasPlace(run, exchange)) return;
    const size = exchange.answer?.body.byteLength ?? 0;
    const fits = size <= MAX_READ_BYTES && bytes + size <= MAX_WAITING_BYTES;
    if (fits) [bytes, run.bytes] = [bytes + size, run.bytes + size];
    run.sent.push({ exchange: lean(exchange, fits ? 'with-body' : 'without'), step: run.step, refused: false });
  }

  function end(run: Run): void {
    run.ended = true;
    if (run.sent.length === 0) return;
    if (stopped || waiting.length >= MAX_WAITING) {
      bytes -= run.bytes;
      return deps.log.warn('requests not recorded', { consignment: run.consignment, count: run.sent.length });
    }
    waiting.push(run);
    if (waiting.length >= MAX_TOGETHER) flush();
    else timer ??= setTimeout(flush, GATHER_MS).unref();
  }

  function flush(): void {
    clearTimeout(timer ?? undefined);
    timer = null;
    const runs = waiting.splice(0, MAX_TOGETHER);
    if (runs.length === 0) return;
    writing = writing
      .then(() => storeRuns(deps, runs))
      .finally(() => (bytes -= runs.reduce((sum, run) => sum + run.bytes, 0)));
  }

  return {
    during: async (consignment, work) => {
      const run: Run = { consignment, sent: [], step: null, bytes: 0, ended: false };
      try {
        return await current.during(run, () => whileRecorded((exchange) => record(run, exchange), work));
      } finally {
        end(run);
      }
    },
    stop: async () => {
      while (waiting.length > 0) flush();
      stopped = true;
      await writing;
    },
  };
}

function hasPlace({ sent }: Run, { answer }: RecordedExchange): boolean {
  return sent.length < MAX_REQUESTS || (sent.length < MAX_WITH_FAILED && (answer?.status ?? 500) >= 400);
}

/** Drops the label from the request, and an answer that is too large to be kept. */
function lean(exchange: RecordedExchange, how: 'with-body' | 'without'): PendingExchange {
  const { request, answer } = exchange;
  const pending = {
    ...exchange,
    request: request.json === undefined ? request : { ...request, json: shortened(request.json) },
  };
  if (how === 'with-body' || answer === null) return pending;
  return { ...pending, answer: { ...answer, body: new Uint8Array() }, unreadBytes: answer.body.byteLength };
}

/** Never throws: what cannot be stored is lost, and the log says so. */
async function storeRuns({ database, log, ...keeping }: RecordingDeps, runs: readonly Run[]): Promise<void> {
  try {
    const rows = new Map<string, RequestRow>();
    for (const run of runs) {
      // Between two runs, so that no booking waits for all of them.
      await nextTurn();
      const row = rowOf(run, keeping);
      const requests = [...(rows.get(run.consignment)?.requests ?? []), ...row.requests].slice(-MAX_WITH_FAILED);
      rows.set(run.consignment, { ...row, requests });
    }
    await insertRequests(database, [...rows.values()]);
  } catch (error) {
    log.warn('requests not recorded', { count: runs.length, error });
  }
}

function rowOf({ consignment, sent }: Run, keeping: Keeping): RequestRow {
  const requests = sent.map((each) => ({
    known: keptRequest(each, keeping),
    texts: keepExchange(each.exchange, keeping),
  }));
  return { consignment, at: sent[0]?.exchange.at ?? new Date(0), requests };
}

const REQUEST_ID = /^(x-)?(amzn-)?(request|correlation|trace)-?id$|^x-amzn-requestid$|^traceparent$/;
const MAX_ID = 100;

function keptRequest({ exchange, step, refused }: Sent, known: Masking): KeptRequest {
  const { receiver, request, at, tookMs, answer, because } = exchange;
  const by = maskingAll(known, []);
  const { mask } = by;
  const { origin, pathname } = addressOf(request.url);
  const path = maskPath(pathname, by);
  return {
    ...{ at: at.toISOString(), tookMs, step, account: receiver.kind === 'ims' ? null : receiver.account },
    ...{ name: mask(requestName(exchange, path, step)), method: request.method, origin, path },
    ...{ status: answer?.status ?? null, requestId: answer && requestIdOf(answer.headers, mask) },
    because: because === null ? null : mask(path === pathname ? because : because.replaceAll(pathname, path)),
    ...(refused && { refused: true as const }),
  };
}

function addressOf(url: string): Pick<URL, 'origin' | 'pathname'> {
  return URL.canParse(url) ? new URL(url) : { origin: '', pathname: '' };
}

function requestIdOf(headers: HttpAnswer['headers'], mask: Masking['mask']): string | null {
  const id = Object.entries(headers).find(([name]) => REQUEST_ID.test(name))?.[1];
  return id === undefined ? null : mask(id).slice(0, MAX_ID);
}
