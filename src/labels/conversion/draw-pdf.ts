import type { PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { Unusable } from '../label-unusable.js';
import type { Size } from './matrix.js';
import type { Raster } from './raster.js';

/** A4 at 600 dpi. */
const MAX_DOTS = 36_000_000;

export interface PdfDrawings {
  /** The size of a page, from 0, in points. @throws Unusable */
  readonly sizeOf: (page: number) => Promise<Size>;
  /**
   * Draws a page, from 0, exactly that large.
   * @throws Unusable
   */
  readonly draw: (page: number, size: Size) => Promise<Raster>;
  readonly close: () => void;
}

let loading: Promise<PDFiumLibrary> | null = null;

/** The library is large: a service that converts nothing never loads it. */
export async function loadPdfDrawer(): Promise<PDFiumLibrary> {
  loading ??= import('@hyzyla/pdfium').then(({ PDFiumLibrary: library }) => library.init());
  return await loading;
}

/**
 * Opens a PDF that was read before, to draw its pages.
 * @throws Unusable
 */
export async function drawingsOf(pdf: Uint8Array): Promise<PdfDrawings> {
  const loaded = await loadPdfDrawer();
  const document = await drawn(() => loaded.loadDocument(pdf));
  return {
    sizeOf: (page) => drawn(() => Promise.resolve(sizeOf(document, page))),
    draw: (page, size) => drawn(() => draw(document, page, size)),
    close: () => document.destroy(),
  };
}

function sizeOf(document: PDFiumDocument, page: number): Size {
  const { originalWidth: width, originalHeight: height } = document.getPage(page).getOriginalSize();
  return { width, height };
}

async function draw(document: PDFiumDocument, page: number, size: Size): Promise<Raster> {
  if (size.width * size.height > MAX_DOTS) throw new Unusable(`has more than ${MAX_DOTS / 1_000_000} million dots`);
  const { width, height, data } = await document.getPage(page).render({
    ...{ width: size.width, height: size.height, scale: 1, colorSpace: 'Gray' },
    render: (bitmap) => Promise.resolve(bitmap.data),
  });
  return { width, height, grey: data };
}

/** After a failure the library's memory may be damaged: the next document gets a new one. */
async function drawn<Drawn>(work: () => Promise<Drawn>): Promise<Drawn> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Unusable) throw cause;
    loading = null;
    throw new Unusable('is broken: it cannot be drawn', { cause });
  }
}
