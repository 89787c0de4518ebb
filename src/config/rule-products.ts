import type { CarrierAdapter, Problem, RuleProduct } from '../../carriers/contract/index.js';
import { type RuleConfig, isWellFormed } from './rules.js';
import type { SettingProblem } from './environment.js';

/** What the carriers of a rule would refuse of every shipment: a service or an option that they do not have. */
export function ruleProductProblems(
  rules: readonly RuleConfig[],
  adapterOf: (account: string) => CarrierAdapter | undefined,
): readonly SettingProblem[] {
  return rules.flatMap((rule, index) => {
    if (!isWellFormed(rule)) return [];
    const { account, cheapest, fastest, service = null, options = {} } = rule.use;
    const adapters = new Set([account ?? cheapest ?? fastest ?? []].flat().map(adapterOf));
    const found = [...adapters].map((adapter) => problemsAt(adapter, { service, options }));
    return found
      .flat()
      .filter((problem) => unknownOptionIn(problem) === null || isFirstOfAll(problem, found))
      .filter(({ severity }) => severity !== 'warns')
      .map((problem) => ({ where: `rules[${index}].use.${placeOf(problem)}`, rule: problem.text }));
  });
}

const RETURN_PLACES: readonly unknown[] = [true, 'last-page', 'document', false];

/**
 * Rules that ask for return labels together with the booking, at an account whose carrier makes none.
 * @param makesReturns whether an account makes them; `true` where only settings in the IMS tell
 */
export function returnLabelProblems(
  rules: readonly RuleConfig[],
  makesReturns: (account: string) => boolean,
): readonly SettingProblem[] {
  return rules.flatMap((rule, index) => {
    if (!isWellFormed(rule)) return [];
    const { account, cheapest, fastest, options = {} } = rule.use;
    const { withReturnLabel: asked = false } = options;
    const where = `rules[${index}].use.options.withReturnLabel`;
    if (!RETURN_PLACES.some((place) => place === asked))
      return [{ where, rule: 'must be true, last-page, document or false' }];
    if (asked === false) return [];
    const without = [account ?? cheapest ?? fastest ?? []].flat().filter((name) => !makesReturns(name));
    const said = 'makes no return labels for Waybridge: leave the option out, or choose another account';
    return without.map((name) => ({ where, rule: `the carrier of account ${name} ${said}` }));
  });
}

/** Each account gets the options that its carrier knows, so an option is wrong only where no carrier knows it: it is said once. */
function isFirstOfAll(problem: Problem, found: readonly (readonly Problem[])[]): boolean {
  const option = unknownOptionIn(problem);
  const all = found.map((problems) => problems.find((each) => unknownOptionIn(each) === option));
  return all[0] === problem && all.every((each) => each !== undefined);
}

function unknownOptionIn({ code, values }: Problem): string | null {
  return code === 'unknown-option' ? String(values?.['option']) : null;
}

/** A carrier from outside may throw. */
function problemsAt(adapter: CarrierAdapter | undefined, product: RuleProduct): readonly Problem[] {
  try {
    return adapter?.checkRule?.(product) ?? [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ code: null, text: `cannot be checked by ${adapter?.name}: ${reason}`, parcelId: null }];
  }
}

function placeOf({ code, values }: Problem): string {
  if (code === 'unknown-service') return 'service';
  return ['options', values?.['option']].filter((part) => part !== undefined).join('.');
}
