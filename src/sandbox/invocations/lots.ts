import { DISCREPANCY_CAUSE, GLOBAL_TRADE_ITEM_LOT_STATUS } from '../schema/enums.js';
import { ID, TEXT, numberType, enumType } from '../schema/fields.js';
import type { Ims } from '../ims.js';
import { FULL, PURCHASING, SALES } from '../api/endpoint.js';
import { timestamp } from '../schema/dates.js';
import type { JsonMembers } from '../store/json.js';
import { createRow, find, show } from '../store/kind.js';
import { takeNumber } from '../store/numbers.js';
import { ImsRefusal } from '../api/refusal.js';
import { quietly } from '../events/without-delivery.js';
import { lots } from '../resources/lots.js';
import { stockTakingLines, stockTakings } from '../resources/stock-books.js';
import { changeStock } from '../stock/change-stock.js';
import type { LotRow, Row } from '../store/store.js';
import type { InvocationCall, Invocation } from './invocation.js';
import { PIECES } from './invocation.js';

/** Records how many pieces a worker counted in a lot, and corrects the lot's stock at once. */
export const countGlobalTradeItemLot: Invocation = {
  name: 'countGlobalTradeItemLot',
  scopes: [SALES, PURCHASING, FULL],
  parameters: 'CountLotParameters',
  resource: 'GlobalTradeItemLot',
  fields: {
    stockTakingLineId: ID,
    globalTradeItemLotId: ID,
    numItemsCounted: numberType({ min: 0, max: 9_999_999, fractionDigits: 0 }),
    numPackagesCounted: numberType({ min: 0 }),
    discrepancyCause: enumType(DISCREPANCY_CAUSE),
    notesOnCounting: TEXT,
  },
  needed: ['globalTradeItemLotId', 'numItemsCounted'],
  answers: stockTakingLines.resource,
  run: (ims, call) => {
    const { contextId, given } = call;
    const lot = find(ims, lots, { contextId, id: given['globalTradeItemLotId'] });
    const line = lineToCount(ims, call, lot);
    const counted = Number(given['numItemsCounted']);
    const numItems = counted - lot.numItemsRemaining;
    const causes = { discrepancyCause: given['discrepancyCause'], notesOnCounting: given['notesOnCounting'] };
    const because = { stockTakingLineId: line.id, stockTakingId: line['stockTakingId'], ...causes };
    const told = ims.switches().silentCounts ? quietly(ims) : ims;
    if (numItems !== 0)
      changeStock(told, { contextId, itemIds: [lot.globalTradeItemId] }, (move) =>
        move({ lot, numItems, transactionType: 'STOCK_TAKING', because }),
      );
    const current = ims.store.lots.byId(lot.id) ?? lot;
    ims.store.lots.put({ ...current, timeLastStockTaking: timestamp(ims) });
    const row = ims.store.stockTakingLines.put({
      ...line,
      ...{ ...causes, counted: true, timeCounted: timestamp(ims), countedByInitials: 'api' },
      numItemsCounted: counted,
      numItemsAdjusted: Number(line['numItemsAdjusted'] ?? 0) + numItems,
    });
    return show(ims, stockTakingLines, row);
  },
};

/** The stock taking line that the request names; without one, a new line in an ad-hoc stock taking. */
function lineToCount(ims: Ims, { contextId, given }: InvocationCall, lot: LotRow): Row {
  const { stockTakingLineId: id } = given;
  if (id === undefined) return addLine(ims, adHocStockTaking(ims, contextId), lot);
  const line = find(ims, stockTakingLines, { contextId, id });
  if (line['globalTradeItemLotId'] !== lot.id)
    throw new ImsRefusal('invalid', 'StockTakingLine', `Line ${line.id} is about another lot.`);
  const stockTaking = find(ims, stockTakings, { contextId, id: line['stockTakingId'] });
  if (!isOpen(stockTaking))
    throw new ImsRefusal('invalid', 'StockTaking', `StockTaking ${stockTaking.id} has its adjustment list already.`);
  return line;
}

/**
 * The open ad-hoc stock taking of this client, or a new one. Each client has its own, because an adjustment list closes
 * the stock taking and must not close counts of other clients.
 */
