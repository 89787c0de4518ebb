import type { CustomsPaper, PaperKind } from '../../../papers/customs/customs-paper.js';
import { makePaper } from '../../../papers/customs/make-paper.js';
import { type Consignment, bookedParcels, carrierName, partsIn } from '../../consignment.js';
import type { BookingContext } from '../../context.js';
import { SheetNotDrawn } from './make-error-sheet.js';

/**
 * A paper for customs, from the frozen requests of what is booked. It is drawn anew for each attempt to attach it, with
 * the same bytes.
 * @throws SheetNotDrawn
 */
export async function customsPaperOf(
  context: BookingContext,
  consignment: Consignment,
  kind: PaperKind,
): Promise<Uint8Array> {
  try {
    return await context.drawPaper(paperOf(context, consignment, kind));
  } catch (error) {
    context.log.error('customs paper not drawn', { consignment: consignment.id, error });
    const because = error instanceof Error ? error.message : String(error);
    throw new SheetNotDrawn(`it could not be drawn: ${because}`, { cause: error });
  }
}

function paperOf(context: BookingContext, consignment: Consignment, kind: PaperKind): CustomsPaper {
  const [first, ...others] = partsIn(consignment, 'booked').map(({ request }) => request);
  if (first === undefined) throw new Error('nothing is booked');
  const { plan } = consignment;
  const { customs = {} } = context.accounts.get(plan?.account ?? '') ?? {};
  return makePaper(kind, {
    requests: [first, ...others],
    trackingNumbers: bookedParcels(consignment).map(({ trackingNumber }) => trackingNumber),
    carrierName: carrierName(consignment),
    numbers: plan?.customsNumbers ?? { ...customs },
  });
}
