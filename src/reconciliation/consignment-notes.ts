import type { ImsDocument } from '../ims/resources.js';
import { knownNotes, waitsForNote } from '../manifests/consignment-note-rows.js';
import { knownDocuments, knownEvents } from './known-rows.js';
import { type Lists, oursIn } from './ims-lists.js';
import { type ReconciliationVerdict, verdictOnNote } from './verdict.js';
import type { BookingContext } from '../consignment/context.js';
import type { Area } from '../areas/area.js';

/** Notes whose shipments are read in one search, a request each; the next search continues. */
const MAX_LOOKED_UP = 20;
/** A booked shipment leaves within this time. */
const LEAVES_WITHIN_MS = 14 * 24 * 3_600_000;

export interface NoteSearch {
  readonly area: Area;
  readonly lists: Lists;
  /** Seen by the last search. */
  readonly seen: ReadonlySet<string>;
  /** The events of younger notes may still come; older notes are left alone. */
  readonly created: { readonly since: Date; readonly until: Date };
}

/**
 * Finds consignment notes whose event never came, while a booked shipment waits for one. The shipments of a note
 * without ours are read once, not in every search.
 */
export async function lookAtNotes(
  context: BookingContext,
  { area, lists, seen, created }: NoteSearch,
): Promise<{ readonly verdicts: readonly ReconciliationVerdict[]; readonly seen: readonly string[] }> {
  const booked = new Date(created.since.getTime() - LEAVES_WITHIN_MS);
  if (!(await waitsForNote(context.database, area.contextId, booked))) return { verdicts: [], seen: [] };
  const isRipe = ({ timeCreated: at }: ImsDocument) => at !== null && at >= created.since && at <= created.until;
  const ripe = (await lists.notes()).filter(isRipe);
  const foreign = ripe.filter(({ id }) => seen.has(`note:${id}`)).map(({ id }) => id);
  const heard = await notesHeardOf(context, area, ripe);
  const unheard = ripe.filter(({ id }) => !heard.has(id) && !foreign.includes(id));
  const verdicts: ReconciliationVerdict[] = [];
  for (const note of unheard.slice(0, MAX_LOOKED_UP)) {
    const verdict = await judgeNote(context, area, { lists, note });
    verdicts.push(verdict);
    if (verdict.kind === 'not-ours') foreign.push(note.id);
  }
  return { verdicts, seen: foreign.map((id) => `note:${id}`) };
}

/** Ids of these notes whose event came, or is being identified. */
export async function notesHeardOf(
  { database }: BookingContext,
  { contextId }: Area,
  notes: readonly ImsDocument[],
): Promise<ReadonlySet<string>> {
  const ids = notes.map((note) => note.id);
  const [kept, open] = [await knownNotes(database, contextId, ids), await knownDocuments(database, contextId, ids)];
  const events = await knownEvents(
    database,
    notes.flatMap((note) => note.documentCreatedEventId ?? []),
  );
  const isHeard = ({ id, documentCreatedEventId: event }: ImsDocument) =>
    kept.has(id) || open.has(id) || events.has(event ?? '');
  return new Set(notes.filter(isHeard).map(({ id }) => id));
}

/** Decides about an unknown note; reads its shipments. */
export async function judgeNote(
  context: BookingContext,
  area: Area,
  { lists, note }: { readonly lists: Lists; readonly note: ImsDocument },
): Promise<ReconciliationVerdict> {
  const isGone = note.cancelled === true || note.documentNumber === null;
  return verdictOnNote(note, isGone ? [] : await lists.leftBy(note), oursIn(context, area));
}
