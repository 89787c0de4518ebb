import { PDFDocument, PDFName, PDFPageTree, ParseSpeeds } from 'pdf-lib';
import type { PDFPage } from 'pdf-lib';
import { mayAct } from './active-content.js';
import { seenPage } from './conversion/seen-page.js';
import { mmOf } from './conversion/target.js';
import { markHidden } from './conversion/hidden-layers.js';
import { isBomb } from './inflated-size.js';
import { Unusable } from './label-unusable.js';
import { MAX_LABEL_BYTES, MAX_PAGES } from './limits.js';
import { makePassive } from './passive-pages.js';

const MAX_PAGE_TREE_NODES = 2 * MAX_PAGES;
const MIN_SIDE_MM = 5;
const MAX_SIDE_MM = 2_000;
/** Readers look for the end mark in the last 1,024 bytes: PDF 1.7, annex H, note 18. */
const END_MARK = '%%EOF';
const END_MARK_WITHIN_BYTES = 1_024;

export interface OpenLabel {
  /** The document; its pages have no actions any more. */
  readonly document: PDFDocument;
  readonly pages: number;
  /** Whether the file is unprotected and has no actions, so that its own bytes may be used. Searches them. */
  readonly isUsableAsItCame: () => boolean;
}

/**
 * Opens one PDF and checks for what a printer cannot print. A PDF that is only protected against changes opens without
 * a password and is accepted.
 * @throws Unusable
 */
export async function openLabel(bytes: Uint8Array): Promise<OpenLabel> {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  requireWhole(pdf);
  const isProtected = pdf.includes('/Encrypt');
  try {
    const document = await load(pdf, isProtected ? 'protected' : 'plain');
    const pages = requirePages(document);
    makePassive(document);
    markHidden(document);
    return { document, pages, isUsableAsItCame: () => !document.isEncrypted && isAlone(pdf) && !mayAct(pdf) };
  } catch (cause) {
    if (cause instanceof Unusable) throw cause;
    throw new Unusable(isProtected ? 'is encrypted and cannot be opened' : 'is broken: it cannot be read as a PDF', {
      cause,
    });
  }
}

function requireWhole(pdf: Buffer): void {
  if (pdf.length > MAX_LABEL_BYTES) throw new Unusable(`is larger than ${MAX_LABEL_BYTES / 1_000_000} MB`);
  if (!pdf.subarray(0, END_MARK_WITHIN_BYTES).includes('%PDF-')) throw new Unusable('is not a PDF');
  if (!pdf.subarray(-END_MARK_WITHIN_BYTES).includes(END_MARK)) throw new Unusable('is cut short: its end is missing');
  if (isBomb(pdf)) throw new Unusable('is far too large when it is unpacked');
}

/** Around a PDF, commands of another language may stand for the printer; readers of PDF pass them over. */
function isAlone(pdf: Buffer): boolean {
  const end = pdf.lastIndexOf(END_MARK) + END_MARK.length;
  return pdf.indexOf('%PDF-') === 0 && /^\s*$/.test(pdf.toString('latin1', end));
}

/** Reading is strict, except where the first reading meets compressed objects that are still encrypted. */
function load(pdf: Buffer, as: 'plain' | 'protected'): Promise<PDFDocument> {
  return PDFDocument.load(pdf, {
    parseSpeed: ParseSpeeds.Fastest,
    throwOnInvalidObject: as === 'plain',
    updateMetadata: false,
    password: '',
  });
}

function requirePages(document: PDFDocument): number {
  requireSmallPageTree(document.catalog.Pages());
  const pages = document.getPages();
  if (pages.length === 0) throw new Unusable('has no pages');
  if (pages.length > MAX_PAGES) throw new Unusable(`has more than ${MAX_PAGES} pages`);
  pages.forEach(requirePage);
  return pages.length;
}

function requirePage(page: PDFPage, index: number): void {
  const contents = PDFName.of('Contents');
  if (page.node.has(contents) && page.node.lookup(contents) === undefined)
    throw new Unusable(`is broken: page ${index + 1} is empty`);
  const { width, height } = seenPage(page);
  const sides = [width, height].map(mmOf);
  if (!sides.every((mm) => mm >= MIN_SIDE_MM && mm <= MAX_SIDE_MM))
    throw new Unusable(`has a page of ${sides.map((mm) => Math.round(mm)).join(' x ')} mm`);
}

/** Guards against a page tree that contains itself, or one branch many times: reading it would never end. */
function requireSmallPageTree(root: PDFPageTree): void {
  let seen = 0;
  for (const node of branchesOf(root)) {
    seen += node.Kids().size();
    if (seen > MAX_PAGE_TREE_NODES) throw new Unusable(`has more than ${MAX_PAGES} pages`);
  }
}

function* branchesOf(branch: PDFPageTree): Generator<PDFPageTree> {
  yield branch;
  for (const kid of branch.Kids().asArray()) {
    const node = branch.context.lookup(kid);
    if (node instanceof PDFPageTree) yield* branchesOf(node);
  }
}
