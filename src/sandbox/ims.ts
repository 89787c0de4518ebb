import type { Caller } from './access/callers.js';
import type { Manner } from './api/present.js';
import type { Switches } from './control/switches.js';
import type { Resource } from './schema/resource.js';
import type { Json, JsonObject } from './store/json.js';
import type { AttachmentRow, Row, Store, Table } from './store/store.js';

/** What every part of the stand-in works with. */
export interface Ims {
  readonly store: Store;
  readonly now: () => Date;
  readonly switches: () => Switches;
  readonly events: EventSource;
  /** How answers are written just now. */
  readonly manner: () => Manner;
  /** Who sent the request that is being handled; `null`: nobody, or somebody without a token. */
  readonly caller: () => Caller | null;
  /** By the resource's name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Where an attached file can be had for some minutes. */
  readonly fileUrl: (attachment: AttachmentRow) => string;
}

export interface EventSource {
  /** Stores the event and sends it to whoever listens. @returns its id */
  emit(event: NewEvent): string;
  /** Stores the event and tells nobody. @returns its id */
  keep(event: NewEvent): string;
  /** Whether there is such an event in the area. */
  has(contextId: number, eventId: string): boolean;
}

export interface NewEvent {
  readonly contextId: number;
  readonly type: string;
  /** What only this event has; the common fields are added. */
  readonly detail: Readonly<Record<string, Json>>;
}

/** How the rows of one resource live. What is not given here is the same for all of them. */
export interface Kind<R extends Row = Row> {
  readonly resource: Resource;
  readonly table: (store: Store) => Table<R>;
  /** Fields that come from other rows. */
  computed?(ims: Ims, row: R): JsonObject;
  /** Rows that belong to it; shown with one alone, and in a list with `piggyback`. */
  children?(ims: Ims, row: R): JsonObject;
  /** Completes a new row, or refuses it. */
  creating?(ims: Ims, contextId: number, creation: Creation): JsonObject;
  /** What follows from a new row: what belongs to it, then its events. When this refuses, nothing stays. */
  created?(ims: Ims, row: R, body: Json): void;
  /** Completes a change, or refuses it. */
  changing?(ims: Ims, row: R, changes: JsonObject): JsonObject;
  /** What follows from a change. */
  changed?(ims: Ims, before: R, after: R): void;
  /** Refuses to remove it, or removes what belongs to it. */
  removing?(ims: Ims, row: R): void;
}

export interface Creation {
  /** What was read of the body, references resolved. */
  readonly given: JsonObject;
  readonly body: Json;
}
