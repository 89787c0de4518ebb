import { type Consignment, labelFileName, targetOf } from '../../consignment/consignment.js';
import type { BookingContext } from '../../consignment/context.js';
import { type StoredLabel, asLabel, loadLabels } from '../../consignment/ledger/label-rows.js';
import { NotPossible } from '../../consignment/machine/operator.js';
import { convertedOrAsTheyCame } from '../../labels/as-they-came.js';
import { LABEL_TYPES, formatOf } from '../../labels/label-format.js';
import { LabelUnusable } from '../../labels/label-unusable.js';
import { UnknownConsignment, knownConsignment } from '../known-consignment.js';
import { cancelledIn, fileToPrint, whyPartUnused } from './parcel-labels.js';

export interface LabelDownload {
  readonly bytes: Uint8Array;
  /** `null`: not counted. */
  readonly pages: number | null;
  readonly fileName: string;
  /** The media type, for HTTP. */
  readonly type: string;
}

/** @throws NotPossible */
async function requirePartUsable({ database }: BookingContext, consignment: Consignment, n: number): Promise<void> {
  const because = whyPartUnused(consignment, n, await cancelledIn(database, consignment));
  if (because !== null) throw new NotPossible(because);
}

type OneFile = Pick<LabelDownload, 'bytes' | 'pages'>;

/** @param n 0: the file that was attached; from 1: a part's @throws UnknownConsignment | NotPossible */
export async function labelOf(context: BookingContext, id: string, n: number): Promise<LabelDownload> {
  const consignment = await knownConsignment(context, id);
  // Of part 0, the file of return labels is behind that of the labels.
  const all = (await loadLabels(context.database, id)).filter((label) => label.n === n && (n > 0 || label.k === 0));
  const [label] = all;
  if (!label) throw new UnknownConsignment(`no label ${n}`);
  if (n > 0) await requirePartUsable(context, consignment, n);
  const whole = all.length === 1 ? label : await inOneFile(context, all);
  const { bytes, pages } = n === 0 ? await withoutCancelled(context, consignment, label) : whole;
  const format = formatOf(bytes);
  return {
    bytes,
    pages,
    fileName: labelFileName(consignment, format),
    type: LABEL_TYPES[format],
  };
}

/** Labels in ZPL one after the other, as the carrier gave them; a PDF where one of them is a PDF. @throws NotPossible */
async function inOneFile(context: BookingContext, labels: readonly StoredLabel[]): Promise<OneFile> {
  const isZpl = labels.every(({ bytes }) => formatOf(bytes) === 'zpl');
  return isZpl ? { bytes: Buffer.concat(labels.map(({ bytes }) => bytes)), pages: null } : inOnePdf(context, labels);
}

/** @throws NotPossible */
async function inOnePdf(context: BookingContext, labels: readonly Pick<StoredLabel, 'bytes'>[]): Promise<OneFile> {
  try {
    return await context.assemble(labels.map(asLabel), null);
  } catch (error) {
    if (!(error instanceof LabelUnusable)) throw error;
    throw new NotPossible(`it cannot be given as a PDF: ${error.message}`);
  }
}

/** A parcel must not get the label of a cancelled one. @throws NotPossible */
async function withoutCancelled(
  context: BookingContext,
  consignment: Consignment,
  file: StoredLabel,
): Promise<OneFile> {
  const { others, cancelled } = await cancelledIn(context.database, consignment);
  if (cancelled !== 'some') return file;
  try {
    const assemble: BookingContext['assemble'] = (...given) => convertedOrAsTheyCame(context.assemble, ...given);
    const target = targetOf(consignment);
    return await fileToPrint(context.database, consignment, { parcel: null, others, assemble, target });
  } catch (error) {
    if (!(error instanceof NotPossible || error instanceof LabelUnusable)) throw error;
    throw new NotPossible(
      `one of its parcels is cancelled, and the label cannot be given without that one's: ${error.message}`,
    );
  }
}

/** As a PDF, also a label in ZPL. @throws UnknownConsignment | NotPossible */
export async function labelToSee(context: BookingContext, id: string, n: number): Promise<LabelDownload> {
  const label = await labelOf(context, id, n);
  if (label.type === LABEL_TYPES.pdf) return label;
  const { bytes, pages } = await inOnePdf(context, [label]);
  return { bytes, pages, fileName: label.fileName.replace(/\w+$/, 'pdf'), type: LABEL_TYPES.pdf };
}

/** @param page from 1 @throws UnknownConsignment there is no such page */
export async function labelPage(
  context: BookingContext,
  id: string,
  { n, page }: { readonly n: number; readonly page: number },
): Promise<Uint8Array> {
  const { bytes, pages } = await labelToSee(context, id, n);
  if (!Number.isInteger(page) || page < 1 || page > (pages ?? 1)) throw new UnknownConsignment(`no page ${page}`);
  return context.drawPage(bytes, page);
}
