import type { ApiClient } from './access/callers.js';
import type { PresentOptions } from './api/present.js';
import type { Switches } from './control/switches.js';
import type { Resource } from './schema/resource.js';
import type { Json, JsonMembers } from './store/json.js';
import type { AttachmentRow, Row, Store, Table } from './store/store.js';

/** The state and the services that all parts of the sandboxed IMS share. */
export interface Ims {
  readonly store: Store;
  readonly now: () => Date;
  readonly switches: () => Switches;
  readonly events: EventSource;
  /** How responses write rows, by the current switches. */
  readonly manner: () => PresentOptions;
  /**
   * The client whose request is being handled; `null`: no request is being handled, or its client sent no valid token.
   */
  readonly caller: () => ApiClient | null;
  /** Keyed by resource name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** A download URL of an attached file, valid for some minutes. */
  readonly fileUrl: (attachment: AttachmentRow) => string;
}

export interface EventSource {
  /** Stores the event and sends it to the matching targets. @returns its id */
  emit(event: EventDraft): string;
  /** Stores the event without sending it. @returns its id */
  keep(event: EventDraft): string;
  /** Whether the area has an event with this id. */
  has(contextId: number, eventId: string): boolean;
}

export interface EventDraft {
  readonly contextId: number;
  readonly type: string;
  /** The fields of this event's detail; the sandbox adds the common ones. */
  readonly detail: Readonly<Record<string, Json>>;
}

/** The behaviour of one resource's rows. A missing function means the behaviour that all resources share. */
export interface Kind<R extends Row = Row> {
  readonly resource: Resource;
  readonly table: (store: Store) => Table<R>;
  /** Computes fields that are not stored in the row. */
  computed?(ims: Ims, row: R): JsonMembers;
  /** Rows that belong to the row. Responses show them with a single row, and in a list with `piggyback`. */
  children?(ims: Ims, row: R): JsonMembers;
  /** Gives additional fields of a new row, or throws a `ImsRefusal`. */
  creating?(ims: Ims, contextId: number, creation: Creation): JsonMembers;
  /**
   * Runs after a new row is stored: creates the rows that belong to it, then sends its events. When it throws, nothing
   * is stored.
   */
  created?(ims: Ims, row: R, body: Json): void;
  /** Gives additional changes, or throws a `ImsRefusal`. */
  changing?(ims: Ims, row: R, changes: JsonMembers): JsonMembers;
  /** Runs after a change is stored. */
  changed?(ims: Ims, before: R, after: R): void;
  /** Runs before a row is removed: removes the rows that belong to it, or throws a `ImsRefusal`. */
  removing?(ims: Ims, row: R): void;
}

export interface Creation {
  /** The fields read from the body, with references resolved. */
  readonly given: JsonMembers;
  readonly body: Json;
}
