import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import type { HttpAnswer } from '../../carriers/contract/http-port.js';

const unzipped = promisify(unzip);

/** A body that is not the one its headers announce. */
export class UnreadableBody extends Error {
  override readonly name = 'Unreadable';
}

/**
 * The body as its sender meant it: complete and decompressed (gzip and deflate).
 * @throws UnreadableBody cut short, larger than `maxBytes`, or encoded in another way
 */
export async function bodyOf(raw: HttpAnswer, maxBytes: number): Promise<Uint8Array> {
  requireWhole(raw);
  const encoding = raw.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || raw.body.length === 0) return raw.body;
  if (!/^(x-)?gzip$|^deflate$/.test(encoding))
    throw new UnreadableBody('the body is encoded in a way that was not requested');
  try {
    return await unzipped(raw.body, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new UnreadableBody(`the compressed body is broken, or larger than ${maxBytes} bytes`, { cause });
  }
}

function requireWhole({ status, headers, body }: HttpAnswer): void {
  const announced = headers['content-length'];
  if (announced === undefined || status === 204 || status === 304) return;
  if (Number(announced) !== body.length)
    throw new UnreadableBody(`the body was cut short after ${body.length} of ${announced} bytes`);
}

/** Lower-case names; a header that came several times is joined by commas. */
export function headersOf(headers: object): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)] as const);
  return Object.fromEntries(entries);
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
