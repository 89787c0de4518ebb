import type { Ims } from '../ims.js';
import { timestamp } from '../schema/dates.js';
import type { DocumentRow, Row, TransactionRow } from '../store/store.js';
import { levelsOf } from './levels.js';

/** Posts stock movements to the accounts under a document, except for pieces that are posted already. */
export function post(ims: Ims, document: DocumentRow, movements: readonly TransactionRow[]): void {
  for (const movement of movements) {
    const numItems = movement.numItems - movement.numItemsPosted;
    if (numItems === 0) continue;
    ims.store.transactions.put({ ...movement, numItemsPosted: movement.numItems });
    postToLot(ims, movement.globalTradeItemLotId, numItems);
    writePosting(ims, document, { movement, numItems });
  }
}

/** Reverses the postings of a document by opposite postings. */
export function unpost(ims: Ims, document: DocumentRow): void {
  const open = ims.store.postings
    .where(document.contextId, 'documentId', document.id)
    .filter((posting) => (posting['reversalPostingId'] ?? posting['reversedPostingId'] ?? null) === null);
  for (const posting of open) {
    const movement = ims.store.transactions.byId(Number(posting['inventoryTransactionId']));
    if (movement === null) continue;
    const numItems = -Number(posting['numItems']);
    ims.store.transactions.put({ ...movement, numItemsPosted: movement.numItemsPosted + numItems });
    postToLot(ims, movement.globalTradeItemLotId, numItems);
    const reversal = writePosting(ims, document, { movement, numItems, reversedPostingId: posting.id });
    ims.store.postings.put({
      ...posting,
      reversalPostingId: reversal.id,
      reversalPostingTimeMade: timestamp(ims),
    });
  }
}

function postToLot(ims: Ims, lotId: number, numItems: number): void {
  const lot = ims.store.lots.byId(lotId);
  if (lot !== null) ims.store.lots.put({ ...lot, numItemsPosted: lot.numItemsPosted + numItems });
}

interface Posting {
  readonly movement: TransactionRow;
  readonly numItems: number;
  readonly reversedPostingId?: number;
}

function writePosting(ims: Ims, document: DocumentRow, posting: Posting): Row {
  const { movement, numItems, reversedPostingId = null } = posting;
  const { id: inventoryTransactionId, globalTradeItemId, contextId } = movement;
  const price = Number(ims.store.globalTradeItems.byId(globalTradeItemId)?.['standardCostPrice'] ?? 0);
  const { numItemsPosted } = levelsOf(ims, { id: globalTradeItemId, contextId });
  const { id: documentId, documentType, documentNumber } = document;
  return ims.store.postings.put({
    ...movement,
    id: ims.store.nextId(),
    inventoryTransactionId,
    documentId,
    documentType,
    documentNumber,
    postingDate: document['postingDate'],
    timeMade: timestamp(ims),
    numItems,
    value: price * numItems,
    accumulatedNumItems: numItemsPosted,
    accumulatedValue: price * numItemsPosted,
    reversedPostingId,
  });
}
