import { once } from 'node:events';
import type { Duplex } from 'node:stream';

/**
 * Bytes of labels go between the processes through a pipe of their own, in pieces. In a message all of them would be copied at
 * once, and the service would do nothing else meanwhile.
 */
export function sendBeside(pipe: Duplex, all: readonly Uint8Array[]): void {
  for (const bytes of all) if (bytes.length > 0) pipe.write(bytes);
}

/** @throws Error the pipe broke */
export async function takeBeside(pipe: Duplex, sizes: readonly number[]): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = [];
  for (const size of sizes) all.push(await take(pipe, size));
  return all;
}

async function take(pipe: Duplex, size: number): Promise<Uint8Array> {
  const all = Buffer.allocUnsafeSlow(size);
  let at = 0;
  while (at < size) {
    const piece: unknown = pipe.read(Math.min(size - at, Math.max(1, pipe.readableLength)));
    if (Buffer.isBuffer(piece)) at += piece.copy(all, at);
    else await once(pipe, 'readable');
  }
  return all;
}
