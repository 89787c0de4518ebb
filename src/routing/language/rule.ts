/** A query in the language of sift over the facts of a shipment. */
export type Query = Readonly<Record<string, unknown>>;

/** A rule matches when `when` holds for the shipment and `unless` does not. The first rule that matches decides. */
export interface RoutingRule {
  /** Unique among the rules. */
  readonly name: string;
  readonly when: Query;
  readonly unless?: Query;
  readonly use: RuleUse;
}

/** The product that a rule names. */
interface RuleProduct {
  /** The carrier's own code of the service. Without it the fields of the shipment decide. */
  readonly service?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Names of accounts: the one to use, or those whose quotes are compared, the preferred one first. */
export type RuleUse =
  | (RuleProduct & { readonly account: string })
  | (RuleProduct & { readonly cheapest: readonly string[] })
  | (RuleProduct & { readonly fastest: readonly string[] });

export interface KnownAccount {
  readonly name: string;
  readonly imsCarrierName: string;
}

/** The accounts that a rule may lead to. */
export function accountsOf(use: RuleUse): readonly string[] {
  if ('account' in use) return [use.account];
  return 'cheapest' in use ? use.cheapest : use.fastest;
}

/** The accounts a shipment with that carrier can be booked at: all of them when it names none. */
export function accountsFor<T extends KnownAccount>(carrierName: string | null, accounts: readonly T[]): readonly T[] {
  if (!carrierName) return accounts;
  return accounts.filter(({ imsCarrierName }) => sameName(imsCarrierName, carrierName));
}

/** Whether two names of carriers in the IMS are one. */
export function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
