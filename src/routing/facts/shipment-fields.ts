/**
 * The fields of a shipment in the IMS that a rule can ask for, under the names of the IMS, with their types. Left out:
 * display twins (`localized…`), which change with the reader's language, and names that the IMS gave up.
 */

/** `country`: ISO 3166-1 alpha-2; `currency`: ISO 4217; both also `UNDEFINED`. Dates and moments are texts. */
export type ShipmentFieldType = 'text' | 'number' | 'boolean' | 'country' | 'currency';

interface Shape {
  readonly [name: string]: ShipmentFieldType | Shape | readonly [Shape];
}

/** The field at the end of a dotted path. */
export interface ShipmentField {
  readonly type: ShipmentFieldType | 'object' | 'list';
  /** The path leads through a list or to one, so there may be several values. */
  readonly several: boolean;
}

const ADDRESS = {
  addressee: 'text',
  careOf: 'text',
  streetNameAndNumber: 'text',
  floorBlockOrSuite: 'text',
  districtOrCityArea: 'text',
  cityTownOrVillage: 'text',
  stateOrProvince: 'text',
  postalCode: 'text',
  countryCode: 'country',
  countryName: 'text',
} satisfies Shape;

const CONTACT_PERSON = {
  name: 'text',
  email: 'text',
  phoneNumber: 'text',
  mobileNumber: 'text',
} satisfies Shape;

const DIMENSIONS = {
  height: 'number',
  width: 'number',
  length: 'number',
} satisfies Shape;

const PRODUCT_VARIANT_KEY = {
  description: 'text',
  packagingType: 'text',
  color: 'text',
  size: 'text',
  material: 'text',
  fullDescription: 'text',
} satisfies Shape;

const SHIPMENT_LINE = {
  id: 'number',
  contextId: 'number',
  numItemsOrdered: 'number',
  numUnitsContained: 'number',
  sellersReference: 'text',
  numItemsPacked: 'number',
  numItemsPicked: 'number',
  abandoned: 'boolean',
  salesPrice: 'number',
  totalAmount: 'number',
  recommendedRetailPrice: 'number',
  discountPercentage: 'number',
  vatPercentage: 'number',
  standardCostPrice: 'number',
  orderReference: 'text',
  notesOnPicking: 'text',
  customersItemNumber: 'text',
  reservationId: 'number',
  globalTradeItemNumber: 'text',
  shipmentNumber: 'text',
  shipmentId: 'number',
  stockKeepingUnit: 'text',
  productNumber: 'text',
  productName: 'text',
  globalTradeItemId: 'number',
  productVariantKey: PRODUCT_VARIANT_KEY,
  productId: 'number',
  reservationPriority: 'number',
  reservationText: 'text',
  numItemsReserved: 'number',
  numItemsAvailable: 'number',
  available: 'boolean',
  harmonizedSystemCode: 'text',
  importExportText: 'text',
  weight: 'number',
  productUnit: 'text',
  customsTariffNumber: 'text',
  text1: 'text',
  deliveryNoteId: 'number',
  costOfSalesListId: 'number',
  countryOfOriginCode: 'country',
} satisfies Shape;

const SHIPPING_CONTAINER = {
  id: 'number',
  contextId: 'number',
  containerTypeId: 'number',
  containerTypeName: 'text',
  trackingNumber: 'text',
  trackingUrl: 'text',
  serialShippingContainerCode: 'text',
  timeCreated: 'text',
  weight: 'number',
  grossWeight: 'number',
  tareWeight: 'number',
  loadCapacity: 'number',
  netWeight: 'number',
  innerVolume: 'number',
  outerVolume: 'number',
  volume: 'number',
  dimensions: DIMENSIONS,
  numGlobalTradeItemInstances: 'number',
  carrierName: 'text',
  carriersShipmentNumber: 'text',
  shipmentNumber: 'text',
  shipmentId: 'number',
  platformType: 'text',
} satisfies Shape;

