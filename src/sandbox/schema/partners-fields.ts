import type { Fields } from './fields.js';
import { ADDRESS, CONTACT, NUMBER_SEQUENCE, RESERVATION_SETUP } from './embedded.js';
import {
  BOOLEAN,
  CURRENCY,
  ID,
  JSON_TEXT,
  NAME_1_36,
  NUMBER,
  TEXT,
  TEXT_255,
  digitsOf,
  textOf,
  oneOf,
} from './fields.js';
import { GLOBAL_TRADE_ITEM_LOT_STATUS, INCOTERMS } from './enums.js';

export const customerFields: Fields = {
  customerNumber: { ...textOf(1, 60), always: true },
  address: ADDRESS,
  contactPerson: CONTACT,
  vatNumber: TEXT_255,
  currencyCode: CURRENCY,
  globalLocationNumber: TEXT,
  deliveryNoteReportId: ID,
  deliveryNoteReportName: { ...TEXT, set: 'by-service' },
  deliveryNoteReportDescription: { ...TEXT, set: 'by-service' },
  notesOnPacking: TEXT,
  notesOnShipping: TEXT,
  notesOnDelivery: TEXT,
  dataDocument: JSON_TEXT,
  text1: TEXT,
  goodsReceiverNumber: TEXT,
};

export const supplierFields: Fields = {
  supplierNumber: { ...TEXT, always: true },
  address: ADDRESS,
  contactPerson: CONTACT,
  defaultCurrencyCode: CURRENCY,
  defaultLeadTimeInDays: NUMBER,
  defaultIncoterms: oneOf(INCOTERMS),
  dataDocument: JSON_TEXT,
};

export const carrierFields: Fields = {
  carrierName: { ...NAME_1_36, always: true },
  defaultContainerTypeName: TEXT,
  defaultContainerTypeId: ID,
  labelReportId: ID,
  labelReportDescription: { ...TEXT, set: 'by-service' },
  dataDocument: JSON_TEXT,
};

export const sellerFields: Fields = {
  sellerNumber: { ...textOf(1, 36), always: true },
  address: ADDRESS,
  contactPerson: CONTACT,
  vatNumber: TEXT,
  globalLocationNumber: digitsOf(13),
  reservationSetup: RESERVATION_SETUP,
  dataDocument: JSON_TEXT,
};

export const contextFields: Fields = {
  contextName: { ...TEXT, always: true },
  baseCurrencyCode: { ...CURRENCY, set: 'by-service' },
  reservationSetup: { ...RESERVATION_SETUP, set: 'by-service' },
  globalTradeItemNumberSequence: { ...NUMBER_SEQUENCE, set: 'by-service' },
  address: ADDRESS,
  contactPerson: CONTACT,
  subscriberId: { ...ID, set: 'by-service' },
  globalLocationNumber: { ...TEXT, set: 'by-service' },
  putAwayListReportId: { ...ID, set: 'by-service' },
  replenishmentListReportId: { ...ID, set: 'by-service' },
  pickingListReportId: { ...ID, set: 'by-service' },
  deliveryNoteReportId: { ...ID, set: 'by-service' },
  consignmentNoteReportId: { ...ID, set: 'by-service' },
  multiPickingListReportId: { ...ID, set: 'by-service' },
  stockTakingListReportId: { ...ID, set: 'by-service' },
  orderProposalReportId: { ...ID, set: 'by-service' },
  purchaseOrderReportId: { ...ID, set: 'by-service' },
  requestForQuotationReportId: { ...ID, set: 'by-service' },
  nextShipmentNumber: { ...NUMBER, set: 'by-service', always: true },
  nextInboundShipmentNumber: { ...NUMBER, set: 'by-service', always: true },
  nextStockTakingNumber: { ...NUMBER, set: 'by-service', always: true },
  nextReturnShipmentNumber: { ...NUMBER, set: 'by-service', always: true },
  active: { ...BOOLEAN, set: 'by-service', always: true },
  vatNumber: { ...TEXT, set: 'by-service' },
  defaultLotStatusOnArrival: { ...oneOf(GLOBAL_TRADE_ITEM_LOT_STATUS), set: 'by-service' },
  shipmentLockTimeout: { ...NUMBER, set: 'by-service' },
  test: { ...BOOLEAN, set: 'by-service' },
  receiveToExistingLot: { ...BOOLEAN, set: 'by-service' },
  receiveReturnedToExistingLot: { ...BOOLEAN, set: 'by-service' },
  replenishToExistingLot: { ...BOOLEAN, set: 'by-service' },
  putAwayToExistingLot: { ...BOOLEAN, set: 'by-service' },
  costPriceRequired: { ...BOOLEAN, set: 'by-service' },
  dataDocument: { ...JSON_TEXT, set: 'by-service' },
};
