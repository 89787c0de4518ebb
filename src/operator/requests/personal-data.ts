import { tryParseJson } from '../../../carriers/contract/json.js';
import type { FieldNames } from './field-names.js';
import type { KeptBody, KeptSide, KeptTexts } from '../../consignment/requests/kept-request.js';

/** Stands for personal data; the structure around it stays visible. */
export const HIDDEN = '••••••';

/** Forms of personal data inside of texts. */
const FORMS: readonly RegExp[] = [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, /\+\d[\d ]{6,}\d/g];
/** A link with a path or a query. Whoever has a link to a label has the label. */
const LINK = /(https?:\/\/[^\s/?#"'<>]+)[/?#][^\s"'<>]+/gi;
const SHORTEST_KNOWN = 4;
const SHORTEST_KNOWN_NUMBER = 8;
const MAX_KNOWN = 500;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;
/** More digits than any measure has. */
const MAX_PLAIN_NUMBER = 999_999;

/** What tells personal data from the rest. */
export interface PersonalMarks {
  readonly names: FieldNames;
  /** Texts that are personal wherever they stand; see `personalTexts`. */
  readonly known: readonly string[];
}

/** Both sides of a request without personal data. */
export function withoutPersonalData(texts: KeptTexts, personal: PersonalMarks): KeptTexts {
  return {
    query: hiddenByName(texts.query, '', personal),
    request: side(texts.request, personal),
    answer: texts.answer && side(texts.answer, personal),
  };
}

/** A body of JSON without personal data, indented; of any other one only its length is said. */
export function bodyWithoutPersonalData(body: string, names: FieldNames): string {
  const json = tryParseJson(body);
  if (typeof json !== 'object' || json === null) return `${HIDDEN} (${body.length} characters)`;
  return JSON.stringify(hidden(json, '', { names, known: [] }), null, 2);
}

/** JSON without personal data, judged by the names of its fields. @param name of the whole */
export function hiddenByName<Value>(value: Value, name: string, personal: PersonalMarks): Value {
  return hidden(value, name, personal) as Value;
}

/** Ids, numbers and links: a text that is found in one of them is found by chance. */
const REFERS = /^(id|ids|list|cursor|reference|resultAt)$|(Id|Ids|Number|Url)$/;

/** A value with the known texts, e-mail addresses and telephone numbers hidden in all its texts. */
export function withoutTexts<Value>(value: Value, known: readonly string[]): Value {
  const shown = (inside: unknown, name: string): unknown => {
    if (typeof inside === 'string') return REFERS.test(name) ? inside : withoutKnown(inside, known);
    if (inside === null || typeof inside !== 'object' || inside instanceof Date) return inside;
    if (Array.isArray(inside)) return inside.map((member: unknown) => shown(member, name));
    return Object.fromEntries(
      Object.entries(inside).map(([key, member]: [string, unknown]) => [key, shown(member, key)]),
    );
  };
  return shown(value, '') as Value;
}

function side({ headers, body }: KeptSide, personal: PersonalMarks): KeptSide {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    withoutLinks(withoutKnown(value, personal.known)),
  ]);
  return { headers: Object.fromEntries(shown) as KeptSide['headers'], body: hiddenBody(body, personal) };
}

function hiddenBody(body: KeptBody, personal: PersonalMarks): KeptBody {
  switch (body.kind) {
    case 'json':
    case 'form':
      return { ...body, value: hidden(body.value, '', personal) };
    case 'text':
      return { kind: 'text', text: `${HIDDEN} (${body.text.length} characters)` };
    case 'none':
    case 'left-out':
      return body;
  }
}

function hidden(value: unknown, name: string, personal: PersonalMarks): unknown {
  if (typeof value === 'string') return shownText(value, name, personal);
  if (typeof value === 'number') return isPlainNumber(value, name, personal) ? value : HIDDEN;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member: unknown) => hidden(member, name, personal));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [key, hidden(member, key, personal)]),
  );
}

function isPlainNumber(value: number, name: string, { names }: PersonalMarks): boolean {
  return names.isPlain(name) || (Math.abs(value) <= MAX_PLAIN_NUMBER && !names.isPersonal(name));
}

function shownText(text: string, name: string, { names, known }: PersonalMarks): string {
  if (text === '' || text === '***') return text;
  if (names.isPlain(name) || ISO_TIME.test(text) || /^\(\d+ characters\)$/.test(text))
    return withoutLinks(withoutKnown(text, known));
  return HIDDEN;
}

function withoutLinks(text: string): string {
  return text.replace(LINK, `$1/${HIDDEN}`);
}

function withoutKnown(text: string, known: readonly string[]): string {
  const rest = known.reduce((left, each) => (left.includes(each) ? left.replaceAll(each, HIDDEN) : left), text);
  return FORMS.reduce((left, form) => left.replace(form, HIDDEN), rest);
}

/** The personal texts in the requests of a consignment: messages and addresses elsewhere may quote them. */
export function personalTexts(all: readonly (KeptTexts | null)[], names: FieldNames): readonly string[] {
  const bodies = all.flatMap((texts) => [texts?.request.body, texts?.answer?.body]);
  const values = bodies.map((body) => (body && 'value' in body ? body.value : null));
  return personalTextsIn([...all.map((texts) => texts?.query), ...values], names);
}

/** The personal texts in JSON, judged by the names of its fields; the longest first. */
export function personalTextsIn(all: readonly unknown[], names: FieldNames): readonly string[] {
  const found = new Set<string>();
  const collect = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      if (names.isQuoted(name) && isLongEnough(value) && found.size < MAX_KNOWN) found.add(value);
    } else if (Array.isArray(value)) value.forEach((member: unknown) => collect(member, name));
    else if (value !== null && typeof value === 'object')
      Object.entries(value).forEach(([key, member]: [string, unknown]) => collect(member, key));
  };
  for (const one of all) collect(one, '');
  return byLength(found);
}

/** A text that holds another one is hidden before that one. */
export function byLength(texts: Iterable<string>): readonly string[] {
  return [...texts].sort((a, b) => b.length - a.length);
}

/** A shorter text, or a number of few digits, would be found in other numbers. */
function isLongEnough(text: string): boolean {
  return text.length >= (/^\d+$/.test(text) ? SHORTEST_KNOWN_NUMBER : SHORTEST_KNOWN);
}
