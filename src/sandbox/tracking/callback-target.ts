import type { Json } from '../store/json.js';
import { isJsonArray } from '../store/json.js';
import { readWhole } from '../control/members.js';

/** A subscriber to a carrier's callbacks about parcels. */
export interface CallbackTarget {
  /** The carrier's id. */
  readonly carrier: string;
  readonly url: string;
  /** The secret that authenticates the callbacks; how depends on the carrier. */
  readonly secret: string;
}

/** A target without its secret and the rest of its URL. */
export interface ShownCallbackTarget {
  readonly carrier: string;
  readonly origin: string;
}

export function withoutSecret({ carrier, url }: CallbackTarget): ShownCallbackTarget {
  return { carrier, origin: new URL(url).origin };
}

/** Reads one target or a list of them. @throws BadControlBody */
export function readCallbackTargets(body: Json): readonly CallbackTarget[] {
  return (isJsonArray(body) ? body : [body]).map((target) =>
    readWhole(
      target,
      (members) => ({
        carrier: members.someText('carrier'),
        url: members.address('url'),
        secret: members.someText('secret'),
      }),
      'a target',
    ),
  );
}
