import { PDFArray, PDFDocument, PDFRawStream, StandardFonts, decodePDFRawStream, degrees, rgb } from 'pdf-lib';
import type { Label } from '../../carriers/contract/index.js';

const POINTS_PER_MM = 72 / 25.4;

export interface Sketch {
  readonly text: string;
  readonly widthMm?: number;
  readonly heightMm?: number;
  readonly pages?: number;
  readonly rotation?: number;
  /** Whether it has a line around it, so that the whole page has ink. */
  readonly framed?: boolean;
}

/** A label with a text on each page, 100 x 150 mm when nothing else is said. */
export async function pdfOf(sketch: Sketch): Promise<Uint8Array> {
  return (await draw(sketch)).save();
}

export async function encryptedPdf(sketch: Sketch, userPassword: string): Promise<Uint8Array> {
  const document = await draw(sketch);
  document.encrypt({ ownerPassword: 'owner-0001', userPassword });
  return document.save();
}

export function label(bytes: Uint8Array): Label {
  return { format: 'pdf', bytes };
}

export interface ReadPage {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly rotation: number;
  readonly text: string;
}

/** What is on each page, as a reader that knows nothing of us finds it. */
export async function readPages(bytes: Uint8Array): Promise<readonly ReadPage[]> {
  const document = await PDFDocument.load(bytes, { throwOnInvalidObject: true });
  return document.getPages().map((page) => ({
    widthMm: Math.round(page.getWidth() / POINTS_PER_MM),
    heightMm: Math.round(page.getHeight() / POINTS_PER_MM),
    rotation: page.getRotation().angle,
    text: textOf(page.node.Contents()),
  }));
}

/** A PDF written by hand; each object is given without its `1 0 obj` frame. */
export function handWrittenPdf(objects: readonly (string | Buffer)[]): Uint8Array {
  const framed = objects.flatMap((object, index) => [`${index + 1} 0 obj\n`, object, '\nendobj\n']);
  const parts = ['%PDF-1.7\n', ...framed, `trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}

async function draw({ text, framed, ...sketch }: Sketch): Promise<PDFDocument> {
  const { widthMm = 100, heightMm = 150, pages = 1, rotation = 0 } = sketch;
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number += 1) {
    const page = document.addPage([widthMm * POINTS_PER_MM, heightMm * POINTS_PER_MM]);
    page.setRotation(degrees(rotation));
    const [width, height] = [page.getWidth() - 2, page.getHeight() - 2];
    if (framed) page.drawRectangle({ x: 1, y: 1, width, height, borderWidth: 1, borderColor: rgb(0, 0, 0) });
    page.drawText(pages === 1 ? text : `${text}/${number}`, { x: 10, y: 10, size: 10, font });
  }
  return document;
}

function textOf(contents: unknown): string {
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((_ref, index) => contents.lookup(index)) : [contents];
  const drawn = streams
    .filter((stream) => stream instanceof PDFRawStream)
    .map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1'))
    .join('\n');
  return [...drawn.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString()).join(' ');
}
