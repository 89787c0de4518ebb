import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { isJsonArray, membersOf } from '../store/json.js';

/** A subscriber: where events are posted, which ones, and in what form. */
export interface EventTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `contextId`s of the areas whose events the target receives; all areas when not given. */
  readonly areas?: readonly number[];
  /** The types of events that the target receives; all types when not given. */
  readonly eventTypes?: readonly string[];
  /**
   * A pattern that the event's detail must match: a list holds the allowed values of a member, an object is the pattern
   * of a nested object. A missing member matches a list with `null`. `{}` matches everything.
   */
  readonly pattern?: JsonMembers;
  /** The body holds only these members of the detail, without an envelope. */
  readonly fields?: readonly string[];
  readonly auth?: EventAuth;
  /** Status codes that count as delivered, besides 2xx. */
  readonly ignoreStatusCodes?: readonly number[];
}

/** How the sandbox authenticates at the target. */
export type EventAuth =
  | { readonly kind: 'bearer'; readonly token: string }
  /** `header` is `x-api-key` when not given. */
  | { readonly kind: 'key'; readonly key: string; readonly header?: string }
  /**
   * The sandbox requests a token from `authUrl` by the client credentials grant, with the credentials in the form; a
   * new token for every attempt.
   */
  | {
      readonly kind: 'oauth2';
      readonly authUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
    };

/** A target without secrets: the origin of its URL, the names of its headers, and the kind of its authentication. */
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
  readonly detail: JsonMembers;
}

/** Whether the target receives the event. */
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
 * @throws TypeError for an invalid URL
 * @throws Error naming the member of a pattern that is neither a list nor an object
 */
export function checkTarget({ url, auth, pattern = {} }: EventTarget): void {
  for (const address of auth?.kind === 'oauth2' ? [url, auth.authUrl] : [url]) new URL(address);
  const [first] = scalarsIn(pattern, 'pattern');
  if (first !== undefined) throw new Error(`${first}: must be a list of values or an object`);
}

/**
 * The places in a pattern that hold a single value. It is ambiguous: a list with one value may be meant, or it is a
 * mistake.
 */
export function scalarsIn(pattern: Json | undefined, place: string): readonly string[] {
  if (isJsonArray(pattern)) return [];
  if (!isJsonObject(pattern)) return [place];
  return Object.entries(pattern).flatMap(([name, part]) => scalarsIn(part, `${place}.${name}`));
}
