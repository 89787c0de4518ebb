import type { Json, JsonObject } from '../store/json.js';
import { isJsonArray, isJsonObject, membersOf } from '../store/json.js';

/** Who is told of events, of which, and how. */
export interface EventTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `contextId`s; all areas when not given. */
  readonly areas?: readonly number[];
  /** All types when not given. */
  readonly eventTypes?: readonly string[];
  /**
   * What the event's detail must look like: a list holds the values a member may have, an object says the same of the
   * members of a nested object. What is not there matches where `null` is listed. `{}` matches everything.
   */
  readonly pattern?: JsonObject;
  /** Only these members of the detail are sent, without an envelope. */
  readonly fields?: readonly string[];
  readonly auth?: EventAuth;
  /** Besides 2xx, these count as taken. */
  readonly ignoreStatusCodes?: readonly number[];
}

/** How the sender of events shows who it is. */
export type EventAuth =
  | { readonly kind: 'bearer'; readonly token: string }
  /** `header` is `x-api-key` when not given. */
  | { readonly kind: 'key'; readonly key: string; readonly header?: string }
  /** A token from `authUrl` by the client credentials grant, its members in the form; a new one for every try. */
  | {
      readonly kind: 'oauth2';
      readonly authUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
    };

/** As others may see it: of its address the origin, of its headers and of how the sender shows who it is the names. */
export type ShownTarget = Omit<EventTarget, 'url' | 'headers' | 'auth'> & {
  readonly origin: string;
  readonly headers?: readonly string[];
  readonly auth?: EventAuth['kind'];
};

export function withoutSecrets({ url, headers, auth, ...choice }: EventTarget): ShownTarget {
  return {
    origin: new URL(url).origin,
    ...choice,
    ...(headers === undefined ? {} : { headers: Object.keys(headers) }),
    ...(auth === undefined ? {} : { auth: auth.kind }),
  };
}

interface Told {
  readonly contextId: number;
  readonly type: string;
  readonly detail: JsonObject;
}

/** Whether the target is to be told of the event. */
export function isFor(target: EventTarget, { contextId, type, detail }: Told): boolean {
  const { areas, eventTypes, pattern = {} } = target;
  if (areas !== undefined && !areas.includes(contextId)) return false;
  if (eventTypes !== undefined && !eventTypes.includes(type)) return false;
  return matches(pattern, detail);
}

function matches(pattern: Json | undefined, value: Json | undefined): boolean {
  if (isJsonArray(pattern)) return pattern.includes(value ?? null);
  return Object.entries(membersOf(pattern)).every(([name, part]) => matches(part, membersOf(value)[name]));
}

/**
 * @throws TypeError for what is no address
 * @throws Error naming the member of a pattern that is neither a list nor an object
 */
export function checkTarget({ url, auth, pattern = {} }: EventTarget): void {
  for (const address of auth?.kind === 'oauth2' ? [url, auth.authUrl] : [url]) new URL(address);
  const [first] = scalarsIn(pattern, 'pattern');
  if (first !== undefined) throw new Error(`${first}: must be a list of values or an object`);
}

/** The places in a pattern where a single value stands: it could be meant as a list of one, or by mistake. */
export function scalarsIn(pattern: Json | undefined, place: string): readonly string[] {
  if (isJsonArray(pattern)) return [];
  if (!isJsonObject(pattern)) return [place];
  return Object.entries(pattern).flatMap(([name, part]) => scalarsIn(part, `${place}.${name}`));
}
