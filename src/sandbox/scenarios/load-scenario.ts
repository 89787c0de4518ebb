import type { Json, JsonObject } from '../json.js';
import { isJsonArray, isJsonObject } from '../json.js';
import { fillArea } from './fill-area.js';
import { dayText } from './generate/days.js';
import { randomFrom } from './generate/random.js';
import type { AreaContents, Scenario, ScenarioArea, ScenarioShipment } from './scenario.js';
import { COLLECTIONS } from './scenario.js';
import type { Warehouse } from './warehouse.js';

/** What was created, by the names of collections; `areas` and `shippingContainers` are counted too. */
export type Summary = Readonly<Record<string, number>>;

/**
 * Fills a warehouse with all that a scenario says and has invented.
 * @param today what `today` in the file means; only its UTC date counts
 * @throws Error the warehouse refuses something; it says what, and where it stands
 */
export function loadScenario(scenario: Scenario, warehouse: Warehouse, today: Date = new Date()): Summary {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const area of scenario.areas) {
    const { contextId, apiKey } = area;
    count('areas');
    warehouse.addArea({ contextId, apiKey });
    const create = (collection: string, body: JsonObject, place: string): number => {
      count(collection);
      return tell(contextId, place, () => warehouse.create(contextId, collection, dated(body, today)).id);
    };
    loadArea(contentsOf(scenario, area, today), {
      create,
      bring: (id, state, place) => tell(contextId, place, () => warehouse.bring(contextId, id, state)),
    });
  }
  return Object.fromEntries(counts);
}

function contentsOf({ seed }: Scenario, { contextId, contents, generate }: ScenarioArea, today: Date): AreaContents {
  if (generate === null) return contents;
  return fillArea(contents, generate, { random: randomFrom(seed, `area ${contextId}`), today });
}

/** One area of the warehouse; `place` says where a body comes from, as in `customers[3]`. */
interface Loading {
  create(collection: string, body: JsonObject, place: string): number;
  bring(shipmentId: number, state: Parameters<Warehouse['bring']>[2], place: string): void;
}

function loadArea(contents: AreaContents, loading: Loading): void {
  for (const collection of COLLECTIONS)
    for (const [index, body] of contents.bodies[collection].entries())
      loading.create(collection, body, `${collection}[${index}]`);
  const ids = contents.shipments.map((shipment, index) => loadShipment(shipment, `shipments[${index}]`, loading));
  for (const [index, { body, ofShipment }] of contents.returnShipments.entries()) {
    const shipmentId = ofShipment === null ? undefined : ids[ofShipment];
    loading.create(
      'returnShipments',
      { ...body, ...(shipmentId === undefined ? {} : { shipmentId }) },
      `returnShipments[${index}]`,
    );
  }
}

function loadShipment({ body, shippingContainers, state }: ScenarioShipment, place: string, loading: Loading): number {
  const shipmentId = loading.create('shipments', body, place);
  for (const [index, container] of shippingContainers.entries())
    loading.create('shippingContainers', { ...container, shipmentId }, `${place}.shippingContainers[${index}]`);
  if (state !== 'new') loading.bring(shipmentId, state, place);
  return shipmentId;
}

function tell<T>(contextId: number, place: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`scenario: area ${contextId}, ${place}: ${reason}`, { cause });
  }
}

/** A body with `today`, `today+2` and `today-30` as dates. */
function dated(body: JsonObject, today: Date): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, withDates(value, today)]));
}

function withDates(value: Json | undefined, today: Date): Json | undefined {
  if (typeof value === 'string') {
    const days = /^today([+-]\d{1,4})?$/.exec(value);
    return days === null ? value : dayText(today, Number(days[1] ?? 0));
  }
  if (isJsonArray(value)) return value.map((item) => withDates(item, today) ?? null);
  return isJsonObject(value) ? dated(value, today) : value;
}
