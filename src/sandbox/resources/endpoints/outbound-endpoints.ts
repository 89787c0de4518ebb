import { attachEndpoint } from '../../api/attachments.js';
import type { ImsEndpoint, ImsRequest } from '../../api/endpoint.js';
import type { Ims } from '../../ims.js';
import { CONSIGNMENT, FULL, PURCHASING, SALES, rowOfId } from '../../api/endpoint.js';
import { createRow, find, show } from '../../store/kind.js';
import { ImsRefusal } from '../../api/refusal.js';
import { restOf } from '../../api/rest.js';
import { documents } from '../documents.js';
import { instances, reservations } from './outbound-reads.js';
import {
  containerFilters,
  reservationFilters,
  shipmentFilters,
  shipmentLineFilters,
} from '../filters/shipment-filters.js';
import { reserveOne, shipmentLines } from '../shipment-lines.js';
import { shipments } from '../shipments.js';
import { shippingContainers } from '../shipping-containers.js';
import { transactions } from '../stock-books.js';

export function outboundEndpoints(ims: Ims): readonly ImsEndpoint[] {
  return [
    ...shipmentEndpoints(ims),
    ...subordinateEndpoints(ims),
    ...lineEndpoints(ims),
    ...containerEndpoints(ims),
    restOf(ims, reservations).list('/reservations', [SALES, FULL], reservationFilters),
  ];
}

function shipmentEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const shipment = restOf(ims, shipments);
  return [
    shipment.list('/shipments', [SALES, PURCHASING, CONSIGNMENT, FULL], shipmentFilters),
    shipment.create('/shipments', [SALES, FULL]),
    shipment.changeByBody('/shipments', [FULL, SALES]),
    shipment.read('/shipments/:id', [SALES, FULL, CONSIGNMENT]),
    shipment.remove('/shipments/:id', [SALES, FULL]),
    shipment.change('/shipments/:id', [FULL, SALES]),
    shipment.set('/shipments/:id/:attribute', [SALES, FULL]),
  ];
}

function subordinateEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const one = ({ contextId, params }: ImsRequest) => find(ims, shipments, { contextId, id: params['id'] });
  const path = '/shipments/:id';
  return [
    {
      ...{ method: 'get', path: `${path}/deliveryNote`, scopes: [SALES, FULL] },
      answer: { kind: 'one', of: documents.resource },
      handle: (request) => {
        const { contextId, deliveryNoteId: id, shipmentNumber } = one(request);
        if ((id ?? null) === null)
          throw new ImsRefusal('unknown', 'Document', `Shipment ${shipmentNumber} has no delivery note.`);
        return show(ims, documents, rowOfId(ims.store.documents, contextId, { resource: 'Document', id }));
      },
    },
    attachEndpoint(ims, { path: `${path}/attachments`, scopes: [FULL], kind: shipments, of: 'shipments' }),
    restOf(ims, transactions).listOf(`${path}/inventoryTransactions`, [FULL, PURCHASING, SALES], (request) => {
      const { contextId, id } = one(request);
      return ims.store.transactions.where(contextId, 'shipmentId', id);
    }),
    restOf(ims, instances).listOf(`${path}/globalTradeItemInstances`, [FULL, SALES], (request) => {
      const { contextId, id } = one(request);
      return ims.store.instances.where(contextId, 'shipmentId', id);
    }),
  ];
}

function lineEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const line = restOf(ims, shipmentLines);
  return [
    line.list('/shipmentLines', [SALES, FULL], shipmentLineFilters),
    {
      ...line.create('/shipmentLines', [SALES, FULL]),
      handle: ({ contextId, body }) => {
        const row = createRow(ims, shipmentLines, contextId, body);
        reserveOne(ims, row);
        return show(ims, shipmentLines, ims.store.shipmentLines.byId(row.id) ?? row);
      },
    },
    line.remove('/shipmentLines/:id', [FULL, SALES]),
    line.change('/shipmentLines/:id', [SALES, FULL]),
    line.set('/shipmentLines/:id/:attribute', []),
  ];
}

function containerEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const container = restOf(ims, shippingContainers);
  return [
    container.list('/shippingContainers', [SALES, FULL], containerFilters),
    container.create('/shippingContainers', [SALES, FULL]),
    container.changeByBody('/shippingContainers', [FULL, CONSIGNMENT]),
    container.read('/shippingContainers/:id', [SALES, FULL]),
    container.remove('/shippingContainers/:id', [SALES, FULL]),
    container.change('/shippingContainers/:id', [FULL, CONSIGNMENT]),
    container.set('/shippingContainers/:id/:attribute', [SALES, FULL]),
  ];
}
