import { type Choice, type CompiledRules, chooseCarrier } from '../choose-carrier.js';
import { factsOf } from '../facts/facts.js';
import { asText } from '../facts/json-values.js';
import { type JsonObject, isJsonObject } from '../../../carriers/contract/json.js';
import { strictShapeProblems } from '../facts/shipment-shape.js';
import { DEFAULT_TIME_ZONE, isTimeZone } from '../facts/local-time.js';

/** A shipment, and what the rules should make of it. */
export interface RuleExample {
  readonly name: string;
  /** In the form of the IMS. A field that is left out is missing from the shipment. */
  readonly shipment: JsonObject;
  /** `null`: weekday and hour are not known. */
  readonly at: Date | null;
  /** IANA. */
  readonly timeZone: string;
  /** ISO 3166-1 alpha-2, where the shipment names none. */
  readonly senderCountry: string | null;
  /** As the IMS gives the packed items; `null`: not read. */
  readonly packedItems: readonly JsonObject[] | null;
  readonly expect: Expectation;
}

export type Expectation =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'account' | 'cheapest' | 'fastest';
      /** One account, or the accounts whose quotes are compared. */
      readonly accounts: readonly string[];
      /** `null`: not checked, as with the rule. */
      readonly service: string | null;
      readonly rule: string | null;
    };

export interface ExampleResult {
  readonly name: string;
  readonly passed: boolean;
  /** In short, e.g. `gls, shop-delivery (Danish pick-up points)`. */
  readonly expected: string;
  readonly found: string;
}

export interface ReadExamples {
  readonly examples: readonly RuleExample[];
  readonly problems: readonly { readonly where: string; readonly rule: string }[];
}

const KEYS = ['name', 'shipment', 'at', 'timeZone', 'senderCountry', 'packedItems', 'expect'];
const EXPECTED = ['account', 'cheapest', 'fastest', 'none', 'service', 'rule'];

/** Reads what stands in `rules.examples.yaml`; pure. @param raw parsed YAML */
export function readExamples(raw: unknown): ReadExamples {
  if (!Array.isArray(raw)) return { examples: [], problems: [{ where: 'examples', rule: 'must be a list' }] };
  const read = raw.map((example: unknown, index) => readExample(example, `[${index}]`));
  return {
    examples: read.flatMap(({ example }) => example ?? []),
    problems: read.flatMap(({ problems }) => problems),
  };
}

interface ReadOne {
  readonly example: RuleExample | null;
  readonly problems: ReadExamples['problems'];
}

function readExample(raw: unknown, where: string): ReadOne {
  if (!isJsonObject(raw)) return refused(where, 'must be an object');
  const unknown = Object.keys(raw).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return refused(`${where}.${unknown}`, `is not a known key; there are ${KEYS.join(', ')}`);
  const { shipment, packedItems } = raw;
  const name = asText(raw['name']);
  const at = timeIn(raw['at']);
  const expect = readExpectation(raw['expect']);
  if (name === null) return refused(`${where}.name`, 'must be a name');
  if (!isJsonObject(shipment)) return refused(`${where}.shipment`, 'must be a shipment as the IMS gives it');
  if (at === undefined) return refused(`${where}.at`, 'must be a time with its offset, e.g. 2026-03-04T08:00:00Z');
  if (expect === null) return refused(`${where}.expect`, EXPECTATION);
  const zone = asText(raw['timeZone']) ?? DEFAULT_TIME_ZONE;
  if (!isTimeZone(zone)) return refused(`${where}.timeZone`, 'must be an IANA time zone');
  const senderCountry = asText(raw['senderCountry']);
  const packed = packedIn(packedItems);
  const problems = strictShapeProblems(shipment).map(({ path, rule }) => ({
    where: `${where}.shipment.${path}`,
    rule,
  }));
  if (problems.length > 0) return { example: null, problems };
  return { example: { name, shipment, at, timeZone: zone, senderCountry, packedItems: packed, expect }, problems: [] };
}

function packedIn(raw: unknown): readonly JsonObject[] | null {
  return Array.isArray(raw) ? raw.filter(isJsonObject) : null;
}

const EXPECTATION = 'must be { account: …, service?, rule? }, { cheapest: […] }, { fastest: […] } or { none: true }';

function refused(where: string, rule: string): ReadOne {
  return { example: null, problems: [{ where, rule }] };
}

/** @returns `undefined` when the text is no time */
function timeIn(raw: unknown): Date | null | undefined {
  if ((raw ?? null) === null) return null;
  const text = raw instanceof Date ? raw.toISOString() : raw;
  if (typeof text !== 'string' || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(Date.parse(text)))
    return undefined;
  return new Date(text);
}

function readExpectation(raw: unknown): Expectation | null {
  if (!isJsonObject(raw) || Object.keys(raw).some((key) => !EXPECTED.includes(key))) return null;
  if (raw['none'] === true) return Object.keys(raw).length === 1 ? { kind: 'none' } : null;
  const kinds = (['account', 'cheapest', 'fastest'] as const).filter((key) => raw[key] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return null;
  const named: readonly unknown[] = [raw[kind]].flat();
  const accounts = named.flatMap((account) => asText(account) ?? []);
  if (accounts.length === 0) return null;
  return { kind, accounts, service: asText(raw['service']), rule: asText(raw['rule']) };
}

/** Chooses a carrier for each example as for a shipment; pure. */
export function runExamples(examples: readonly RuleExample[], rules: CompiledRules): readonly ExampleResult[] {
  return examples.map((example) => {
    const { shipment, at, timeZone, senderCountry, packedItems, name, expect } = example;
    const around = { timeZone, now: at, senderCountry, packedItems };
    const carrierName = asText(shipment['carrierName']);
    const choice = chooseCarrier(factsOf({ carrierName, fields: shipment }, around), rules);
    return { name, passed: isExpected(choice, expect), expected: inShort(expect), found: choiceInShort(choice) };
  });
}

function isExpected(choice: Choice, expected: Expectation): boolean {
  if (expected.kind === 'none') return choice.kind === 'none';
  const found = foundIn(choice);
  if (found === null || found.kind !== expected.kind) return false;
  const service = expected.service === null || expected.service === found.service;
  const rule = expected.rule === null || expected.rule === found.rule;
  return service && rule && expected.accounts.join('\n') === found.accounts.join('\n');
}

function foundIn(choice: Choice): Exclude<Expectation, { kind: 'none' }> | null {
  switch (choice.kind) {
    case 'chosen':
      return { kind: 'account', accounts: [choice.account], service: choice.service, rule: choice.rule };
    case 'quotes':
      return { kind: choice.by, accounts: choice.accounts, service: choice.service, rule: choice.rule };
    case 'unknown-carrier':
    case 'none':
      return null;
  }
}

function choiceInShort(choice: Choice): string {
  const found = foundIn(choice);
  if (found !== null) return inShort(found);
  return choice.kind === 'unknown-carrier' ? 'a carrier without an account' : 'none';
}

function inShort(expected: Expectation): string {
  if (expected.kind === 'none') return 'none';
  const { kind, accounts, service, rule } = expected;
  const which = kind === 'account' ? accounts.join() : `${kind} of ${accounts.join(', ')}`;
  return [which, service === null ? '' : `, ${service}`, rule === null ? '' : ` (${rule})`].join('');
}
