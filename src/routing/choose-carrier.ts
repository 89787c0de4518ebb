import sift from 'sift';

/** The package is CommonJS: its function is the `default` of what Node imports. */
const matches = sift.default;

/** When a shipment looks like `when`, use that account, service and options. The first rule that matches wins. */
export interface Rule {
  readonly name: string;
  /** A query in the language of sift over the shipment as the IMS gives it: equality, `$in`, `$gte`, dotted paths. */
  readonly when: Readonly<Record<string, unknown>>;
  readonly use: {
    readonly account: string;
    readonly service?: string;
    readonly options?: Readonly<Record<string, unknown>>;
  };
}

export interface KnownAccount {
  readonly name: string;
  readonly imsCarrierName: string;
}

export type Choice =
  | {
      readonly kind: 'chosen';
      readonly account: string;
      readonly service: string | null;
      readonly options: Readonly<Record<string, unknown>>;
      /** The rule's name; `null`: the account of the shipment's own carrier. */
      readonly rule: string | null;
    }
  /** The shipment names a carrier that no account stands for. */
  | { readonly kind: 'unknown-carrier'; readonly carrierName: string }
  /** It names none, and no rule matched. */
  | { readonly kind: 'none'; readonly tried: readonly string[] };

/** Operators that run code or that nobody here needs. */
const FORBIDDEN = ['$where', '$expr'];

/**
 * Decides who carries a shipment; pure. A shipment that names a carrier keeps it: then only rules for an account of that
 * carrier count, and without one the account itself.
 * @param shipment as the IMS gives it, with `carrierName`
 */
export function chooseCarrier(
  shipment: Readonly<Record<string, unknown>> & { readonly carrierName: string | null },
  rules: readonly Rule[],
  accounts: readonly KnownAccount[],
): Choice {
  const eligible = shipment.carrierName
    ? accounts.filter((account) => sameName(account.imsCarrierName, shipment.carrierName))
    : accounts;
  const [only] = eligible;
  if (shipment.carrierName && !only) return { kind: 'unknown-carrier', carrierName: shipment.carrierName };
  const names = new Set(eligible.map((account) => account.name));
  const candidates = rules.filter((rule) => names.has(rule.use.account));
  const match = candidates.find((rule) => matches(rule.when)(shipment));
  if (match) return chosen(match);
  if (!shipment.carrierName || !only) return { kind: 'none', tried: candidates.map((rule) => rule.name) };
  return { kind: 'chosen', account: only.name, service: null, options: {}, rule: null };
}

/** What is wrong with a rule's condition, found at start instead of at noon. */
export function ruleProblems(rule: Rule): readonly string[] {
  const used = FORBIDDEN.filter((operator) => JSON.stringify(rule.when).includes(`"${operator}"`));
  if (used.length > 0) return used.map((operator) => `must not use ${operator}`);
  try {
    matches(rule.when)({});
    return [];
  } catch (error) {
    return [`cannot be understood: ${reason(error)}`];
  }
}

/** Without the pattern, which may have come from the environment. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\/.*\/[a-z]*: /s, '');
}

function chosen(rule: Rule): Choice {
  const { account, service, options } = rule.use;
  return { kind: 'chosen', account, service: service ?? null, options: options ?? {}, rule: rule.name };
}

function sameName(one: string, other: string | null): boolean {
  return one.trim().toLowerCase() === other?.trim().toLowerCase();
}
