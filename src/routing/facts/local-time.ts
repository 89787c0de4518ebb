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
  const parts = formatOf(timeZone).formatToParts(at);
  return { weekday: valueOf(parts, 'weekday').toLowerCase(), hour: Number(valueOf(parts, 'hour')) };
}

/** The day in a time zone, `YYYY-MM-DD`. @throws RangeError when it is no IANA time zone */
export function localDay(at: Date, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(at);
  return (['year', 'month', 'day'] as const).map((type) => valueOf(parts, type)).join('-');
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

function valueOf(parts: readonly Intl.DateTimeFormatPart[], type: Intl.DateTimeFormatPartTypes): string {
  return parts.find((part) => part.type === type)?.value ?? '';
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const options = { timeZone, ...day, weekday: 'long', hour: '2-digit', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-US', options);
  formats.set(timeZone, format);
  return format;
}
