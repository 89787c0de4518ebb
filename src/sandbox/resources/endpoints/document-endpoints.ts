import { attachEndpoint } from '../../api/attachments.js';
import { eventMessageFields, auditLogEntryFields } from '../../schema/documents-fields.js';
import {
  globalTradeItemLotToPutAwayFields,
  globalTradeItemToOrderFields,
  globalTradeItemToReplenishFields,
  shipmentLineToPackFields,
  stockTakingLineToDoFields,
} from '../../schema/work-lists-fields.js';
import type { Fields } from '../../schema/fields.js';
import type { Filters } from '../../schema/resource.js';
import { equal, only, value } from '../../schema/resource.js';
import type { ImsEndpoint } from '../../api/endpoint.js';
import type { Ims, Kind } from '../../ims.js';
import { ACCOUNTING, CONSIGNMENT_TYPO, FULL, PURCHASING, SALES } from '../../api/endpoint.js';
import type { JsonMembers } from '../../store/json.js';
import { membersOf } from '../../store/json.js';
import { createRow, find, show } from '../../store/kind.js';
import { pageOf } from '../../api/lists.js';
import { present } from '../../api/present.js';
import { ImsRefusal } from '../../api/refusal.js';
import { restOf } from '../../api/rest.js';
import type { DocumentRow, MessageRow } from '../../store/store.js';
import { documents } from '../documents.js';
import { postings, stockTakings } from '../stock-books.js';
import { itemsToOrder, itemsToReplenish, linesToPack, lotsToPutAway, stockTakingLinesToDo } from '../work-lists.js';

export const messages: Kind<MessageRow> = {
  resource: { name: 'EventMessage', fields: eventMessageFields, needed: ['messageType'] },
  table: (store) => store.messages,
  creating: (ims, _contextId, { given }) => ({ time: given['time'] ?? ims.now().toISOString() }),
};

export const auditLog: Kind = {
  resource: { name: 'AuditLogEntry', fields: auditLogEntryFields },
  table: (store) => store.auditLog,
};

const documentFilters: Filters = {
  onlyCancelled: only('that are cancelled', (row) => row['cancelled'] === true),
  workStatus: equal('workStatus'),
  onlyNotCancelled: only('that are not cancelled', (row) => row['cancelled'] !== true),
  documentType: equal('documentType'),
  documentNumber: equal('documentNumber'),
};

export function documentEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const document = restOf(ims, documents);
  const one = '/documents/:id';
  return [
    document.list('/documents', [SALES, PURCHASING, FULL], documentFilters),
    document.read(one, [ACCOUNTING, SALES, PURCHASING, FULL]),
    document.change(one, [FULL, SALES]),
    document.set(`${one}/:attribute`, [FULL]),
    attachEndpoint(ims, { path: `${one}/attachments`, scopes: [FULL], kind: documents, of: 'documents' }),
    ...workListEndpoints(ims),
    restOf(ims, postings).listOf(`${one}/inventoryPostings`, [ACCOUNTING, FULL], ({ contextId, params }) => {
      const { id } = find(ims, documents, { contextId, id: params['id'] });
      return ims.store.postings.where(contextId, 'documentId', id);
    }),
    restOf(ims, stockTakings).read('/stockTakings/:id', [SALES, PURCHASING, FULL]),
    restOf(ims, auditLog).list('/auditLogEntries', [FULL], auditLogFilters),
    ...messageEndpoints(ims),
  ];
}

const auditLogFilters: Filters = {
  idGreaterThan: value('number', 'whose id is greater', (row, wanted) => Number(row['id']) > Number(wanted)),
  entityName: equal('entityName'),
  type: equal('type'),
};

function workListEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const list = workListEndpoint(ims);
  return [
    list('stockTakingLinesToDo', [FULL], {
      of: { name: 'StockTakingLineToDo', fields: stockTakingLineToDoFields },
      rows: stockTakingLinesToDo,
    }),
    list('globalTradeItemLotsToPutAway', [FULL], {
      of: { name: 'GlobalTradeItemLotToPutAway', fields: globalTradeItemLotToPutAwayFields },
      rows: lotsToPutAway,
    }),
    list('globalTradeItemsToOrder', [PURCHASING, FULL], {
      of: { name: 'GlobalTradeItemToOrder', fields: globalTradeItemToOrderFields },
      rows: itemsToOrder,
    }),
    list('shipmentLinesToPack', [FULL], {
      of: { name: 'ShipmentLineToPack', fields: shipmentLineToPackFields },
      rows: linesToPack,
    }),
    list('globalTradeItemsToReplenish', [FULL], {
      of: { name: 'GlobalTradeItemToReplenish', fields: globalTradeItemToReplenishFields },
      rows: itemsToReplenish,
    }),
  ];
}

interface WorkList {
  readonly of: { readonly name: string; readonly fields: Fields };
  readonly rows: (ims: Ims, document: DocumentRow) => readonly JsonMembers[];
}

function workListEndpoint(ims: Ims) {
  return (name: string, scopes: readonly string[], { of, rows }: WorkList): ImsEndpoint => ({
    ...{ method: 'get', path: `/documents/:id/${name}`, scopes, isList: true, answer: { kind: 'list', of } },
    handle: ({ contextId, params, query }) => {
      const document = find(ims, documents, { contextId, id: params['id'] });
      const place = { resource: of.name, origin: ims.switches().firstRowOrigin };
      return pageOf(rows(ims, document), query, place).map((row) => present(of, row, ims.manner()));
    },
  });
}

function messageEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const scopes = [SALES, PURCHASING, FULL, CONSIGNMENT_TYPO];
  const common = { method: 'post', scopes, answer: { kind: 'one', of: messages.resource } } as const;
  return [
    {
      ...common,
      path: '/events/:id/messages',
      body: { kind: 'create', of: messages.resource },
      handle: ({ contextId, params, body }) => addMessage(ims, { contextId, eventId: params['id'], body }),
    },
    {
      ...common,
      path: '/eventMessages',
      body: { kind: 'create', of: { ...messages.resource, needed: ['eventId', 'messageType'] } },
      beyondTables: 'guides',
      handle: ({ contextId, body }) => addMessage(ims, { contextId, eventId: membersOf(body)['eventId'], body }),
    },
  ];
}

interface NewMessage {
  readonly contextId: number;
  readonly eventId: JsonMembers[string];
  readonly body: JsonMembers[string];
}

function addMessage(ims: Ims, { contextId, eventId, body = null }: NewMessage): JsonMembers {
  if (typeof eventId !== 'string' || !ims.events.has(contextId, eventId))
    throw new ImsRefusal('unknown', 'Event', `There is no event ${String(eventId)} in this area.`);
  const whole = typeof body === 'object' && !Array.isArray(body) ? { ...membersOf(body), eventId } : body;
  return show(ims, messages, createRow(ims, messages, contextId, whole));
}
