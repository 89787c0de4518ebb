import { ImsForbidden } from '../ims/errors.js';
import type { ReconciliationVerdict } from './verdict.js';

/** What a search has found in one part. */
export interface Findings {
  readonly verdicts: readonly ReconciliationVerdict[];
  /** Recovered if the next search finds it unchanged. */
  readonly seen: readonly string[];
}

/** What a search has found in all. */
export interface AllFindings extends Findings {
  /** The failure of the list at which the search ended early. */
  readonly failure: { readonly error: unknown } | null;
}

/** Collects what is found; what was found before a list could not be read is recovered all the same. */
export async function findingsOf(looks: readonly (() => Promise<Findings>)[]): Promise<AllFindings> {
  const found: Findings[] = [];
  const all = (failure: AllFindings['failure']) => ({
    verdicts: found.flatMap(({ verdicts }) => verdicts),
    seen: found.flatMap(({ seen }) => seen),
    failure,
  });
  try {
    for (const look of looks) found.push(await allowed(look));
    return all(null);
  } catch (error) {
    return all({ error });
  }
}

/** Counts a list that we may not read as empty; `doctor` reports it. */
async function allowed(look: () => Promise<Findings>): Promise<Findings> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ImsForbidden) return { verdicts: [], seen: [] };
    throw error;
  }
}
