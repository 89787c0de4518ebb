import type { Fields } from './declare/fields.js';
import { twinOf } from './declare/fields.js';
import type { Resource } from './declare/resource.js';
import type { Json, JsonObject } from './json.js';

/** How the stand-in writes what it shows. */
export interface Manner {
  /** Whether a null is written. */
  readonly writesNull: () => boolean;
  /** Whether there is a field nobody was told of, since clients must bear those. */
  readonly unknownFields: boolean;
}

/** A row as the interface shows it: only declared fields, with display twins. */
export function present(resource: Resource, row: JsonObject, manner: Manner): JsonObject {
  const shown: Record<string, Json> = {};
  for (const { name, twin } of columnsOf(resource)) {
    const value = row[name] ?? null;
    if (value !== null || manner.writesNull()) shown[name] = value;
    if (twin !== null && typeof value === 'string') shown[twin] = localized(value);
  }
  if (manner.unknownFields) shown['fieldOfALaterVersion'] = 'not described anywhere';
  return shown;
}

interface Column {
  readonly name: string;
  readonly twin: string | null;
}

const known = new WeakMap<Fields, readonly Column[]>();

function columnsOf({ fields }: Resource): readonly Column[] {
  const before = known.get(fields);
  if (before !== undefined) return before;
  const columns = Object.entries(fields).map(([name, field]) => ({ name, twin: twinOf(name, field) }));
  const all = [{ name: 'id', twin: null }, { name: 'contextId', twin: null }, ...columns];
  known.set(fields, all);
  return all;
}

function localized(value: string): string {
  const date = /^(\d{4})-(\d\d)-(\d\d)/.exec(value);
  return date === null ? value.toLowerCase().replaceAll('_', ' ') : `${date[3]}-${date[2]}-${date[1]}`;
}
