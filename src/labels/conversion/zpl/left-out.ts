import type { ZplCommand } from './commands.js';

/**
 * Barcodes that the program which draws knows, with `^BY`, their bars, and `^B0`, which is written as `^BO` for it. It prints the
 * data of others in letters.
 */
const KNOWN_BARCODE = /^\^B[0237CDEOQXY]$/;
const BARCODE = /^\^B[0-9A-Z]$/;
/** An ellipse, a stored picture below all others, data with the time, data for several symbols, data with other fields in it. */
const UNKNOWN = ['^GE', '^IL', '^FC', '^FM', '^FE'];
/** Other lengths than dots, and dots of double the size. */
const OTHER_LENGTHS: Readonly<Record<string, RegExp>> = { '^MU': /^\s*([^D\s]|D\s*,)/i, '^JM': /^\s*B/i };
/** Commands that recall something, each with the command that stores it in the same file. */
const RECALLED: Readonly<Record<string, string>> = { '^XG': '~DG', '^IM': '~DG', '^XF': '^DF' };

/**
 * Finds what the drawing program ignores because it does not know it.
 * @returns the first command that a printer prints and that is not drawn; `null`: there is none
 */
export function leftOut(commands: readonly ZplCommand[]): string | null {
  const stored = new Set(commands.map((command) => command.code + nameIn(command)));
  const isLeftOut = (command: ZplCommand) => {
    const { code, data } = command;
    if (BARCODE.test(code)) return !KNOWN_BARCODE.test(code);
    if (code in RECALLED) return !stored.has(`${RECALLED[code]}${nameIn(command)}`);
    return UNKNOWN.includes(code) || (OTHER_LENGTHS[code]?.test(data) ?? false);
  };
  return commands.find(isLeftOut)?.code ?? null;
}

/** The name of a picture or form, as it is written. */
function nameIn({ data }: ZplCommand): string {
  return data.split(',', 1)[0]?.trim() ?? '';
}
