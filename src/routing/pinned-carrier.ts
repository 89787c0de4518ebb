import { type Condition, type Leaf, type QueryProblem, parseQuery } from './language/query.js';
import { type KnownAccount, type Query, sameName } from './language/rule.js';

/**
 * A shipment keeps the carrier it names, and then only rules for that carrier's accounts count: a rule that asks for one
 * carrier and leads to another never matches. Not every way to ask for a carrier is seen: patterns are not.
 * @param accounts those the rule leads to
 * @returns the conditions on the shipment's carrier that keep the rule from matching; `path` begins with `when`
 */
export function pinnedCarrierProblems(when: Query, accounts: readonly KnownAccount[]): readonly QueryProblem[] {
  const names = accounts.map(({ imsCarrierName }) => imsCarrierName);
  const rule = 'can never lead to the account of the rule: that is another carrier in the IMS';
  return elsewhere(parseQuery(when, 'when').condition, names).map(({ path }) => ({ path, rule }));
}

/** Leaves that shut out all of the carriers; of alternatives one that does not is enough. */
function elsewhere(condition: Condition, carriers: readonly string[]): readonly Leaf[] {
  switch (condition.kind) {
    case 'leaf':
      return shutsOut(condition, carriers) ? [condition] : [];
    case 'not':
      return [];
    case 'all':
      return condition.of.flatMap((part) => elsewhere(part, carriers));
    case 'any': {
      const found = condition.of.map((part) => elsewhere(part, carriers));
      return found.every((leaves) => leaves.length > 0) ? found.flat() : [];
    }
  }
}

function shutsOut({ field, operator, operand }: Leaf, carriers: readonly string[]): boolean {
  if (field !== 'carrierName') return false;
  if (operator !== '$eq' && operator !== '$in') return false;
  const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  // A blank or absent name leaves all accounts open; an empty list and what is no text are told elsewhere.
  const asks = (value: unknown) => typeof value === 'string' && value !== '';
  return (
    values.length > 0 &&
    values.every((value) => asks(value) && !carriers.some((carrier) => sameName(carrier, String(value))))
  );
}
