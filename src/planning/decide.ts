import type { ImsShipment } from '../ims/resources.js';
import { type Choice, type CompiledRules, type Explanation, explainChoice } from '../routing/choose-carrier.js';
import type { RoutingContext } from '../routing/facts/derived-fields.js';
import { type Facts, factsOf } from '../routing/facts/facts.js';
import { type CarrierSetting, type CarrierAssignment, assignmentOf } from './assignment/assigned-carrier.js';

/** The shipment to choose a carrier for. */
export interface Subject {
  readonly shipment: ImsShipment;
  /** The shipment's carrier, or the one in the event. */
  readonly carrierName: string | null;
  /** The carrier that we have set on it. */
  readonly setting: CarrierSetting | null;
}

export interface Decision extends Explanation {
  readonly facts: Facts;
  readonly assignment: CarrierAssignment;
  /** The setting that is kept, also where the rules would choose another carrier now; `null`: the rules decide. */
  readonly kept: CarrierSetting | null;
}

/**
 * Applies the rules to a shipment; pure. A carrier that we set provisionally counts as none. One that we set for good
 * is kept with account, service and options of its rule; the rules are then judged as at that time.
 */
export function decide(
  rules: CompiledRules,
  { shipment, carrierName, setting }: Subject,
  around: RoutingContext,
): Decision {
  const assignment = assignmentOf(carrierName, setting);
  const final = settingForGood(assignment);
  const keeping = final && keptChoice(final, rules);
  const named = keeping ? null : carrierFor(assignment);
  const moment = final && keeping ? { ...around, now: final.setAt } : around;
  const facts = factsOf({ fields: shipment.fields, carrierName: named }, moment);
  const { choice, verdicts } = explainChoice(facts, rules);
  return { facts, assignment, verdicts, choice: keeping ?? choice, kept: keeping ? final : null };
}

/** The carrier that the choice is limited to. */
function carrierFor(assignment: CarrierAssignment): string | null {
  return assignment.kind === 'theirs' || assignment.kind === 'ours' ? assignment.carrierName : null;
}

/** The choice that is final, also before the IMS has confirmed it. */
function settingForGood(assignment: CarrierAssignment): CarrierSetting | null {
  if (assignment.kind === 'ours') return assignment.setting;
  return assignment.kind === 'open' && !assignment.setting.provisional ? assignment.setting : null;
}

/** @returns `null` when its rule was removed, or uses another account now */
function keptChoice({ account, rule: name }: CarrierSetting, { rules }: CompiledRules): Choice | null {
  const own = rules.find(({ rule, accounts }) => rule.name === name && accounts.includes(account));
  if (!own) return null;
  const { service = null, options = {} } = own.rule.use;
  return { kind: 'chosen', account, service, options, rule: own.rule.name, undecided: [] };
}
