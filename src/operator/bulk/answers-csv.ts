import type { FoundNumbers, PartAnswer, Resolution, LookedUpRequest } from '../../consignment/machine/operator.js';
import { MAX_BULK } from './bulk.js';

/**
 * The columns of a table of answers; `shipment` and `carrier` are for the reader only. `sent` is the time at which the request
 * was sent (ISO 8601): a table without the column answers for the requests that are in doubt when it is uploaded.
 */
export const ANSWER_COLUMNS = [
  ...['id', 'shipment', 'carrier', 'reference', 'container', 'answer', 'carrierNumber', 'trackingNumber', 'sent'],
] as const;

/** `answer` as the API calls it for one part of a booking. */
const OTHER_NAME = 'outcome';
const NEEDED = ['id', 'answer'];
const ANSWERS = ['booked', 'not-booked', 'give-up'] as const;
/** The most rows: a consignment has one for each parcel. */
const MAX_ROWS = 20 * MAX_BULK;
const VISIBLE = /^[\x20-\x7e]{1,100}$/;
const ID = /^[\w-]{1,100}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export interface CsvAnswers {
  readonly answers: readonly { readonly id: string; readonly resolution: Resolution }[];
  /** Consignments with a wrong row, which are left out as a whole; rows without an answer are no problem. */
  readonly problems: readonly { readonly line: number; readonly id: string | null; readonly because: string }[];
}

/** The text is not a table of answers. */
export class NotATable extends Error {
  override readonly name = 'NotATable';
}

interface Row {
  readonly line: number;
  readonly id: string;
  readonly reference: string | null;
  readonly container: string | null;
  readonly answer: (typeof ANSWERS)[number];
  readonly carrierNumber: string | null;
  readonly trackingNumber: string | null;
  /** `null`: not by us; `undefined`: the table does not say it. */
  readonly sentAt: Date | null | undefined;
}

/**
 * Reads what people found in a carrier's portal: a heading, then a row for each parcel (RFC 4180; also with semicolons, as
 * spreadsheets write it in Denmark). A row without an answer is left out.
 * @throws NotATable
 */
export function readAnswers(text: string): CsvAnswers {
  const { rows, problems } = readRows(text);
  const consignments = new Map<string, Row[]>();
  for (const row of rows) consignments.set(row.id, [...(consignments.get(row.id) ?? []), row]);
  const contradictions = [...consignments].flatMap(([id, all]) => {
    const other = all.find((row) => contradicts(row, all));
    return other ? [{ line: other.line, id, because: 'the rows of one reference have different answers' }] : [];
  });
  const wrong = new Set([...problems, ...contradictions].map(({ id }) => id));
  const answers = [...consignments]
    .filter(([id]) => !wrong.has(id))
    .map(([id, all]) => ({ id, resolution: { ...resolutionOf(all), ...seenIn(all) } }));
  if (answers.length > MAX_BULK) throw new NotATable(`there are answers for more than ${MAX_BULK} consignments`);
  return { answers, problems: [...problems, ...contradictions] };
}

function readRows(text: string): { readonly rows: readonly Row[]; readonly problems: readonly Problem[] } {
  const [heading, ...lines] = recordsIn(text.replace(/^\uFEFF/, ''));
  const given = (heading?.fields ?? []).map((field) => field.trim());
  const columns = given.includes('answer') ? given : given.map((name) => (name === OTHER_NAME ? 'answer' : name));
  const missing = NEEDED.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new NotATable(`the first line must name the columns; missing: ${missing.join(', ')}`);
  if (lines.length > MAX_ROWS) throw new NotATable(`there are more than ${MAX_ROWS} rows`);
  const read = lines.map(({ line, fields }) =>
    readRow(line, Object.fromEntries(columns.map((name, place) => [name, asExported(fields[place] ?? '')]))),
  );
  return {
    rows: read.flatMap((each) => (each !== null && !('because' in each) ? [each] : [])),
    problems: read.flatMap((each) => (each !== null && 'because' in each ? [each] : [])),
  };
}

/** Removes the apostrophe that the export puts before what a spreadsheet would take for a formula. */
function asExported(field: string): string {
  return field.trim().replace(/^'(?='*[=+\-@])/, '');
}

type Problem = CsvAnswers['problems'][number];

