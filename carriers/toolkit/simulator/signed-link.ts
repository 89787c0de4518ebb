import { createHmac } from 'node:crypto';
import type { SimulatorSettings } from '../../contract/index.js';
import type { Asked } from './server.js';

type Here = Pick<SimulatorSettings, 'publicUrl' | 'now'>;

/** A link that is signed, already encoded, and good for some time, as a file store gives it. @param path e.g. `/labels/1` */
export function signedLink(path: string, livesMs: number, { publicUrl, now }: Here): string {
  const until = String(now().getTime() + livesMs);
  return `${publicUrl}${path}?${new URLSearchParams({ until, signature: signatureOf(path, until) }).toString()}`;
}

/** Whether a request is for a link that was given out for this path, and that is still good. */
export function isSignedLink(path: string, query: Asked['query'], { now }: Pick<Here, 'now'>): boolean {
  const { until = '', signature } = query;
  return signature === signatureOf(path, until) && now().getTime() <= Number(until);
}

function signatureOf(path: string, until: string): string {
  return createHmac('sha256', 'links').update(`${path} ${until}`).digest('base64');
}
