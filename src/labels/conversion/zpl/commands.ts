/** A command of ZPL. */
export interface ZplCommand {
  /** With its mark, in capitals, such as `^FO` or `~DG`; of `^A0N` it is `^A0`. Only the mark: no command follows it. */
  readonly code: string;
  /** The text between this command and the next one. */
  readonly data: string;
}

const MARK = /[\^~]/g;
const CODE = /[\^~](?:[\r\n\t]*[A-Z0-9@]){0,2}/iy;
const BLANKS = /[\r\n\t]/g;
/** Commands that say with which character commands or their values begin: it follows them, and is no command itself. */
const NAMES_A_MARK = /^[\^~]C[CDT]$/;
/** A picture in bytes, of which any may look like a command; the first number says how many. */
const BYTES = /[Bb],(\d{1,9}),[^,^~]*,[^,^~]*,/y;

/** @param zpl one character for each byte */
export function* commandsOf(zpl: string): Generator<ZplCommand> {
  let at = nextMark(zpl, 0);
  while (at < zpl.length) {
    CODE.lastIndex = at;
    const [found = ''] = CODE.exec(zpl) ?? [];
    const code = found.replace(BLANKS, '').toUpperCase();
    const from = at + found.length;
    at = nextMark(zpl, from + atLeast(zpl, code, from));
    yield { code, data: zpl.slice(from, at) };
  }
}

function atLeast(zpl: string, code: string, from: number): number {
  if (NAMES_A_MARK.test(code)) return 1;
  if (code !== '^GF') return 0;
  BYTES.lastIndex = from;
  const [head = '', count = 0] = BYTES.exec(zpl) ?? [];
  return head.length + Number(count);
}

function nextMark(zpl: string, from: number): number {
  MARK.lastIndex = from;
  return MARK.exec(zpl)?.index ?? zpl.length;
}
