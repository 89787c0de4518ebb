import type { KeptTexts } from '../../consignment/requests/kept-request.js';
import {
  type StoredRequest,
  type WholeRequest,
  loadRequests,
  loadWholeRequests,
} from '../../consignment/requests/request-rows.js';
import type { Database } from '../../db/database.js';
import { UnknownConsignment } from '../actions.js';
import { type JudgedAttempt, judged } from './attempts.js';
import { curlOf } from './curl.js';
import type { FieldNames } from './field-names.js';
import { personalTexts, withoutPersonalData } from './personal-data.js';

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
  const hidden = (texts: KeptTexts, all: readonly WholeRequest[]) =>
    withoutPersonalData(texts, {
      names,
      known: personalTexts(
        all.map((each) => each.texts),
        names,
      ),
    });
  return {
    requests: async (consignment) => judged(await loadRequests(database, consignment)),
    request: async (consignment, id, personalData) => {
      const all = judged(await loadWholeRequests(database, consignment));
      const one = all.find((each) => each.id === id);
      if (!one) throw new UnknownConsignment(`no request ${id} of consignment ${consignment}`);
      const { texts, ...listed } = one;
      const sides = texts && (personalData === 'shown' ? texts : hidden(texts, all));
      return { ...listed, sides, curl: sides && curlOf(one, sides) };
    },
  };
}
