import { stringify } from 'yaml';
import type { ShipmentExplanation } from '../../operator/explain.js';
import type { UsedRule, UsedRules } from '../../operator/rule-use.js';
import { type Times, count, plural } from '../format.js';

export interface ShownRule {
  readonly place: number;
  readonly name: string;
  readonly condition: string;
  readonly use: string;
  readonly uses: string;
  readonly lastUsed: { readonly words: string; readonly at: string } | null;
}

export function ruleRow(rule: UsedRule, place: number, times: Times): ShownRule {
  const { name, when, unless, lastUsedAt } = rule;
  const condition = { when, ...(unless === null ? {} : { unless }) };
  return {
    ...{ place: place + 1, name, use: useOf(rule), uses: count(rule.uses) },
    condition: stringify(condition).trim(),
    lastUsed: lastUsedAt && { words: times.time(lastUsedAt), at: lastUsedAt.toISOString() },
  };
}

function useOf({ use, accounts }: UsedRule): string {
  const service = use.service === undefined ? '' : `, service ${use.service}`;
  if ('account' in use) return `${use.account}${service}`;
  return `the ${'cheapest' in use ? 'cheapest' : 'fastest'} of ${accounts.join(', ')}${service}`;
}

export function rulesSentence({ rules, counted, since, withoutRule }: UsedRules, times: Times): string {
  const first = `${plural(rules.length, 'rule')}; the first one that matches decides.`;
  if (since === null) return `${first} No booking was planned yet.`;
  const many = `Uses are counted in the latest ${plural(counted, 'booking')}, since ${times.time(since)}`;
  return `${first} ${many}; ${count(withoutRule)} of them without a rule.`;
}

export interface TriedView {
  readonly shipment: string;
  readonly answer: string;
  readonly details: readonly string[];
  readonly verdicts: readonly {
    readonly rule: string;
    readonly outcome: string;
    readonly reasons: string;
    readonly tone: string;
  }[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** What the rules make of a shipment, in words; without its addresses. */
export function triedView(explanation: ShipmentExplanation): TriedView {
  const { shipmentNumber, shipmentId, rules, derived, moment, messages } = explanation;
  return {
    shipment: shipmentNumber || shipmentId,
    answer: answerOf(explanation),
    details: [
      moment === 'before-packing' ? 'It is not packed yet: weights and sizes are not known.' : '',
      quotesOf(explanation),
      printingOf(explanation),
      ...messages,
    ].filter((line) => line !== ''),
    verdicts: rules.map(({ rule, outcome, reasons }) => ({
      ...{ rule, outcome: OUTCOMES[outcome], tone: outcome === 'matched' ? 'ok' : 'second' },
      reasons: reasons.map(({ field, condition, value }) => `${field} is ${textOf(value)} (${condition})`).join('; '),
    })),
    facts: derived.map(({ name, unit, value, why }) => ({
      name,
      value: value === null ? `— ${why === null ? '' : textOf(why)}` : `${textOf(value)} ${unit ?? ''}`.trim(),
    })),
  };
}

function printingOf({ printing }: ShipmentExplanation): string {
  if (printing === null) return '';
  const { profile, provisional } = printing;
  const how =
    profile === null ? 'Its labels are printed as they come.' : `Its labels are printed by the profile ${profile}.`;
  return provisional ? `${how} Who books it, and where, may change that.` : how;
}

const OUTCOMES: Readonly<Record<ShipmentExplanation['rules'][number]['outcome'], string>> = {
  matched: 'matches, and decides',
  failed: 'does not match',
  excepted: 'is excepted',
  'not-known-yet': 'cannot be judged yet',
  'other-carrier': 'is for another carrier than the shipment names',
  'not-reached': 'not reached: an earlier one decided',
};

function answerOf({ choice }: ShipmentExplanation): string {
  switch (choice.kind) {
    case 'none':
      return 'No rule matches, and the shipment names no carrier: it would not be booked.';
    case 'unknown-carrier':
      return `The shipment names ${choice.carrierName}, for which no account is configured: it would not be booked.`;
    case 'chosen': {
      const service = choice.service === null ? '' : `, service ${choice.service}`;
      const by = choice.rule === null ? 'since the shipment names its carrier' : `by the rule “${choice.rule}”`;
      const provisional = choice.provisional ? ' This may change until it is packed.' : '';
      return `It goes with ${choice.carrierName} (account ${choice.account}${service}), ${by}.${provisional}`;
    }
  }
}

function quotesOf({ quotes }: ShipmentExplanation): string {
  if (quotes === null) return '';
  return `The ${quotes.by} of ${quotes.accounts.join(', ')} is chosen when it is booked: no quote was asked for here.`;
}

const MAX_TEXT = 200;

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? `“${value}”` : (JSON.stringify(value) ?? '—');
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
