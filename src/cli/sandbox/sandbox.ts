import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../../carriers/index.js';
import { loadPlugIns } from './load-plug-ins.js';
import { type App, startApp } from '../../app/app.js';
import type { FaultsFile } from '../../sandbox/faults/faults-file.js';
import { readFaultsFile } from '../../sandbox/faults/faults-file.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import { readScenario } from '../../sandbox/scenarios/read-scenario.js';
import { scenarioNamed } from '../../sandbox/scenarios/scenario-named.js';
import type { PluggedIn } from './sandbox-config.js';
import { callbackTargets, eventTarget, sandboxConfig, sandboxEnvironment, sandboxSecrets } from './sandbox-config.js';
import { settingsFor } from '../settings-for.js';

const SHOWN_AREAS = 3;
/** The column of names is at least as wide as the other words of the report. */
const SHORTEST_NAME = 10;
const CHOOSE = 'stop it, or choose another: npx waybridge sandbox --with-service --service-port 8081';
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** The options of the command line. */
export interface SandboxCommand {
  readonly port: number;
  /** An address or a name of this machine. */
  readonly host: string;
  /** The address of the only subscriber of events. */
  readonly eventsTo?: string;
  /** Name of a scenario of the sandbox, or a file. */
  readonly scenario?: string;
  /** A file. */
  readonly faults?: string;
  readonly adapter?: readonly string[];
  readonly withService?: true;
  /** Port of the service beside it. */
  readonly servicePort: number;
}

/** Runs the sandbox, alone or with the service beside it, until a signal stops it. */
export async function sandbox(command: SandboxCommand): Promise<void> {
  const faults = command.faults === undefined ? null : readFaultsFile(textOf(command.faults));
  const scenario = command.scenario === undefined ? {} : { scenario: readScenario(scenarioNamed(command.scenario)) };
  const plugged = await loadPlugIns(command.adapter);
  const { port, host, eventsTo } = command;
  const eventTargets = eventsTo === undefined ? [] : [{ url: eventsTo }];
  const controlledFrom = LOOPBACK.includes(host) ? 'this machine' : 'private networks';
  const listed = [...carriers, ...plugged.plugIns];
  const ims = await startSandbox({ port, host, controlledFrom, carriers: listed, eventTargets, ...scenario });
  if (faults !== null) ims.control.applyFaultsFile(faults);
  let stopService = async (): Promise<void> => undefined;
  const stop = () => {
    stopService()
      .then(() => ims.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  // The handlers come before the report: a script may stop the sandbox as soon as it reads it.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  describe(ims, { ...command, plugged }, faults);
  if (command.withService) stopService = await serviceBeside(ims, command.servicePort, plugged);
}

/** @throws Error that names the file and why it cannot be read */
function textOf(faultsFile: string): string {
  try {
    return readFileSync(faultsFile, 'utf8');
  } catch (cause) {
    const { code }: { code?: unknown } = Object(cause);
    const why = code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a folder' : String(code);
    throw new Error(`The faults file "${faultsFile}" cannot be read: ${why}.`, { cause });
  }
}

function describe(
  ims: Sandbox,
  { scenario, faults, plugged }: SandboxCommand & { readonly plugged: PluggedIn },
  file: FaultsFile | null,
): void {
  const areas = ims.control.state().areas.map(({ contextId, apiKey }) => `${contextId} (x-api-key ${apiKey})`);
  const shown = areas.length > SHOWN_AREAS ? [...areas.slice(0, SHOWN_AREAS - 1), `… ${areas.at(-1)}`] : areas;
  console.log(`IMS        ${ims.imsBaseUrl}      token: ${ims.authUrl}/oauth2/token (client full, secret full-secret)`);
  console.log(`areas      ${shown.join(', ')}`);
  console.log(`try it     ${ims.url}/docs      description: ${ims.imsBaseUrl}/openapi.json`);
  const listed = [...carriers, ...plugged.plugIns];
  const width = Math.max(SHORTEST_NAME, ...listed.map(({ adapter }) => adapter.name.length));
  for (const { adapter } of listed) console.log(`${adapter.name.padEnd(width)} ${ims.carrierUrl(adapter.id)}`);
  console.log(`scenario   ${scenario ?? 'none: two areas with carriers and sellers'}`);
  console.log(`faults     ${file === null ? 'none' : `${faults}: ${inWords(file)}`}`);
  console.log(`control    ${ims.url}/control/state, /control/requests, /control/faults`);
}

function inWords({ seed, switches = {}, faults = [] }: FaultsFile): string {
  const parts = [
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...[`${Object.keys(switches).length} switches`, `${faults.length} faults`],
  ];
  return parts.join(', ');
}

async function serviceBeside(ims: Sandbox, port: number, plugged: PluggedIn): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-sandbox-'));
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(ims, plugged));
  const place = { port, configFile, dataDir: join(folder, 'data') };
  const environment = { ...sandboxEnvironment(ims, place, plugged), LOG_FORMAT: 'pretty' };
  const app = await startedWith(environment).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw inUse(error) ? new Error(`port ${port} is used by another process: ${CHOOSE}`, { cause: error }) : error;
  });
  ims.control.setEventTargets([eventTarget(app.url)]);
  ims.control.setCallbackTargets(callbackTargets(app.url, plugged));
  console.log(`\nservice    ${app.url}      operator token: ${sandboxSecrets.OPERATOR_TOKEN}`);
  console.log(`configured by ${configFile}`);
  console.log('\nThe first booking: create a shipment, ask for its transport, see how it ended');
  console.log(
    `  curl -s ${ims.url}/control/shipments -H 'content-type: application/json' -d '${firstShipment(plugged.plugIns.at(-1)?.adapter.name)}'`,
  );
  console.log(
    `  curl -s ${ims.url}/control/bookings -H 'content-type: application/json' -d '{"shipmentId": <id from the answer>}'`,
  );
  console.log(`  curl -s ${app.url}/api/v1/consignments -H 'authorization: Bearer ${sandboxSecrets.OPERATOR_TOKEN}'\n`);
  return async () => {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startedWith(environment: Readonly<Record<string, string>>): Promise<App> {
  const { settings, config, log } = await settingsFor(environment);
  return startApp(settings, config, log);
}

function inUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** @param carrierName the carrier that was plugged in last: it is the one that is tried */
function firstShipment(carrierName = 'GLS'): string {
  return JSON.stringify({ ...FIRST_SHIPMENT, shipment: { carrierName, ...FIRST_SHIPMENT.shipment } });
}

const FIRST_SHIPMENT = {
  area: 1,
  shipment: {
    privateDelivery: true,
    deliveryAddress: {
      addressee: 'Signe Lund',
      streetNameAndNumber: 'Birkevej 12',
      postalCode: '5000',
      cityTownOrVillage: 'Odense C',
      countryCode: 'DK',
    },
    contactPerson: { name: 'Signe Lund', email: 'signe.lund@mail.example', mobileNumber: '+4522334455' },
  },
  containers: [{ grossWeight: 2.4 }],
};
