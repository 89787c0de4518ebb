import type { Json } from '../store/json.js';

/** Latest time that may be given in milliseconds since 1970. Dates in text have no such limit: 9999-12-31 is valid. */
const LATEST_MS = Date.UTC(2200, 0, 1);
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME =
  /^(?<day>\d{4}-\d{2}-\d{2})T(?<clock>(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?<fraction>[.,]\d{1,9})?(?<zone>Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/;
const TIME_LENGTH = 'yyyy-MM-ddTHH:mm:ss.SSSZ'.length;

/**
 * Reads a calendar day: `yyyy-MM-dd`, a time with its zone (gives the day as written, without conversion to UTC), or
 * milliseconds since 1970 (gives the UTC day).
 * @returns `yyyy-MM-dd`; `null` for anything else
 */
export function readDay(sent: Json): string | null {
  if (typeof sent === 'number') return dayIn(ofMilliseconds(sent));
  if (typeof sent !== 'string') return null;
  return DAY.test(sent) ? existing(sent) : readTime(sent) && dayIn(sent);
}

/**
 * Reads a point in time: a time with its zone, a day (gives its start in UTC), or milliseconds since 1970.
 * @returns `yyyy-MM-ddTHH:mm:ss.SSSZ`; `null` for anything else
 */
export function readTime(sent: Json): string | null {
  if (typeof sent === 'number') return ofMilliseconds(sent);
  if (typeof sent !== 'string') return null;
  if (DAY.test(sent)) return existing(sent) && `${sent}T00:00:00.000Z`;
  const parts = TIME.exec(sent)?.groups;
  return parts === undefined ? null : ofParts(parts);
}

/** Like `readDay`, for a query parameter, where milliseconds are text of digits. */
export function readDayInText(text: string): string | null {
  return readDay(/^\d{1,15}$/.test(text) ? Number(text) : text);
}

function ofMilliseconds(sent: number): string | null {
  return Number.isInteger(sent) && sent >= 0 && sent <= LATEST_MS ? new Date(sent).toISOString() : null;
}

function ofParts(parts: Partial<Record<string, string>>): string | null {
  const { day = '', clock = '', fraction = '.0', zone = 'Z' } = parts;
  if (existing(day) === null) return null;
  const seconds = clock.length === 'HH:mm'.length ? ':00' : '';
  const milliseconds = `${fraction.slice(1)}00`.slice(0, 3);
  const iso = new Date(`${day}T${clock}${seconds}.${milliseconds}${inFull(zone)}`).toISOString();
  return iso.length === TIME_LENGTH ? iso : null;
}

/** Completes an offset: `+02` and `+0200` become `+02:00`. */
function inFull(zone: string): string {
  if (zone === 'Z') return zone;
  const digits = `${zone.slice(1).replace(':', '')}00`;
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2, 4)}`;
}

/** The day, or `null` when the calendar lacks it: `Date` would read 30 February as 2 March. */
function existing(day: string): string | null {
  const time = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time.getTime()) && dayIn(time.toISOString()) === day ? day : null;
}

function dayIn(iso: string | null): string | null {
  return iso === null ? null : iso.slice(0, 'yyyy-MM-dd'.length);
}

export function timestamp({ now }: { readonly now: () => Date }): string {
  return now().toISOString();
}
