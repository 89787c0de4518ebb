import { Unusable } from '../../label-unusable.js';
import type { ZplCommand } from './commands.js';
import { readablePicture, readableStored } from './picture.js';

/** Character sets of `^CI` that the program which draws knows: 0 to 13 are page 850, 27 is page 1252, 28 is UTF-8. */
const isKnownSet = (set: number) => (set >= 0 && set <= 13) || set === 27 || set === 28;
const NOT_ASCII = /\P{ASCII}/u;
const USUAL_MARK = '_';

/** The limit of all labels of a file; a picture as large as a label has some kilobytes. */
const MAX_CHARACTERS = 30_000_000;

/** More than a label has room for. */
const ANY_LINES = 99;

/**
 * Writes commands again for a program that reads ZPL as UTF-8 and has no bytes: a byte of a text that is no ASCII becomes its code
 * (`^FH`), so that it still means what the character set says. Commands that it does not know become others of the same meaning.
 * @throws Unusable
 */
export function drawableZpl(commands: readonly ZplCommand[]): string {
  const field: Field = { set: 0, mark: null, isForm: commands.some(({ code }) => code === '^DF') };
  let length = 0;
  const written = commands.map((command) => {
    const text = rewritten(inKnownCommands(command, field), field);
    length += text.length;
    if (length > MAX_CHARACTERS) throw new Unusable('has pictures that are too large together');
    return text;
  });
  return written.join('');
}

/** What holds for the field that is being read. */
interface Field {
  /** The character set. */
  set: number;
  /** The sign before codes; `null`: it has no codes. */
  mark: string | null;
  /** Whether the file has a form, in whose fields another label writes. */
  readonly isForm: boolean;
}

function inKnownCommands(command: ZplCommand, { isForm }: Field): ZplCommand {
  const { code, data } = command;
  switch (code) {
    case '^B0':
      return { code: '^BO', data };
    case '^IM':
      return { code: '^XG', data: `${data.trim()},1,1` };
    case '^SN':
      return { code: '^FD', data: data.split(',', 1)[0] ?? '' };
    case '^TB':
      return { code: '^FB', data: `${data.split(',')[1] ?? ''},${ANY_LINES}` };
    case '^FN':
      return isForm ? command : NOTHING;
    case '^XZ':
      // The end of a label ends its last field too.
      return { code: '^FS^XZ', data };
  }
  return command;
}

const NOTHING: ZplCommand = { code: '', data: '' };

function rewritten({ code, data }: ZplCommand, field: Field): string {
  switch (code) {
    case '^CI':
      field.set = Number(/^\s*(\d+)/.exec(data)?.[1] ?? field.set);
      break;
    case '^FH':
      field.mark = data.trim().charAt(0) || USUAL_MARK;
      break;
    case '^FS':
    case '^FS^XZ':
      field.mark = null;
      break;
    case '^FD':
    case '^FV':
      return NOT_ASCII.test(data) ? inCodes({ code, data }, field) : code + data;
    case '^GF':
      return code + readablePicture(data);
    case '~DG':
      return code + readableStored(data);
  }
  return code + data;
}

function inCodes({ code, data }: ZplCommand, { mark, set }: Field): string {
  if (!isKnownSet(set)) throw new Unusable(`is written in the character set ^CI${set}, which cannot be drawn`);
  const before = mark ?? USUAL_MARK;
  const text = mark === null ? data.replaceAll(before, codeOf(before, before)) : data;
  const inAscii = text.replace(/\P{ASCII}/gu, (letter) => codeOf(before, letter));
  return `${mark === null ? `^FH${before}` : ''}${code}${inAscii}`;
}

const codeOf = (mark: string, letter: string) =>
  mark + letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
