import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { carriers } from '../../carriers/index.js';
import type { HttpPort } from '../../carriers/contract/http-port.js';
import { glsDk } from '../../carriers/gls-dk/index.js';
import { inGlsSpelling } from '../../carriers/gls-dk/simulator.js';
import { startAppWith } from '../../src/app/app.js';
import { doctorFromIms } from '../../src/cli/doctor/doctor-from-ims.js';
import { sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { settingsFor } from '../../src/cli/settings-for.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { vendorForms } from '../carriers/vendor-forms.js';
import { Service } from '../support/harness.js';
import { keepLog } from '../support/log-lines.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

const { oneParcel } = sampleShipments;
const GLS = { userName: 'warehouse', password: 'pw-of-warehouse', contactId: 'C0', customerId: 'K0' };
/** GLS has no such service; what it ignores is not sent (README of the carrier). */
const IGNORED = 'setNotificationEmail';

const forms = vendorForms('gls-dk').map(([story, { shipment, sent }]) => {
  const { pickUpPointId, deliverToPickUpPoint, notesOnDelivery, termsOfDelivery } = shipment;
  const { Services } = inGlsSpelling(sent.body) as { readonly Services: Readonly<Record<string, unknown>> };
  const services = Object.fromEntries(Object.entries(Services).filter(([name]) => name !== IGNORED));
  return [story, { pickUpPointId, deliverToPickUpPoint, notesOnDelivery, termsOfDelivery }, services] as const;
});

let service: Service;
const ends: (() => Promise<unknown>)[] = [];

/** The file names no address, so that GLS's own counts: what would go there goes to its simulator. */
const toSimulator =
  (address: string) =>
  (port: HttpPort): HttpPort => ({
    ...port,
    send: (request) => port.send({ ...request, url: request.url.replace(glsDk.baseUrl, address) }),
  });

/** An installation of the vendor's app, moved: the file is written from the IMS and loaded as it is. */
beforeAll(async () => {
  const sandbox = await startSandbox({ port: 0, carriers, limits: { requestsPerSecond: null } });
  ends.push(sandbox.close);
  sandbox.control.setCarrierDataDocument(1, 'GLS', { GLSTransport: GLS });
  const dataDir = await mkdtemp(join(tmpdir(), 'waybridge-moved-'));
  ends.push(() => rm(dataDir, { recursive: true, force: true }));
  const configFile = join(dataDir, 'waybridge.yaml');
  const environment = sandboxEnvironment(sandbox, { port: 0, configFile, dataDir: join(dataDir, 'data') });
  await placeEmptyDatabase(join(dataDir, 'data'));
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  await doctorFromIms({ area: '1' }, environment);
  jest.restoreAllMocks();
  const { settings, config } = await settingsFor(environment);
  const { log, lines } = keepLog();
  const app = await startAppWith({ settings, config, log, seams: { http: toSimulator(sandbox.carrierUrl('gls-dk')) } });
  ends.push(app.stop);
  service = new Service({ sandbox, url: app.url, lines, stop: app.stop });
  service.listenAgain();
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

it.each(forms)(
  "asks GLS for the services that the vendor's app asked for, with the file that doctor --from-ims wrote: %s",
  async (_story, changes, services) => {
    const mark = service.mark();
    const ending = await service.run(oneParcel, { ...changes, carrierName: 'GLS', sellerNumber: undefined });
    expect(ending.workStatus).toBe('DONE');
    const sent = service.requestsSince(mark, 'gls-dk').map(({ body }) => body as { readonly Services: object });
    expect(sent.map(({ Services }) => Services)).toEqual([services]);
  },
);