/** @returns `null`: there is no answer in it */
function readRow(line: number, given: Readonly<Record<string, string>>): Row | Problem | null {
  const { id = '', answer = '' } = given;
  if (answer === '') return null;
  const wrong = (because: string): Problem => ({ line, id: ID.test(id) ? id : null, because });
  if (!ID.test(id)) return wrong('id is the id of a consignment');
  const known = ANSWERS.find((each) => each === answer);
  if (known === undefined) return wrong(`answer is one of ${ANSWERS.join(', ')}`);
  const sentAt = momentIn(given['sent']);
  if (sentAt === 'unreadable') return wrong('sent is not as it was exported: export the table again');
  const [reference, container, carrierNumber, trackingNumber] = [
    'reference',
    'container',
    'carrierNumber',
    'trackingNumber',
  ].map((name) => given[name] || null) as [string | null, string | null, string | null, string | null];
  const row: Row = { line, id, reference, container, answer: known, carrierNumber, trackingNumber, sentAt };
  const because = wrongNumbersIn(row);
  return because === null ? row : wrong(because);
}

function wrongNumbersIn({ reference, container, answer, carrierNumber, trackingNumber }: Row): string | null {
  const strange = [reference, container, carrierNumber, trackingNumber].some(
    (text) => text !== null && !VISIBLE.test(text),
  );
  if (strange) return 'numbers are texts of 1 to 100 characters';
  const isIncomplete = answer === 'booked' && (container === null || trackingNumber === null);
  return isIncomplete ? 'a booked parcel needs its container and its tracking number' : null;
}

function momentIn(sent: string | undefined): Row['sentAt'] | 'unreadable' {
  if (sent === undefined) return undefined;
  if (sent === '') return null;
  const moment = MOMENT.test(sent) ? new Date(sent) : null;
  return moment === null || Number.isNaN(moment.getTime()) ? 'unreadable' : moment;
}

/** Giving up is about the whole consignment. */
function contradicts(row: Row, all: readonly Row[]): boolean {
  return all.some(
    ({ answer, reference }) =>
      answer !== row.answer && (reference === row.reference || [answer, row.answer].includes('give-up')),
  );
}

/**
 * Answers each reference that is named: the table may be older than what is in doubt now, and an answer must not be
 * taken for another reference. Without references, one answer is for the only reference in doubt.
 */
function resolutionOf(rows: readonly Row[]): Resolution {
  if (rows.some(({ answer }) => answer === 'give-up')) return { answer: 'give-up' };
  const references = [...new Set(rows.map(({ reference }) => reference))];
  if (references.length === 1 && references[0] === null) {
    return rows[0]?.answer === 'booked' ? { answer: 'booked', ...numbersOf(rows) } : { answer: 'not-booked' };
  }
  return { answer: 'parts', parts: references.map((reference) => partOf(reference, rows)) };
}

function seenIn(rows: readonly Row[]): Pick<Resolution, 'seen'> {
  const seen = rows.flatMap(({ reference, sentAt }): readonly LookedUpRequest[] =>
    sentAt === undefined ? [] : [{ reference, sentAt }],
  );
  return seen.length === 0 ? {} : { seen };
}

function partOf(reference: string | null, rows: readonly Row[]): PartAnswer {
  const own = rows.filter((row) => row.reference === reference);
  const named = { reference: reference ?? '' };
  if (own[0]?.answer !== 'booked') return { ...named, outcome: 'not-booked' };
  return { ...named, outcome: 'booked', ...numbersOf(own) };
}

function numbersOf(rows: readonly Row[]): FoundNumbers {
  const carrierNumber = rows.find((row) => row.carrierNumber !== null)?.carrierNumber ?? null;
  const numbers = rows.flatMap(({ container, trackingNumber }) =>
    container === null || trackingNumber === null ? [] : [[container, trackingNumber] as const],
  );
  return { carrierNumber, trackingNumbers: Object.fromEntries(numbers) };
}

interface Line {
  /** The number of the line at which it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** @throws NotATable a quotation mark is not closed */
function recordsIn(text: string): readonly Line[] {
  const separator = /^[^\r\n,]*;/.test(text) ? ';' : ',';
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`, 'y');
  const records: Line[] = [];
  let [line, begun, fields]: [number, number, string[]] = [1, 1, []];
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new NotATable(`line ${line}: a quotation mark is not closed, or stands inside a field`);
    fields.push(fieldOf(match));
    line += match[0].match(/\r\n|\n|\r/g)?.length ?? 0;
    if (match[3] === separator && field.lastIndex < text.length) continue;
    records.push({ line: begun, fields });
    [begun, fields] = [line, []];
  }
  return records.filter((record) => record.fields.some((each) => each.trim() !== ''));
}

function fieldOf([, quoted, plain = '']: RegExpExecArray): string {
  return quoted === undefined ? plain : quoted.replaceAll('""', '"');
}
