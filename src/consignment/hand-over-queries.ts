import type { Database } from '../db/database.js';
import { drawHandOverLists } from '../handover/draw-hand-over-list.js';
import { totalsOf } from '../handover/hand-over-list.js';
import { notesOfConsignments } from './hand-over-notes.js';
import { type HandOver, type HandOverFilter, findHandOvers, listHandOvers, stateOf } from './hand-over-rows.js';

export interface HandOverWish {
  readonly documentId: string;
  /** `null`: any. */
  readonly area: string | null;
  /** `null`: all that took something. */
  readonly account: string | null;
}

/** Hand-overs for operators. `null`: there is none. */
export interface HandOverQueries {
  /** Newest first, without what is on them. */
  list(filter: HandOverFilter): Promise<{ readonly handovers: readonly object[]; readonly cursor: string | null }>;
  overview(wish: HandOverWish): Promise<object | null>;
  /** One PDF of the lists. */
  pdf(wish: HandOverWish): Promise<Uint8Array | null>;
}

export function handOverQueries(database: Database): HandOverQueries {
  const find = async ({ documentId, area, account }: HandOverWish) => {
    const all = await findHandOvers(database, documentId, area);
    const wanted = all.filter((each) => account === null || each.account === account);
    return wanted.length === 0 ? null : wanted;
  };
  return {
    list: async (filter) => {
      const { handOvers, cursor } = await listHandOvers(database, filter);
      return { handovers: handOvers.map((each) => ({ documentId: each.documentId, ...summary(each) })), cursor };
    },
    overview: async (wish) => {
      const found = await find(wish);
      if (found === null) return null;
      const ids = found.flatMap(({ list }) => list.consignments.map((each) => each.consignmentId));
      const notes = await notesOfConsignments(database, ids);
      return { documentId: wish.documentId, lists: found.map((each) => details(each, notes)) };
    },
    pdf: async (wish) => {
      const found = await find(wish);
      return found && drawHandOverLists(found.map(({ list }) => list));
    },
  };
}

function summary(handOver: HandOver): object {
  const { list, closeOut, closeNote, attachment, attachNote, createdAt, area, account } = handOver;
  const { carrierName, sender, handedOverAt } = list;
  return {
    ...{ area, account, carrierName, sender, handedOverAt, totals: totalsOf(list), state: stateOf(handOver) },
    closeOut: { state: closeOut, note: closeNote },
    attachment: { state: attachment, note: attachNote },
    createdAt,
  };
}

/** @param notes by which each consignment left, as far as is known now */
function details(handOver: HandOver, notes: ReadonlyMap<string, string>): object {
  const consignments = handOver.list.consignments.map((each) => {
    const by = notes.get(each.consignmentId) ?? handOver.documentId;
    return by === handOver.documentId ? each : { ...each, supersededBy: by };
  });
  return { ...summary(handOver), consignments };
}
