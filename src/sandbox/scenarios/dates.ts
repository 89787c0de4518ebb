import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { isJsonArray } from '../store/json.js';
import { dayText } from './generate/days.js';

/** The body with values such as `today`, `today+2` and `today-30` replaced by dates. */
export function dated(body: JsonMembers, today: Date): JsonMembers {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, withDates(value, today)]));
}

function withDates(value: Json | undefined, today: Date): Json | undefined {
  if (typeof value === 'string') {
    const days = /^today([+-]\d{1,4})?$/.exec(value);
    return days === null ? value : dayText(today, Number(days[1] ?? 0));
  }
  if (isJsonArray(value)) return value.map((item) => withDates(item, today) ?? null);
  return isJsonObject(value) ? dated(value, today) : value;
}
