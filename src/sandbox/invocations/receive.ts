import { GLOBAL_TRADE_ITEM_LOT_STATUS } from '../schema/enums.js';
import type { Fields } from '../schema/fields.js';
import { DATE, ID, TEXT, enumType } from '../schema/fields.js';
import type { Ims, Kind } from '../ims.js';
import { FULL, PURCHASING, SALES } from '../api/endpoint.js';
import type { JsonMembers } from '../store/json.js';
import { createRow, find, show } from '../store/kind.js';
import { ImsRefusal } from '../api/refusal.js';
import { inboundShipmentLines, inboundShipments, returnShipmentLines, returnShipments } from '../resources/inbound.js';
import { lots } from '../resources/lots.js';
import { changeStock } from '../stock/change-stock.js';
import type { LotRow, ReceivableLineRow, Row } from '../store/store.js';
import type { InvocationCall, Invocation } from './invocation.js';
import { PIECES } from './invocation.js';

const newLotFields: Fields = {
  locationNumber: TEXT,
  lotStatus: enumType(GLOBAL_TRADE_ITEM_LOT_STATUS),
  expirationDate: DATE,
  batchNumber: TEXT,
  numItems: PIECES,
};
/** The interface does not describe the name of the existing lot's field; `globalTradeItemLotId` is an assumption. */
const existingLotFields: Fields = { globalTradeItemLotId: ID, numItems: PIECES };

/** How pieces are received for a line of an inbound or return shipment. */
interface Reception {
  readonly line: 'inboundShipmentLineId' | 'returnShipmentLineId';
  readonly lines: Kind<ReceivableLineRow>;
  readonly parent: 'inboundShipmentId' | 'returnShipmentId';
  readonly parents: Kind;
  /** The parent's field with the id of its receipt. */
  readonly receipt: 'goodsReceiptId' | 'returnReceiptId';
  readonly transactionType: 'RECEPTION' | 'RETURNED';
  readonly scopes: readonly string[];
  readonly parameters: string;
}

const ordered: Reception = {
  line: 'inboundShipmentLineId',
  lines: inboundShipmentLines,
  parent: 'inboundShipmentId',
  parents: inboundShipments,
  receipt: 'goodsReceiptId',
  transactionType: 'RECEPTION',
  scopes: [PURCHASING, FULL],
  parameters: 'ReceiveParameters',
};

const returned: Reception = {
  line: 'returnShipmentLineId',
  lines: returnShipmentLines,
  parent: 'returnShipmentId',
  parents: returnShipments,
  receipt: 'returnReceiptId',
  transactionType: 'RETURNED',
  scopes: [SALES, FULL],
  parameters: 'ReceiveReturnedParameters',
};

export const receptions: readonly Invocation[] = [
  toNewLot('receiveToNewLot', ordered),
  toExistingLot('receiveToExistingLot', ordered),
  { ...toEither('receive', ordered), beyondTables: 'guides' },
  toNewLot('receiveReturnedToNewLot', returned),
  toExistingLot('receiveReturnedToExistingLot', returned),
  { ...toEither('receiveReturned', returned), beyondTables: 'guides' },
];

function toNewLot(name: string, reception: Reception): Invocation {
  return {
    ...common(name, reception, newLotFields),
    needed: [reception.line, 'locationNumber', 'lotStatus', 'numItems'],
    run: (ims, call) => receive(ims, reception, call, newLot),
  };
}

function toExistingLot(name: string, reception: Reception): Invocation {
  return {
    ...common(name, reception, existingLotFields),
    needed: [reception.line, 'globalTradeItemLotId', 'numItems'],
    run: (ims, call) => receive(ims, reception, call, existingLot),
  };
}

/** The invocation as guides write it: it receives into the given lot, or into a new one when none is given. */
function toEither(name: string, reception: Reception): Invocation {
  return {
    ...common(name, reception, { ...newLotFields, ...existingLotFields }),
    needed: [reception.line, 'numItems'],
    run: (ims, call) =>
      receive(ims, reception, call, call.given['globalTradeItemLotId'] === undefined ? newLot : existingLot),
  };
}

function common(name: string, reception: Reception, fields: Fields) {
  const { scopes, parameters, line, lines } = reception;
  const resource = lines.resource.name;
  return { name, scopes, parameters, resource, fields: { [line]: ID, ...fields }, answers: lots.resource };
}

type LotChoice = (ims: Ims, line: ReceivableLineRow, given: JsonMembers) => LotRow;

function receive(
  ims: Ims,
  reception: Reception,
  { contextId, given }: InvocationCall,
  chooseLot: LotChoice,
): JsonMembers {
  const line = find(ims, reception.lines, { contextId, id: given[reception.line] });
  const parent = find(ims, reception.parents, { contextId, id: line[reception.parent] });
  refuseOver(reception, parent, line);
  const numItems = Number(given['numItems']);
  const lot = chooseLot(ims, line, given);
  const because = { [reception.line]: line.id, [reception.parent]: parent.id, ...namesOf(reception, parent) };
  const { transactionType } = reception;
  const after = changeStock(ims, { contextId, itemIds: [line.globalTradeItemId], tells: 'all' }, (move) =>
    move({ lot, numItems, transactionType, because }),
  );
  reception.lines.table(ims.store).put({ ...line, numItemsReceived: line.numItemsReceived + numItems });
  return show(ims, lots, after);
}

/** Creates the lot empty; a stock movement adds the pieces. */
const newLot: LotChoice = (ims, line, given) => {
  const { locationNumber, lotStatus = line['lotStatusOnArrival'] ?? 'SALEABLE', expirationDate, batchNumber } = given;
  return createRow(ims, lots, line.contextId, {
    globalTradeItemId: line.globalTradeItemId,
    ...{ locationNumber, lotStatus, expirationDate, batchNumber, numItemsRemaining: 0 },
  });
};

const existingLot: LotChoice = (ims, line, given) => {
  const lot = find(ims, lots, { contextId: line.contextId, id: given['globalTradeItemLotId'] });
  if (lot.globalTradeItemId !== line.globalTradeItemId)
    throw new ImsRefusal('invalid', 'GlobalTradeItemLot', `Lot ${lot.id} is of another item.`);
  return lot;
};

/**
 * Refuses a reception for a cancelled shipment, and one beyond the expected pieces when there is a receipt. Without a
 * receipt more pieces than expected may arrive.
 */
function refuseOver({ parents, lines, receipt }: Reception, parent: Row, line: ReceivableLineRow): void {
  const { name } = parents.resource;
  if (parent['cancelled'] === true) throw new ImsRefusal('invalid', name, `${name} ${parent.id} is cancelled.`);
  const isExpected = line.numItemsReceived < Number(line['numItemsExpected'] ?? 0);
  if ((parent[receipt] ?? null) === null || isExpected) return;
  const text = `No more pieces of ${lines.resource.name} ${line.id} are expected, and ${name} ${parent.id} has its receipt.`;
  throw new ImsRefusal('invalid', name, text);
}

function namesOf({ parent: field }: Reception, parent: Row): JsonMembers {
  return field === 'inboundShipmentId'
    ? { inboundShipmentNumber: parent['inboundShipmentNumber'], supplierId: parent['supplierId'] }
    : { returnShipmentNumber: parent['returnShipmentNumber'], customerId: parent['customerId'] };
}
