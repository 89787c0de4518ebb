import type { Ims } from './endpoint.js';
import { rowOfId } from './endpoint.js';

/** The next number that the area gives, as text. */
export function takeNumber(
  ims: Ims,
  contextId: number,
  sequence: 'nextShipmentNumber' | 'nextInboundShipmentNumber' | 'nextReturnShipmentNumber' | 'nextStockTakingNumber',
): string {
  const context = rowOfId(ims.store.contexts, contextId, { resource: 'Context', id: contextId });
  const next = Number(context[sequence] ?? 1);
  ims.store.contexts.put({ ...context, [sequence]: next + 1 });
  return String(next);
}
