import { describe, expect, it } from '@jest/globals';
import type { BookingRequest, CarrierAdapter, StartSimulator } from '../../carriers/contract/index.js';
import { budbee } from '../../carriers/budbee/index.js';
import { startBudbeeSimulator } from '../../carriers/budbee/simulator.js';
import { danskeFragtmaend } from '../../carriers/danske-fragtmaend/index.js';
import { startFragtSimulator } from '../../carriers/danske-fragtmaend/simulator.js';
import { homerunner } from '../../carriers/homerunner/index.js';
import { startHomerunnerSimulator } from '../../carriers/homerunner/simulator.js';
import { nshift } from '../../carriers/nshift/index.js';
import { startNshiftSimulator } from '../../carriers/nshift/simulator.js';
import { postnord } from '../../carriers/postnord/index.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { listAt, valueAt } from '../../carriers/toolkit/json.js';
import { webshipper } from '../../carriers/webshipper/index.js';
import { startWebshipperSimulator } from '../../carriers/webshipper/simulator.js';
import { readAccountSettings } from '../../src/config/account-settings.js';
import { settingsInIms } from '../../src/config/settings-in-ims.js';
import { TEST_NOW, bookingRequest, parcel } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

interface Installed {
  readonly adapter: CarrierAdapter;
  readonly startSimulator: StartSimulator;
  /** As the vendor's app has its settings in the IMS. */
  readonly dataDocument: string;
  readonly app: string;
  /** Settings of the app that are none of the account. */
  readonly leftOut: readonly string[];
  /** What the app decides beside its settings. */
  product(settings: unknown): Partial<BookingRequest>;
}

const INSTALLED: readonly Installed[] = [
  {
    ...{ adapter: budbee, startSimulator: startBudbeeSimulator, app: 'BudbeeTransport', leftOut: [] },
    dataDocument: `{"BudbeeTransport": {"apiKey": "sandbox", "apiSecret": "sandbox-budbee-secret", "test": false,
      "collectionId": 9999}}`,
    product: () => ({}),
  },
  {
    ...{ adapter: nshift, startSimulator: startNshiftSimulator, app: 'PostnordTransport', leftOut: [] },
    dataDocument: `{"PostnordTransport": {"user": "SANDBOXNSHIFT001", "pin": "SANDBOXNSHIFTSECRET00001", "test": false,
      "bulkId": "1", "senderQuickId": "DEMO"}}`,
    product: () => ({}),
  },
  {
    ...{
      adapter: danskeFragtmaend,
      startSimulator: startFragtSimulator,
      app: 'DFTransport',
      leftOut: ['instructions'],
    },
    dataDocument: `{"DFTransport": {"url": "https://api.fragt.dk", "clientId": "sandbox", "userName": "sandbox",
      "password": "sandbox-df-password", "agreementNumber": "999999", "instructions": [{"ShippingType": "Bilpakke",
      "shipmentPattern": {"deliveryAddress": {"countryCode": ["DK"]}}, "ConsignmentNoteType": "Pickup",
      "WhoPays": "Prepaid", "HubAgreement": "AR", "ProductCode": "P1"}]}}`,
    product: (settings) => {
      const [instruction] = listAt(settings, 'instructions');
      return danskeFragtmaend.settingsInIms?.instruction?.(Object(instruction)) ?? {};
    },
  },
  {
    ...{ adapter: homerunner, startSimulator: startHomerunnerSimulator, app: 'CoolRunnerTransport', leftOut: [] },
    dataDocument: '{"CoolRunnerTransport": {"userName": "lager@mail.example", "token": "sandbox-homerunner-token"}}',
    product: () => ({ service: 'dao|private|delivery_package' }),
  },
  {
    ...{ adapter: webshipper, startSimulator: startWebshipperSimulator, app: 'WebshipperIntegration', leftOut: [] },
    dataDocument: `{"WebshipperIntegration": {"apiKey": "sandbox-webshipper-token", "serverName": "demo",
      "webhookSecret": "sandbox-webshipper-calls"}}`,
    product: () => ({ service: '501' }),
  },
];

describe.each(INSTALLED.map((one) => [one.app, one] as const))('an installation of %s', (app, installed) => {
  const { adapter, dataDocument, leftOut, product } = installed;
  const settings = valueAt(JSON.parse(dataDocument), app) as Readonly<Record<string, unknown>>;

  it('books with its settings as they were copied', async () => {
    const reading = { where: 'config', rest: 'required' } as const;
    const { config, problems, unknown } = readAccountSettings(adapter, settings, reading);
    expect(problems).toEqual([]);
    expect(unknown.map(({ where }) => where)).toEqual(leftOut.map((name) => `config.${name}`));
    const server = await startCarrierServer(adapter.id, installed.startSimulator, () => TEST_NOW);
    try {
      const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl };
      const account = adapter.connect(config, tools);
      const request = bookingRequest({ parcels: [parcel()], ...product(settings) });
      expect(account.check?.(request)).toEqual([]);
      await account.book(request);
      expect(server.simulator.bookings()).toMatchObject([{ reference: request.reference }]);
    } finally {
      await server.close();
    }
  });

  if (adapter.settingsInIms === undefined) return;

  it('has the same settings where the account reads them in the IMS', () => {
    const carrier = { of: { kind: 'carrier', name: adapter.name }, dataDocument } as const;
    const found = settingsInIms(adapter, {}, { seller: null, carrier });
    const copied = readAccountSettings(adapter, settings, { where: 'config', rest: 'required' });
    expect(found.kind === 'found' && { ...found.config }).toEqual(
      expect.objectContaining(without(copied.config, leftOut)),
    );
  });
});

it('has none for PostNord’s own API: what its app had are those of nShift, and are refused', () => {
  const settings = { user: 'SANDBOXNSHIFT001', pin: 'SANDBOXNSHIFTSECRET00001', test: false };
  const { problems, unknown } = readAccountSettings(postnord, settings, { where: 'config', rest: 'required' });
  expect(problems.map(({ where }) => where)).toEqual([
    'config.apiKey',
    'config.customerNumber',
    'config.applicationId',
  ]);
  expect(unknown.map(({ where }) => where)).toEqual(['config.user', 'config.pin']);
});

function without(config: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)));
}
