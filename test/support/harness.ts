import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { parse, stringify } from 'yaml';
import { carriers } from '../../carriers/index.js';
import type { SimulatedBooking } from '../../carriers/contract/simulator.js';
import { startApp } from '../../src/app/app.js';
import {
  eventTarget,
  sandboxConfig,
  sandboxEnvironment,
  sandboxSecrets,
} from '../../src/cli/sandbox/sandbox-config.js';
import { settingsFor } from '../../src/cli/settings-for.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import type { Control, SandboxState } from '../../src/sandbox/control/control.js';
import type { LoggedRequest } from '../../src/sandbox/api/request-log.js';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { watchConformity } from '../sandbox/conformity.js';
import { type LogLine, keepLog } from './log-lines.js';
import { placeEmptyDatabase } from './prepared-database.js';
import { until } from './until.js';

export { until };

/** What came back from the service, JSON already read. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  // What came is looked at freely: a test asserts its shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly bytes: Buffer;
  readonly headers: Headers;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes go as they are, everything else as JSON. */
  readonly body?: unknown;
}

export type Config = Record<string, unknown> & {
  readonly areas: readonly Record<string, unknown>[];
  readonly accounts: Readonly<Record<string, Record<string, unknown>>>;
  readonly rules: readonly unknown[];
};

export interface ServiceOptions {
  /** Client of the IMS; `full` when not given. */
  readonly client?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Changes `waybridge.yaml`. */
  readonly config?: (config: Config) => object;
  /** Changes an account after it was read, for carriers that misbehave in ways no server can. */
  readonly account?: (account: ConfiguredAccount) => ConfiguredAccount;
}

/** Where one booking stands in the IMS and with us, once it has come to rest. */
export interface Ending {
  readonly documentId: number;
  readonly workStatus: string | null;
  readonly carriersShipmentNumber: unknown;
  /** In the order of the containers. */
  readonly trackingNumbers: readonly unknown[];
  readonly messages: readonly Message[];
  readonly prints: readonly unknown[];
  /** Pages of the attached label; `null` without one. */
  readonly pages: number | null;
  readonly timesAttached: number;
  // The operator's view, looked at freely.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly consignment: any;
}

export interface Message {
  readonly type: unknown;
  readonly text: string;
  readonly userId: unknown;
  readonly deviceName: unknown;
}

const ENDED = ['closed', 'refused', 'incomplete', 'cancelled', 'skipped'];

/** What Pretend can play, chosen by a shipment's `termsOfDelivery`. */
/** Besides those of the sandbox's rules. */
const SCRIPTS = ['down:1', 'slow:600'];

/** The service over real HTTP, with the stand-in of the IMS and of all carriers around it. */
export class Service {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** What the service has logged so far. */
  readonly lines: readonly LogLine[];
  readonly stop: () => Promise<void>;

  constructor(parts: Pick<Service, 'sandbox' | 'url' | 'lines' | 'stop'>) {
    this.sandbox = parts.sandbox;
    this.url = parts.url;
    this.lines = parts.lines;
    this.stop = parts.stop;
  }

  get control(): Control {
    return this.sandbox.control;
  }

  /** A new shipment in area 1, unless told otherwise. */
  ship(sample: SampleShipment, changes: Readonly<Record<string, unknown>> = {}, area = 1): number {
    const shipment = { ...sample.shipment, ...changes } as SampleShipment['shipment'];
    return this.control.createShipment({ area, shipment, containers: sample.containers }).id;
  }

  /** Asks for its labels, as a packer does. @returns the document */
  book(shipmentId: number): number {
    return this.control.createTransportBooking(shipmentId).id;
  }

  /** A document whose event nobody delivers. @returns the document with the id of that event */
  bookQuietly(shipmentId: number): { readonly documentId: number; readonly eventId: string } {
    this.control.setEventTargets([]);
    const documentId = this.book(shipmentId);
    this.listenAgain();
    return { documentId, eventId: this.eventOf(documentId) };
  }

