import type { Field, Fields } from '../schema/fields.js';
import { twinOf } from '../schema/fields.js';
import type { Resource } from '../schema/resource.js';
import type { Json, JsonMembers } from '../store/json.js';

/** How responses write rows; the switches decide. */
export interface PresentOptions {
  /**
   * Whether to write the field whose value is null; asked for each such field, because the switch `nulls` may be
   * `mixed`.
   */
  readonly writesNull: () => boolean;
  /** Whether each row gets an undescribed field; clients must tolerate those. */
  readonly unknownFields: boolean;
}

/** A row as the API returns it: only declared fields, and a `localized…` twin for each date and enumeration. */
export function present(resource: Resource, row: JsonMembers, manner: PresentOptions): JsonMembers {
  const shown: Record<string, Json> = {};
  for (const { name, twin } of columnsOf(resource)) {
    const value = row[name] ?? null;
    if (value === null && !manner.writesNull()) continue;
    shown[name] = value;
    if (twin !== null) shown[twin.name] = typeof value === 'string' ? twin.write(value) : null;
  }
  if (manner.unknownFields) shown['fieldOfALaterVersion'] = 'not described anywhere';
  return shown;
}

interface Column {
  readonly name: string;
  readonly twin: Twin | null;
}

interface Twin {
  readonly name: string;
  readonly write: (value: string) => string;
}

const known = new WeakMap<Fields, readonly Column[]>();

function columnsOf({ fields }: Resource): readonly Column[] {
  const before = known.get(fields);
  if (before !== undefined) return before;
  const columns = Object.entries(fields).map(([name, field]) => ({ name, twin: columnOfTwin(name, field) }));
  const all = [{ name: 'id', twin: null }, { name: 'contextId', twin: null }, ...columns];
  known.set(fields, all);
  return all;
}

function columnOfTwin(name: string, field: Field): Twin | null {
  const twin = twinOf(name, field);
  return twin === null ? null : { name: twin, write: field.kind === 'one-of' ? inWords : asDay };
}

function inWords(value: string): string {
  return value.toLowerCase().replaceAll('_', ' ');
}

/** @param value begins with `yyyy-MM-dd` */
function asDay(value: string): string {
  return `${value.slice(8, 10)}-${value.slice(5, 7)}-${value.slice(0, 4)}`;
}
