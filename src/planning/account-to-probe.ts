import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import type { AccountToProbe } from '../accounts/circuit-sharing.js';
import { settledAccount, sellerDocument, settingsDocuments } from './settled-account.js';
import type { Account } from '../accounts/account.js';
import type { Area } from '../areas/area.js';
import { withTimeout } from '../worker/with-timeout.js';

/** The delay after a search that found no settings, or an IMS that did not answer. */
const SEARCH_AGAIN_AFTER_MS = 60_000;
/** Callers wait this long for a search; it continues afterwards, for callers that come later. */
const WAITS_MS = 10_000;

interface ProbeTools {
  readonly areas: ReadonlyMap<string, Area>;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Finds settings to probe with, for accounts whose settings are in the IMS: those used last in this process, else any
 * that the IMS has for the account. Any customer's will do: a probe changes nothing, and a refused login is an answer
 * too.
 * @returns a function for one account; it resolves to `null` where no settings are known within 10 s. Calls during a search
 *   wait for that search.
 */
export function createAccountToProbe({ areas, log, clock }: ProbeTools): AccountToProbe {
  const begunAtMs = new Map<string, number>();
  const running = new Map<string, Promise<Account | null>>();
  const search = (account: Account): Promise<Account | null> => {
    begunAtMs.set(account.name, clock.now().getTime());
    const found = anySettled(account, areas).finally(() => running.delete(account.name));
    running.set(account.name, found);
    return found;
  };
  return async (account) => {
    if (!account.settle) return account;
    const used = account.settledLast?.() ?? null;
    if (used) return used;
    const isTooSoon = clock.now().getTime() - (begunAtMs.get(account.name) ?? -Infinity) < SEARCH_AGAIN_AFTER_MS;
    const begun = running.get(account.name) ?? (isTooSoon ? null : search(account));
    if (begun === null) return null;
    const found = await withTimeout(begun, WAITS_MS, () => null);
    if (found === null) log.warn('no settings to probe with', { account: account.name });
    return found;
  };
}

async function anySettled(account: Account, areas: ProbeTools['areas']): Promise<Account | null> {
  for (const area of areas.values()) {
    // Another area may have settings.
    const found = await settledIn(account, area).catch(() => null);
    if (found) return found;
  }
  return null;
}

async function settledIn(account: Account, { imsBackground: ims }: Area): Promise<Account | null> {
  const documents = (carrierName: string) => settingsDocuments(ims, { sellerId: null, carrierName });
  const general = await settledAccount(account, documents);
  if (general.kind === 'settled') return general.account;
  const carrier = await documents(account.imsCarrierName);
  for (const seller of await ims.listSellers()) {
    const settled = account.settle?.({ ...carrier, seller: sellerDocument(seller) });
    if (settled?.kind === 'settled') return settled.account;
  }
  return null;
}
