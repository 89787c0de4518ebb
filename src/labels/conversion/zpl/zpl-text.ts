import { Unusable } from '../../label-unusable.js';
import { MAX_PAGES, MAX_LABEL_BYTES } from '../../limits.js';

/** A picture of A4 at 600 dpi. */
const MAX_PICTURE_BYTES = 4_500_000;
/** `^GF` with its format, sizes and row; `~DG` and `~DY` with a name before. */
const PICTURES = /\^GF[A-C]?,(\d+),(\d+)|~DG[^,^~]*,(\d+)|~DY[^^~]*?,(\d+)/gi;
const COMMANDS = /[\^~](A@|[A-Z0-9]{2}|.?)/gis;
/** Commands that only draw on this label; all others set up the printer, store in it or print more than one. */
const DRAWING = new RegExp(
  `^\\^(?:${['XA', 'XZ', 'F[ODSTVHXRBWP]', 'A[A-Z0-9]', 'CF', 'CI', 'BY', 'B[0-9A-FIJKLMOPQRSTUXZ]', 'G[BCDEFS]', 'L[HLR]', 'PW'].join('|')})$`,
  'i',
);

export interface ZplText {
  readonly text: string;
  /** In dots, as the label says; `null`: it does not. */
  readonly width: number | null;
  readonly height: number | null;
  /** Whether it only draws, so that a printer may get it as it came. */
  readonly onlyDraws: boolean;
}

/**
 * Checks a label in ZPL before anything draws it.
 * @throws Unusable
 */
export function readZpl(bytes: Uint8Array): ZplText {
  if (bytes.length > MAX_LABEL_BYTES) throw new Unusable(`is larger than ${MAX_LABEL_BYTES / 1_000_000} MB`);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const labels = text.split(/\^XA/i).length - 1;
  if (labels > MAX_PAGES) throw new Unusable(`has more than ${MAX_PAGES} pages`);
  if (labels === 0) throw new Unusable('has no pages');
  if (text.split(/\^XZ/i).length - 1 < labels) throw new Unusable('is cut short: its end is missing');
  for (const [, ...sizes] of text.matchAll(PICTURES))
    if (sizes.some((size) => Number(size ?? 0) > MAX_PICTURE_BYTES))
      throw new Unusable('has a picture that is too large');
  const commands = [...text.matchAll(COMMANDS)].map(([command]) => command);
  return {
    text,
    width: declared(text, 'PW'),
    height: declared(text, 'LL'),
    onlyDraws: commands.every((command) => DRAWING.test(command)),
  };
}

function declared(text: string, command: 'PW' | 'LL'): number | null {
  const dots = Number(new RegExp(`\\^${command}(\\d{1,5})`, 'i').exec(text)?.[1] ?? 0);
  return dots > 0 ? dots : null;
}