const SHIPMENT = {
  id: 'number',
  contextId: 'number',
  shipmentNumber: 'text',
  sellersReference: 'text',
  carrierName: 'text',
  carrierId: 'number',
  deliveryAddress: ADDRESS,
  sellerAddress: ADDRESS,
  customerAddress: ADDRESS,
  deliveryDate: 'text',
  incoterms: 'text',
  shippingDeadline: 'text',
  ourReference: 'text',
  customersReference: 'text',
  otherReference: 'text',
  customersRequisitionNumber: 'text',
  onHold: 'boolean',
  cancelled: 'boolean',
  shippingPriority: 'number',
  privateDelivery: 'boolean',
  requireReceiptOnDelivery: 'boolean',
  unattendedDelivery: 'boolean',
  text1: 'text',
  contactPerson: CONTACT_PERSON,
  sellerContactPerson: CONTACT_PERSON,
  timeCreated: 'text',
  notesOnPacking: 'text',
  notesOnShipping: 'text',
  notesOnDelivery: 'text',
  termsOfDelivery: 'text',
  termsOfPayment: 'text',
  transportRequired: 'boolean',
  deliverToPickUpPoint: 'boolean',
  pickUpPointId: 'text',
  customerNumber: 'text',
  customerId: 'number',
  sellerNumber: 'text',
  sellerId: 'number',
  deliveryNoteNumber: 'number',
  deliveryNoteId: 'number',
  pickingListNumber: 'number',
  pickingListId: 'number',
  transportBookingNumber: 'number',
  transportBookingId: 'number',
  transportBookingTimeCreated: 'text',
  pickToBoxNumber: 'number',
  freightCharged: 'number',
  discountGiven: 'number',
  vatAmount: 'number',
  paymentAmount: 'number',
  currencyCode: 'currency',
  currencyExchangeRate: 'number',
  showOnMobile: 'boolean',
  producersId: 'number',
  shippingStatus: 'text',
  carriersShipmentNumber: 'text',
  pickingListTimeCreated: 'text',
  deliveryNoteTimeCreated: 'text',
  shipmentLines: [SHIPMENT_LINE],
  shippingContainers: [SHIPPING_CONTAINER],
  vatNumber: 'text',
  shipmentCreatedEventId: 'text',
  consignmentNoteNumber: 'number',
  consignmentNoteId: 'number',
  costOfSalesListNumber: 'number',
  costOfSalesListId: 'number',
  costOfSalesListTimeCreated: 'text',
  consignmentNoteTimeCreated: 'text',
  dataDocument: 'text',
  shippingStatusString: 'text',
} satisfies Shape;

/** @returns `null` when a shipment has no such field */
export function shipmentField(path: string): ShipmentField | null {
  let node: Shape[string] = SHIPMENT;
  let several = false;
  for (const name of path.split('.')) {
    const shape = shapeOf(node);
    const next = shape !== null && Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (next === undefined) return null;
    node = next;
    several ||= isList(node);
  }
  return { type: typeof node === 'string' ? node : isList(node) ? 'list' : 'object', several };
}

/** The values that the IMS accepts for a field with a closed list of them. @returns `null` for all other fields */
export function closedValues(path: string): readonly string[] | null {
  return CLOSED.get(path) ?? null;
}

const CLOSED: ReadonlyMap<string, readonly string[]> = new Map([
  ['incoterms', 'EXW FCA FAS FOB CPT CFR CIF CIP DAT DAP DDP'.split(' ')],
  ['shippingContainers.platformType', ['EUR_PALLET', 'HALF_EUR_PALLET', 'QUARTER_EUR_PALLET', 'CUSTOM']],
]);

/** Every path that leads to a value. */
export function shipmentPaths(): readonly string[] {
  return pathsIn(SHIPMENT, '');
}

function pathsIn(shape: Shape, before: string): readonly string[] {
  return Object.entries(shape).flatMap(([name, node]) => {
    const inner = shapeOf(node);
    return inner === null ? [before + name] : pathsIn(inner, `${before}${name}.`);
  });
}

function shapeOf(node: Shape[string]): Shape | null {
  if (typeof node === 'string') return null;
  return isList(node) ? node[0] : node;
}

function isList(node: Shape[string]): node is readonly [Shape] {
  return Array.isArray(node);
}
