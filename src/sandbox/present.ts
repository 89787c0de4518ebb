import type { Shape } from './field-rules.js';
import type { Json, JsonObject } from './json.js';
import type { Switches } from './switches.js';

/**
 * A row as the interface shows it: only declared fields, nulls left out or all written, display twins, and one field
 * nobody was told of, since clients must bear those.
 */
export function present(shape: Shape, row: JsonObject, nulls: Switches['nulls']): JsonObject {
  const shown: Record<string, Json> = {};
  for (const name of [...shape.readOnly, ...Object.keys(shape.writable)]) {
    const value = row[name] ?? null;
    if (value !== null || nulls === 'explicit') shown[name] = value;
  }
  for (const name of shape.localized) {
    const value = row[name];
    if (typeof value === 'string') shown[`localized${name[0]?.toUpperCase()}${name.slice(1)}`] = localized(value);
  }
  return { ...shown, fieldOfALaterVersion: 'not described anywhere' };
}

function localized(value: string): string {
  const date = /^(\d{4})-(\d\d)-(\d\d)/.exec(value);
  return date === null ? value.toLowerCase().replaceAll('_', ' ') : `${date[3]}-${date[2]}-${date[1]}`;
}
