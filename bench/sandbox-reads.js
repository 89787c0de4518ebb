// How many single shipments the sandbox answers with in a second: `npm run bench`. The sandbox runs in a process of its
// own with its limits off; the requests come from this one, so both share the machine.
/* global fetch */
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const GOAL_PER_SECOND = 2_000;
const RUNS = 3;
const LOAD = { connections: 50, pipelining: 1, duration: 10 };
const WARM_UP_SECONDS = 2;
/** It may have to be built first. */
const PATIENCE_MS = 120_000;
const PROGRAM = fileURLToPath(new URL('../bin/waybridge.js', import.meta.url));

const url = `http://127.0.0.1:${await freePort()}`;
const sandbox = spawn(process.execPath, [PROGRAM, 'sandbox', '--port', new URL(url).port], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  const headers = await credentials();
  const address = `${url}/2/shipments/${await aShipment(headers)}`;
  await autocannon({ ...LOAD, url: address, headers, duration: WARM_UP_SECONDS });
  const runs = [];
  for (let run = 1; run <= RUNS; run += 1) runs.push(measured(await autocannon({ ...LOAD, url: address, headers })));
  report(runs);
} finally {
  sandbox.kill();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Waits until the sandbox is there. */
async function credentials() {
  const basic = Buffer.from('full:full-secret').toString('base64');
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (sandbox.exitCode === null && Date.now() < giveUpAt) {
    const answer = await fetch(`${url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    }).catch(() => null);
    if (answer?.ok) {
      const { token_type: type, access_token: token } = await answer.json();
      return { authorization: `${type} ${token}`, 'x-api-key': 'area-1-key', 'content-type': 'application/json' };
    }
    await pause(100);
  }
  throw new Error('the sandbox does not start');
}

/** With two containers and three lines. @returns its id */
async function aShipment(headers) {
  const ask = (method, path, body) => asked(method, `${url}${path}`, { headers, body });
  await ask('POST', '/control/switches', { requestsPerSecond: null, requestsPerDay: null });
  const containers = [{ grossWeight: 2.4 }, { grossWeight: 5.1 }];
  const { id } = await ask('POST', '/control/shipments', { area: 1, shipment: { carrierName: 'GLS' }, containers });
  await ask('POST', '/2/productGroups', { productGroupName: 'Bench' });
  await ask('POST', '/2/products', { productGroupName: 'Bench', productNumber: 'B', productName: 'Bench' });
  for (const stockKeepingUnit of ['B-1', 'B-2', 'B-3']) {
    await ask('POST', '/2/globalTradeItems', { productNumber: 'B', stockKeepingUnit });
    await ask('POST', '/2/shipmentLines', { shipmentId: id, stockKeepingUnit, numItemsOrdered: 2 });
  }
  const { shippingContainers, shipmentLines } = await ask('GET', `/2/shipments/${id}`);
  if (shippingContainers.length !== 2 || shipmentLines.length !== 3) throw new Error('that is another shipment');
  return id;
}

async function asked(method, address, { headers, body }) {
  const answer = await fetch(address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

function measured({ requests, latency, errors, non2xx }) {
  if (errors > 0 || non2xx > 0) throw new Error(`${errors} errors, ${non2xx} answers other than 2xx`);
  return { 'requests/s': Math.round(requests.average), 'p50 ms': latency.p50, 'p99 ms': latency.p99 };
}

function report(runs) {
  const names = Object.keys(runs[0]);
  const medians = names.map((name) => [name, median(runs.map((run) => run[name]))]);
  const rows = runs.map((run, place) => [`run ${place + 1}`, run]);
  console.table(Object.fromEntries([...rows, ['median', Object.fromEntries(medians)]]));
  const perSecond = median(runs.map((run) => run['requests/s']));
  console.log(`goal: ${GOAL_PER_SECOND} requests/s, ${perSecond >= GOAL_PER_SECOND ? 'reached' : 'missed'}`);
  if (perSecond < GOAL_PER_SECOND) process.exitCode = 1;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
