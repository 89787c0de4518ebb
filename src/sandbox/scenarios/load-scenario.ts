import type { JsonMembers } from '../store/json.js';
import { ImsRefusal } from '../api/refusal.js';
import { scenarioError } from './checks.js';
import { dated } from './dates.js';
import { fillArea } from './fill-area.js';
import { randomFrom } from './generate/random.js';
import { kindOf } from './kinds-of-collections.js';
import type { AreaContents, InboundShipment, Scenario, ScenarioArea, ScenarioShipment } from './scenario.js';
import { COLLECTIONS } from './scenario.js';
import type { Warehouse } from './warehouse.js';

/** The number of rows created, by collection; it counts `areas` and `shippingContainers` too. */
export type Summary = Readonly<Record<string, number>>;

/**
 * Fills a warehouse with the contents of a scenario and with those that it generates.
 * @param today the date that `today` in the file stands for; only its UTC date matters
 * @throws Error with every refusal of the warehouse and its place
 */
export function loadScenario(scenario: Scenario, warehouse: Warehouse, today: Date = new Date()): Summary {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const problems: string[] = [];
  for (const area of scenario.areas) {
    count('areas');
    warehouse.addArea({ contextId: area.contextId, apiKey: area.apiKey });
    loadArea(contentsOf(scenario, area, today), new Loading({ area, warehouse, today, count, problems }));
  }
  if (problems.length > 0) throw scenarioError(problems);
  return Object.fromEntries(counts);
}

function contentsOf({ seed }: Scenario, { contextId, contents, generate }: ScenarioArea, today: Date): AreaContents {
  if (generate === null) return contents;
  return fillArea(contents, generate, { random: randomFrom(seed, `area ${contextId}`), today });
}

interface LoadingInto {
  readonly area: ScenarioArea;
  readonly warehouse: Warehouse;
  readonly today: Date;
  readonly count: (collection: string) => void;
  /** The loading appends its problems here. */
  readonly problems: string[];
}

/** Loads one area. It reports each refusal, unless an earlier refusal caused it. */
class Loading {
  /** Rows that could not be created, as `<Resource> <number or name>`. */
  private readonly missing = new Set<string>();

  constructor(private readonly into: LoadingInto) {}

  /** @param place within the area, e.g. `customers[3]` @returns its id, or `null` when it was refused */
  create(collection: string, body: JsonMembers, place: string): number | null {
    const { warehouse, area, today, count } = this.into;
    const whole = dated(body, today);
    return this.attempt(collection, { body: whole, place }, () => {
      const { id } = warehouse.create(area.contextId, collection, whole);
      count(collection);
      return id;
    });
  }

  bring({ body, state }: ScenarioShipment, id: number, place: string): void {
    if (state === 'new') return;
    this.attempt('shipments', { body, place }, () => this.into.warehouse.bring(this.into.area.contextId, id, state));
  }

  receive(
    collection: 'inboundShipments' | 'returnShipments',
    arrival: InboundShipment & { readonly id: number },
    at: string,
  ) {
    const { body, state, id } = arrival;
    const { warehouse, area } = this.into;
    if (state === 'new') return;
    this.attempt(collection, { body, place: at }, () => warehouse.receive(area.contextId, collection, id));
  }

  private attempt<T>(collection: string, what: { body: JsonMembers; place: string }, act: () => T): T | null {
    try {
      return act();
    } catch (cause) {
      if (!(cause instanceof ImsRefusal)) throw cause;
      if (!this.isFollowing(cause, what.body)) this.report(cause, collection, what.place);
      this.miss(collection, what.body);
      return null;
    }
  }

  private report({ message, place: within }: ImsRefusal, collection: string, place: string): void {
    const { area, problems } = this.into;
    problems.push(`${this.placeIn(area, collection, place)}${within === null ? '' : `.${within}`}: ${message}`);
  }

  /** The place of a row in the file. A row beyond the file's own list was generated, so its place is `generate`. */
  private placeIn({ place, contents, generate }: ScenarioArea, collection: string, at: string): string {
    const index = Number(/^\w+\[(\d+)\]/.exec(at)?.[1]);
    const { shipments, inboundShipments, returnShipments, bodies } = contents;
    const own = { shipments, inboundShipments, returnShipments, shippingContainers: shipments, ...bodies };
    const written = Object.entries(own).find(([name]) => name === collection)?.[1].length ?? 0;
    return generate !== null && index >= written ? `${place}.generate: ${at}` : `${place}.${at}`;
  }

  private miss(collection: string, body: JsonMembers): void {
    const { name, unique = [] } = kindOf(collection).resource;
    for (const field of unique) if (typeof body[field] === 'string') this.missing.add(`${name} ${body[field]}`);
    if (collection === 'globalTradeItemLots') this.missing.add(`Stock ${String(body['stockKeepingUnit'])}`);
  }

  /** Whether the refusal follows from an earlier one: the body refers to a row that could not be created. */
  private isFollowing({ kind, resource }: ImsRefusal, body: JsonMembers): boolean {
    const needed = kind === 'unknown' ? resource : 'Stock';
    return textsIn(body).some((text) => this.missing.has(`${needed} ${text}`));
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function loadArea(contents: AreaContents, loading: Loading): void {
  for (const collection of COLLECTIONS)
    for (const [index, body] of contents.bodies[collection].entries())
      loading.create(collection, body, `${collection}[${index}]`);
  for (const [index, arrival] of contents.inboundShipments.entries())
    loadArrival('inboundShipments', arrival, `inboundShipments[${index}]`, loading);
  const ids = contents.shipments.map((shipment, index) => loadShipment(shipment, `shipments[${index}]`, loading));
  for (const [index, { ofShipment, ...arrival }] of contents.returnShipments.entries()) {
    const shipmentId = ofShipment === null ? undefined : ids[ofShipment];
    if (shipmentId === null) continue;
    const body = { ...arrival.body, ...(shipmentId === undefined ? {} : { shipmentId }) };
    loadArrival('returnShipments', { ...arrival, body }, `returnShipments[${index}]`, loading);
  }
}

function loadArrival(
  collection: 'inboundShipments' | 'returnShipments',
  arrival: InboundShipment,
  place: string,
  loading: Loading,
): void {
  const id = loading.create(collection, arrival.body, place);
  if (id !== null) loading.receive(collection, { ...arrival, id }, place);
}

/** @returns its id; `null` when it was refused */
function loadShipment(shipment: ScenarioShipment, place: string, loading: Loading): number | null {
  const shipmentId = loading.create('shipments', shipment.body, place);
  if (shipmentId === null) return null;
  const containers = shipment.shippingContainers.map((container, index) =>
    loading.create('shippingContainers', { ...container, shipmentId }, `${place}.shippingContainers[${index}]`),
  );
  if (!containers.includes(null)) loading.bring(shipment, shipmentId, place);
  return shipmentId;
}
