import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { TextChange } from '../../carriers/contract/model.js';
import { PHRASES, type PhraseKey, type Phrases } from '../messages/keys.js';
import type { Verdict } from '../routing/choose-carrier.js';
import type { Reason } from '../routing/language/judge.js';
import { fieldInWords } from './problem-words.js';

/** Short enough for a worker to read, together with the sentences around it. */
const MAX_CHARACTERS = 800;
const MAX_REASONS = 2;
const MAX_VALUE = 40;

/** What packers call the facts that rules ask for; any other field of the IMS keeps its own name. */
const FACTS: ReadonlyMap<string, Extract<PhraseKey, `fact-${string}`>> = new Map(
  Object.entries({
    'deliveryAddress.countryCode': 'fact-country',
    'deliveryAddress.postalCode': 'fact-delivery-postal-code',
    postalCode: 'fact-postal-code',
    weightKg: 'fact-weight',
    volumeL: 'fact-volume',
    parcelCount: 'fact-parcels',
    longestCm: 'fact-longest-side',
    value: 'fact-value',
    isDomestic: 'fact-domestic',
    isEu: 'fact-eu',
    isBusiness: 'fact-business',
    hasDangerousGoods: 'fact-dangerous-goods',
    weekday: 'fact-weekday',
    hour: 'fact-hour',
    seller: 'fact-seller',
    customer: 'fact-customer',
    privateDelivery: 'fact-private',
    deliverToPickUpPoint: 'fact-pick-up-point',
    carrierName: 'fact-carrier',
  } as const),
);

/** The tried rules, each with the reason why it did not match; as many as fit. */
export function triedInWords(verdicts: readonly Verdict[], say: Phrases): string {
  if (verdicts.length === 0) return say('none-tried', {});
  return shortList(
    verdicts.map((verdict) => say('tried-rule', { rule: short(verdict.rule), reasons: whyNot(verdict, say) })),
    say,
  );
}

/** Texts that the carrier gets changed. @param fields by the carrier's own names, as in `textChanges` */
export function textChangesInWords(
  textChanges: readonly TextChange[],
  fields: CarrierAdapter['fields'],
  say: Phrases,
): string {
  return shortList(
    textChanges.map((change) => {
      const field = fieldInWords(change, fields, say);
      const given = short(change.given);
      return change.sent === ''
        ? say('text-dropped', { field, given })
        : say('text-changed', { field, given, sent: short(change.sent) });
    }),
    say,
  );
}

function whyNot({ outcome, reasons }: Verdict, say: Phrases): string {
  const told = reasons
    .slice(0, MAX_REASONS)
    .map((reason) => (outcome === 'excepted' ? holding(reason, say) : failing(reason, say)));
  const rest = reasons.length - told.length;
  const all = [...told, ...(rest > 0 ? [say('more', { count: rest })] : [])].join('; ');
  return outcome === 'excepted' ? say('excepted', { reasons: all }) : all;
}

function failing(reason: Reason, say: Phrases): string {
  const field = factInWords(reason.field, say);
  const { why } = reason;
  if (why !== undefined) return say('missing', { field, why: say(`why-${why}`, {}) });
  return say('found', { field, value: valueInWords(reason.value, say), wanted: wanted(reason.condition, say) });
}

function holding({ field, value }: Reason, say: Phrases): string {
  return say('holds', { field: factInWords(field, say), value: valueInWords(value, say) });
}

function factInWords(field: string, say: Phrases): string {
  const key = FACTS.get(field);
  return key === undefined ? field : say(key, {});
}

/** Puts a condition such as `$gte 20` (an operator and its operand as JSON) into words. */
function wanted(condition: string, say: Phrases): string {
  if (condition.startsWith('not ')) return say('wanted-not', { wanted: wanted(condition.slice('not '.length), say) });
  const [operator = '', ...rest] = condition.split(' ');
  const operand = rest.join(' ');
  const key = `wanted-${operator}`;
  return isComparison(key) ? say(key, { value: short(operandInWords(operand, say)) }) : short(condition);
}

type Comparison = Exclude<Extract<PhraseKey, `wanted-${string}`>, 'wanted-not'>;

function isComparison(key: string): key is Comparison {
  return key !== 'wanted-not' && Object.hasOwn(PHRASES, key);
}

/** The operand without JSON quotes, where it was not cut. */
function operandInWords(operand: string, say: Phrases): string {
  try {
    return valueInWords(JSON.parse(operand), say);
  } catch {
    return operand;
  }
}

function valueInWords(value: unknown, say: Phrases): string {
  if (value === null || value === '') return say('nothing', {});
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no', {});
  if (Array.isArray(value)) return short(value.map((item: unknown) => valueInWords(item, say)).join(', '));
  return typeof value === 'string' ? `"${short(value)}"` : String(value);
}

/** On one line, without characters that end a quotation. */
function short(text: string): string {
  const characters = Array.from(text.replace(/[\s\p{Cc}]+/gu, ' '));
  return characters.length <= MAX_VALUE ? characters.join('') : `${characters.slice(0, MAX_VALUE).join('')}…`;
}

/** As many texts as fit, and the number of the others. */
function shortList(texts: readonly string[], say: Phrases): string {
  const kept: string[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length + 2;
    if (kept.length > 0 && length > MAX_CHARACTERS) break;
    kept.push(text);
  }
  const rest = texts.length - kept.length;
  return [...kept, ...(rest > 0 ? [say('more', { count: rest })] : [])].join(', ');
}
