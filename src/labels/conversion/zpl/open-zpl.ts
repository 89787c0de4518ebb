import { PDFDocument } from 'pdf-lib';
import { Unusable } from '../../label-unusable.js';
import type { OpenLabel } from '../../open-label.js';
import type { Size } from '../matrix.js';
import { drawZpl } from './draw-zpl.js';
import { type LabelTarget, dotsPerMm, pointsOf } from '../target.js';
import { type ZplText, readZpl } from './zpl-text.js';

/** Where a label says nothing: 4 x 6 inch, which most labels in ZPL are. */
const USUAL_MM = { width: 101.5, height: 152.25 };
const USUAL_DPI = 203;
const RESOLUTIONS = [203, 300, 600] as const;
/** A label is made for the width of the printer, within this. */
const NEARLY = 0.1;
const MAX_DOTS = 36_000_000;
/** Room for a field that begins below the end of its label: a printer prints it all the same. */
const BELOW_MM = 40;

export interface OpenZpl extends OpenLabel {
  /** The label itself, where a printer of the target may get it as it came. */
  readonly zpl: Uint8Array | null;
  /** Why its pages must not be printed in its place; `null`: they may. */
  readonly lacks: string | null;
}

/**
 * Draws a label in ZPL as a document of pictures, a dot of the printer for each dot.
 * @throws Unusable
 */
export async function openZpl(bytes: Uint8Array, target: LabelTarget | null): Promise<OpenZpl> {
  const zpl = readZpl(bytes);
  const dpi = resolutionOf(zpl, target);
  const perMm = dotsPerMm(dpi);
  const asItIs = target?.format === 'zpl' && zpl.onlyDraws && dpi === target.dpi;
  const lacks = zpl.leftOut === null ? null : `has a part (${zpl.leftOut}) that only a label printer can draw`;
  if (lacks !== null && !asItIs) throw new Unusable(lacks);
  const size = sizeOf(zpl, perMm);
  if (size.width * size.height > MAX_DOTS) throw new Unusable('is too large');
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const png of await drawZpl(zpl.drawable, size)) {
    const picture = await document.embedPng(png);
    const [width, height] = [picture.width, picture.height].map((dots) => pointsOf(dots / perMm)) as [number, number];
    document.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height });
  }
  await document.flush();
  return { document, pages: document.getPageCount(), isUsableAsItCame: () => false, zpl: asItIs ? bytes : null, lacks };
}

function sizeOf({ width, height, low }: ZplText, perMm: number): Size {
  const end = height ?? Math.round(USUAL_MM.height * perMm);
  return {
    width: width ?? Math.round(USUAL_MM.width * perMm),
    height: low < end ? end : low + Math.round(BELOW_MM * perMm),
  };
}

/**
 * Labels say no resolution: it is the one that makes them as wide as the printer that they were asked for. Of one that says no
 * width either it is the lowest that has all fields on it.
 */
function resolutionOf({ width, right }: ZplText, target: LabelTarget | null): LabelTarget['dpi'] {
  if (width === null) return RESOLUTIONS.find((dpi) => right < USUAL_MM.width * dotsPerMm(dpi)) ?? USUAL_DPI;
  const wanted = target?.widthMm ?? USUAL_MM.width;
  const isNearly = (dpi: LabelTarget['dpi']) => Math.abs(width / dotsPerMm(dpi) / wanted - 1) < NEARLY;
  return RESOLUTIONS.find(isNearly) ?? USUAL_DPI;
}
