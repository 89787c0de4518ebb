import {
  activeSubstanceInProductFields,
  bundleComponentFields,
  logisticVariantFields,
  productHazardFields,
} from '../schema/items-fields.js';
import type { Ims } from '../ims.js';
import type { JsonMembers } from '../store/json.js';
import { isJsonArray, membersOf } from '../store/json.js';
import { present } from '../api/present.js';
import { ImsRefusal } from '../api/refusal.js';
import type { ItemRow, Row } from '../store/store.js';

const NO_COMPONENT = 'A BundleComponent needs a GlobalTradeItem: give componentId or componentStockKeepingUnit.';

/**
 * The entries of lists inside products and items. Clients send them with their owner; they have no endpoints of their
 * own.
 */
const activeSubstance = { name: 'ActiveSubstanceInProduct', fields: activeSubstanceInProductFields };
const hazard = { name: 'ProductHazard', fields: productHazardFields };
const bundleComponent = { name: 'BundleComponent', fields: bundleComponentFields };
const logisticVariant = { name: 'LogisticVariant', fields: logisticVariantFields };

/** The lists with these names, with an id and a `contextId` in each entry. */
export function withIds(ims: Ims, contextId: number, given: JsonMembers, names: readonly string[]): JsonMembers {
  const lists = names.map((name) => {
    return [name, entriesIn(given, name).map((entry) => ({ ...entry, id: ims.store.nextId(), contextId }))] as const;
  });
  return Object.fromEntries(lists);
}

/**
 * Resolves the components of a bundle: items, given by id or by stock keeping unit. @throws ImsRefusal when an item is
 * unknown
 */
export function resolveComponents(ims: Ims, contextId: number, given: JsonMembers): JsonMembers {
  const bundleComponents = entriesIn(given, 'bundleComponents').map((entry) => {
    return { ...entry, componentId: componentOf(ims, contextId, entry).id };
  });
  return { bundleComponents };
}

export function isBundle(item: ItemRow): boolean {
  return entriesIn(item, 'bundleComponents').length > 0;
}

export function listsOfProduct(ims: Ims, row: Row): JsonMembers {
  const { id: productId, productNumber } = row;
  const shown = (name: string, of: typeof hazard) =>
    entriesIn(row, name).map((entry) => present(of, { ...entry, productId, productNumber }, ims.manner()));
  return { activeSubstances: shown('activeSubstances', activeSubstance), hazards: shown('hazards', hazard) };
}

export function listsOfItem(ims: Ims, row: ItemRow): JsonMembers {
  const { id, stockKeepingUnit, contextId } = row;
  return {
    bundleComponents: entriesIn(row, 'bundleComponents').map((entry) => {
      const fields = fieldsOf(ims, componentOf(ims, contextId, entry));
      const whole = { ...entry, ...fields, bundleId: id, bundleStockKeepingUnit: stockKeepingUnit };
      return present(bundleComponent, whole, ims.manner());
    }),
    logisticVariants: entriesIn(row, 'logisticVariants').map((entry) =>
      present(logisticVariant, { ...entry, globalTradeItemId: id, stockKeepingUnit }, ims.manner()),
    ),
  };
}

function fieldsOf({ store }: Ims, component: ItemRow): JsonMembers {
  return {
    componentStockKeepingUnit: component.stockKeepingUnit,
    componentProductNumber: component['productNumber'],
    componentProductName: store.products.byId(component.productId)?.['productName'],
    componentProductVariantKey: component['productVariantKey'],
  };
}

function componentOf({ store }: Ims, contextId: number, entry: JsonMembers): ItemRow {
  const { componentId: id, componentStockKeepingUnit: key = null } = entry;
  const table = store.globalTradeItems;
  if ((id ?? key) === null) throw new ImsRefusal('invalid', 'BundleComponent', NO_COMPONENT);
  const item = typeof id === 'number' ? table.find(contextId, id) : table.where(contextId, 'stockKeepingUnit', key)[0];
  if (item) return item;
  throw new ImsRefusal('unknown', 'GlobalTradeItem', `There is no GlobalTradeItem ${String(id ?? key)} in this area.`);
}

function entriesIn(row: JsonMembers, name: string): readonly JsonMembers[] {
  const list = row[name];
  return isJsonArray(list) ? list.map(membersOf) : [];
}
