import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import type { AccountToProbe } from '../accounts/circuit-sharing.js';
import { settledAccount, sellerDocument, settingsDocuments } from './account-settings.js';
import type { Account } from '../accounts/account.js';
import type { Area } from '../areas/area.js';

/** The delay after a search that found no settings, or an IMS that did not answer. */
const SEARCH_AGAIN_AFTER_MS = 60_000;

interface ProbeTools {
  readonly areas: ReadonlyMap<string, Area>;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Finds settings to probe with, for accounts whose settings are in the IMS: those used last in this process, else any
 * that the IMS has for the account. Any customer's will do: a probe changes nothing, and a refused login is an answer
 * too.
 * @returns a function for one account; it resolves to `null` where no settings are known
 */
export function createAccountToProbe({ areas, log, clock }: ProbeTools): AccountToProbe {
  const searchedAtMs = new Map<string, number>();
  return async (account) => {
    if (!account.settle) return account;
    const used = account.settledLast?.() ?? null;
    if (used) return used;
    const nowMs = clock.now().getTime();
    if (nowMs - (searchedAtMs.get(account.name) ?? -Infinity) < SEARCH_AGAIN_AFTER_MS) return null;
    searchedAtMs.set(account.name, nowMs);
    const found = await anySettled(account, areas);
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
