import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends lines as a file, as fast as the reader takes them. A reader that leaves is no error.
 * @param lines read when the ones before them are taken
 * @throws what `lines` throws. At the first line nothing is sent; later the connection is broken, which says that the file is not whole
 * @returns `false`: the reader has left before the end
 */
export async function sendCsv(response: Response, filename: string, lines: AsyncGenerator<string>): Promise<boolean> {
  const { value: first = '' } = (await lines.next()) as { readonly value?: string };
  response.type('text/csv').set('content-disposition', `attachment; filename="${filename}"`);
  try {
    await pipeline(Readable.from(begunWith(first, lines)), response);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return false;
    throw error;
  }
}

async function* begunWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** With its end of line. */
export function csvLine(values: readonly (string | number | Date | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe, which `readAnswers` takes off. */
function csvField(value: string | number | Date | null): string {
  if (value === null) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