  /** Events go to the service, after they went nowhere. */
  listenAgain(): void {
    this.control.setEventTargets([eventTarget(this.url)]);
  }

  eventOf(documentId: number): string {
    return String(this.document(documentId)['documentCreatedEventId']);
  }

  /** Ships, books and waits for the end. */
  async run(sample: SampleShipment, changes: Readonly<Record<string, unknown>> = {}, area = 1): Promise<Ending> {
    return this.ending(this.book(this.ship(sample, changes, area)));
  }

  document(documentId: number): SandboxState['documents'][number] {
    const found = this.control.state().documents.find((row) => row.id === documentId);
    if (!found) throw new Error(`no document ${documentId}`);
    return found;
  }

  messages(eventId: string): readonly Message[] {
    return this.control
      .state()
      .messages.filter((row) => row.eventId === eventId)
      .map((row) => ({
        type: row['messageType'],
        text: String(row['messageText']),
        userId: row['userId'],
        deviceName: row['deviceName'],
      }));
  }

  /** Waits until nothing more happens by itself. */
  async ending(documentId: number): Promise<Ending> {
    await until(`document ${documentId} comes to rest`, async () => {
      const consignment = await this.consignmentOf(documentId);
      return consignment?.dueAt === null && (ENDED.includes(consignment.state) || consignment.needsOperator);
    });
    return this.look(documentId);
  }

  /** As `ending`, without waiting. */
  async look(documentId: number): Promise<Ending> {
    const state = this.control.state();
    const document = this.document(documentId);
    const [shipmentId] = document.shipmentIds;
    const fileName = `SHIPPING_LABEL_${documentId}.pdf`;
    const file = this.control.attachment(documentId, fileName);
    const attached = state.attachments.filter((row) => row.ownerId === documentId && row.fileName === fileName);
    return {
      documentId,
      workStatus: document.workStatus,
      carriersShipmentNumber: state.shipments.find((row) => row.id === shipmentId)?.['carriersShipmentNumber'],
      trackingNumbers: this.containersOf(shipmentId).map((row) => row['trackingNumber']),
      messages: this.messages(this.eventOf(documentId)),
      prints: state.prints
        .filter((row) => JSON.stringify(row.body).includes(String(documentId)))
        .map((row) => row.body),
      pages: file && (await pagesOf(file)),
      timesAttached: attached.reduce((sum, row) => sum + row.timesAttached, 0),
      consignment: await this.detailsOf(documentId),
    };
  }

  containersOf(shipmentId: number | undefined): SandboxState['shippingContainers'] {
    return this.control.state().shippingContainers.filter((row) => row['shipmentId'] === shipmentId);
  }

  /** What is on the carrier's books under a reference that begins like this. */
  bookings(carrier: string, reference: string): readonly SimulatedBooking[] {
    return (this.control.bookings(carrier) ?? []).filter((booking) => booking.reference.startsWith(reference));
  }

  numberOf(documentId: number): string {
    const [shipmentId] = this.document(documentId).shipmentIds;
    return String(this.control.state().shipments.find((row) => row.id === shipmentId)?.shipmentNumber);
  }

  /** As the operator's list shows it; `null` before the event is in. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async consignmentOf(documentId: number): Promise<any> {
    const { status, body } = await this.operator(`/consignments?q=${documentId}`);
    if (status !== 200) throw new Error(`the operator's list answers ${status}: ${JSON.stringify(body)}`);
    return body.consignments.find((row: { documentId: string }) => row.documentId === String(documentId)) ?? null;
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  private async detailsOf(documentId: number): Promise<any> {
    const summary = await this.consignmentOf(documentId);
    return summary === null ? null : (await this.operator(`/consignments/${summary.id}`)).body;
  }

  /** A request as the operator makes it, below `/api/v1`. */
  operator(path: string, options: RequestOptions = {}): Promise<Answer> {
    const authorization = `Bearer ${sandboxSecrets.OPERATOR_TOKEN}`;
    return this.ask(`/api/v1${path}`, { ...options, headers: { authorization, ...options.headers } });
  }

