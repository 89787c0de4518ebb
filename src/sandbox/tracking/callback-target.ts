import type { Json } from '../store/json.js';
import { isJsonArray } from '../store/json.js';
import { readWhole } from '../control/members.js';

/** Whom a carrier calls when something happens to a parcel. */
export interface CallbackTarget {
  /** Its id. */
  readonly carrier: string;
  readonly url: string;
  /** With which it shows that it is the carrier, in the carrier's own way. */
  readonly secret: string;
}

/** As others may see it. */
export interface ShownCallbackTarget {
  readonly carrier: string;
  readonly origin: string;
}

export function withoutSecret({ carrier, url }: CallbackTarget): ShownCallbackTarget {
  return { carrier, origin: new URL(url).origin };
}

/** One target or several. @throws BadControlBody */
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
