/**
 * References that this process has given to consignments whose plan is not stored yet, or was just now. Areas may have the
 * same shipment numbers and an account in common: who chooses meanwhile chooses another one, instead of finding out when it
 * is stored that everything has to be read again. Between processes the database tells.
 */
export interface PromisedReferences {
  /** @param id whose own does not count */
  others(id: string, account: string): readonly string[];
  /** Instead of what it was promised before. */
  promise(id: string, account: string, reference: string): void;
  drop(id: string): void;
}

export function createPromisedReferences(): PromisedReferences {
  const accounts = new Map<string, Map<string, string>>();
  const at = (account: string) => accounts.get(account) ?? new Map<string, string>();
  const drop = (id: string) => {
    for (const promised of accounts.values()) promised.delete(id);
  };
  return {
    others: (id, account) => [...at(account)].filter(([whose]) => whose !== id).map(([, reference]) => reference),
    promise: (id, account, reference) => {
      drop(id);
      accounts.set(account, at(account).set(id, reference));
    },
    drop,
  };
}
