import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { bring } from '../../carriers/bring/index.js';
import { startBringSimulator } from '../../carriers/bring/simulator.js';
import type { BookingRequest, CarrierAccount, CarrierAdapter, StartSimulator } from '../../carriers/contract/index.js';
import { dao } from '../../carriers/dao/index.js';
import { startDaoSimulator } from '../../carriers/dao/simulator.js';
import { glsDk } from '../../carriers/gls-dk/index.js';
import { startGlsDkSimulator } from '../../carriers/gls-dk/simulator.js';
import { inGlsSpelling } from '../../carriers/gls-dk/simulator-spelling.js';
import { requestsFor } from '../../src/consignment/planning/requests.js';
import type { Account } from '../../src/consignment/world.js';
import { readContext, readSeller, readShipment } from '../../src/ims/wire.js';
import { chooseInstruction } from '../../src/routing/instructions.js';
import type { SeenRequest } from './carrier-server.js';
import { startCarrierServer } from './carrier-server.js';
import { accountSettings } from './contract-suite.js';
import { TEST_NOW } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';
import type { VendorForm } from './vendor-forms.js';
import { vendorForms } from './vendor-forms.js';

type Fields = ReadonlyMap<string, string>;

interface Compared {
  readonly adapter: CarrierAdapter;
  readonly startSimulator: StartSimulator;
  /** The request with one spelling for the same name. */
  readonly spelt?: (json: unknown) => unknown;
}

const COMPARED: readonly Compared[] = [
  { adapter: bring, startSimulator: startBringSimulator },
  { adapter: glsDk, startSimulator: startGlsDkSimulator, spelt: inGlsSpelling },
  { adapter: dao, startSimulator: startDaoSimulator },
];

describe.each(COMPARED.map((compared) => [compared.adapter.id, compared] as const))(
  'the same shipment at %s',
  (id, compared) => {
    const forms = vendorForms(id);
    const explained = explainedIn(`../../carriers/${id}/README.md`);

    it.each(forms)(
      "is sent as the vendor's application sends it, but for what the README explains: %s",
      async (_story, form) => {
        expect((await differences(compared, form)).filter((field) => !explained.has(field))).toEqual([]);
      },
    );

    it('has nothing explained in the README that is no difference', async () => {
      const found = await Promise.all(forms.map(([, form]) => differences(compared, form)));
      expect([...explained].filter((field) => !found.flat().includes(field))).toEqual([]);
    });
  },
);

/** Names of the fields that have another value in our request than in the vendor's. */
async function differences(compared: Compared, form: VendorForm): Promise<readonly string[]> {
  const spelt = compared.spelt ?? ((json: unknown) => json);
  const theirs = fieldsOf(spelt(form.sent.body ?? form.sent.query));
  const { fields: ours, path } = await sentByUs(compared, form, spelt);
  const names = [...new Set([...theirs.keys(), ...ours.keys()])].filter((name) => theirs.get(name) !== ours.get(name));
  return [...new Set([...names.map(withoutPositions), ...(path === form.sent.path ? [] : ['path'])])];
}

async function sentByUs({ adapter, startSimulator }: Compared, form: VendorForm, spelt: (json: unknown) => unknown) {
  const server = await startCarrierServer(adapter.id, startSimulator, () => TEST_NOW);
  try {
    const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl };
    const carrier = adapter.connect(accountSettings(adapter, form.account), tools);
    const request = requestOf(form, adapter, carrier);
    await carrier.book(request);
    const [seen] = server.seen;
    if (!seen) throw new Error('nothing was sent');
    return { path: new URL(seen.url, 'http://127.0.0.1').pathname, fields: fieldsOf(spelt(contentOf(seen))) };
  } finally {
    await server.close();
  }
}

function contentOf({ url, body }: SeenRequest): unknown {
  const json = body();
  return json === '' ? Object.fromEntries(new URL(url, 'http://127.0.0.1').searchParams) : JSON.parse(json);
}

/** As the core makes it of what the IMS answers. */
function requestOf(form: VendorForm, adapter: CarrierAdapter, carrier: CarrierAccount): BookingRequest {
  const shipment = readShipment(form.shipment);
  if (shipment === null) throw new Error('the fixture has no shipment');
  const senders = { seller: readSeller(form.seller), context: readContext(form.context) };
  const wanted = { service: null, options: form.use?.options ?? {}, ...instructed(form, adapter) };
  const account = { adapter, carrier } as unknown as Account;
  const order = { account, shipment, senders, packedItems: null, shipDate: '2030-03-04', ...wanted };
  const containerIds = shipment.shippingContainers.map(({ id }) => id);
  const planned = requestsFor(order, { containerIds, reference: shipment.shipmentNumber, first: 1 });
  expect([...planned.unusable, ...planned.refused]).toEqual([]);
  const request = planned.requests[(form.part ?? 1) - 1]?.request;
  if (!request) throw new Error('nothing would be booked');
  return request;
}

function instructed(form: VendorForm, { settingsInIms }: CarrierAdapter) {
  if (!settingsInIms || !form.instructions) return {};
  const dataDocument = JSON.stringify(form.instructions);
  const { instruction } = chooseInstruction(
    settingsInIms.key,
    [{ from: 'carrier', dataDocument }],
    form.shipment as never,
  );
  const read = instruction && settingsInIms.instruction?.(instruction);
  if (!read) throw new Error('no instruction fits');
  return read;
}

/** Every value by its path; an empty one is a missing one. */
function fieldsOf(json: unknown, path = ''): Fields {
  if (json === null || json === undefined || json === '') return new Map();
  if (typeof json !== 'object') return new Map([[path, JSON.stringify(json)]]);
  const isList = Array.isArray(json);
  return new Map(
    Object.entries(json).flatMap(([name, value]) => {
      const step = isList ? `[${name}]` : `${path === '' ? '' : '.'}${name}`;
      return [...fieldsOf(value, path + step)];
    }),
  );
}

function withoutPositions(name: string): string {
  return name.replace(/\[\d+\]/g, '[]');
}

/** The first column of the table below the heading "Differences". */
function explainedIn(readme: string): ReadonlySet<string> {
  const text = readFileSync(new URL(readme, import.meta.url), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith('Differences from')) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Set(
    rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
  );
}
