import { isMemberState } from '../facts/derived-fields.js';
import type { Condition, Leaf, QueryProblem } from './query.js';

/** The values that a field can have. */
interface FieldRange {
  /** There may be several values, each of which may fulfil another condition. */
  readonly several: boolean;
  readonly min?: number;
  /** Values are greater than this. */
  readonly above?: number;
  readonly max?: number;
}

type RangeOf = (field: string) => FieldRange | null;

/**
 * Conditions that cannot hold together: `$gte` above `$lte`, two different values, a derived field against its source.
 * Fields with several values are left out. Not every contradiction is found.
 */
export function contradictions(condition: Condition, rangeOf: RangeOf): readonly QueryProblem[] {
  return contradictionsWithin(condition, [], rangeOf).filter(
    ({ path }, place, all) => all.findIndex((one) => one.path === path) === place,
  );
}

/** @param outer the leaves that hold wherever this condition holds, because they stand around it */
function contradictionsWithin(condition: Condition, outer: readonly Leaf[], rangeOf: RangeOf): readonly QueryProblem[] {
  const required = [...outer, ...requiredIn(condition)];
  const fields = [...new Set(required.map(({ field }) => field))];
  return [
    ...fields.flatMap((field) => contradictionOn(leavesOn(field, required), rangeOf(field))),
    ...contradictionsOfDerived(required),
    ...branchesOf(condition).flatMap((branch) => contradictionsWithin(branch, required, rangeOf)),
  ];
}

/** The leaves that must hold for the condition to hold. */
function requiredIn(condition: Condition): readonly Leaf[] {
  if (condition.kind === 'leaf') return [condition];
  return condition.kind === 'all' ? condition.of.flatMap(requiredIn) : [];
}

/** The alternatives in a condition; each is checked together with the leaves that must hold beside it. */
function branchesOf(condition: Condition): readonly Condition[] {
  if (condition.kind === 'any') return condition.of;
  return condition.kind === 'all' ? condition.of.flatMap(branchesOf) : [];
}

function leavesOn(field: string, leaves: readonly Leaf[]): readonly Leaf[] {
  return leaves.filter((leaf) => leaf.field === field);
}

/** @param leaves all on one field; the last one is reported */
function contradictionOn(leaves: readonly Leaf[], range: FieldRange | null): readonly QueryProblem[] {
  const last = leaves.at(-1);
  if (range === null || range.several || !last) return [];
  const allowed = allowedValues(leaves);
  if (allowed === null) {
    return isEmptyRange(leaves, range)
      ? [{ path: last.path, rule: 'can never be true: no value lies between the limits' }]
      : [];
  }
  return allowed.length === 0 ? [{ path: last.path, rule: 'can never be true together with the others' }] : [];
}

/** A derived field repeats what another field says, so the two may contradict each other. */
function contradictionsOfDerived(leaves: readonly Leaf[]): readonly QueryProblem[] {
  return [
    ...(contradictsCountry(leaves) ? ['isEu'] : []),
    ...(contradictsPrivateDelivery(leaves) ? ['isBusiness'] : []),
  ].flatMap((field) =>
    leavesOn(field, leaves).map(({ path }) => ({ path, rule: `can never be true: ${SOURCES[field] ?? ''}` })),
  );
}

const SOURCES: Readonly<Record<string, string>> = {
  isEu: 'deliveryAddress.countryCode says otherwise',
  isBusiness: 'it is the opposite of privateDelivery',
};

function contradictsCountry(leaves: readonly Leaf[]): boolean {
  const isEu = onlyValue('isEu', leaves);
  const allowed = allowedValues(leavesOn('deliveryAddress.countryCode', leaves)) ?? [];
  const countries = allowed.filter((country) => typeof country === 'string');
  return (
    typeof isEu === 'boolean' && countries.length > 0 && countries.every((country) => isMemberState(country) !== isEu)
  );
}

function contradictsPrivateDelivery(leaves: readonly Leaf[]): boolean {
  const isBusiness = onlyValue('isBusiness', leaves);
  return typeof isBusiness === 'boolean' && isBusiness === onlyValue('privateDelivery', leaves);
}

/** The one value that a field can have; `null`: there is none, or there are several. */
function onlyValue(field: string, leaves: readonly Leaf[]): unknown {
  const allowed = allowedValues(leavesOn(field, leaves)) ?? [];
  return allowed.length === 1 ? allowed[0] : null;
}

/**
 * The values of `$eq` and `$in` that fulfil all leaves.
 * @param leaves all on one field
 * @returns `null`: there is neither `$eq` nor `$in`
 */
function allowedValues(leaves: readonly Leaf[]): readonly unknown[] | null {
  const [first, ...others] = leaves.flatMap(({ operator, operand }) => {
    if (operator === '$eq') return [[operand ?? null]];
    return operator === '$in' && Array.isArray(operand) ? [operand] : [];
  });
  if (!first) return null;
  return first.filter(
    (value: unknown) => others.every((list) => list.includes(value)) && leaves.every((leaf) => fulfils(value, leaf)),
  );
}

/** Whether a value may fulfil a leaf; `true` for operators that are not looked at. */
function fulfils(value: unknown, { operator, operand }: Leaf): boolean {
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
      return typeof value === typeof operand && COMPARES[operator](order(value, operand));
    default:
      return true;
  }
}

const COMPARES = {
  $gt: (order: number) => order > 0,
  $gte: (order: number) => order >= 0,
  $lt: (order: number) => order < 0,
  $lte: (order: number) => order <= 0,
};

/** Negative, 0 or positive, as `one` is less than, equal to or greater than `other`; both are of one type. */
function order(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (String(one) < String(other)) return -1;
  return String(one) > String(other) ? 1 : 0;
}

/** One end of a range. All ends on one field are numbers, or all are texts. */
interface Bound {
  readonly at: number | string;
  readonly inclusive: boolean;
}

function isEmptyRange(leaves: readonly Leaf[], { min, above, max }: FieldRange): boolean {
  const lower = [
    ...boundsOf(leaves, { inclusive: '$gte', exclusive: '$gt' }),
    ...(min === undefined ? [] : [{ at: min, inclusive: true }]),
    ...(above === undefined ? [] : [{ at: above, inclusive: false }]),
  ];
  const upper = [
    ...boundsOf(leaves, { inclusive: '$lte', exclusive: '$lt' }),
    ...(max === undefined ? [] : [{ at: max, inclusive: true }]),
  ];
  return lower.some((low) => upper.some((high) => isEmptyBetween(low, high)));
}

function isEmptyBetween(low: Bound, high: Bound): boolean {
  return low.at > high.at || (low.at === high.at && !(low.inclusive && high.inclusive));
}

function boundsOf(
  leaves: readonly Leaf[],
  { inclusive, exclusive }: { readonly inclusive: string; readonly exclusive: string },
): readonly Bound[] {
  return leaves.flatMap(({ operator, operand }) => {
    const isBound = operator === inclusive || operator === exclusive;
    return isBound && (typeof operand === 'number' || typeof operand === 'string')
      ? [{ at: operand, inclusive: operator === inclusive }]
      : [];
  });
}
