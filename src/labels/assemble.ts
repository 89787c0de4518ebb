import { createHash } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import type { Label } from '../../carriers/contract/model.js';
import { findForeign } from './active-content.js';
import { pagesAsZpl } from './conversion/zpl/as-zpl.js';
import { inkFinder } from './conversion/crop.js';
import { type AddedPage, type CopiedLabel, addOntoTarget } from './conversion/onto-target.js';
import { type OpenZpl, openZpl } from './conversion/zpl/open-zpl.js';
import { type LabelTarget, type LeftAsItCame, inWholeDots } from './conversion/target.js';
import { LabelUnusable, Unusable } from './label-unusable.js';
import { hideMarked } from './conversion/hidden-layers.js';
import { formatOf } from './label-format.js';
import { MAX_PAGES } from './limits.js';
import { type PageChoice, onlyPage } from './only-page.js';
import { openLabel } from './open-label.js';
import type { OpenLabel } from './open-label.js';

const MAX_TOTAL_BYTES = 50_000_000;
/** Drawing a page for a printer takes ten times as long as copying it. */
const MAX_DRAWN_PAGES = 200;

export interface LabelToPrint extends Label {
  /** Missing: all pages. */
  readonly only?: PageChoice;
}

export interface AssembledLabels {
  readonly bytes: Uint8Array;
  /** The format of `bytes`: one document with all pages. */
  readonly format: 'pdf' | 'zpl';
  readonly pages: number;
  /** How many pages each label had, before several of them went on a sheet. */
  readonly pagesOfLabels: readonly number[];
  /** SHA-256 of `bytes`, in hexadecimal; equal labels give an equal value. */
  readonly sha256: string;
  /** Labels that the target would make unreadable; they have the pages that the carrier gave. */
  readonly leftAsTheyCame: readonly LeftAsItCame[];
}

/**
 * Makes one PDF of all labels in the given order; each page keeps its own size and rotation. A single label is returned
 * unchanged, unless it is protected or contains actions or content that is no drawing, which is removed.
 *
 * @param labels at least one; each at most 10 MB, together 50 MB and 500 pages, with sides from 5 to 2,000 mm
 * @param target what the pages are brought into; `null`: they stay as they are
 * @throws LabelUnusable
 */
export async function assembleLabels(
  labels: readonly LabelToPrint[],
  target: LabelTarget | null = null,
): Promise<AssembledLabels> {
  if (labels.length === 0) throw new Error('there are no labels to assemble');
  requireTotal(labels);
  const opened = await openAll(labels, target);
  const pagesOfLabels = opened.map((label) => label.pages);
  const pages = pagesOfLabels.reduce((sum, each) => sum + each, 0);
  if (pages > MAX_PAGES) throw new LabelUnusable(`the labels together have more than ${MAX_PAGES} pages`, null);
  const made =
    target === null
      ? await asTheyAre(labels, opened)
      : await converted(opened, target).catch((error: unknown) => undrawable(error, labels.length));
  return { pages, pagesOfLabels, ...made, sha256: createHash('sha256').update(made.bytes).digest('hex') };
}

type Made = Omit<AssembledLabels, 'sha256' | 'pagesOfLabels'>;
type Opened = OpenLabel | OpenZpl;

const NOTHING = new Uint8Array();

async function asTheyAre(labels: readonly Label[], opened: readonly Opened[]): Promise<Omit<Made, 'pages'>> {
  const bytes = alone(labels, opened) ?? (await saved(await merged(opened)));
  return { bytes, format: 'pdf', leftAsTheyCame: [] };
}

/** Converts labels. Where one stays as it came, the file is a PDF: a printer of labels would cut it off. */
async function converted(opened: readonly Opened[], target: LabelTarget): Promise<Made> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const copied = await copies(document, opened);
  const ink = inkFinder(async () => await saved(await merged(opened)));
  const { leftAsTheyCame, pages: added } = await addOntoTarget(copied, {
    ...{ document, target: inWholeDots(target), findInk: ink.find },
  }).finally(ink.close);
  requireDrawings(document, opened.length);
  const pages = document.getPageCount();
  const save = () => saved(document);
  const isZpl = target.format === 'zpl' && leftAsTheyCame.length === 0;
  const own = ownZpl(opened, isZpl ? added : null);
  if (!isZpl) return { bytes: await save(), pages, format: 'pdf', leftAsTheyCame };
  if (pages > MAX_DRAWN_PAGES)
    throw new LabelUnusable(`the labels together have more than ${MAX_DRAWN_PAGES} pages`, null);
  const isWanted = (page: number) => own[page] === null;
  const drawn = await pagesAsZpl({ document, save, pages: added, isWanted }, target);
  const bytes = Buffer.concat(drawn.map((zpl, page) => own[page] ?? Buffer.from(zpl)));
  return { bytes, pages, format: 'zpl', leftAsTheyCame };
}

