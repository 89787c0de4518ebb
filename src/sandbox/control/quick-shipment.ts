import type { Ims } from '../ims.js';
import type { Json, JsonObject } from '../store/json.js';
import { isJsonArray, membersOf } from '../store/json.js';
import { createRow, find } from '../store/kind.js';
import { quietly } from '../events/without-delivery.js';
import { globalTradeItems, productGroups, products } from '../resources/items.js';
import { customers } from '../resources/partners.js';
import { shipments } from '../resources/shipments.js';
import { shippingContainers } from '../resources/shipping-containers.js';
import type { ShipmentRow } from '../store/store.js';

/** A shipment that is simply there, without all that leads to it. */
export interface QuickShipment {
  /** `contextId` of its area. */
  readonly area: number;
  /**
   * As `POST /shipments` takes it, but a customer is not needed; `customerAddress` may be given too. A customer or item
   * that is not there is made: the item without stock being kept of it, with what its line says of it.
   */
  readonly shipment: JsonObject;
  /** As `POST /shippingContainers` takes them, but without their shipment; none when not given. */
  readonly containers?: readonly JsonObject[];
  /** Whether `shipmentCreated` is sent; nothing is sent when not given. */
  readonly event?: 'send' | 'none';
}

const CUSTOMER = 'C-1000';
const PRODUCT_GROUP = 'Other';

/** @throws Refusal */
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

function addMissing(ims: Ims, contextId: number, shipment: JsonObject): void {
  const { customerNumber, shipmentLines } = shipment;
  if (customerNumber !== undefined) addMissingCustomer(ims, contextId, customerNumber);
  if (isJsonArray(shipmentLines)) for (const line of shipmentLines) addMissingItem(ims, contextId, membersOf(line));
}

function addMissingCustomer(ims: Ims, contextId: number, customerNumber: Json): void {
  if (ims.store.customers.where(contextId, 'customerNumber', customerNumber).length === 0)
    createRow(ims, customers, contextId, { customerNumber });
}

function addMissingItem(ims: Ims, contextId: number, line: JsonObject): void {
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
