import { globalTradeItemInstanceFields, reservationFields } from '../../schema/outbound-fields.js';
import { find } from '../../store/kind.js';
import type { Kind } from '../../ims.js';
import type { ReservationRow } from '../../store/store.js';
import { isBundle } from '../embedded-lists.js';
import { globalTradeItems } from '../items.js';

/** Pieces that were packed together. Only `pack` creates them. */
export const instances: Kind = {
  resource: {
    name: 'GlobalTradeItemInstance',
    fields: globalTradeItemInstanceFields,
    references: [
      {
        id: 'globalTradeItemId',
        key: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        shows: ['productId', 'productNumber', 'productName', 'productVariantKey', 'harmonizedSystemCode'].concat(
          'dangerousGoodsNumber',
          'hazardousPackingGroup',
        ),
      },
      {
        id: 'shipmentId',
        key: 'shipmentNumber',
        to: 'Shipment',
        shows: ['customerId', 'deliveryAddress', 'deliveryDate'],
      },
    ],
  },
  table: (store) => store.instances,
  computed: (ims, row) => ({
    trackingNumber: ims.store.shippingContainers.byId(Number(row['shippingContainerId']))?.['trackingNumber'],
  }),
};

/** Pieces reserved for a shipment line. Only the service creates them. */
export const reservations: Kind<ReservationRow> = {
  resource: {
    name: 'Reservation',
    fields: reservationFields,
    references: [
      {
        id: 'globalTradeItemId',
        key: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        shows: ['productId', 'productNumber', 'productName', 'productVariantKey', 'globalTradeItemNumber'].concat(
          'numUnitsContained',
          'productUnit',
          'numItemsAvailable',
        ),
      },
    ],
  },
  table: (store) => store.reservations,
  computed: (ims, row) => {
    const lines = ims.store.shipmentLines
      .where(row.contextId, 'globalTradeItemId', row.globalTradeItemId)
      .filter((line) => line.reservationId === row.id);
    const item = find(ims, globalTradeItems, { contextId: row.contextId, id: row.globalTradeItemId });
    return {
      numShipmentLines: lines.length,
      // Only for filters: responses do not show these two fields.
      shipmentNumbers: lines.map((line) => line['shipmentNumber'] ?? null),
      isBundle: isBundle(item),
    };
  },
};
