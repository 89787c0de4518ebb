import { isMemberState } from '../facts/derived-fields.js';
import type { Condition, Leaf, QueryProblem } from './query.js';

interface Limits {
  readonly several: boolean;
  readonly min?: number;
  readonly above?: number;
  readonly max?: number;
}

/**
 * Conditions on one field that cannot hold together: `$gte` above `$lte`, two different values. Fields of lists are left
 * out: another element may fulfil each of them. Not every contradiction is found.
 */
export function contradictions(
  condition: Condition,
  fieldAt: (path: string) => Limits | null,
): readonly QueryProblem[] {
  return within(condition, []).filter(({ path }, place, all) => all.findIndex((one) => one.path === path) === place);

  /** @param outer what holds as well wherever this condition holds */
  function within(part: Condition, outer: readonly Leaf[]): readonly QueryProblem[] {
    const together = [...outer, ...conjunction(part)];
    const found = byField(together).flatMap(([field, leaves]) => clash(leaves, fieldAt(field)));
    return [...found, ...linked(together), ...alternatives(part).flatMap((branch) => within(branch, together))];
  }
}

/** Everything that must hold for the condition to hold. */
function conjunction(condition: Condition): readonly Leaf[] {
  if (condition.kind === 'leaf') return [condition];
  return condition.kind === 'all' ? condition.of.flatMap(conjunction) : [];
}

function alternatives(condition: Condition): readonly Condition[] {
  if (condition.kind === 'any') return condition.of;
  return condition.kind === 'all' ? condition.of.flatMap(alternatives) : [];
}

function byField(leaves: readonly Leaf[]): readonly (readonly [string, readonly Leaf[]])[] {
  const fields = [...new Set(leaves.map(({ field }) => field))];
  return fields.map((field) => [field, leaves.filter((leaf) => leaf.field === field)] as const);
}

function clash(leaves: readonly Leaf[], limits: Limits | null): readonly QueryProblem[] {
  const last = leaves.at(-1);
  if (limits === null || limits.several || !last) return [];
  const problem = (rule: string) => [{ path: last.path, rule }];
  const possible = possibleValues(leaves);
  if (possible !== null) return possible.length > 0 ? [] : problem('can never be true together with the others');
  return isEmptyRange(leaves, limits) ? problem('can never be true: no value lies between the limits') : [];
}

/** Derived fields say again what other fields say. */
function linked(leaves: readonly Leaf[]): readonly QueryProblem[] {
  const possible = (field: string) => possibleValues(leaves.filter((leaf) => leaf.field === field)) ?? [];
  const only = (field: string) => (possible(field).length === 1 ? possible(field)[0] : null);
  const countries = possible('deliveryAddress.countryCode').filter((country) => typeof country === 'string');
  const [inUnion, isBusiness] = [only('isEu'), only('isBusiness')];
  const elsewhere = countries.length > 0 && countries.every((country) => isMemberState(country) !== inUnion);
  const wrong = [
    ...(typeof inUnion === 'boolean' && elsewhere ? ['isEu'] : []),
    ...(typeof isBusiness === 'boolean' && isBusiness === only('privateDelivery') ? ['isBusiness'] : []),
  ];
  return leaves.flatMap(({ field, path }) =>
    wrong.includes(field) ? [{ path, rule: `can never be true: ${LINKS[field] ?? ''}` }] : [],
  );
}

const LINKS: Readonly<Record<string, string>> = {
  isEu: 'deliveryAddress.countryCode says otherwise',
  isBusiness: 'it is the opposite of privateDelivery',
};

/** What `$eq` and `$in` leave over, when the rest is asked of it too; `null` when neither is there. */
function possibleValues(leaves: readonly Leaf[]): readonly unknown[] | null {
  const lists = leaves.flatMap(({ operator, operand }) => {
    if (operator === '$eq') return [[operand ?? null]];
    return operator === '$in' && Array.isArray(operand) ? [operand] : [];
  });
  const [first, ...others] = lists;
  if (!first) return null;
  return first.filter(
    (value: unknown) => others.every((list) => list.includes(value)) && leaves.every((leaf) => mayBe(value, leaf)),
  );
}

function mayBe(value: unknown, { operator, operand }: Leaf): boolean {
  switch (operator) {
    case '$ne':
      return value !== operand;
    case '$nin':
      return !(Array.isArray(operand) && operand.includes(value));
    case '$exists':
      return value !== null;
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return typeof value === typeof operand && lies(value, operator, operand);
    default:
      return true;
  }
}

function lies(value: unknown, operator: '$gt' | '$gte' | '$lt' | '$lte', limit: unknown): boolean {
  if (typeof value === 'number' && typeof limit === 'number') return ORDER[operator](value - limit);
  return ORDER[operator](String(value) < String(limit) ? -1 : Number(String(value) > String(limit)));
}

const ORDER = {
  $gt: (difference: number) => difference > 0,
  $gte: (difference: number) => difference >= 0,
  $lt: (difference: number) => difference < 0,
  $lte: (difference: number) => difference <= 0,
};

/** Numbers and texts alike; of one field they are all of one kind. */
function isEmptyRange(leaves: readonly Leaf[], { min, above, max }: Limits): boolean {
  const lower = [
    ...limitsOf(leaves, '$gt', '$gte'),
    ...(min === undefined ? [] : [{ at: min, itself: true }]),
    ...(above === undefined ? [] : [{ at: above, itself: false }]),
  ];
  const upper = [...limitsOf(leaves, '$lt', '$lte'), ...(max === undefined ? [] : [{ at: max, itself: true }])];
  return lower.some((low) =>
    upper.some((high) => low.at > high.at || (low.at === high.at && !(low.itself && high.itself))),
  );
}

interface Limit {
  readonly at: number | string;
  /** The limit itself is inside. */
  readonly itself: boolean;
}

function limitsOf(leaves: readonly Leaf[], without: string, including: string): readonly Limit[] {
  return leaves.flatMap(({ operator, operand }) => {
    const asked = operator === without || operator === including;
    return asked && (typeof operand === 'number' || typeof operand === 'string')
      ? [{ at: operand, itself: operator === including }]
      : [];
  });
}
