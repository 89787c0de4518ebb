import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { TextChange, Problem } from '../../carriers/contract/model.js';
import { PHRASES, type PhraseKey, type PhraseValues, type Phrases } from '../messages/keys.js';

type ValidationIssueKey = Extract<PhraseKey, `problem-${string}`>;

/**
 * A problem in the worker's language, where its code has a text; else in the words of the check.
 * @param own texts of the carrier for its own codes, in this language
 */
export function problemInWords(
  { code, text, values = {} }: Problem,
  say: Phrases,
  own: Readonly<Record<string, string>> = {},
): string {
  const key = `problem-${code ?? ''}`;
  const isSaid = isValidationIssue(key) && PHRASES[key].every((name) => Object.hasOwn(values, name));
  if (isSaid) return say(key, { ...NO_VALUES, ...values });
  return code !== null && Object.hasOwn(own, code) ? (filledIn(own[code] ?? '', values) ?? text) : text;
}

/** @returns `null` where a value is missing: a sentence with a hole says less than the check's own words */
function filledIn(text: string, values: Readonly<Record<string, string>>): string | null {
  const names = Array.from(text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  if (!names.every((name) => Object.hasOwn(values, name))) return null;
  return text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => values[name] ?? '');
}

/** The default values; each text uses those it needs. */
const NO_VALUES: PhraseValues<ValidationIssueKey> = {
  ...{ parcel: '', limit: '', given: '', country: '' },
  ...{ numbers: '', carrier: '', service: '', services: '' },
  ...{ origin: '', allowed: '', line: '', lines: '', option: '' },
  ...{ member: '', sent: '', meant: '', served: '', postalCode: '' },
};

function isValidationIssue(key: string): key is ValidationIssueKey {
  return key.startsWith('problem-') && Object.hasOwn(PHRASES, key);
}

const OWNERS: ReadonlyMap<string, Extract<PhraseKey, `owner-${string}`>> = new Map(
  Object.entries({
    recipient: 'owner-recipient',
    sender: 'owner-sender',
    shipment: 'owner-shipment',
    parcel: 'owner-parcel',
  } as const),
);

/**
 * The owner and name of a changed text, e.g. `the recipient's second address line`; without words of ours, the
 * carrier's own name of the field.
 */
export function fieldInWords(
  { field }: Pick<TextChange, 'field'>,
  fields: CarrierAdapter['fields'],
  say: Phrases,
): string {
  const [whose = ''] = field.split('.');
  const name = field.slice(whose.length + 1);
  const owner = OWNERS.get(whose.split(' ')[0] ?? '');
  const means = Object.hasOwn(fields, name) ? fields[name]?.means : undefined;
  return owner === undefined || means === undefined ? field : `${say(owner, {})} ${say(`field-${means}`, {})}`;
}
