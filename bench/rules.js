// How long it takes to choose carriers: `node bench/rules.js`. 500 rules, 1,000 shipments, facts and choice for each; the
// rules are compiled once, as in the service. `distinct`: no two rules ask the same, and hardly any shipment matches early.
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const RULES = 500;
const SHIPMENTS = 1_000;
const RUNS = 5;
const GOAL_MS = 1_000;
const COUNTRIES = ['DK', 'SE', 'NO', 'DE', 'FI', 'NL', 'GB', 'US'];
const PROGRAM = fileURLToPath(new URL('../bin/waybridge.js', import.meta.url));

spawnSync(process.execPath, [PROGRAM, '--help'], { stdio: ['ignore', 'ignore', 'inherit'] });
const { chooseCarrier, compileRules, explainChoice } = await import('../dist/src/routing/choose-carrier.js');
const { factsOf } = await import('../dist/src/routing/facts.js');

const accounts = [
  { name: 'gls', imsCarrierName: 'GLS' },
  { name: 'bring', imsCarrierName: 'Bring' },
];
const around = { timeZone: 'Europe/Copenhagen', now: new Date('2026-03-04T09:00:00Z'), senderCountry: 'DK' };
const shipments = Array.from({ length: SHIPMENTS }, (_none, n) => shipment(n));

const ordinary = Array.from({ length: RULES }, (_none, n) => ({
  name: `rule ${n}`,
  when: {
    'deliveryAddress.countryCode': { $in: [COUNTRIES[n % COUNTRIES.length]] },
    weightKg: { $gte: n % 40, $lt: (n % 40) + 0.5 },
    seller: `S-${n % 25}`,
    $or: [{ isBusiness: true }, { 'deliveryAddress.postalCode': { $regex: `^${n % 10}` } }],
  },
  unless: { hasDangerousGoods: true },
  use: { account: n % 2 === 0 ? 'gls' : 'bring' },
}));
const distinct = Array.from({ length: RULES }, (_none, n) => ({
  name: `rule ${n}`,
  when: {
    value: { $gt: n / 1_000 },
    'deliveryAddress.streetNameAndNumber': { $not: { $regex: `no such street ${n}` } },
    weightKg: { $gte: 1_000 + n },
  },
  use: { account: 'gls' },
}));

let slowest = 0;
for (const [name, rules] of Object.entries({ ordinary, distinct })) {
  const compiled = compileRules(rules, accounts);
  for (const [what, choose] of Object.entries({ choose: chooseCarrier, explain: explainChoice })) {
    const runs = Array.from({ length: RUNS }, () => measure((facts) => choose(facts, compiled)));
    const [wall, cpu] = ['wall', 'cpu'].map((clock) => median(runs.map((run) => run[clock])));
    if (what === 'choose') slowest = Math.max(slowest, cpu);
    console.log(`${name.padEnd(9)} ${what.padEnd(8)} ${cpu} ms of the processor, ${wall} ms by the clock`);
  }
}
console.log(
  `goal: ${RULES} rules x ${SHIPMENTS} shipments in ${GOAL_MS} ms, ${slowest < GOAL_MS ? 'reached' : 'missed'}`,
);
if (slowest >= GOAL_MS) process.exitCode = 1;

/** Who else is at work on this machine changes the clock, and hardly the time of the processor. */
function measure(choose) {
  const [from, used] = [performance.now(), process.cpuUsage()];
  for (const fields of shipments) choose(factsOf({ carrierName: null, fields }, around));
  const { user, system } = process.cpuUsage(used);
  return { wall: Math.round(performance.now() - from), cpu: Math.round((user + system) / 1_000) };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function shipment(n) {
  return {
    id: n,
    shipmentNumber: String(n),
    sellerNumber: `S-${n % 50}`,
    privateDelivery: n % 3 === 0,
    deliveryAddress: {
      countryCode: COUNTRIES[(n * 7) % COUNTRIES.length],
      postalCode: String(1_000 + n),
      streetNameAndNumber: `Birkevej ${n}`,
    },
    shipmentLines: Array.from({ length: 3 }, () => ({ numItemsOrdered: 2, salesPrice: n })),
    shippingContainers: [
      { id: n, grossWeight: (n % 80) / 2 + 0.1, dimensions: { length: 0.3, width: 0.2, height: 0.1 } },
    ],
  };
}
