import { isScalar, parseDocument, visit } from 'yaml';
import type { Pair } from 'yaml';
import type { Json, JsonObject } from '../json.js';
import { LARGEST_SEED } from '../random.js';
import type { Checks } from './checks.js';
import { startChecks } from './checks.js';
import { COUNTRY_CODES } from './generate/countries/index.js';
import type { AreaContents, Collection, Generate, ReturnShipment, Scenario, ScenarioArea } from './scenario.js';
import type { ScenarioShipment } from './scenario.js';
import { ASSORTMENTS, COLLECTIONS, STATES } from './scenario.js';

const MOST_AREAS = 1000;
const MOST_GENERATED = 100_000;
const MOST_DAYS = 365;
const LARGEST_ID = 2 ** 31 - 1;

const AREA_MEMBERS = ['contextId', 'apiKey', 'repeat', 'generate', ...COLLECTIONS, 'shipments', 'returnShipments'];
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

/** Text, though it may be written as digits: `0150` is a postal code in Oslo, and `+4520100000` a telephone. */
const WRITTEN_AS_DIGITS = /(Number|postalCode|stockKeepingUnit|pickUpPointId|Reference|Code|size)$/;

/**
 * Reads a scenario's file; its form is in this folder's README.
 * @throws Error naming all that is wrong, and where
 */
export function readScenario(text: string): Scenario {
  const checks = startChecks();
  const top = checks.object(readYaml(text, checks), 'the file', ['description', 'seed', 'areas']);
  const description = checks.text(top['description'], 'description');
  const seed = checks.whole(top['seed'], 'seed', { min: 0, max: LARGEST_SEED });
  const areas = checks.list(top['areas'], 'areas').flatMap((area, index) => readAreas(area, `areas[${index}]`, checks));
  if (areas.length === 0) checks.report('areas', 'must hold at least one area');
  reportTwins(areas, checks);
  const { problems } = checks;
  if (problems.length > 0) throw new Error(`scenario: ${problems.length} problems\n  ${problems.join('\n  ')}`);
  return { description, seed, areas };
}

function readYaml(text: string, checks: Checks): Json {
  const document = parseDocument(text);
  for (const { linePos, code } of document.errors)
    checks.report(`line ${linePos?.[0].line ?? '?'}`, `is not valid YAML (${code})`);
  if (document.errors.length > 0) return {};
  visit(document, { Pair: (_key, pair) => keepDigits(pair) });
  const value: Json = document.toJS();
  return value;
}

function keepDigits({ key, value }: Pair): void {
  const name = isScalar(key) ? key.value : null;
  if (typeof name !== 'string' || !WRITTEN_AS_DIGITS.test(name)) return;
  if (isScalar(value) && typeof value.value === 'number') value.value = value.source ?? String(value.value);
}

function readAreas(value: Json, place: string, checks: Checks): readonly ScenarioArea[] {
  const given = checks.object(value, place, AREA_MEMBERS);
  const first = checks.whole(given['contextId'], `${place}.contextId`, { min: 1, max: LARGEST_ID });
  const repeat = checks.whole(given['repeat'], `${place}.repeat`, { min: 1, max: MOST_AREAS, otherwise: 1 });
  const apiKey = given['apiKey'] === undefined ? null : checks.text(given['apiKey'], `${place}.apiKey`);
  if (repeat > 1 && apiKey !== null) checks.report(`${place}.apiKey`, 'must not be given to a repeated area');
  const contents = readContents(given, place, checks);
  const generate =
    given['generate'] === undefined ? null : readGenerate(given['generate'], `${place}.generate`, checks);
  return Array.from({ length: repeat }, (_none, index) => first + index).map((contextId) => ({
    contextId,
    apiKey: apiKey ?? `area-${contextId}-key`,
    contents,
    generate,
  }));
}

function reportTwins(areas: readonly ScenarioArea[], checks: Checks): void {
  for (const member of ['contextId', 'apiKey'] as const) {
    const values = areas.map((area) => area[member]);
    const twins = new Set(values.filter((value, index) => values.indexOf(value) !== index));
    for (const value of twins) checks.report('areas', `must not give the ${member} ${value} twice`);
  }
}

function readContents(given: JsonObject, place: string, checks: Checks): AreaContents {
  const bodies = (name: Collection | 'returnShipments'): readonly JsonObject[] =>
    checks
      .list(given[name], `${place}.${name}`)
      .map((body, index) => checks.object(body, `${place}.${name}[${index}]`, null));
  const shipments = checks
    .list(given['shipments'], `${place}.shipments`)
    .map((shipment, index) => readShipment(shipment, `${place}.shipments[${index}]`, checks));
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
      inboundShipments: bodies('inboundShipments'),
    },
    shipments,
    returnShipments: bodies('returnShipments').map((body): ReturnShipment => ({ body, ofShipment: null })),
  };
}

function readShipment(value: Json, place: string, checks: Checks): ScenarioShipment {
  const { state: given, shippingContainers, ...body } = checks.object(value, place, null);
  const state = given === undefined ? 'new' : STATES.find((known) => known === given);
  if (state === undefined) checks.report(`${place}.state`, `must be one of ${STATES.join(', ')}`);
  const containers = checks
    .list(shippingContainers, `${place}.shippingContainers`)
    .map((container, index) => checks.object(container, `${place}.shippingContainers[${index}]`, null));
  return { body, shippingContainers: containers, state: state ?? 'new' };
}

function readGenerate(value: Json | undefined, place: string, checks: Checks): Generate {
  const given = checks.object(value, place, GENERATE_MEMBERS);
  const whole = (name: string, max: number): number =>
    checks.whole(given[name], `${place}.${name}`, { min: 0, max, otherwise: 0 });
  const shares = (name: string, known: readonly string[] | null, usual: string) =>
    checks.shares(given[name], `${place}.${name}`, { known, otherwise: { [usual]: 1 } });
  const generate: Generate = {
    sellers: whole('sellers', MOST_GENERATED),
    suppliers: whole('suppliers', MOST_GENERATED),
    products: whole('products', MOST_GENERATED),
    customers: whole('customers', MOST_GENERATED),
    shipments: whole('shipments', MOST_GENERATED),
    inboundShipments: whole('inboundShipments', MOST_GENERATED),
    returnShipments: whole('returnShipments', MOST_GENERATED),
    assortments: readAssortments(given['assortments'], `${place}.assortments`, checks),
    countries: shares('countries', COUNTRY_CODES, 'DK'),
    carriers: shares('carriers', null, 'none'),
    states: shares('states', STATES, 'new'),
    companies: whole('companies', 100),
    backOrders: whole('backOrders', 100),
    deliveryInDays: readDays(given['deliveryInDays'], `${place}.deliveryInDays`, checks),
  };
  reportWants(generate, place, checks);
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
  const limits = { min: -MOST_DAYS, max: MOST_DAYS, otherwise: 0 };
  const from = checks.whole(given['from'], `${place}.from`, limits);
  const to = checks.whole(given['to'], `${place}.to`, limits);
  if (to < from) checks.report(`${place}.to`, 'must not be before from');
  return { from, to };
}

/** What is invented of one kind needs something of another. */
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
