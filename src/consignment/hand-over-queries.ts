import type { Database } from '../db/database.js';
import { drawHandOverLists } from '../handover/draw-hand-over-list.js';
import { totalsOf } from '../handover/hand-over-list.js';
import { type HandOver, findHandOvers } from './hand-over-rows.js';

export interface HandOverWish {
  readonly documentId: string;
  /** `null`: any. */
  readonly area: string | null;
  /** `null`: all that took something. */
  readonly account: string | null;
}

/** Hand-overs for operators. `null`: there is none. */
export interface HandOverQueries {
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
    overview: async (wish) => {
      const found = await find(wish);
      return found && { documentId: wish.documentId, lists: found.map(toView) };
    },
    pdf: async (wish) => {
      const found = await find(wish);
      return found && drawHandOverLists(found.map(({ list }) => list));
    },
  };
}

function toView({ list, closeOut, closeNote, attachment, attachNote, createdAt, area, account }: HandOver): object {
  const { carrierName, sender, handedOverAt, consignments } = list;
  return {
    ...{ area, account, carrierName, sender, handedOverAt, totals: totalsOf(list), consignments },
    closeOut: { state: closeOut, note: closeNote },
    attachment: { state: attachment, note: attachNote },
    createdAt,
  };
}
