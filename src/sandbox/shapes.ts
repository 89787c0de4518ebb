import type { FieldRule, FieldRules, Shape } from './field-rules.js';

/**
 * The resources a transport client meets, with the lengths and ranges the service is known to check. Where nothing is
 * known of a field, any value of its type is taken.
 */

const TEXT: FieldRule = { kind: 'text' };
const NUMBER: FieldRule = { kind: 'number' };
const BOOLEAN: FieldRule = { kind: 'boolean' };
const DATE: FieldRule = { kind: 'date' };
const DATE_TIME: FieldRule = { kind: 'date-time' };
const JSON_TEXT: FieldRule = { kind: 'json-text' };
const TEXT_255: FieldRule = { kind: 'text', max: 255 };
const TEXT_1_36: FieldRule = { kind: 'text', min: 1, max: 36 };
const NAME_1_36: FieldRule = { kind: 'text', min: 1, max: 36, singleLine: 'yes' };

const INCOTERMS = ['EXW', 'FCA', 'FAS', 'FOB', 'CPT', 'CFR', 'CIF', 'CIP', 'DAT', 'DAP', 'DDP'];

export const WORK_STATUSES = ['PENDING', 'ON_GOING', 'DONE', 'FAILED', 'CANCELLED'];

/** Kilograms. */
const WEIGHT: FieldRule = { kind: 'number', min: 0.001, max: 999_999.999, fractionDigits: 3 };

const addressFields: FieldRules = {
  addressee: TEXT_255,
  careOf: TEXT_255,
  streetNameAndNumber: TEXT_255,
  floorBlockOrSuite: TEXT_255,
  districtOrCityArea: TEXT_255,
  cityTownOrVillage: TEXT_255,
  stateOrProvince: TEXT_255,
  postalCode: TEXT_255,
  countryCode: TEXT,
  countryName: TEXT_255,
};

const contactFields: FieldRules = { name: TEXT, email: TEXT, phoneNumber: TEXT, mobileNumber: TEXT };

export const shipmentShape: Shape = {
  resource: 'Shipment',
  required: ['shipmentNumber'],
  localized: ['deliveryDate', 'shippingDeadline', 'timeCreated', 'shippingStatus', 'incoterms'],
  writable: {
    shipmentNumber: NAME_1_36,
    sellersReference: TEXT_1_36,
    sellerNumber: TEXT_1_36,
    sellerId: NUMBER,
    carrierName: NAME_1_36,
    carrierId: NUMBER,
    carriersShipmentNumber: TEXT_1_36,
    customerNumber: { kind: 'text', max: 60 },
    customerId: NUMBER,
    deliveryAddress: { kind: 'object', fields: addressFields },
    contactPerson: { kind: 'object', fields: contactFields },
    deliveryDate: DATE,
    shippingDeadline: DATE_TIME,
    incoterms: { kind: 'one-of', values: INCOTERMS },
    ourReference: TEXT_255,
    customersReference: TEXT,
    otherReference: TEXT,
    customersRequisitionNumber: TEXT,
    onHold: BOOLEAN,
    cancelled: BOOLEAN,
    shippingPriority: NUMBER,
    privateDelivery: BOOLEAN,
    requireReceiptOnDelivery: BOOLEAN,
    unattendedDelivery: BOOLEAN,
    transportRequired: BOOLEAN,
    deliverToPickUpPoint: BOOLEAN,
    pickUpPointId: TEXT,
    notesOnPacking: TEXT,
    notesOnShipping: TEXT,
    notesOnDelivery: TEXT,
    termsOfDelivery: TEXT,
    termsOfPayment: TEXT,
    text1: TEXT,
    currencyCode: TEXT,
    vatNumber: TEXT,
    dataDocument: JSON_TEXT,
  },
  readOnly: [
    'id',
    'contextId',
    'sellerAddress',
    'sellerContactPerson',
    'customerAddress',
    'timeCreated',
    'shipmentCreatedEventId',
    'shippingStatus',
    'transportBookingId',
    'transportBookingNumber',
    'transportBookingTimeCreated',
    'deliveryNoteId',
    'deliveryNoteNumber',
    'deliveryNoteTimeCreated',
    'consignmentNoteId',
    'consignmentNoteNumber',
    'consignmentNoteTimeCreated',
    'shipmentLines',
    'shippingContainers',
  ],
};

