import { Unusable } from '../../label-unusable.js';
import { MAX_PAGES, MAX_LABEL_BYTES } from '../../limits.js';
import { type ZplCommand, commandsOf } from './commands.js';
import { drawableZpl } from './drawable.js';
import { leftOut } from './left-out.js';

/** 500 labels with 400 commands each. */
const MAX_COMMANDS = 200_000;
/** Commands that only draw on this label; all others set up the printer for later ones, store in it or print more than one. */
const DRAWING = new RegExp(
  `^\\^(?:${['X[AFGZ]', 'IM', 'F[ODSTVHXRBPN]', 'SN', 'TB', 'A[A-Z0-9]', 'CF', 'CI', 'BY', 'B[0-9A-FIJKLMOPQRSTUXZ]', 'G[BCDEFS]', 'L[HL]', 'PW'].join('|')})$`,
);
/** What programs write at the beginning and end, and what changes nothing. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  '^': /^$/,
  '~': /^$/,
  '^CC': /^\^/,
  '~CC': /^\^/,
  '^CT': /^~/,
  '~CT': /^~/,
  '^CD': /^,/,
  '~CD': /^,/,
  '^PQ': /^1(,[01]?){0,2}(,[YN]?){0,2}\s*$/i,
  '^PO': /^N\s*$/i,
  '^LR': /^N?\s*$/i,
  '^FW': /^N?\s*(,0\s*)?$/i,
};
/** Where a field begins. */
const BEGINS = ['^FO', '^FT'];
const NAMES_A_MARK = /^[\^~]C[CDT]$/;

export interface ZplText {
  /** The same label for the drawing program: in UTF-8, with pictures in digits. */
  readonly drawable: string;
  /** In dots, the largest that the file says; `null`: it does not. */
  readonly width: number | null;
  readonly height: number | null;
  /** The field that begins farthest to the right, and the one that begins lowest, in dots. */
  readonly right: number;
  readonly low: number;
  /** Whether the label only draws, so that a printer may get it as it came. */
  readonly onlyDraws: boolean;
  /** The first command that the drawing program leaves out; `null`: there is none. */
  readonly leftOut: string | null;
}

/**
 * Checks a label in ZPL before a program draws it.
 * @throws Unusable
 */
export function readZpl(bytes: Uint8Array): ZplText {
  if (bytes.length > MAX_LABEL_BYTES) throw new Unusable(`is larger than ${MAX_LABEL_BYTES / 1_000_000} MB`);
  // A byte may be a letter in another character set than UTF-8, or a part of a picture.
  const zpl = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const commands = boundedCommands(zpl);
  const labels = commands.filter(({ code }) => code === '^XA').length;
  if (labels > MAX_PAGES) throw new Unusable(`has more than ${MAX_PAGES} pages`);
  if (labels === 0) throw new Unusable('has no pages');
  if (commands.filter(({ code }) => code === '^XZ').length < labels)
    throw new Unusable('is cut short: its end is missing');
  return {
    drawable: drawableZpl(commands),
    width: declared(commands, '^PW'),
    height: declared(commands, '^LL'),
    ...reachOf(commands),
    onlyDraws: commands.every(({ code, data }) => DRAWING.test(code) || (HARMLESS[code]?.test(data) ?? false)),
    leftOut: leftOut(commands),
  };
}

function boundedCommands(zpl: string): readonly ZplCommand[] {
  const commands: ZplCommand[] = [];
  for (const command of commandsOf(zpl)) {
    if (NAMES_A_MARK.test(command.code) && !HARMLESS[command.code]?.test(command.data))
      throw new Unusable('changes the signs with which its commands begin, and cannot be read then');
    if (commands.push(command) > MAX_COMMANDS) throw new Unusable(`has more than ${MAX_COMMANDS} commands`);
  }
  return commands;
}

function declared(commands: readonly ZplCommand[], code: string): number | null {
  const dots = commands.map((command) => (command.code === code ? placeIn(command).x : 0));
  return dots.reduce((most, each) => Math.max(most, each), 0) || null;
}

function reachOf(commands: readonly ZplCommand[]): Pick<ZplText, 'right' | 'low'> {
  let [right, low] = [0, 0];
  let home = { x: 0, y: 0 };
  for (const command of commands) {
    const { x, y } = placeIn(command);
    if (command.code === '^LH') home = { x, y };
    if (!BEGINS.includes(command.code)) continue;
    right = Math.max(right, home.x + x);
    low = Math.max(low, home.y + y);
  }
  return { right, low };
}

function placeIn({ data }: ZplCommand): { readonly x: number; readonly y: number } {
  const [, x = 0, y = 0] = /^\s*(\d{0,5})\s*(?:,\s*(\d{0,5}))?/.exec(data) ?? [];
  return { x: Number(x), y: Number(y) };
}
