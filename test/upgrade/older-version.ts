import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import type { Database } from '../../src/db/database.js';
import { migrationsUpTo } from '../../src/db/migrate.js';

/** A booking that the older version had begun. */
interface BegunBooking {
  /** What it had come to. */
  readonly state: string;
  readonly area: number;
  readonly changes: Readonly<Record<string, unknown>>;
  /** Parcels. */
  readonly count: number;
  readonly documentId: number;
}

/** A request that had changed something in the IMS or at a carrier. */
interface Call {
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly area: number | null;
  readonly body: unknown;
}

/** What the older version had done by the moment at which it was killed. */
export interface OlderVersion {
  /** When it was killed. */
  readonly at: string;
  readonly shipments: readonly BegunBooking[];
  /** Shipments that were created without a carrier, and their areas. */
  readonly bare: readonly (readonly [id: number, area: number])[];
  readonly calls: readonly Call[];
}

const folder = fileURLToPath(new URL('./fixtures/', import.meta.url));
const NAME = 'before-renamed-tables';
/** The last migration that it knows. */
const LAST_MIGRATION = 18;
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;

export async function readOlderVersion(): Promise<OlderVersion> {
  return JSON.parse(await readFile(`${folder}${NAME}.json`, 'utf8'));
}

/**
 * Fills an empty database with what the older version had written, as if it had been killed just now.
 * @param addresses what stands for `sandbox.test` and `subscriber.test/hook`
 */
export async function loadOlderDatabase(
  database: Database,
  sandbox: Sandbox,
  { older, subscriber }: { readonly older: OlderVersion; readonly subscriber: string },
): Promise<void> {
  for (const script of migrationsUpTo(LAST_MIGRATION)) await database.script(script);
  await database.script(
    `create table migration (n int primary key, name text not null, applied_at timestamptz not null default now(), checksum text)`,
  );
  const { documents } = sandbox.control.state();
  const shiftMs = Date.now() - Date.parse(older.at);
  const text = (await readFile(`${folder}${NAME}.sql`, 'utf8'))
    .replace(TIMES, (time) => new Date(Date.parse(time) + shiftMs).toISOString())
    .replaceAll('http://sandbox.test', sandbox.url)
    .replaceAll('http://subscriber.test/hook', subscriber)
    .replace(/event-of-document-(\d+)/g, (whole, id: string) =>
      String(documents.find((row) => row.id === Number(id))?.['documentCreatedEventId'] ?? whole),
    );
  await database.script(text);
}

/** Brings a new sandbox to what it was when the older version was killed: the same ids, numbers and bookings. */
export async function restoreOlderState(sandbox: Sandbox, older: OlderVersion): Promise<void> {
  for (const { area, changes, count, documentId } of older.shipments) {
    const shipmentId = createShipment(sandbox, { area, changes, count });
    const { id } = sandbox.control.createTransportBooking(shipmentId);
    if (id !== documentId) throw new Error(`document ${documentId} has become ${id}`);
  }
  for (const [id, area] of older.bare) {
    const created = createShipment(sandbox, { area, changes: {}, count: 1 });
    if (created !== id) throw new Error(`shipment ${id} has become ${created}`);
  }
  const token = await imsToken(sandbox);
  for (const call of older.calls) await repeat(sandbox, call, token);
}

function createShipment(
  { control }: Sandbox,
  { area, changes, count }: Pick<BegunBooking, 'area' | 'changes' | 'count'>,
): number {
  const { shipment, containers } = sampleShipments.oneParcel;
  const box = containers[0] ?? {};
  return control.createShipment({
    area,
    shipment: { ...shipment, ...changes } as typeof shipment,
    containers: Array.from({ length: count }, () => box),
  }).id;
}

async function imsToken(sandbox: Sandbox): Promise<string> {
  const answer = await fetch(`${sandbox.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`full:${sandboxSecrets.IMS_CLIENT_SECRET}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Secrets were not kept with the requests. */
async function repeat(sandbox: Sandbox, call: Call, token: string): Promise<void> {
  const { target, method, path, query, area, body } = call;
  const base = target === 'ims' ? sandbox.imsBaseUrl : sandbox.carrierUrl(target);
  const kept = { ...query, ...(target === 'dao' ? { kode: 'sandbox-dao-code' } : {}) };
  const parameters = new URLSearchParams(kept);
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${target === 'ims' ? token : 'any'}`,
    ...(area === null ? {} : { 'x-api-key': `area-${area}-key` }),
  };
  const text = body === null ? {} : { body: JSON.stringify(body).replaceAll('http://sandbox.test', sandbox.url) };
  const answer = await fetch(`${base}${path}${parameters.size > 0 ? `?${parameters}` : ''}`, {
    ...{ method, headers },
    ...text,
  });
  if (!answer.ok) throw new Error(`${target} ${method} ${path}: ${answer.status} ${await answer.text()}`);
}
