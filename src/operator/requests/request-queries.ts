import type { KeptTexts } from '../../consignment/requests/kept-request.js';
import {
  type StoredRequest,
  type WholeRequest,
  loadRequests,
  loadWholeRequests,
} from '../../consignment/requests/request-rows.js';
import type { Database } from '../../db/database.js';
import { UnknownConsignment } from '../known-consignment.js';
import { type JudgedAttempt, judged } from './attempts.js';
import { curlOf } from './curl.js';
import type { FieldNames } from './field-names.js';
import { byLength, personalTexts, withoutPersonalData } from './personal-data.js';
import { textsOfParties } from './viewer.js';

/** A request of a consignment, without its texts. */
export type ListedRequest = StoredRequest & JudgedAttempt;

/** A request with both sides. Secrets are always masked. */
export interface RequestDetails extends ListedRequest {
  /** `null`: deleted. */
  readonly sides: KeptTexts | null;
  /** As a command of a shell; `null`: its texts are deleted. */
  readonly curl: string | null;
}

export interface RequestQueries {
  /** In the order in which they left; empty when none were kept. */
  requests(consignment: string): Promise<readonly ListedRequest[]>;
  /** @throws UnknownConsignment also when it has no such request */
  request(consignment: string, id: string, personalData: 'hidden' | 'shown'): Promise<RequestDetails>;
}

export function requestQueries(database: Database, names: FieldNames): RequestQueries {
  const hidden = async (consignment: string, texts: KeptTexts, all: readonly WholeRequest[]) => {
    const inRequests = personalTexts(
      all.map((each) => each.texts),
      names,
    );
    // A body that was too large to be kept names them too.
    const ofParties = await textsOfParties(database, [consignment], names);
    return withoutPersonalData(texts, { names, known: byLength(new Set([...inRequests, ...ofParties])) });
  };
  return {
    requests: async (consignment) => judged(await loadRequests(database, consignment)),
    request: async (consignment, id, personalData) => {
      const all = judged(await loadWholeRequests(database, consignment));
      const one = all.find((each) => each.id === id);
      if (!one) throw new UnknownConsignment(`no request ${id} of consignment ${consignment}`);
      const { texts, ...listed } = one;
      const sides = texts && (personalData === 'shown' ? texts : await hidden(consignment, texts, all));
      return { ...listed, sides, curl: sides && curlOf(one, sides) };
    },
  };
}
