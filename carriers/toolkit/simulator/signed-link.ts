import { createHmac } from 'node:crypto';
import type { SimulatorSettings } from '../../contract/index.js';
import type { Asked } from './server.js';

/** How a carrier signs its links, in the way of file stores. */
export interface LinkScheme {
  /** Of the names in the query, e.g. `X-Amz-` for `X-Amz-Date`, `X-Amz-Expires` and `X-Amz-Signature`. */
  readonly prefix: string;
  readonly livesSeconds: number;
}

type Here = Pick<SimulatorSettings, 'publicUrl' | 'now'>;

/** A link that is signed, encoded already, and good for some time. @param path e.g. `/labels/1` */
export function signedLink(path: string, { prefix, livesSeconds }: LinkScheme, { publicUrl, now }: Here): string {
  const date = String(now().getTime());
  const query = {
    [`${prefix}Algorithm`]: 'HMAC-SHA256',
    [`${prefix}Date`]: date,
    [`${prefix}Expires`]: String(livesSeconds),
    [`${prefix}Signature`]: signatureOf(path, date),
  };
  return `${publicUrl}${path}?${new URLSearchParams(query).toString()}`;
}

/** Whether a request is for a link of this scheme that was given out, and that is still good. */
export function isSignedLink(
  path: string,
  { prefix, livesSeconds }: LinkScheme,
  { query, settings }: { readonly query: Asked['query']; readonly settings: Pick<Here, 'now'> },
): boolean {
  const date = query[`${prefix}Date`] ?? '';
  const isOurs = query[`${prefix}Signature`] === signatureOf(path, date);
  return isOurs && settings.now().getTime() <= Number(date) + 1_000 * livesSeconds;
}

function signatureOf(path: string, date: string): string {
  return createHmac('sha256', 'links').update(`${path} ${date}`).digest('base64');
}
