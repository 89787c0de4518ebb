import type { StoredRequest } from '../../consignment/requests/request-rows.js';

export type FaultSide = 'waybridge' | 'ims' | 'carrier';

/** What became of a request, beside the others of its consignment. */
export interface JudgedAttempt {
  /** From 1; counts on while the same request fails. */
  readonly attempt: number;
  /** On whose side something went wrong; `null`: nothing did. */
  readonly fault: FaultSide | null;
  /** It failed, and the same request has not succeeded since. */
  readonly isOpen: boolean;
}

/** Our credentials, our permissions, our pace. */
const OURS: ReadonlySet<number> = new Set([401, 403, 429]);

/** @param requests of one consignment, in the order in which they left */
export function judged<Request extends StoredRequest>(
  requests: readonly Request[],
): readonly (Request & JudgedAttempt)[] {
  const last = new Map<string, { readonly attempt: number; readonly fault: FaultSide | null }>();
  const counted = requests.map((request) => {
    const before = last.get(sameAs(request));
    const attempt = before && before.fault !== null ? before.attempt + 1 : 1;
    const fault = faultOf(request);
    last.set(sameAs(request), { attempt, fault });
    return { ...request, attempt, fault };
  });
  return counted.map((request) => ({
    ...request,
    isOpen: request.fault !== null && last.get(sameAs(request))?.fault !== null,
  }));
}

function sameAs({ account, method, origin, path, name }: StoredRequest): string {
  return [account, method, origin, path, name].join(' ');
}

function faultOf({ status, method, step, account, refused }: StoredRequest): FaultSide | null {
  const theirs = account === null ? 'ims' : 'carrier';
  if (status === null || refused) return theirs;
  if (OURS.has(status)) return 'waybridge';
  // That a carrier does not know a booking is an answer.
  if (status === 404 && method === 'GET' && step === 'find-outcome') return null;
  return status >= 400 ? theirs : null;
}

/** What a person should look at first; `null`: nothing is open. */
export function firstOpen<Request extends JudgedAttempt>(requests: readonly Request[]): Request | null {
  return requests.find(({ isOpen }) => isOpen) ?? null;
}
