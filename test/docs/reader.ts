import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';

const READY_WITHIN_MS = 120_000;
/** One block of commands. */
const BLOCK_WITHIN_MS = 240_000;

/** What the program consists of, and what is only read by a command of the pages. */
const LINKED = ['bin', 'bench', 'carriers', 'dist', 'node_modules', 'src', 'templates', 'tsconfig.json'];
const COPIED = ['package.json', 'rules.examples.yaml', 'waybridge.example.yaml'];

/** How a block ended. */
export interface Tried {
  readonly exitCode: number | null;
  /** What it printed, both streams. */
  readonly output: string;
  /** Each request of curl: `404 GET http://…`. */
  readonly requests: readonly string[];
}

/** Somebody who has a clone and, in another terminal, `npm run sandbox`. */
export interface Reader {
  readonly sandboxUrl: string;
  readonly serviceUrl: string;
  /**
   * Runs a block in the clone; its commands meet the sandbox that runs, wherever they say the port of the pages.
   * @param beside what runs beside that sandbox
   */
  run(script: string, beside?: 'service' | 'nothing'): Promise<Tried>;
  leave(): Promise<void>;
}

/** Starts the sandbox with the service as the README says, in a folder that looks like a clone. */
export async function sitDown(): Promise<Reader> {
  const clone = mkdtempSync(join(tmpdir(), 'waybridge-docs-'));
  for (const name of LINKED) symlinkSync(resolve(name), join(clone, name));
  for (const name of COPIED) copyFileSync(name, join(clone, name));
  const [sandboxPort, servicePort, ownPort] = [await freePort(), await freePort(), await freePort()];
  const ports = ['--port', String(sandboxPort), '--service-port', String(servicePort)];
  const running = await start(['sandbox', '--with-service', ...ports], clone);
  const lone = await startSandbox({ port: 0, carriers });
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const serviceUrl = `http://127.0.0.1:${servicePort}`;
  for (const name of ['.env.example', '.env']) writeFileSync(join(clone, name), settingsFor(sandboxUrl, ownPort));
  copyFileSync('waybridge.example.yaml', join(clone, 'waybridge.yaml'));
  copyFileSync('rules.examples.yaml', join(clone, 'mine.yaml'));
  const shipment = await fill(sandboxUrl);
  writeFileSync(join(clone, 'shipment.json'), JSON.stringify(shipment));
  return {
    sandboxUrl,
    serviceUrl,
    run: (script, beside = 'service') => {
      const places = { sandboxUrl: beside === 'service' ? sandboxUrl : lone.url, serviceUrl, ownPort };
      return tryOut(here(script, places), clone);
    },
    leave: async () => {
      await Promise.all([end(running, 'SIGTERM'), lone.close()]);
      rmSync(clone, { recursive: true, force: true });
    },
  };
}

/** What the pages ask for: areas, a label of GLS, a parcel of Pretend. @returns a shipment as the IMS gives it */
async function fill(sandboxUrl: string): Promise<unknown> {
  for (const contextId of [550, 551]) {
    await post(sandboxUrl, 'areas', { contextId, apiKey: `area-${contextId}-key` });
  }
  await book(sandboxUrl, 'Pretend');
  return book(sandboxUrl, 'GLS');
}

async function book(sandboxUrl: string, carrierName: string): Promise<unknown> {
  const deliveryAddress = {
    addressee: 'Signe Lund',
    streetNameAndNumber: 'Birkevej 12',
    postalCode: '5000',
    cityTownOrVillage: 'Odense C',
    countryCode: 'DK',
  };
  const contactPerson = { name: 'Signe Lund', mobileNumber: '+4522334455' };
  const shipment = { carrierName, privateDelivery: true, deliveryAddress, contactPerson };
  const { id } = await post(sandboxUrl, 'shipments', { area: 1, shipment, containers: [{ grossWeight: 2.4 }] });
  await post(sandboxUrl, 'bookings', { shipmentId: id });
  return { id, shipmentNumber: '10045', ...shipment };
}

async function post(sandboxUrl: string, path: string, body: object): Promise<{ readonly id?: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandboxUrl}/control/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text === '' ? {} : Object(JSON.parse(text));
}

/** The example as somebody fills it in who tries it with the sandbox. */
function settingsFor(sandboxUrl: string, port: number): string {
  const values: Readonly<Record<string, string>> = {
    IMS_BASE_URL: `${sandboxUrl}/2`,
    IMS_AUTH_URL: sandboxUrl,
    IMS_CLIENT_ID: 'full',
    IMS_CLIENT_SECRET: sandboxSecrets.IMS_CLIENT_SECRET,
    EVENTS_SECRET: 'events-secret-of-the-reader',
    OPERATOR_TOKEN: 'operator-token-of-the-reader',
    IMS_API_KEY_550: 'area-550-key',
    IMS_API_KEY_551: 'area-551-key',
  };
  const example = readFileSync('.env.example', 'utf8');
  const filled = example.replace(/^([A-Z_0-9]+)=.*$/gm, (line, name: string) =>
    values[name] === undefined ? line : `${name}=${values[name]}`,
  );
  return `${filled}\nHOST=127.0.0.1\nPORT=${port}\n`;
}

