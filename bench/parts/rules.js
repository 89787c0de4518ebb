// How long it takes to choose carriers: 500 rules, 1,000 shipments, facts and choice for each; the rules are compiled once, as
// in the service. `distinct`: no two rules ask the same, and hardly any shipment matches early.
import { performance } from 'node:perf_hooks';
import process from 'node:process';

export const name = 'rules';
export const seconds = 5;

const RULES = 500;
const SHIPMENTS = 1_000;
const GOAL_MS = 1_000;
const COUNTRIES = ['DK', 'SE', 'NO', 'DE', 'FI', 'NL', 'GB', 'US'];

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

export async function run(frame) {
  const { chooseCarrier, compileRules } = await import('../../dist/src/routing/choose-carrier.js');
  const { factsOf } = await import('../../dist/src/routing/facts/facts.js');
  for (const [kind, rules] of Object.entries({ ordinary, distinct })) {
    const compiled = compileRules(rules, accounts);
    const { wall, cpu } = timed((fields) => chooseCarrier(factsOf({ carrierName: null, fields }, around), compiled));
    frame.measure(`${RULES} ${kind} rules for ${SHIPMENTS} shipments`, {
      ...{ value: cpu, unit: 'ms of the processor', goal: { atMost: GOAL_MS } },
      control: { what: 'by the clock', value: wall, unit: 'ms' },
    });
  }
}

/** Other programs on this machine change wall time, but hardly processor time. */
function timed(choose) {
  const [from, used] = [performance.now(), process.cpuUsage()];
  for (const fields of shipments) choose(fields);
  const { user, system } = process.cpuUsage(used);
  return { wall: Math.round(performance.now() - from), cpu: Math.round((user + system) / 1_000) };
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
