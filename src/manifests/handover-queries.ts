import type { Database } from '../db/database.js';
import { drawManifests } from './draw-manifest.js';
import { type HandedOver, totalsOf } from './manifest-document.js';
import { notesOfConsignments } from './consignment-note-rows.js';
import { type HandoverFilter, type ListedHandover, findHandovers, listHandovers, stateOf } from './manifest-rows.js';

export interface HandoverRequest {
  readonly documentId: string;
  /** `null`: any. */
  readonly area: string | null;
  /** `null`: all accounts. */
  readonly account: string | null;
}

/** A manifest with the state of its steps. */
export type HandoverSummary = ReturnType<typeof summary> & { readonly documentId: string };
/** … and with what left by it. */
export type HandoverDetails = ReturnType<typeof details>;

/** Handovers for operators. `null`: there is none. */
export interface HandoverQueries {
  /** Newest first, without their content. */
  list(
    filter: HandoverFilter,
  ): Promise<{ readonly handovers: readonly HandoverSummary[]; readonly cursor: string | null }>;
  overview(
    request: HandoverRequest,
  ): Promise<{ readonly documentId: string; readonly lists: readonly HandoverDetails[] } | null>;
  /** One PDF of the manifests. */
  pdf(request: HandoverRequest): Promise<Uint8Array | null>;
}

export function handoverQueries(database: Database): HandoverQueries {
  const find = async ({ documentId, area, account }: HandoverRequest) => {
    const all = await findHandovers(database, documentId, area);
    const wanted = all.filter((each) => account === null || each.account === account);
    return wanted.length === 0 ? null : wanted;
  };
  return {
    list: async (filter) => {
      const { handovers, cursor } = await listHandovers(database, filter);
      return { handovers: handovers.map((each) => ({ documentId: each.documentId, ...summary(each) })), cursor };
    },
    overview: async (request) => {
      const found = await find(request);
      if (found === null) return null;
      const ids = found.flatMap(({ list }) => list.consignments.map((each) => each.consignmentId));
      const notes = await notesOfConsignments(database, ids);
      return { documentId: request.documentId, lists: found.map((each) => details(each, notes)) };
    },
    pdf: async (request) => {
      const found = await find(request);
      return found && drawManifests(found.map(({ list }) => list));
    },
  };
}

function summary(handover: ListedHandover) {
  const { id, list, closeOut, closeNote, attachment, attachNote, createdAt, area, account } = handover;
  const { carrierName, sender, handedOverAt } = list;
  return {
    ...{ id, area, account, carrierName, sender, handedOverAt, totals: totalsOf(list), state: stateOf(handover) },
    closeOut: { state: closeOut, note: closeNote },
    attachment: { state: attachment, note: attachNote },
    createdAt,
  };
}

/** @param notes the note of each consignment, as far as known now */
function details(handover: ListedHandover, notes: ReadonlyMap<string, string>) {
  const consignments = handover.list.consignments.map((each): HandedOver & { readonly supersededBy?: string } => {
    const by = notes.get(each.consignmentId) ?? handover.documentId;
    return by === handover.documentId ? each : { ...each, supersededBy: by };
  });
  return { ...summary(handover), consignments };
}
