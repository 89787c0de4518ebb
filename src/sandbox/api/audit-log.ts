import type { Ims } from '../ims.js';
import { timestamp } from '../schema/dates.js';
import type { Json, JsonMembers } from '../store/json.js';
import type { Row } from '../store/store.js';

const KEPT_ENTRIES = 20_000;
const KEPT_CHARACTERS = 1_000;

export interface Change {
  readonly type: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly entityName: string;
  readonly row: Row;
  /** The field values that the request sent. */
  readonly values: JsonMembers;
}

/** Adds an entry to the audit log. Beyond `KEPT_ENTRIES` entries in an area it removes the oldest one. */
export function writeAudit(ims: Pick<Ims, 'store' | 'now'>, { type, entityName, row, values }: Change): void {
  const { auditLog } = ims.store;
  const { contextId } = row;
  auditLog.put({
    id: ims.store.nextId(),
    contextId,
    timeCreated: timestamp(ims),
    type,
    entityName,
    entityId: row.id,
    userInitials: 'api',
    confirmed: false,
    authenticated: true,
    fieldNameValueMap: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shortened(value)])),
  });
  if (auditLog.countIn(contextId) > KEPT_ENTRIES) {
    const oldest = auditLog.firstIn(contextId);
    if (oldest !== null) auditLog.remove(oldest);
  }
}

/** Replaces a value of more than `KEPT_CHARACTERS` characters by its length. */
function shortened(value: Json = null): Json {
  if (typeof value === 'string') return value.length > KEPT_CHARACTERS ? `<${value.length} characters>` : value;
  if (typeof value !== 'object') return value;
  const { length } = JSON.stringify(value);
  return length > KEPT_CHARACTERS ? `<${length} characters of JSON>` : value;
}
