import type { Area } from '../../../areas/area.js';
import type { LabelTarget } from '../../../labels/conversion/target.js';
import type { ErrorSheet } from '../../../papers/error-sheet.js';
import { type Consignment, shipmentName } from '../../consignment.js';
import type { BookingContext } from '../../context.js';
import { messagesOnSheet } from '../../machine/papers/error-sheet-effects.js';

type Size = Pick<ErrorSheet, 'widthMm' | 'heightMm'>;

/** The usual label of a thermal printer, 4 × 6 inches. */
const USUAL_LABEL: Size = { widthMm: 102, heightMm: 152 };
const SHEETS: Readonly<Record<NonNullable<LabelTarget['sheet']>, Size>> = {
  A4: { widthMm: 210, heightMm: 297 },
  A5: { widthMm: 148, heightMm: 210 },
  letter: { widthMm: 216, heightMm: 279 },
};

/** The sheet could not be drawn. It is left out: the worker has the messages that would stand on it. */
export class SheetNotDrawn extends Error {
  override readonly name = 'SheetNotDrawn';
}

/**
 * The error sheet of a run, drawn anew for each attempt to attach it: it holds nothing but the run's messages.
 * @throws SheetNotDrawn
 */
export async function errorSheetOf(
  context: BookingContext,
  consignment: Consignment,
  { area, target }: { readonly area: Area; readonly target: LabelTarget | null },
): Promise<Uint8Array> {
  if (context.drawErrorSheet === undefined) throw new SheetNotDrawn('error sheets are switched off');
  const { bookedOn } = consignment;
  const sheet = {
    ...sizeFor(target),
    notALabel: area.phrase('error-sheet-no-label', {}),
    shipment: { title: area.phrase('error-sheet-shipment', {}), number: shipmentName(consignment) },
    barcode: consignment.shipmentNumber,
    messages: [...new Set(messagesOnSheet(consignment).map((message) => area.text(message, bookedOn)))],
  };
  try {
    const bytes = await context.drawErrorSheet(sheet);
    return target?.format === 'zpl' ? await asZpl(context, bytes, target) : bytes;
  } catch (error) {
    context.log.error('error sheet not drawn', { consignment: consignment.id, error });
    throw new SheetNotDrawn('the sheet could not be drawn', { cause: error });
  }
}

/** The size of one label of the profile; where several go on a sheet of paper: the whole sheet. */
function sizeFor(target: LabelTarget | null): Size {
  const { widthMm = null, heightMm = null, sheet = null } = target ?? {};
  if (sheet !== null) return SHEETS[sheet];
  if (widthMm === null) return USUAL_LABEL;
  return { widthMm, heightMm: heightMm ?? (widthMm * USUAL_LABEL.heightMm) / USUAL_LABEL.widthMm };
}

async function asZpl({ assemble }: BookingContext, pdf: Uint8Array, target: LabelTarget): Promise<Uint8Array> {
  const { bytes, format } = await assemble([{ format: 'pdf', bytes: pdf }], target);
  if (format !== 'zpl') throw new Error('the sheet was not converted to ZPL');
  return bytes;
}
