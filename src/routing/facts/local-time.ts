export const DEFAULT_TIME_ZONE = 'Europe/Copenhagen';

/** Date and time in a time zone. */
export interface LocalTime {
  /** `monday` to `sunday`. */
  readonly weekday: string;
  /** 0 to 23. */
  readonly hour: number;
}

/** Building a formatter takes longer than choosing a carrier, so they are kept: one for each time zone of the configuration. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError when it is no IANA time zone */
export function localTime(at: Date, timeZone: string): LocalTime {
  const format = formats.get(timeZone) ?? newFormat(timeZone);
  const parts = format.formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? '';
  return { weekday: part('weekday').toLowerCase(), hour: Number(part('hour')) };
}

/** Whether it is an IANA time zone, e.g. Europe/Copenhagen. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 do not follow summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', hour: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, format);
  return format;
}
