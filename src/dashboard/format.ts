const LANGUAGE = 'en';
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `1,820`. */
export function count(value: number): string {
  return value.toLocaleString(LANGUAGE);
}

/** `1 booking`, `18 bookings`. */
export function plural(value: number, one: string, several = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : several}`;
}

/** `71 ms`, `1.4 s`, `52 min`, `1 h 12 min`, `3 d`. */
export function duration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} d`;
  const minutes = String(Math.floor((ms % HOUR_MS) / MINUTE_MS)).padStart(2, '0');
  return `${Math.floor(ms / HOUR_MS)} h ${minutes} min`;
}

/** How long ago something was, in whole seconds at least: `1 s`, `52 min`. */
export function age(ms: number): string {
  return ms < MINUTE_MS ? `${Math.max(1, Math.round(ms / SECOND_MS))} s` : duration(ms);
}

/** `0.2 %`, `12 %`; `—` for none. @param share 0 to 1 */
export function percent(share: number | null): string {
  if (share === null) return '—';
  const value = share * 100;
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}

/** Times of one zone. */
export interface Times {
  /** `16:42:07`; of another day `26 Nov 16:42`. */
  time(at: Date): string;
  /** `16`. */
  hour(at: Date): string;
  /** `16:42`. */
  minute(at: Date): string;
  /** `Fri 27 Nov, 17:04 Copenhagen`. */
  moment(at: Date): string;
  /** `27 Nov 2026, 17:04`. */
  whole(at: Date): string;
  /** `Copenhagen`. */
  readonly city: string;
}

/** @param timeZone IANA @param now tells today from other days */
export function timesIn(timeZone: string, now: Date): Times {
  const write = (at: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...options }).format(at);
  const day = { day: 'numeric', month: 'short' } as const;
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const today = write(now, { ...day, year: 'numeric' });
  const city = (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
  return {
    city,
    time: (at) =>
      write(at, { ...day, year: 'numeric' }) === today
        ? write(at, { ...clock, second: '2-digit' })
        : `${write(at, day)} ${write(at, clock)}`,
    hour: (at) => write(at, { hour: '2-digit' }),
    minute: (at) => write(at, clock),
    whole: (at) => write(at, { ...day, year: 'numeric', ...clock }),
    moment: (at) => `${write(at, { weekday: 'short' })} ${write(at, day)}, ${write(at, clock)} ${city}`,
  };
}

/** When a day begins in a time zone. @param day its midnight UTC */
export function dayIn(timeZone: string, day: Date): Date {
  const offsetAt = (at: number) => {
    const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const written = new Intl.DateTimeFormat('sv-SE', { timeZone, ...date, ...clock }).format(at);
    return new Date(`${written.replace(' ', 'T')}Z`).getTime() - at;
  };
  const near = day.getTime() - offsetAt(day.getTime());
  return new Date(day.getTime() - offsetAt(near));
}
