import type { BookingRequest } from '../contract/index.js';

const LOCAL = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?$/;

/**
 * The day on which a parcel is sent, in Denmark: the planned one, and today where a request had to wait over midnight.
 * @returns `YYYY-MM-DD`
 */
export function dayOfSending({ shipDate }: Pick<BookingRequest, 'shipDate'>, now: Date): string {
  const today = localDateTime(now, 'Europe/Copenhagen').slice(0, 10);
  return shipDate > today ? shipDate : today;
}

/** Keeps "now" from lying in the past by the time the request is read. */
const MARGIN_MS = 60_000;

/**
 * When a parcel is ready, in the local time of the sender's Nordic country, for a carrier that refuses the past: the morning
 * of the planned day, or right now where that has come or gone.
 * @returns `YYYY-MM-DDThh:mm:ss`
 */
export function timeOfSending({ shipDate, sender }: Pick<BookingRequest, 'shipDate' | 'sender'>, now: Date): string {
  const soon = localDateTime(new Date(now.getTime() + MARGIN_MS), nordicTimeZone(sender.address.countryCode));
  const planned = `${shipDate}T08:00:00`;
  return planned > soon ? planned : soon;
}

/** One for each time zone that was asked for: making one takes a hundred times as long as using it. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 100;

/** The local time of a time zone. @returns `YYYY-MM-DDThh:mm:ss` */
export function localDateTime(at: Date, timeZone: string): string {
  return formatOf(timeZone).format(at).replace(' ', 'T');
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known !== undefined) return known;
  if (FORMATS.size >= MAX_FORMATS) FORMATS.clear();
  // Sweden writes dates as ISO 8601 does: "2030-03-04 09:00:00".
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  FORMATS.set(timeZone, format);
  return format;
}

/** The clocks of the Nordic countries (Norway and Sweden have those of Denmark), with their offsets in summer and in winter. */
const CLOCKS = {
  'Europe/Copenhagen': ['+02:00', '+01:00'],
  'Europe/Helsinki': ['+03:00', '+02:00'],
} as const;

/** The time zone of a Nordic country. */
export function nordicTimeZone(countryCode: string | null): keyof typeof CLOCKS {
  return countryCode === 'FI' ? 'Europe/Helsinki' : 'Europe/Copenhagen';
}

/**
 * A time on the clocks of a country, with the offset that it had there. In autumn, in the hour that occurs twice, it is the
 * first of the two.
 * @param text `2030-03-05 06:12:00`, or with a `T`
 * @returns `2030-03-05T06:12:00+01:00`; `null`: not such a time
 */
export function localMoment(text: string | null, timeZone: keyof typeof CLOCKS): string | null {
  const [, day, time] = LOCAL.exec(text ?? '') ?? [];
  if (day === undefined || time === undefined) return null;
  const local = `${day}T${time.length === 5 ? `${time}:00` : time}`;
  const [summer, winter] = CLOCKS[timeZone];
  // summer time first: it is the earlier of two moments that show the same
  const offset = [summer, winter].find((each) => onClocks(`${local}${each}`, timeZone) === local);
  if (offset !== undefined) return local + offset;
  // in spring one hour does not exist: the sender's clock had not changed yet
  return Number.isNaN(Date.parse(local + winter)) ? null : local + winter;
}

/** As `localMoment`, of Denmark. */
export function danishMoment(text: string | null): string | null {
  return localMoment(text, 'Europe/Copenhagen');
}

function onClocks(moment: string, timeZone: string): string | null {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? null : localDateTime(at, timeZone);
}

/** A moment as Java and .NET write it: `2026-03-03T06:50:22+0000`. */
export function utcOffsetWithoutColon(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, '+0000');
}

/** A day as people write it in the Nordic countries, `05.03.2030`, as `2030-03-05`; `null` for what is no day. */
export function dayFrom(text: string | null): string | null {
  return /^\d{4}-\d\d-\d\d$/.exec((text ?? '').split('.').reverse().join('-'))?.[0] ?? null;
}
