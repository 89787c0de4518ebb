import type { Ims } from '../ims.js';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonArray, membersOf } from '../store/json.js';
import { createRow, find } from '../store/kind.js';
import { quietly } from '../events/without-delivery.js';
import { globalTradeItems, productGroups, products } from '../resources/items.js';
import { customers } from '../resources/partners.js';
import { shipments } from '../resources/shipments.js';
import { shippingContainers } from '../resources/shipping-containers.js';
import type { ShipmentRow } from '../store/store.js';

/** A shipment that the control interface stores at once, without the requests that would normally precede it. */
export interface QuickShipment {
  /** `contextId` of its area. */
  readonly area: number;
  /**
   * A body as `POST /shipments` takes it, except that the customer is optional and `customerAddress` is allowed. An
   * unknown customer or item is created; such an item is not stocked, and gets its fields from its line.
   */
  readonly shipment: JsonMembers;
  /** Bodies as `POST /shippingContainers` takes them, without the reference to the shipment; none when not given. */
  readonly containers?: readonly JsonMembers[];
  /** `send`: the event `shipmentCreated` is sent. `none`, or not given: no event is sent. */
  readonly event?: 'send' | 'none';
}

const CUSTOMER = 'C-1000';
const PRODUCT_GROUP = 'Other';

/** @throws ImsRefusal */
export function addQuickShipment(ims: Ims, quick: QuickShipment): ShipmentRow {
  const { area, event = 'none', containers = [] } = quick;
  const silent = quietly(ims);
  const { customerAddress, ...given } = quick.shipment;
  const shipment = given['customerId'] === undefined ? { customerNumber: CUSTOMER, ...given } : given;
  addMissing(silent, area, shipment);
  const row = createRow(event === 'send' ? ims : silent, shipments, area, shipment);
  for (const container of containers)
    createRow(silent, shippingContainers, area, { containerTypeName: 'Box', ...container, shipmentId: row.id });
  const stored = find(ims, shipments, { contextId: area, id: row.id });
  return customerAddress === undefined ? stored : ims.store.shipments.put({ ...stored, customerAddress });
}

function addMissing(ims: Ims, contextId: number, shipment: JsonMembers): void {
  const { customerNumber, shipmentLines } = shipment;
  if (customerNumber !== undefined) addMissingCustomer(ims, contextId, customerNumber);
  if (isJsonArray(shipmentLines)) for (const line of shipmentLines) addMissingItem(ims, contextId, membersOf(line));
}

function addMissingCustomer(ims: Ims, contextId: number, customerNumber: Json): void {
  if (ims.store.customers.where(contextId, 'customerNumber', customerNumber).length === 0)
    createRow(ims, customers, contextId, { customerNumber });
}

function addMissingItem(ims: Ims, contextId: number, line: JsonMembers): void {
  const { stockKeepingUnit, productName, weight, countryOfOriginCode, harmonizedSystemCode } = line;
  if (typeof stockKeepingUnit !== 'string') return;
  if (ims.store.globalTradeItems.where(contextId, 'stockKeepingUnit', stockKeepingUnit).length > 0) return;
  if (ims.store.productGroups.where(contextId, 'productGroupName', PRODUCT_GROUP).length === 0)
    createRow(ims, productGroups, contextId, { productGroupName: PRODUCT_GROUP });
  const productNumber = line['productNumber'] ?? stockKeepingUnit;
  if (ims.store.products.where(contextId, 'productNumber', productNumber).length === 0)
    createRow(ims, products, contextId, {
      ...{ productNumber, productName: productName ?? stockKeepingUnit, productGroupName: PRODUCT_GROUP },
      ...{ harmonizedSystemCode },
    });
  createRow(ims, globalTradeItems, contextId, {
    ...{ stockKeepingUnit, productNumber, weight, countryOfOriginCode, harmonizedSystemCode, stocked: false },
  });
}
