import { isScalar, visit } from 'yaml';
import type { Pair } from 'yaml';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { MAX_SEED } from '../control/random.js';
import { readYaml } from '../faults/yaml-text.js';
import type { BodyPlace } from './check-body.js';
import { checkBody } from './check-body.js';
import type { Checks } from './checks.js';
import { scenarioError, startChecks } from './checks.js';
import { COUNTRY_CODES } from './generate/countries/index.js';
import { kindOf } from './kinds-of-collections.js';
import type { AreaContents, InboundShipment, Generate, Scenario, ScenarioArea, ScenarioShipment } from './scenario.js';
import { ARRIVALS, ASSORTMENTS, COLLECTIONS, SHIPMENT_STATES } from './scenario.js';

const MAX_AREAS = 1000;
const MAX_GENERATED = 100_000;
const MAX_DAYS = 365;
const MAX_ID = 2 ** 31 - 1;

const AREA_MEMBERS = ['contextId', 'apiKey', 'repeat', 'generate', ...COLLECTIONS].concat(
  'inboundShipments',
  'shipments',
  'returnShipments',
);
const AMOUNTS = [
  'sellers',
  'suppliers',
  'products',
  'customers',
  'shipments',
  'inboundShipments',
  'returnShipments',
] as const;
const SHARES = ['countries', 'carriers', 'states'];
const GENERATE_MEMBERS = [...AMOUNTS, 'assortments', ...SHARES, 'companies', 'backOrders', 'deliveryInDays'];

/**
 * Members that are text even when YAML would read a number: `0150` is a postal code in Oslo, `+4520100000` a telephone
 * number.
 */
const WRITTEN_AS_DIGITS = /(Number|postalCode|stockKeepingUnit|pickUpPointId|Reference|Code|size)$/;

/**
 * Reads a scenario file; this folder's README describes its format.
 * @throws Error with every problem and its place
 */
export function readScenario(text: string): Scenario {
  const prepare = (document: Parameters<typeof visit>[0]) => {
    visit(document, { Pair: (_key, pair) => keepDigits(pair) });
  };
  const value = readYaml(text, { called: 'scenario', prepare });
  if (!isJsonObject(value)) throw scenarioError(['the file: must be a mapping with description, seed and areas']);
  const checks = startChecks();
  const top = checks.object(value, '', ['description', 'seed', 'areas']);
  const description = checks.text(top['description'], 'description');
  const seed = checks.whole(top['seed'], 'seed', { min: 0, max: MAX_SEED });
  const given = checks.list(top['areas'], 'areas');
  const areas = given.flatMap((area, index) => readAreas(area, `areas[${index}]`, checks));
  const isNone = top['areas'] === undefined || (Array.isArray(top['areas']) && given.length === 0);
  if (isNone) checks.report('areas', 'must hold at least one area');
  reportTwins(areas, checks);
  if (checks.problems.length > 0) throw scenarioError(checks.problems);
  return { description, seed, areas };
}

function keepDigits({ key, value }: Pair): void {
  const name = isScalar(key) ? key.value : null;
  if (typeof name !== 'string' || !WRITTEN_AS_DIGITS.test(name)) return;
  if (isScalar(value) && typeof value.value === 'number') value.value = value.source ?? String(value.value);
}

function readAreas(value: Json, place: string, checks: Checks): readonly ScenarioArea[] {
  const given = checks.object(value, place, AREA_MEMBERS);
  if (!isJsonObject(value)) return [];
  const before = checks.problems.length;
  const first = checks.whole(given['contextId'], `${place}.contextId`, { min: 1, max: MAX_ID });
  const repeat = checks.whole(given['repeat'], `${place}.repeat`, { min: 1, max: MAX_AREAS, otherwise: 1 });
  const isNumbered = checks.problems.length === before;
  const apiKey = given['apiKey'] === undefined ? null : checks.text(given['apiKey'], `${place}.apiKey`);
  if (repeat > 1 && apiKey !== null) checks.report(`${place}.apiKey`, 'must not be given to a repeated area');
  const contents = readContents(given, place, checks);
  const generate =
    given['generate'] === undefined ? null : readGenerate(given['generate'], `${place}.generate`, checks);
  // An area with an invalid number cannot be checked for duplicates, so it is left out.
  const length = isNumbered ? repeat : 0;
  return Array.from({ length }, (_none, index) => first + index).map((contextId) => ({
    place,
    contextId,
    apiKey: apiKey ?? `area-${contextId}-key`,
    contents,
    generate,
  }));
}

function reportTwins(areas: readonly ScenarioArea[], checks: Checks): void {
  const twins = (values: readonly (string | number)[]) =>
    new Set(values.filter((value, index) => values.indexOf(value) !== index));
  const ids = twins(areas.map(({ contextId }) => contextId));
  for (const id of ids) checks.report('areas', `must not give the contextId ${id} twice`);
  // Two areas with the same number get the same default key, so only the duplicate number is reported.
  const others = areas.filter(({ contextId }) => !ids.has(contextId));
  for (const key of twins(others.map(({ apiKey }) => apiKey)))
    checks.report('areas', `must not give the apiKey ${key} twice`);
}

