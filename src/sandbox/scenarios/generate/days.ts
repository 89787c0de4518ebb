const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC date `daysLater` days after a day, as `yyyy-MM-dd`. */
export function dayText(day: Date, daysLater: number): string {
  return new Date(day.getTime() + daysLater * DAY_MS).toISOString().slice(0, 'yyyy-MM-dd'.length);
}