interface Places {
  readonly sandboxUrl: string;
  readonly serviceUrl: string;
  readonly ownPort: number;
}

/** The pages say ports, ids and an area that are others here. */
function here(script: string, { sandboxUrl, serviceUrl, ownPort }: Places): string {
  const operator = `export OPERATOR_TOKEN=${sandboxSecrets.OPERATOR_TOKEN} PUBLIC_URL=${serviceUrl}`;
  const said = script
    .replaceAll('http://127.0.0.1:9090', sandboxUrl)
    .replaceAll('http://127.0.0.1:8080', serviceUrl)
    .replaceAll('https://waybridge.example', serviceUrl)
    .replace(/^export OPERATOR_TOKEN=.*$/m, operator)
    .replace(/(?<=(\$W|consignments)\/)ID\b/g, '$(closed)')
    .replace(/(?<=explain )10000015|(?<=shipments\/)10000015|(?<=--shipment )\d+/g, '$(shipment)')
    .replace(/(?<=--document )\d+/g, '$(booking)')
    .replace(/(?<=explain )SHIPMENT\b/g, '$(shipment)')
    .replace(/(?<=explain )FILE\b/g, 'shipment.json')
    .replace(/(?<=forget )\d+/g, '$(number)')
    .replace(/(?<=--since )TIME\b/g, '$(an_hour_ago)')
    .replace(/((?<!json )--area |area=|"area": ")550/g, (_found, before: string) => `${before}1`);
  const known = said.includes('$SHIPMENT') && !said.includes('SHIPMENT=') ? 'SHIPMENT=$(shipment)\n' : '';
  return `${preamble({ sandboxUrl, serviceUrl, ownPort })}\n${operator}\n${known}${said}`;
}

/**
 * `npx waybridge` is looked up once, then the program that it finds is run: npx takes longer to start than the program. `curl` writes
 * down what it was answered; `lasting` runs what does not end by itself until it answers; `withoutCarriers` runs what asks the
 * carriers' own addresses, which tests do not reach; `understood` runs what may not fit the state of its booking.
 */
function preamble({ serviceUrl, ownPort }: Places): string {
  const operator = `-H 'authorization: Bearer ${sandboxSecrets.OPERATOR_TOKEN}'`;
  return `
set -euo pipefail
set -a; . ./.env.example; set +a
free() { node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})"; }
curl() { command curl -w '%{stderr}REQUEST %{http_code} %{method} %{url_effective}\\n' "$@"; }
newest() { command curl -sf '${serviceUrl}/api/v1/consignments?state=closed' ${operator} | node -p "JSON.parse(require('fs').readFileSync(0)).consignments[0]?.$1 ?? ''"; }
waitFor() { for _ in $(seq 300); do found=$(newest "$1"); [ -n "$found" ] && { echo "$found"; return; }; sleep 0.2; done; return 1; }
closed() { waitFor id; }
shipment() { waitFor shipmentId; }
booking() { waitFor documentId; }
number() { waitFor shipmentNumber; }
an_hour_ago() { node -p 'new Date(Date.now() - 3600e3).toISOString()'; }
npx() {
  if [ "$1" != waybridge ]; then command npx "$@"; return; fi
  if [ -e .npx-finds-it ]; then shift; node bin/waybridge.js "$@"; return; fi
  command npx "$@" && touch .npx-finds-it
}
lasting() {
  local address=$1; shift
  "$@" & local process=$!
  command curl -sf --retry 120 --retry-delay 1 --retry-connrefused -o /dev/null "$address"
  kill -TERM $process
  wait $process
}
understood() {
  local output
  if output=$("$@" 2>&1); then echo "$output"; return; fi
  echo "$output"
  grep -q 'the service says 409: Not possible now' <<<"$output"
}
withoutCarriers() {
  local output
  if output=$("$@" 2>&1); then echo "$output"; return; fi
  echo "$output"
  grep -q '^account .*NOT WORKING' <<<"$output" && [ -z "$(grep 'NOT WORKING' <<<"$output" | grep -v '^account ')" ]
}
OWN=http://127.0.0.1:${ownPort}`;
}

async function tryOut(script: string, cwd: string): Promise<Tried> {
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), BLOCK_WITHIN_MS);
  const exitCode = await new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  clearTimeout(timer);
  const requests = [...output.matchAll(/^.*REQUEST (\d{3} \w+ \S+)$/gm)].map(([, request = '']) => request);
  return { exitCode, output, requests };
}

async function start(command: readonly string[], cwd: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['bin/waybridge.js', ...command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const begin = Date.now();
  while (!output.includes('The first booking:')) {
    if (child.exitCode !== null || Date.now() - begin > READY_WITHIN_MS)
      throw new Error(`it did not start:\n${output}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await gone;
}
