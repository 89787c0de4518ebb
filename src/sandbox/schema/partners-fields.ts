import type { Fields } from './fields.js';
import { ADDRESS, CONTACT, NUMBER_SEQUENCE, RESERVATION_SETUP } from './embedded.js';
import {
  BOOLEAN,
  CURRENCY_CODE,
  ID,
  JSON_TEXT,
  NAME_1_36,
  DECIMAL,
  TEXT,
  TEXT_255,
  digitsType,
  textType,
  enumType,
} from './fields.js';
import { GLOBAL_TRADE_ITEM_LOT_STATUS, INCOTERMS } from './enums.js';

export const customerFields: Fields = {
  customerNumber: { ...textType(1, 60), always: true },
  address: ADDRESS,
  contactPerson: CONTACT,
  vatNumber: TEXT_255,
  currencyCode: CURRENCY_CODE,
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
  defaultCurrencyCode: CURRENCY_CODE,
  defaultLeadTimeInDays: DECIMAL,
  defaultIncoterms: enumType(INCOTERMS),
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
  sellerNumber: { ...textType(1, 36), always: true },
  address: ADDRESS,
  contactPerson: CONTACT,
  vatNumber: TEXT,
  globalLocationNumber: digitsType(13),
  reservationSetup: RESERVATION_SETUP,
  dataDocument: JSON_TEXT,
};

export const contextFields: Fields = {
  contextName: { ...TEXT, always: true },
  baseCurrencyCode: { ...CURRENCY_CODE, set: 'by-service' },
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
  nextShipmentNumber: { ...DECIMAL, set: 'by-service', always: true },
  nextInboundShipmentNumber: { ...DECIMAL, set: 'by-service', always: true },
  nextStockTakingNumber: { ...DECIMAL, set: 'by-service', always: true },
  nextReturnShipmentNumber: { ...DECIMAL, set: 'by-service', always: true },
  active: { ...BOOLEAN, set: 'by-service', always: true },
  vatNumber: { ...TEXT, set: 'by-service' },
  defaultLotStatusOnArrival: { ...enumType(GLOBAL_TRADE_ITEM_LOT_STATUS), set: 'by-service' },
  shipmentLockTimeout: { ...DECIMAL, set: 'by-service' },
  test: { ...BOOLEAN, set: 'by-service' },
  receiveToExistingLot: { ...BOOLEAN, set: 'by-service' },
  receiveReturnedToExistingLot: { ...BOOLEAN, set: 'by-service' },
  replenishToExistingLot: { ...BOOLEAN, set: 'by-service' },
  putAwayToExistingLot: { ...BOOLEAN, set: 'by-service' },
  costPriceRequired: { ...BOOLEAN, set: 'by-service' },
  dataDocument: { ...JSON_TEXT, set: 'by-service' },
};
