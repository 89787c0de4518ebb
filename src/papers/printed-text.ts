import anyAscii from 'any-ascii';
import type { PDFFont } from 'pdf-lib';

/** A text in letters that the font has. */
export type Words = string;

export interface Type {
  readonly font: PDFFont;
  /** Of the letters, in points. */
  readonly size: number;
  /** The width that there is, in points. */
  readonly room: number;
}

/** The text on one line; letters that the built-in PDF fonts lack become the nearest ones, e.g. `ł` an `l`. */
export function printable(text: string, font: PDFFont): Words {
  const known = new Set(font.getCharacterSet());
  return Array.from(text.normalize('NFC').replace(/[\s\p{Cc}]+/gu, ' '))
    .map((character) => (known.has(character.codePointAt(0) ?? 0) ? character : anyAscii(character)))
    .join('')
    .trim();
}

/** The size in which a text fits on one line: the given one, or a smaller one. */
export function fittingSize(text: Words, { font, size, room }: Type): number {
  return Math.min(size, (size * room) / Math.max(1, font.widthOfTextAtSize(text, size)));
}

/** A text in lines that are not wider than the room; a word that is wider is broken. */
export function wrapped(text: Words, type: Type): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => pieces(one, type))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer, type)) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function fits(text: string, { font, size, room }: Type): boolean {
  return font.widthOfTextAtSize(text, size) <= room;
}

/** A word, or the parts of a word that is wider than a line. */
function pieces(word: string, type: Type): readonly string[] {
  if (fits(word, type)) return [word];
  const parts: string[] = [];
  let part = '';
  for (const letter of word) {
    if (part !== '' && !fits(part + letter, type)) {
      parts.push(part);
      part = '';
    }
    part += letter;
  }
  return [...parts, part];
}
