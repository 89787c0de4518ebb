/** Values of the service's enumerations. A later version of the service may add values. */

export const AUDIT_LOG_ENTRY_TYPE = ['CREATE', 'UPDATE', 'DELETE'] as const;

export const CONCENTRATION_UNIT = [
  'MIKRO_GRAM',
  'MILLI_GRAM',
  'GRAM',
  'KILO_GRAM',
  'MIKRO_LITER',
  'MILLI_LITER',
  'LITER',
  'HEKTO_LITER',
  'MILLI_MOL',
  'MOL',
  'PCT',
] as const;

export const CONTAINER_PLATFORM_TYPE = ['EUR_PALLET', 'HALF_EUR_PALLET', 'QUARTER_EUR_PALLET', 'CUSTOM'] as const;

export const DISCREPANCY_CAUSE = [
  'SHRINKAGE',
  'DAMAGED',
  'TRANSFERRED',
  'CONSUMED',
  'EXPIRED',
  'MERGED',
  'SOLD_FOR_CASH',
] as const;

export const DOCUMENT_TYPE = [
  'PICKING_LIST',
  'MULTI_PICKING_LIST',
  'DELIVERY_NOTE',
  'PUT_AWAY_LIST',
  'ORDER_PROPOSAL',
  'VALUE_ADJUSTMENT_RECEIPT',
  'GOODS_RECEIPT',
  'REPLENISHMENT_LIST',
  'STOCK_TAKING_LIST',
  'ADJUSTMENT_LIST',
  'BUNDLING_RECEIPT',
  'REPACKING_RECEIPT',
  'PURCHASE_ORDER',
  'COST_OF_SALES_LIST',
  'RETURN_RECEIPT',
  'TRANSPORT_BOOKING',
  'REQUEST_FOR_QUOTATION',
  'HANDOVER_RECEIPT',
  'CONSIGNMENT_NOTE',
  'COST_VARIANCE_LIST',
] as const;

export const DOCUMENT_WORK_STATUS = ['PENDING', 'ON_GOING', 'DONE', 'FAILED', 'CANCELLED'] as const;

export const GLOBAL_TRADE_ITEM_LOT_STATUS = [
  'SALEABLE',
  'QUARANTINED',
  'REJECTED',
  'DAMAGED',
  'RECALLED',
  'MISSING',
  'EXPIRED',
] as const;

export const HAZARD_CODE = [
  'H200',
  'H201',
  'H202',
  'H203',
  'H204',
  'H205',
  'H206',
  'H207',
  'H208',
  'H220',
  'H221',
  'H222',
  'H223',
  'H224',
  'H225',
  'H226',
  'H227',
  'H228',
  'H229',
  'H230',
  'H231',
  'H232',
  'H240',
  'H241',
  'H242',
  'H250',
  'H251',
  'H252',
  'H260',
  'H261',
  'H270',
  'H271',
  'H272',
  'H280',
  'H281',
  'H290',
  'H300',
  'H301',
  'H302',
  'H303',
  'H304',
  'H305',
  'H310',
  'H311',
  'H312',
  'H313',
  'H314',
  'H315',
  'H316',
  'H317',
  'H318',
  'H319',
  'H320',
  'H330',
  'H331',
  'H332',
  'H333',
  'H334',
  'H335',
  'H336',
  'H340',
  'H341',
  'H350',
  'H351',
  'H360',
  'H361',
  'H361d',
  'H362',
  'H370',
  'H371',
  'H372',
  'H373',
  'H400',
  'H401',
  'H402',
  'H410',
  'H411',
  'H412',
  'H413',
  'H420',
] as const;

export const HAZARDOUS_PACKING_GROUP = ['I', 'II', 'III'] as const;

export const INCOTERMS = ['EXW', 'FCA', 'FAS', 'FOB', 'CPT', 'CFR', 'CIF', 'CIP', 'DAT', 'DAP', 'DDP'] as const;

export const INVENTORY_SORT_DATE_MAPPING = ['DATE_RECEIVED', 'EXPIRATION_DATE'] as const;

export const LOCATION_TYPE = [
  'FLOOR',
  'RACK',
  'OTHER',
  'SHELF',
  'BIN',
  'PALLET',
  'AUTOMATA',
  'SECTION',
  'AISLE',
  'CART',
] as const;

export const MESSAGE_TYPE = ['INFO', 'WARNING', 'ERROR'] as const;

export const PRODUCT_UNIT = ['PCS', 'G', 'KG', 'TON', 'MM', 'CM', 'M', 'L', 'HL', 'M2', 'M3', 'MM3', 'ML'] as const;

export const PURCHASE_STATUS = ['NEW', 'TENDERED', 'ORDERED', 'RECEIVED', 'SETTLED', 'ON_HOLD', 'CANCELLED'] as const;

export const REPORT_TYPE = [
  'PICKING_LIST',
  'MULTI_PICKING_LIST',
  'DELIVERY_NOTE',
  'LOCATION_LABEL',
  'ITEM_LABEL',
  'ITEM_INSTANCE_LABEL',
  'PUT_AWAY_LIST',
  'STOCK_TAKING_LIST',
  'ORDER_PROPOSAL',
  'REPLENISHMENT_LIST',
  'PACKING_COMMAND_SHEET',
  'INBOUND_SHIPMENT_LINES',
  'SHIPPING_CONTAINER_LABEL',
  'DELETED_16',
  'DELETED_17',
  'PURCHASE_ORDER',
  'DELETED_18',
  'DELETED_19',
  'ITEM_LOT_LABEL',
  'TRANSPORT_BOOKING',
  'REQUEST_FOR_QUOTATION',
  'HANDOVER_RECEIPT',
  'CONSIGNMENT_NOTE',
  'DELETED_3',
  'DELETED_20',
  'DELETED_9',
  'DELETED_4',
  'LOGISTIC_VARIANT_LABEL',
  'DELETED_12',
] as const;

export const RETURN_REASON = [
  'REGRETTED_PURCHASE',
  'DAMAGED_ON_DELIVERY',
  'BREACH_OF_WARRANTY',
  'NOT_ORDERED',
  'RETURNED_FOR_RECYCLING',
  'RECALLED_BY_MANUFACTURER',
  'DEFECTIVE_ON_DELIVERY',
  'UNCLAIMED',
  'UNDELIVERABLE',
  'UNKNOWN',
] as const;

export const SHIPPING_STATUS = ['NEW', 'IN_PROGRESS', 'PACKED', 'ON_HOLD', 'CANCELLED', 'CONSIGNED'] as const;

export const STOCK_TAKING_TYPE = ['PLANNED', 'AD_HOC', 'ITEM_CONTROL'] as const;

export const TRANSACTION_TYPE = [
  'RECEPTION',
  'SHIPPING',
  'STOCK_TAKING',
  'BUNDLING',
  'REPACKING',
  'RETURNED',
  'DEPRECATION',
  'SPLITTING',
  'HANDOVER',
  'REPLENISHMENT',
  'PUT_AWAY',
] as const;