function adHocStockTaking(ims: Ims, contextId: number): Row {
  const countingClient = ims.caller()?.clientId ?? null;
  const isMeant = (row: Row) =>
    row['stockTakingType'] === 'AD_HOC' && row['countingClient'] === countingClient && isOpen(row);
  const open = ims.store.stockTakings.in(contextId).find(isMeant);
  // Responses do not show `countingClient`.
  return open ?? ims.store.stockTakings.put({ ...addStockTaking(ims, contextId, 'AD_HOC'), countingClient });
}

function isOpen(stockTaking: Row): boolean {
  return (stockTaking['adjustmentListId'] ?? null) === null;
}

export function addStockTaking(ims: Ims, contextId: number, stockTakingType: string): Row {
  return ims.store.stockTakings.put({
    id: ims.store.nextId(),
    contextId,
    stockTakingNumber: takeNumber(ims, contextId, 'stockTakingNumber'),
    stockTakingType,
    timeCreated: timestamp(ims),
  });
}

export function addLine(ims: Ims, stockTaking: Row, lot: LotRow): Row {
  return ims.store.stockTakingLines.put({
    id: ims.store.nextId(),
    contextId: lot.contextId,
    stockTakingId: stockTaking.id,
    stockTakingNumber: stockTaking['stockTakingNumber'],
    globalTradeItemLotId: lot.id,
    globalTradeItemId: lot.globalTradeItemId,
    counted: false,
    timeCreated: timestamp(ims),
  });
}

export const splitToNewLot: Invocation = {
  name: 'splitToNewLot',
  scopes: [FULL],
  parameters: 'SplitToNewLotParameters',
  resource: 'GlobalTradeItemLot',
  fields: {
    globalTradeItemLotId: ID,
    lotStatus: enumType(GLOBAL_TRADE_ITEM_LOT_STATUS),
    locationNumber: TEXT,
    numItems: PIECES,
  },
  needed: ['globalTradeItemLotId', 'lotStatus', 'locationNumber', 'numItems'],
  answers: lots.resource,
  run: (ims, { contextId, given }) => {
    const source = find(ims, lots, { contextId, id: given['globalTradeItemLotId'] });
    refuseTooMany(source, given);
    const { globalTradeItemId, batchNumber, expirationDate, inventorySortDate, costPrice } = source;
    const { lotStatus, locationNumber } = given;
    const target = createRow(ims, lots, contextId, {
      ...{ globalTradeItemId, batchNumber, expirationDate, inventorySortDate, costPrice },
      ...{ lotStatus, locationNumber, numItemsRemaining: 0 },
    });
    return split(ims, { source, target, numItems: Number(given['numItems']) });
  },
};

export const splitToExistingLot: Invocation = {
  name: 'splitToExistingLot',
  scopes: [FULL],
  parameters: 'SplitToExistingLotParameters',
  resource: 'GlobalTradeItemLot',
  fields: { sourceLotId: ID, targetLotId: ID, numItems: PIECES },
  needed: ['sourceLotId', 'targetLotId', 'numItems'],
  answers: lots.resource,
  run: (ims, { contextId, given }) => {
    const source = find(ims, lots, { contextId, id: given['sourceLotId'] });
    const target = find(ims, lots, { contextId, id: given['targetLotId'] });
    if (source.id === target.id || source.globalTradeItemId !== target.globalTradeItemId)
      throw new ImsRefusal('invalid', 'GlobalTradeItemLot', 'The lots must be two of one item.');
    refuseTooMany(source, given);
    return split(ims, { source, target, numItems: Number(given['numItems']) });
  },
};

function refuseTooMany(source: LotRow, given: JsonMembers): void {
  if (Number(given['numItems']) > source.numItemsRemaining)
    throw new ImsRefusal(
      'invalid',
      'GlobalTradeItemLot',
      `Lot ${source.id} has only ${source.numItemsRemaining} pieces.`,
    );
}

function split(
  ims: Ims,
  { source, target, numItems }: { readonly source: LotRow; readonly target: LotRow; readonly numItems: number },
): JsonMembers {
  const { contextId, globalTradeItemId } = source;
  const because = { splittedToLotId: target.id };
  const after = changeStock(ims, { contextId, itemIds: [globalTradeItemId] }, (move) => {
    move({ lot: source, numItems: -numItems, transactionType: 'SPLITTING', because });
    return move({ lot: target, numItems, transactionType: 'SPLITTING', because });
  });
  return show(ims, lots, after);
}