export const shipmentLineShape: Shape = {
  resource: 'ShipmentLine',
  required: ['stockKeepingUnit', 'numItemsOrdered'],
  localized: [],
  writable: {
    stockKeepingUnit: TEXT,
    numItemsOrdered: { kind: 'number', min: 1, max: 9_999_999, fractionDigits: 0 },
    salesPrice: { kind: 'number', min: 0, max: 99_999_999.9999, fractionDigits: 4 },
    discountPercentage: { kind: 'number', min: 0, max: 100, fractionDigits: 2 },
    sellersReference: TEXT,
    notesOnPicking: TEXT,
    productNumber: TEXT,
    productName: TEXT,
    weight: NUMBER,
    countryOfOriginCode: TEXT,
  },
  readOnly: ['id', 'contextId', 'shipmentId', 'shipmentNumber', 'abandoned', 'numItemsPacked'],
};

export const containerShape: Shape = {
  resource: 'ShippingContainer',
  required: [],
  localized: ['timeCreated', 'platformType'],
  writable: {
    containerTypeId: NUMBER,
    containerTypeName: TEXT,
    trackingNumber: TEXT,
    trackingUrl: TEXT,
    serialShippingContainerCode: TEXT,
    weight: WEIGHT,
    grossWeight: NUMBER,
    volume: NUMBER,
    shipmentId: NUMBER,
    shipmentNumber: TEXT,
  },
  readOnly: [
    'id',
    'contextId',
    'timeCreated',
    'tareWeight',
    'netWeight',
    'loadCapacity',
    'innerVolume',
    'outerVolume',
    'dimensions',
    'numGlobalTradeItemInstances',
    'carrierName',
    'carriersShipmentNumber',
    'platformType',
  ],
};

/**
 * As above, for containers that are being created: the real service takes these measures from the container's type, of
 * which this stand-in has no list.
 */
export const newContainerShape: Shape = {
  ...containerShape,
  writable: {
    ...containerShape.writable,
    dimensions: { kind: 'object', fields: { length: NUMBER, width: NUMBER, height: NUMBER } },
    tareWeight: NUMBER,
    netWeight: NUMBER,
    outerVolume: NUMBER,
    platformType: {
      kind: 'one-of',
      values: ['EUR_PALLET', 'HALF_EUR_PALLET', 'QUARTER_EUR_PALLET', 'CUSTOM'],
    },
  },
};

export const documentShape: Shape = {
  resource: 'Document',
  required: ['workStatus'],
  localized: ['documentType', 'timeCreated', 'timeCancelled', 'workStatus', 'postingDate'],
  writable: { workStatus: { kind: 'one-of', values: WORK_STATUSES }, dataDocument: JSON_TEXT },
  readOnly: [
    'id',
    'contextId',
    'documentType',
    'documentNumber',
    'createdByUserId',
    'timeCreated',
    'postingDate',
    'cancelled',
    'timeCancelled',
    'documentCreatedEventId',
    'documentCancelledEventId',
  ],
};

export const carrierShape: Shape = {
  resource: 'Carrier',
  required: ['carrierName'],
  localized: [],
  writable: {
    carrierName: NAME_1_36,
    defaultContainerTypeName: TEXT,
    defaultContainerTypeId: NUMBER,
    labelReportId: NUMBER,
    dataDocument: JSON_TEXT,
  },
  readOnly: ['id', 'contextId', 'labelReportDescription'],
};

export const contextShape: Shape = {
  resource: 'Context',
  required: ['contextName'],
  localized: [],
  writable: {
    contextName: TEXT,
    address: { kind: 'object', fields: addressFields },
    contactPerson: { kind: 'object', fields: contactFields },
  },
  readOnly: [
    'id',
    'contextId',
    'subscriberId',
    'baseCurrencyCode',
    'nextShipmentNumber',
    'active',
    'test',
    'dataDocument',
  ],
};

export const sellerShape: Shape = {
  resource: 'Seller',
  required: ['sellerNumber'],
  localized: [],
  writable: {},
  readOnly: [
    'id',
    'contextId',
    'sellerNumber',
    'address',
    'contactPerson',
    'vatNumber',
    'globalLocationNumber',
    'dataDocument',
  ],
};

export const messageShape: Shape = {
  resource: 'EventMessage',
  required: ['messageType'],
  localized: ['time', 'messageType'],
  writable: {
    time: DATE_TIME,
    source: TEXT,
    messageType: { kind: 'one-of', values: ['INFO', 'WARNING', 'ERROR'] },
    messageText: TEXT,
    userId: NUMBER,
    deviceName: TEXT,
    documentation: TEXT,
  },
  readOnly: ['id', 'contextId', 'eventId'],
};

export const attachmentShape: Shape = {
  resource: 'Attachment',
  required: ['fileName'],
  localized: ['lastModified'],
  writable: {
    fileName: { kind: 'text', min: 1 },
    base64EncodedContent: TEXT,
    presignedUrl: TEXT,
    attachmentType: TEXT,
  },
  readOnly: ['id', 'contextId', 'lastModified', 'size'],
};
