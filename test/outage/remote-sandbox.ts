import { spawn } from 'node:child_process';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import type { FaultRule } from '../../src/sandbox/faults/faults.js';
import type { LoggedRequest } from '../../src/sandbox/api/request-log.js';
import type { SandboxState } from '../../src/sandbox/control/control.js';
import { until } from '../support/harness.js';

/** The sandbox in a process of its own, so that it does not stand still whenever the service does. */
export interface RemoteSandbox {
  readonly url: string;
  /** A shipment with one parcel and its booking, of which nobody hears. @returns its event, as a sender posts it */
  ask(area: number, shipment: object, containers: readonly object[]): Promise<object>;
  addFault(fault: FaultRule): Promise<void>;
  clearFaults(): Promise<void>;
  state(): Promise<SandboxState>;
  requests(): Promise<readonly LoggedRequest[]>;
  bookings(carrier: string): Promise<readonly unknown[]>;
  end(): Promise<void>;
}

export async function startRemoteSandbox(): Promise<RemoteSandbox> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['bin/waybridge.js', 'sandbox', '--port', String(port)], { stdio: 'ignore' });
  const gone = new Promise((done) => child.once('exit', done));
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const content = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const answer = await fetch(`${url}/control${path}`, { method, ...content });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const isUp = () =>
    fetch(`${url}/control/targets`).then(
      (answer) => answer.ok,
      () => false,
    );
  await until('the sandbox listens', isUp);
  return {
    url,
    ask: async (area, shipment, containers) => {
      const { id } = (await ask('POST', '/shipments', { area, shipment, containers })) as { readonly id: number };
      const document = (await ask('POST', '/bookings', { shipmentId: id })) as Record<string, unknown>;
      return {
        ...{ eventId: document['documentCreatedEventId'], eventType: 'documentCreated', contextId: area },
        ...{ documentType: 'TRANSPORT_BOOKING', documentId: document['id'], shipmentId: id },
        ...{ userId: 10000000, deviceName: 'Packing table 1' },
      };
    },
    addFault: async (fault) => void (await ask('POST', '/faults', fault)),
    clearFaults: async () => void (await ask('DELETE', '/faults')),
    state: async () => (await ask('GET', '/state')) as SandboxState,
    requests: async () => (await ask('GET', '/requests')) as readonly LoggedRequest[],
    bookings: async (carrier) => (await ask('GET', `/carriers/${carrier}/bookings`)) as readonly unknown[],
    end: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