/**
 * The ZPL of each page as the carrier gave it; `null`: the page is to be drawn. A label whose pages all stay as they
 * came stands whole on its first page.
 * @param added `null`: all are to be drawn
 */
function ownZpl(opened: readonly Opened[], added: readonly AddedPage[] | null): readonly (Uint8Array | null)[] {
  let first = 0;
  return opened.flatMap((label, index) => {
    const pages = Array.from({ length: label.pages }, (_none, place) => added?.[first + place]);
    first += label.pages;
    const own = 'zpl' in label && pages.every((page) => page?.isAsItCame) ? label.zpl : null;
    if (own === null && 'lacks' in label && label.lacks !== null)
      unusable(new Unusable(label.lacks), index + 1, opened.length);
    return pages.map((_page, place) => (own === null ? null : place === 0 ? own : NOTHING));
  });
}

function requireTotal(labels: readonly Label[]): void {
  const total = labels.reduce((sum, label) => sum + label.bytes.length, 0);
  if (total > MAX_TOTAL_BYTES)
    throw new LabelUnusable(`the labels together are larger than ${MAX_TOTAL_BYTES / 1_000_000} MB`, null);
}

/** Opens one label after the other, because they may be large. */
async function openAll(labels: readonly LabelToPrint[], target: LabelTarget | null): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  for (const [index, label] of labels.entries()) {
    opened.push(await opening(label, target).catch((error: unknown) => unusable(error, index + 1, labels.length)));
  }
  return opened;
}

async function opening({ bytes, only }: LabelToPrint, target: LabelTarget | null): Promise<Opened> {
  const opened = formatOf(bytes) === 'zpl' ? await openZpl(bytes, target) : await openLabel(bytes);
  if (only === undefined) return opened;
  const isOneOfSeveral = 'zpl' in opened && opened.pages > 1;
  return { ...opened, ...onlyPage(opened, only), ...(isOneOfSeveral && { zpl: null }) };
}

function unusable(error: unknown, position: number, total: number): never {
  if (!(error instanceof Unusable)) throw error;
  throw new LabelUnusable(`label ${position} of ${total} ${error.message}`, position, { cause: error.cause });
}

function alone(labels: readonly Label[], opened: readonly OpenLabel[]): Uint8Array | undefined {
  const [only] = opened;
  const isAlone = labels.length === 1 && only?.isUsableAsItCame() && findForeign(only.document.context) === null;
  return isAlone ? labels[0]?.bytes : undefined;
}

async function merged(opened: readonly OpenLabel[]): Promise<PDFDocument> {
  const all = await PDFDocument.create({ updateMetadata: false });
  for (const { pages } of await copies(all, opened)) for (const page of pages) all.addPage(page);
  requireDrawings(all, opened.length);
  return all;
}

async function copies(all: PDFDocument, opened: readonly OpenLabel[]): Promise<readonly CopiedLabel[]> {
  const copied: CopiedLabel[] = [];
  for (const [index, { document }] of opened.entries()) {
    try {
      copied.push({ position: index + 1, pages: await all.copyPages(document, document.getPageIndices()) });
    } catch (cause) {
      // The pages are readable, but the file cannot be copied, for example because its objects are nested without end.
      unusable(new Unusable('is broken: its pages cannot be copied', { cause }), index + 1, opened.length);
    }
  }
  return copied;
}

/** The last step before a document is saved. */
function requireDrawings(all: PDFDocument, total: number): void {
  hideMarked(all);
  const foreign = findForeign(all.context);
  if (foreign !== null) throw unprintable(foreign, total);
}

/** The file gets no date and no id, so that a repetition gives the same bytes. */
function saved(all: PDFDocument): Promise<Uint8Array> {
  // This process does nothing else, so the library need not yield after fifty objects.
  return all.save({ objectsPerTick: Infinity });
}

/** A page that can be read is not always one that can be drawn. */
function undrawable(error: unknown, total: number): never {
  throw error instanceof Unusable ? unprintable(error.message, total) : error;
}

function unprintable(because: string, total: number): LabelUnusable {
  if (total === 1) return new LabelUnusable(`label 1 of 1 ${because}`, 1);
  return new LabelUnusable(`of the labels at least one ${because}`, null);
}
