import type { FieldLimit } from '../../toolkit/index.js';
import { crossesCustoms, listAt, textAt, valueAt } from '../../toolkit/index.js';
import type { CodedRule, RuleRow } from '../../toolkit/simulator/index.js';
import { breachesOf, coded, hasItems, isFilled, isIn, isUpTo, isWithin } from '../../toolkit/simulator/index.js';
import { matches } from '../../toolkit/simulator/index.js';
import { MAX_PARCELS, MAX_REFERENCE_LENGTH, MAX_WEIGHT_KG, SERVICE } from '../api.js';
import { FIELDS } from '../fields.js';

export interface PretendError {
  readonly code: string;
  readonly text: string;
  /** As the customer calls it. */
  readonly parcel?: string | null;
}

/** What the simulator does with a booking, as its service code says: `count` attempts or milliseconds. */
export interface Script {
  readonly name: string;
  readonly count: number;
}

export function scriptOf(service: string | null): Script {
  const [name = '', count = '0'] = SERVICE.test(service ?? '') ? (service ?? '').split(':') : ['unknown'];
  return { name, count: Number(count) };
}

const NEEDED = coded(isFilled, 'missing', 'is missing');

function inLatin1(limit: FieldLimit): CodedRule {
  return coded(isIn(limit), 'text', `has at most ${limit.longest} characters of Latin-1`);
}

const ADDRESS = ['name', 'street', 'postalCode', 'city', 'country'];
/** Of a line of the customs declaration. */
const DECLARED = ['description', 'quantity', 'value', 'currency', 'weightKg', 'tariffNumber', 'origin'];

const RULES: readonly RuleRow<CodedRule>[] = [
  [NEEDED, ...ADDRESS.map((field) => `recipient.${field}`)],
  [inLatin1(FIELDS.name), 'sender.name', 'recipient.name'],
  [inLatin1(FIELDS.street), 'sender.street', 'recipient.street'],
  [inLatin1(FIELDS.city), 'sender.city', 'recipient.city'],
  [inLatin1(FIELDS.message), 'message'],
  [coded(isWithin(0, MAX_WEIGHT_KG), 'weight', `is more than 0 and at most ${MAX_WEIGHT_KG}`), 'parcels.*.weightKg'],
  [coded(isUpTo(MAX_REFERENCE_LENGTH), 'reference', `has at most ${MAX_REFERENCE_LENGTH} characters`), 'reference'],
  [coded(isFilled, 'reference', 'is missing'), 'reference'],
  [coded(hasItems(1, MAX_PARCELS), 'parcels', `are 1 to ${MAX_PARCELS}`), 'parcels'],
  [coded(matches(SERVICE), 'unknown-service', 'is no service'), 'service'],
];

const RETURN_RULES: readonly RuleRow<CodedRule>[] = [
  [NEEDED, ...ADDRESS.map((field) => `sender.${field}`)],
  [coded(hasItems(1, 1), 'parcels', 'of a return are one'), 'parcels'],
];

/** Why a booking or a return is refused; empty when it is not. */
export function violationsIn(body: unknown, order: 'real' | 'return'): readonly PretendError[] {
  const rules = order === 'return' ? [...RULES, ...RETURN_RULES] : RULES;
  const undeclared = { code: 'customs', text: 'goods between customs areas are declared in full' };
  const breaches = breachesOf(body, rules).map(({ rule: { code, text }, path }) => {
    const parcel = path.includes('parcels') ? textAt(valueAt(body, ...path.slice(0, -1)), 'id') : null;
    return { code, text: `${path.join('.')} ${text}`, parcel };
  });
  return isDeclared(body) ? breaches : [...breaches, undeclared];
}

function isDeclared(body: unknown): boolean {
  const place = (role: string) => ({
    countryCode: textAt(body, role, 'country'),
    postalCode: textAt(body, role, 'postalCode'),
  });
  const lines = listAt(body, 'customs');
  const whole = lines.length > 0 && lines.every((line) => DECLARED.every((field) => Boolean(valueAt(line, field))));
  return whole || !crossesCustoms(place('sender'), place('recipient'));
}