  act(consignment: { readonly id: string }, action: string, body: object = {}): Promise<Answer> {
    return this.operator(`/consignments/${consignment.id}/${action}`, { method: 'POST', body });
  }

  /** An event as a sender posts it. */
  send(event: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    const shown = headers ?? { authorization: `Bearer ${sandboxSecrets.EVENTS_SECRET}` };
    return this.ask('/events', { method: 'POST', headers: shown, body: event });
  }

  async ask(path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body } = options;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(path.startsWith('http') ? path : `${this.url}${path}`, {
      method: options.method ?? 'GET',
      // A kept connection may be closed by its server at the moment in which a request is sent on it.
      headers: { 'content-type': 'application/json', connection: 'close', ...options.headers },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    return {
      status: answer.status,
      type,
      body: type.includes('json') ? JSON.parse(bytes.toString('utf8')) : bytes.toString('utf8'),
      bytes,
      headers: answer.headers,
    };
  }

  /** A call of the IMS as another client makes it, e.g. `PATCH /documents/7`. */
  async ims(call: string, body: object, apiKey = 'area-1-key'): Promise<Answer> {
    const [method = 'GET', path = ''] = call.split(' ');
    const basic = Buffer.from(`full:${sandboxSecrets.IMS_CLIENT_SECRET}`).toString('base64');
    const token = await this.ask(`${this.sandbox.authUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    const headers = { authorization: `Bearer ${token.body.access_token}`, 'x-api-key': apiKey };
    const answer = await this.ask(`${this.sandbox.imsBaseUrl}${path}`, { method, headers, body });
    if (answer.status >= 300) throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** The number of the last request so far: what comes later is asked for by `requestsSince`. */
  mark(): number {
    return this.control.requests().at(-1)?.n ?? 0;
  }

  requestsSince(mark: number, target?: string): readonly LoggedRequest[] {
    return this.control.requests(target === undefined ? {} : { target }).filter((request) => request.n > mark);
  }
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const conformity = watchConformity();
  const sandbox = await startSandbox({
    ...{ port: 0, carriers, limits: { requestsPerSecond: null } },
    ...conformity.options,
  });
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-service-'));
  const configFile = join(folder, 'waybridge.yaml');
  const dataDir = join(folder, 'data');
  await placeEmptyDatabase(dataDir);
  const config = withScripts(parse(sandboxConfig(sandbox)) as Config);
  await writeFile(configFile, stringify(options.config ? options.config(config) : config));
  const client = options.client ?? 'full';
  const { settings, config: read } = await settingsFor({
    ...sandboxEnvironment(sandbox, { port: 0, configFile, dataDir }),
    IMS_CLIENT_ID: client,
    IMS_CLIENT_SECRET: `${client}-secret`,
    ...options.environment,
  });
  const { log, lines } = keepLog();
  const accounts = options.account ? read.accounts.map(options.account) : read.accounts;
  const app = await startApp(settings, { ...read, accounts }, log);
  sandbox.control.setEventTargets([eventTarget(app.url)]);
  const stop = async () => {
    await app.stop();
    await conformity.verify(sandbox).finally(() => sandbox.close());
    await rm(folder, { recursive: true, force: true });
  };
  return new Service({ sandbox, url: app.url, lines, stop });
}

function withScripts(config: Config): Config {
  const rules = SCRIPTS.map((script) => ({
    name: `Pretend plays ${script}`,
    when: { carrierName: 'Pretend', termsOfDelivery: script },
    use: { account: 'pretend', service: script },
  }));
  return { ...config, rules: [...rules, ...config.rules] };
}

async function pagesOf(file: Uint8Array): Promise<number> {
  return (await PDFDocument.load(file)).getPageCount();
}

/** A shipment with so many parcels. */
export function parcels(count: number, sample: SampleShipment = sampleShipments.oneParcel): SampleShipment {
  const box = sample.containers[0] ?? {};
  return { ...sample, containers: Array.from({ length: count }, () => box) };
}
