import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { bring } from '../../carriers/bring/index.js';
import { startBringSimulator } from '../../carriers/bring/simulator.js';
import type { BookingRequest, CarrierAccount, CarrierAdapter, StartSimulator } from '../../carriers/contract/index.js';
import { dao } from '../../carriers/dao/index.js';
import { startDaoSimulator } from '../../carriers/dao/simulator.js';
import { glsDk } from '../../carriers/gls-dk/index.js';
import { inGlsSpelling, startGlsDkSimulator } from '../../carriers/gls-dk/simulator.js';
import { type AreaAsItIs, configFromIms, configText } from '../../src/cli/doctor/config-from-ims.js';
import { readConfig } from '../../src/config/config-file.js';
import { withPlaceholders } from '../../src/config/yaml.js';
import { decide } from '../../src/planning/decide.js';
import { requestsFor } from '../../src/planning/requests.js';
import type { Account } from '../../src/accounts/account.js';
import { type ImsShipment, readCarrier, readContext, readSeller, readShipment } from '../../src/ims/resources.js';
import { compileRules } from '../../src/routing/choose-carrier.js';
import { chooseInstruction } from '../../src/routing/instructions.js';
import type { SeenRequest } from '../../carriers/testing/carrier-server.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
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

/** What decides over service and options. */
type Deciding = 'what stands in the IMS' | 'what doctor --from-ims writes';
const DECIDING: readonly Deciding[] = ['what stands in the IMS', 'what doctor --from-ims writes'];

describe.each(COMPARED.map((compared) => [compared.adapter.id, compared] as const))(
  'the same shipment at %s',
  (id, compared) => {
    const forms = vendorForms(id);
    const explained = explainedIn(`../../carriers/${id}/README.md`);

    describe.each(DECIDING)('with %s', (deciding) => {
      it.each(forms)(
        "is sent as the vendor's application sends it, but for what the README explains: %s",
        async (_story, form) => {
          const found = await differences(compared, form, deciding);
          expect(found.filter((field) => !explained.has(field))).toEqual([]);
        },
      );
    });

    it('has nothing explained in the README that is no difference', async () => {
      const found = await Promise.all(forms.map(([, form]) => differences(compared, form, 'what stands in the IMS')));
      expect([...explained].filter((field) => !found.flat().includes(field))).toEqual([]);
    });
  },
);

/** Names of the fields that have another value in our request than in the vendor's. */
async function differences(compared: Compared, form: VendorForm, deciding: Deciding): Promise<readonly string[]> {
  const spelt = compared.spelt ?? ((json: unknown) => json);
  const theirs = fieldsOf(spelt(form.sent.body ?? form.sent.query));
  const { fields: ours, path } = await sentByUs({ ...compared, spelt }, form, deciding);
  const names = [...new Set([...theirs.keys(), ...ours.keys()])].filter((name) => theirs.get(name) !== ours.get(name));
  return [...new Set([...names.map(withoutPositions), ...(path === form.sent.path ? [] : ['path'])])];
}

async function sentByUs(
  { adapter, startSimulator, spelt }: Required<Compared>,
  form: VendorForm,
  deciding: Deciding,
): Promise<{ readonly path: string; readonly fields: Fields }> {
  const server = await startCarrierServer(adapter.id, startSimulator, () => TEST_NOW);
  try {
    const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl };
    const wish = deciding === 'what stands in the IMS' ? instructed(form, adapter) : written(form, adapter);
    const carrier = adapter.connect(accountSettings(adapter, { ...form.account, ...wish.settings }), tools);
    const request = requestOf(form, { adapter, carrier }, wish);
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
function requestOf(
  form: VendorForm,
  { adapter, carrier }: { readonly adapter: CarrierAdapter; readonly carrier: CarrierAccount },
  { service, options }: Selection,
): BookingRequest {
  const shipment = shipmentOf(form);
  const senders = { seller: readSeller(form.seller), context: readContext(form.context) };
  const account = { adapter, carrier } as unknown as Account;
  const order = { account, shipment, senders, packedItems: null, shipDate: '2030-03-04', service, options };
  const containerIds = shipment.shippingContainers.map(({ id }) => id);
  const planned = requestsFor(order, { containerIds, reference: shipment.shipmentNumber, first: 1 });
  expect([...planned.unusable, ...planned.refused]).toEqual([]);
  const request = planned.requests[(form.part ?? 1) - 1]?.request;
  if (!request) throw new Error('nothing would be booked');
  return request;
}

function shipmentOf(form: VendorForm): ImsShipment {
  const shipment = readShipment(form.shipment);
  if (shipment === null) throw new Error('the fixture has no shipment');
  return shipment;
}

interface Selection {
  readonly service: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** What stands beside `from: ims`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** The instruction that fits; without instructions what a rule by hand says. */
function instructed(form: VendorForm, { settingsInIms }: CarrierAdapter): Selection {
  if (!settingsInIms || !form.instructions) return { service: null, options: form.use?.options ?? {} };
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

/** The rule of the written file that fits, once the service has loaded it. */
function written(form: VendorForm, adapter: CarrierAdapter): Selection {
  const text = configText(configFromIms([areaOf(form, adapter)], [adapter]));
  const loading = { environment: withPlaceholders(text, {}), adapters: [adapter], allowPrivate: 'false' } as const;
  const { problems, config } = readConfig(text, loading);
  expect(problems).toEqual([]);
  const { rules, accounts } = config ?? { rules: [], accounts: [] };
  const subject = { shipment: shipmentOf(form), carrierName: adapter.name, setting: null };
  const { choice } = decide(compileRules(rules, accounts), subject, { timeZone: 'Europe/Copenhagen', now: TEST_NOW });
  if (choice.kind !== 'chosen') throw new Error(`no account was chosen: ${choice.kind}`);
  return { ...choice, settings: accounts[0]?.fromIms?.given };
}

/** The area of the form with the app's settings and instructions in the carrier's data document. */
function areaOf(form: VendorForm, { settingsInIms, name }: CarrierAdapter): AreaAsItIs {
  const key = settingsInIms?.key ?? '';
  const settings = { ...form.account, ...(form.instructions?.[key] as object | undefined) };
  const context = readContext(form.context);
  const carrier = readCarrier({ id: 9, carrierName: name, dataDocument: JSON.stringify({ [key]: settings }) });
  if (context === null || carrier === null) throw new Error('the fixture has no area');
  return { contextId: context.id, context, carriers: [carrier], sellers: [] };
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
