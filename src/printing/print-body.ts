import { readFile } from 'node:fs/promises';
import { isJsonObject } from '../../carriers/contract/json.js';

type Json = string | number | boolean | null | readonly Json[] | PrintBody;
interface PrintBody {
  readonly [name: string]: Json;
}

/** A checked template of the body of `printResource`; comes from `loadPrintTemplate`. */
export type PrintTemplate = PrintBody;

/** How labels are printed: `document` needs nothing but the document, `none` leaves printing to the IMS. */
export type Printing =
  | {
      readonly mode: 'resource';
      readonly template: PrintTemplate;
      /** Those of profiles, by name; missing: there are none. */
      readonly templates?: ReadonlyMap<string, PrintTemplate>;
    }
  | { readonly mode: 'document' }
  | { readonly mode: 'none' };

/** What the placeholders stand for. `null`: not known; the key that wants it is left out of the body. */
export interface PrintValues {
  readonly documentId: string | number | null;
  readonly shipmentId: string | number | null;
  readonly shipmentNumber: string | null;
  readonly fileName: string | null;
  readonly deviceName: string | null;
  readonly userId: string | number | null;
  readonly contextId: string | number | null;
  /** Missing: not known, as `null`. */
  readonly copies?: number | null;
}

/** A call of `POST /invocations/<invocation>` of the IMS. */
export interface PrintCall {
  readonly invocation: 'printResource' | 'printDocument';
  readonly body: PrintBody;
}

type Placeholder = keyof PrintValues;

/** Ids are numbers in the IMS; whether we keep one as text or not, it goes out as a number. */
const PLACEHOLDERS: ReadonlyMap<string, 'id' | 'text'> = new Map(
  Object.entries({
    documentId: 'id',
    shipmentId: 'id',
    shipmentNumber: 'text',
    fileName: 'text',
    deviceName: 'text',
    userId: 'id',
    contextId: 'id',
    copies: 'id',
  } satisfies Record<Placeholder, 'id' | 'text'>),
);

const ANY_PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** A profile's template that was there when the profile was chosen, and is there no more. */
export class TemplateGone extends Error {
  override readonly name = 'TemplateGone';
}

/**
 * @param template the name of a profile's; `null`: the installation's own
 * @returns `null`: nothing is to be printed by us
 * @throws TemplateGone
 */
export function printCall(printing: Printing, values: PrintValues, template: string | null = null): PrintCall | null {
  switch (printing.mode) {
    case 'resource':
      return { invocation: 'printResource', body: printResourceBody(templateOf(printing, template), values) };
    case 'document':
      return { invocation: 'printDocument', body: printResourceBody({ documentId: '{{documentId}}' }, values) };
    case 'none':
      return null;
  }
}

function templateOf(printing: Extract<Printing, { mode: 'resource' }>, name: string | null): PrintTemplate {
  if (name === null) return printing.template;
  const template = printing.templates?.get(name);
  if (template === undefined) throw new TemplateGone(`the template print-resource.${name}.json is not there any more`);
  return template;
}

/** Requests that print so many copies: one where the template has a place for their number. */
export function callsFor(
  printing: Printing,
  { copies, template }: { copies: number; template: string | null },
): number {
  return hasPlaceFor(printing, template, 'copies') ? 1 : copies;
}

/** Whether the body of a print request has a place for a value. @throws TemplateGone */
export function hasPlaceFor(printing: Printing, template: string | null, value: Placeholder): boolean {
  if (printing.mode !== 'resource') return false;
  return placeholdersIn(JSON.stringify(templateOf(printing, template))).includes(value);
}

/**
 * Fills a template. A value that is nothing but one placeholder becomes that value, an id as a number; inside a longer
 * text it becomes part of the text.
 */
export function printResourceBody(template: PrintTemplate, values: PrintValues): PrintBody {
  const entries = Object.entries(template).flatMap(([name, value]) => {
    const filled = fill(value, values);
    return filled === undefined ? [] : [[name, filled] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Reads and checks the template of the body of `printResource`.
 * @throws Error naming the file and what is wrong with it
 */
export async function loadPrintTemplate(file: string): Promise<PrintTemplate> {
  const template = parse(await readFile(file, 'utf8'), file);
  const [named] = namesIn(template).filter((name) => placeholdersIn(name).length > 0);
  if (named !== undefined)
    throw new Error(`${file}: a placeholder in the name of a key is not filled in: "${named}"; write it as a value`);
  const unknown = placeholdersIn(JSON.stringify(template)).filter((name) => !PLACEHOLDERS.has(name));
  if (unknown.length > 0)
    throw new Error(
      `${file}: unknown placeholder ${unknown.map((name) => `{{${name}}}`).join(', ')}; ` +
        `known are ${[...PLACEHOLDERS.keys()].join(', ')}`,
    );
  return template;
}

/** The name of each key, at every depth. */
function namesIn(template: PrintTemplate): readonly string[] {
  const names: string[] = [];
  JSON.stringify(template, (name, value: unknown) => (names.push(name), value));
  return names;
}

function parse(text: string, file: string): PrintTemplate {
  const template = parseOrExplain(text, file);
  if (!isJsonObject(template)) throw new Error(`${file}: must be a JSON object, e.g. {"documentId": "{{documentId}}"}`);
  return template;
}

function parseOrExplain(text: string, file: string): Json {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file}: is not JSON`, { cause });
  }
}

/** @returns `undefined`: to be left out */
function fill(template: Json, values: PrintValues): Json | undefined {
  if (typeof template === 'string') return fillText(template, values);
  if (isList(template)) return template.map((item) => fill(item, values)).filter((item) => item !== undefined);
  if (isJsonObject(template)) return printResourceBody(template, values);
  return template;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function fillText(template: string, values: PrintValues): string | number | undefined {
  const known = new Map<string, string | number | null>(Object.entries(values));
  const wanted = placeholdersIn(template);
  if (wanted.some((name) => (known.get(name) ?? null) === null)) return undefined;
  const [only] = wanted;
  if (only !== undefined && /^\{\{[^{}]*\}\}$/.test(template)) return valueOf(only, known.get(only) ?? '');
  return template.replace(ANY_PLACEHOLDER, (_whole, name: string) => String(known.get(name) ?? ''));
}

function valueOf(name: string, value: string | number): string | number {
  if (PLACEHOLDERS.get(name) === 'text') return String(value);
  const id = Number(value);
  return Number.isSafeInteger(id) && String(id) === String(value) ? id : value;
}

function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(ANY_PLACEHOLDER)].map(([, name = '']) => name);
}
