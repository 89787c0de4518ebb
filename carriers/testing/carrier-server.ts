import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Journeys, SimulatedEvent, Simulator, StartSimulator } from '../contract/index.js';

/** Answers instead of the simulator; `simulate` lets the simulator go on. */
export type Fault = (request: IncomingMessage, response: ServerResponse, simulate: () => void) => void;

export interface SeenRequest {
  readonly method: string;
  /** Below the mount, with its query. */
  readonly url: string;
  /** What has come of the body so far. */
  readonly body: () => string;
}

/** A carrier's simulator behind real HTTP, which can be made to fail. */
export interface CarrierServer {
  readonly baseUrl: string;
  readonly simulator: Simulator;
  /** Requests that arrived. */
  readonly seen: readonly SeenRequest[];
  /** The requests in `seen`, without those for a token. */
  asked(): readonly SeenRequest[];
  /** Makes the event happen to its parcel now. */
  happen(event: SimulatedEvent): void;
  /** Every request from now on that `meets` it is answered like this, all of them without it; `null`: by the simulator again. */
  failWith(fault: Fault | null, meets?: (request: SeenRequest) => boolean): void;
  close(): Promise<void>;
}

export async function startCarrierServer(
  carrier: string,
  startSimulator: StartSimulator,
  now: () => Date,
): Promise<CarrierServer> {
  const mount = `/carriers/${carrier}`;
  const seen: SeenRequest[] = [];
  let fault: Fault | null = null;
  let meets: (request: SeenRequest) => boolean = () => true;
  const server = createServer((request, response) => {
    const url = (request.url ?? '').slice(mount.length) || '/';
    request.url = url;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const body = () => Buffer.concat(chunks).toString('utf8');
    const arrived = { method: request.method ?? '', url, body };
    seen.push(arrived);
    const simulate = () => simulator.handle(request, response);
    if (fault && !asksForToken(url) && meets(arrived)) fault(request, response, simulate);
    else simulate();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${mount}`;
  const happened: SimulatedEvent[] = [];
  const journeys: Journeys = {
    begin: () => undefined,
    end: () => undefined,
    soFar: (trackingNumber) => happened.filter((event) => event.trackingNumber === trackingNumber),
  };
  const simulator = startSimulator({ publicUrl: baseUrl, now, journeys });
  return {
    baseUrl,
    simulator,
    seen,
    asked: () => seen.filter(({ url }) => !asksForToken(url)),
    happen: (event) => happened.push(event),
    failWith: (next, only = () => true) => {
      fault = next;
      meets = only;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A login changes nothing at the carrier; what is tried is how the carrier answers to what comes after it. */
export function asksForToken(url: string): boolean {
  return /\/token(\?|$)/.test(url);
}

/** No program listens here. The system gives this port to no server that asks for any free one. */
export const CLOSED_PORT = 1;
export const CLOSED_ADDRESS = `http://127.0.0.1:${CLOSED_PORT}`;

export function answering(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Fault {
  return afterRequest((response) => response.writeHead(status, headers).end(body));
}

export const resetting: Fault = afterRequest((response) => response.socket?.resetAndDestroy());

export const neverAnswering: Fault = afterRequest(() => undefined);

export const cuttingShort: Fault = afterRequest((response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"half":', () => response.destroy());
});

/** The simulator does what it is asked; its answer never arrives. */
export const losingTheAnswer: Fault = (_request, response, simulate) => {
  response.end = () => response.destroy();
  simulate();
};

function afterRequest(answer: (response: ServerResponse) => void): Fault {
  return (request, response) => {
    request.on('end', () => answer(response)).resume();
  };
}
