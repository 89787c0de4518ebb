import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HttpRequest } from '../../carriers/contract/index.js';
import { NoAnswer } from '../../carriers/contract/index.js';
import { KeptConnectionClosed } from '../../src/transport/exchange.js';
import { type OwnHttpPort, createHttpPort } from '../../src/transport/http-port.js';
import { until } from '../support/until.js';
import { type Started, listen } from './servers.js';

const TIMES = 5;
/** One that reads none of it cannot have the whole request, as far as the sender knows. */
const LARGE = 'x'.repeat(300_000);
/** Of a request that gets no answer. */
const DEADLINE_MS = 400;
/** Of every other one: longer than it takes on a machine that is busy. */
const PATIENT_MS = 5_000;
/** Longer than a byte takes on this machine. */
const ARRIVED_MS = 30;

/** What goes wrong once with a connection or its first request. */
interface Fault {
  /** When no request is on it yet. */
  readonly before?: (socket: Socket) => void;
  /** When the first bytes have come. */
  readonly during?: (socket: Socket) => void;
  /** When the whole request has come. */
  readonly after?: (socket: Socket) => void;
  /** Whether the whole request is handled all the same. */
  readonly isBooked?: true;
}

const end = (socket: Socket) => void socket.end();
const reset = (socket: Socket) => void socket.resetAndDestroy();
const endAndLeave = (socket: Socket) => void socket.end(() => socket.destroy());
const silence = () => undefined;

/** A carrier that counts what it has booked by reference, over bare connections. */
class Carrier {
  fault: Fault | null = null;
  readonly sockets: Socket[] = [];
  readonly booked = new Map<string, number>();
  url = '';

  async start(): Promise<Started> {
    // It may end its half of a connection and read on.
    const server = createServer({ allowHalfOpen: true }, (socket) => this.serve(socket));
    const started = await listen(server);
    this.url = started.url;
    return started;
  }

  /** The fault happens to what stands open. */
  happen(fault: Fault): void {
    if (fault.before === undefined) this.fault = fault;
    else for (const socket of this.sockets) if (!socket.destroyed) fault.before(socket);
  }

  private serve(socket: Socket): void {
    this.sockets.push(socket);
    let text = '';
    socket.on('error', () => undefined).on('end', () => socket.end());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (this.fault?.during) return this.fault.during(socket);
      if (!isWhole(text)) return;
      this.handle(socket, text);
      text = '';
    });
  }

  private handle(socket: Socket, request: string): void {
    const { fault } = this;
    const reference = /"reference":"(\w+)"/.exec(request)?.[1] ?? '';
    const isHandled = fault === null || fault.isBooked === true;
    if (isHandled) this.booked.set(reference, (this.booked.get(reference) ?? 0) + 1);
    if (fault?.after) fault.after(socket);
    else if (socket.writable) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  }
}

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  return head >= 0 && text.length >= head + 4 + length;
}

type Way = 'new' | 'ahead' | 'kept';
interface Counts {
  readonly answered: number;
  readonly never: number;
  readonly unknown: number;
  /** A kept connection was closed: sent again at once. */
  readonly again: number;
}

const none = { answered: 0, never: 0, unknown: 0, again: 0 };
const answered = { ...none, answered: TIMES };
const unknown = { ...none, unknown: TIMES };
const again = { ...none, again: TIMES };

/** What is known after each fault on a new connection, one that was opened ahead, and one that was used before. */
const MATRIX: readonly (readonly [string, Fault, Readonly<Record<Way, Counts>>])[] = [
  ['ends it before', { before: end }, { new: none, ahead: answered, kept: answered }],
  ['resets it before', { before: reset }, { new: none, ahead: answered, kept: answered }],
  [
    'ends it before, reads on and books',
    { before: end, isBooked: true },
    { new: none, ahead: answered, kept: answered },
  ],
  ['ends it while the request comes', { during: endAndLeave }, { new: unknown, ahead: unknown, kept: again }],
  ['resets it while the request comes', { during: reset }, { new: unknown, ahead: unknown, kept: again }],
  ['ends it after the request', { after: end }, { new: unknown, ahead: unknown, kept: again }],
  ['resets it after the request', { after: reset }, { new: unknown, ahead: unknown, kept: again }],
  ['books and ends it', { after: end, isBooked: true }, { new: unknown, ahead: unknown, kept: again }],
  ['books and resets it', { after: reset, isBooked: true }, { new: unknown, ahead: unknown, kept: again }],
  ['says nothing any more', { after: silence }, { new: unknown, ahead: unknown, kept: unknown }],
  [
    'books and says nothing any more',
    { after: silence, isBooked: true },
    { new: unknown, ahead: unknown, kept: unknown },
  ],
];

let port: OwnHttpPort;
let carrier: Carrier;
let started: Started;

beforeEach(async () => {
  carrier = new Carrier();
  started = await carrier.start();
});
afterEach(() => started.close());

function request(reference: string, way: Way): HttpRequest {
  const json = { reference, text: LARGE };
  const effect = way === 'kept' ? 'repeatable' : 'change';
  const timeoutMs = carrier.fault?.after === silence ? DEADLINE_MS : PATIENT_MS;
  return { method: 'POST', url: carrier.url, json, effect, timeoutMs };
}

/** Makes the connection on which the request will go. */
async function connection(way: Way): Promise<void> {
  if (way === 'new') return;
  const before = carrier.sockets.length;
  if (way === 'kept') await port.send(request('warm', 'kept'));
  else port.ahead.expect(carrier.url, { repeatable: 0, changes: 1 });
  await until('it stands', () => carrier.sockets.length > before || way === 'kept');
}

async function known(sending: Promise<unknown>): Promise<keyof Counts> {
  try {
    await sending;
    return 'answered';
  } catch (error) {
    if (error instanceof KeptConnectionClosed) return 'again';
    if (!(error instanceof NoAnswer)) throw error;
    return error.left === 'never' ? 'never' : 'unknown';
  }
}

/** When what the other side did is known here, however long this process stood still meanwhile. */
async function arrived(): Promise<void> {
  await pause(ARRIVED_MS);
  // In each turn of the event loop, timers come before what has arrived.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

/** One booking as the core makes it: certain failures are repeated, after an unknown end the carrier is asked first. */
async function book(reference: string, way: Way, fault: Fault): Promise<keyof Counts> {
  // After a reset, a port opens nothing ahead for some seconds.
  port = createHttpPort({ allowPrivateAddresses: 'refused' });
  await connection(way);
  carrier.happen(fault);
  if (fault.before) await arrived();
  const first = await known(port.send(request(reference, way)));
  carrier.fault = null;
  const isThere = first === 'answered' || (first === 'unknown' && carrier.booked.has(reference));
  if (!isThere) await port.send({ ...request(reference, way), effect: 'change' });
  port.close();
  return first;
}

describe.each(['new', 'ahead', 'kept'] as const)('on a connection that is %s', (way) => {
  const cases = MATRIX.filter(([, { before }]) => way !== 'new' || before === undefined);

  it.each(cases)('whose server %s', async (_what, fault, expected) => {
    const counts = { ...none };
    for (let n = 0; n < TIMES; n += 1) counts[await book(`r${n}`, way, fault)] += 1;
    expect(counts).toEqual(expected[way]);
    const times = Array.from({ length: TIMES }, (_none, n) => carrier.booked.get(`r${n}`));
    // What may be sent again at once does no harm when it is handled twice.
    const most = expected[way].again > 0 && fault.isBooked ? 2 : 1;
    expect(times).toEqual(Array.from({ length: TIMES }, () => most));
  });
});