function readContents(given: JsonMembers, place: string, checks: Checks): AreaContents {
  const each = <T>(name: string, read: (value: Json, place: string) => T): readonly T[] =>
    checks.list(given[name], `${place}.${name}`).map((value, index) => read(value, `${place}.${name}[${index}]`));
  const bodies = (name: string) => each(name, (value, at) => readBody(value, { name, at }, checks));
  const arrivals = (name: string) => each(name, (value, at) => readArrival(value, { name, at }, checks));
  return {
    bodies: {
      productGroups: bodies('productGroups'),
      products: bodies('products'),
      productCustomsInformations: bodies('productCustomsInformations'),
      globalTradeItems: bodies('globalTradeItems'),
      locations: bodies('locations'),
      globalTradeItemLots: bodies('globalTradeItemLots'),
      sellers: bodies('sellers'),
      customers: bodies('customers'),
      suppliers: bodies('suppliers'),
      carriers: bodies('carriers'),
    },
    inboundShipments: arrivals('inboundShipments'),
    shipments: each('shipments', (value, at) => readShipment(value, at, checks)),
    returnShipments: arrivals('returnShipments').map((arrival) => ({ ...arrival, ofShipment: null })),
  };
}

interface Place extends BodyPlace {
  /** The collection's name. */
  readonly name: string;
}

function readBody(value: Json, place: Place, checks: Checks): JsonMembers {
  const body = checks.object(value, place.at, null);
  checkBody(kindOf(place.name).resource, body, place, checks);
  return body;
}

function readArrival(value: Json, { name, at }: Place, checks: Checks): InboundShipment {
  const { state: given = 'new', ...body } = checks.object(value, at, null);
  const state = ARRIVALS.find((known) => known === given);
  if (state === undefined) checks.report(`${at}.state`, `must be one of ${ARRIVALS.join(', ')}`);
  return { body: readBody(body, { name, at, beside: ['state'] }, checks), state: state ?? 'new' };
}

function readShipment(value: Json, place: string, checks: Checks): ScenarioShipment {
  const { state: given = 'new', shippingContainers, ...body } = checks.object(value, place, null);
  const state = SHIPMENT_STATES.find((known) => known === given);
  if (state === undefined) checks.report(`${place}.state`, `must be one of ${SHIPMENT_STATES.join(', ')}`);
  const name = 'shippingContainers';
  const containers = checks
    .list(shippingContainers, `${place}.${name}`)
    .map((container, index) => readBody(container, { name, at: `${place}.${name}[${index}]` }, checks));
  return {
    body: readBody(body, { name: 'shipments', at: place, beside: ['state', name] }, checks),
    shippingContainers: containers,
    state: state ?? 'new',
  };
}

function readGenerate(value: Json | undefined, place: string, checks: Checks): Generate {
  const before = checks.problems.length;
  const given = checks.object(value, place, GENERATE_MEMBERS);
  const whole = (name: string, max: number): number =>
    checks.whole(given[name], `${place}.${name}`, { min: 0, max, otherwise: 0 });
  const shares = (name: string, known: readonly string[] | null, usual: string) =>
    checks.shares(given[name], `${place}.${name}`, { known, otherwise: { [usual]: 1 } });
  const generate: Generate = {
    sellers: whole('sellers', MAX_GENERATED),
    suppliers: whole('suppliers', MAX_GENERATED),
    products: whole('products', MAX_GENERATED),
    customers: whole('customers', MAX_GENERATED),
    shipments: whole('shipments', MAX_GENERATED),
    inboundShipments: whole('inboundShipments', MAX_GENERATED),
    returnShipments: whole('returnShipments', MAX_GENERATED),
    assortments: readAssortments(given['assortments'], `${place}.assortments`, checks),
    countries: shares('countries', COUNTRY_CODES, 'DK'),
    carriers: shares('carriers', null, 'none'),
    states: shares('states', SHIPMENT_STATES, 'new'),
    companies: whole('companies', 100),
    backOrders: whole('backOrders', 100),
    deliveryInDays: readDays(given['deliveryInDays'], `${place}.deliveryInDays`, checks),
  };
  // Invalid amounts read as 0, which would cause misleading reports here.
  if (checks.problems.length === before) reportWants(generate, place, checks);
  return generate;
}

function readAssortments(value: Json | undefined, place: string, checks: Checks): Generate['assortments'] {
  const given = checks.list(value, place);
  for (const [index, name] of given.entries())
    if (!ASSORTMENTS.some((known) => known === name))
      checks.report(`${place}[${index}]`, `must be one of ${ASSORTMENTS.join(', ')}`);
  return given.length === 0 ? ASSORTMENTS : ASSORTMENTS.filter((known) => given.includes(known));
}

function readDays(value: Json | undefined, place: string, checks: Checks): Generate['deliveryInDays'] {
  if (value === undefined) return { from: 0, to: 0 };
  const given = checks.object(value, place, ['from', 'to']);
  const limits = { min: -MAX_DAYS, max: MAX_DAYS, otherwise: 0 };
  const from = checks.whole(given['from'], `${place}.from`, limits);
  const to = checks.whole(given['to'], `${place}.to`, limits);
  if (to < from) checks.report(`${place}.to`, 'must not be before from');
  return { from, to };
}

/** Reports generated rows that need other rows of which none are generated. */
function reportWants(generate: Generate, place: string, checks: Checks): void {
  const want = (wanting: (typeof AMOUNTS)[number], wanted: (typeof AMOUNTS)[number]): void => {
    if (generate[wanting] > 0 && generate[wanted] === 0) checks.report(`${place}.${wanting}`, `needs ${wanted}`);
  };
  want('shipments', 'customers');
  want('shipments', 'products');
  want('inboundShipments', 'products');
  want('inboundShipments', 'suppliers');
  want('returnShipments', 'shipments');
  if (generate.returnShipments > 0 && (generate.states['handed-over'] ?? 0) === 0)
    checks.report(`${place}.returnShipments`, 'needs shipments that were handed over');
}
