import type { ImsShipment } from '../../ims/wire.js';
import { type Choice, type CompiledRules, type Explanation, explainChoice } from '../../routing/choose-carrier.js';
import type { Surroundings } from '../../routing/derived-fields.js';
import { type Facts, factsOf } from '../../routing/facts.js';
import { type CarrierSetting, type Standing, standingOf } from './standing.js';

/** The shipment that is to be carried. */
export interface Subject {
  readonly shipment: ImsShipment;
  /** Its carrier, or the one that the event named. */
  readonly carrierName: string | null;
  /** What we have set on it. */
  readonly setting: CarrierSetting | null;
}

export interface Decision extends Explanation {
  readonly facts: Facts;
  readonly standing: Standing;
}

/**
 * What the rules make of a shipment; pure. A carrier that we have set for the time being counts as none. One that we have
 * set for good is kept, and so is what its rule says, although the shipment does name a carrier by now.
 */
export function decide(
  rules: CompiledRules,
  { shipment, carrierName, setting }: Subject,
  around: Surroundings,
): Decision {
  const standing = standingOf(carrierName, setting);
  const named = standing.kind === 'open' || standing.kind === 'none' ? null : standing.carrierName;
  const facts = factsOf({ fields: shipment.fields, carrierName: named }, around);
  const { choice, verdicts } = explainChoice(facts, rules);
  const kept = keeping(choice, setting !== null && isDecided(standing, setting) ? setting : null, rules);
  return { facts, standing, verdicts, choice: kept };
}

/** For good, be it that the IMS does not know of it yet. */
function isDecided(standing: Standing, setting: CarrierSetting): boolean {
  return standing.kind === 'ours' || (standing.kind === 'open' && !setting.provisional);
}

function keeping(choice: Choice, setting: CarrierSetting | null, { rules }: CompiledRules): Choice {
  if (setting === null) return choice;
  const { account } = setting;
  if (choice.kind === 'quotes' && choice.accounts.includes(account)) {
    const { service, options, rule, undecided } = choice;
    return { kind: 'chosen', account, service, options, rule, undecided };
  }
  if (choice.kind !== 'chosen' || choice.rule !== null) return choice;
  const own = rules.find(({ rule, accounts }) => rule.name === setting.rule && accounts.includes(account));
  if (!own) return choice;
  const { name, use } = own.rule;
  return { ...choice, account, rule: name, service: use.service ?? null, options: use.options ?? {} };
}
