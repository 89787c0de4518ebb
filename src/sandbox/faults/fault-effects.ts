import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NonLatencyFault, AppliedFaults } from './faults.js';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Handles a request, and applies its latency and fault; it works with any handler. */
export function handleInTrouble(trouble: AppliedFaults, exchange: Exchange, handle: () => void): void {
  const { latencyMs, fault } = trouble;
  // The latency counts from the arrival, so it includes the time that the handler takes.
  const arrivedAt = performance.now();
  const left = () => Math.ceil(arrivedAt + latencyMs - performance.now());
  if (fault === null && latencyMs === 0) return handle();
  // Sending an invalid fault may fail; without a listener the error would end the sandbox.
  exchange.response.on('error', () => undefined);
  switch (fault?.kind) {
    case 'status':
    case 'redirect':
      exchange.request.resume();
      return later(latencyMs, () => orCut(exchange, () => answerInstead(fault, exchange.response)));
    case 'drop-before':
      return later(latencyMs, () => void exchange.request.socket.destroy());
    case 'reset':
      return later(latencyMs, () => void exchange.request.socket.resetAndDestroy());
    default:
      holdAnswer(exchange.response, (whole) =>
        later(left(), () => orCut(exchange, () => spoilAnswer(fault, exchange, whole))),
      );
      return handle();
  }
}

function orCut({ request }: Exchange, answer: () => void): void {
  try {
    answer();
  } catch {
    request.socket.destroy();
  }
}

function later(ms: number, act: () => void): void {
  if (ms <= 0) return act();
  setTimeout(act, ms).unref();
}

type Replacing = Extract<NonLatencyFault, { kind: 'status' | 'redirect' }>;
type Spoiling = Exclude<NonLatencyFault, Replacing | { kind: 'drop-before' | 'reset' }>;

function answerInstead(fault: Replacing, response: ServerResponse): void {
  if (fault.kind === 'redirect') {
    response.writeHead(302, { location: fault.location }).end();
    return;
  }
  const { status, headers, body = '', contentType = 'application/json' } = fault;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': contentType, ...headers }).end(text);
}

/** @param fault `null`: only the latency applied, and it has passed */
function spoilAnswer(fault: Spoiling | null, exchange: Exchange, whole: Buffer): void {
  const { response, request } = exchange;
  if (fault === null) return void response.end(whole);
  response.removeHeader('transfer-encoding');
  response.setHeader('content-length', whole.length);
  switch (fault.kind) {
    case 'drop-after':
      request.socket.destroy();
      return;
    case 'reset-after':
      request.socket.resetAndDestroy();
      return;
    case 'padding':
      return void response.end(padded(response, whole, fault.bytes));
    case 'content-type':
      response.setHeader('content-type', fault.contentType);
      return void response.end(whole);
    case 'delay':
      return later(fault.ms, () => void response.end(whole));
    case 'cut-body':
      response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => request.socket.destroy());
      return;
    case 'trickle':
      return trickle(response, whole, fault.msPerByte);
  }
}

/** Pads with spaces, which JSON and most other formats ignore at the end. */
function padded(response: ServerResponse, whole: Buffer, bytes: number): Buffer {
  const answer = Buffer.concat([whole, Buffer.alloc(Math.max(0, bytes - whole.length), ' ')]);
  response.setHeader('content-length', answer.length);
  return answer;
}

function trickle(response: ServerResponse, rest: Buffer, msPerByte: number): void {
  if (response.destroyed) return;
  if (rest.length === 0) return void response.end();
  response.write(rest.subarray(0, 1));
  setTimeout(() => trickle(response, rest.subarray(1), msPerByte), msPerByte).unref();
}

/**
 * Buffers the body that a handler writes instead of sending it. The response keeps the handler's status and headers.
 * @param done called with the whole body when the handler ends the response
 */
function holdAnswer(response: ServerResponse, done: (whole: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, isEncoding(encoding) ? encoding : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  response.writeHead = (status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    for (const headers of rest) keepHeaders(response, headers);
    return response;
  };
  response.write = (chunk: unknown, ...rest: unknown[]) => {
    keep(chunk, rest[0]);
    callBack(rest);
    return true;
  };
  response.end = (...args: unknown[]) => {
    keep(args[0], args[1]);
    for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
    done(Buffer.concat(chunks));
    callBack(args);
    return response;
  };
}

function keepHeaders(response: ServerResponse, headers: unknown): void {
  if (typeof headers !== 'object' || headers === null) return;
  const pairs = Array.isArray(headers) ? pairsOf(headers) : Object.entries(headers);
  for (const [name, value] of pairs)
    response.setHeader(String(name), Array.isArray(value) ? value.map(String) : String(value));
}

/** `writeHead` also accepts headers as one flat list of alternating names and values. */
function pairsOf(flat: readonly unknown[]): (readonly [unknown, unknown])[] {
  return flat.flatMap((name, place) => (place % 2 === 0 ? [[name, flat[place + 1]] as const] : []));
}

function isEncoding(value: unknown): value is BufferEncoding {
  return typeof value === 'string' && Buffer.isEncoding(value);
}

function callBack(args: readonly unknown[]): void {
  const callback = args.at(-1);
  if (typeof callback === 'function') process.nextTick(() => callback());
}
