import { parse } from 'yaml';
import { type LabelTemplate, type OperatorFiles, isJsonObject } from '../../contract/index.js';
import { type GivenItem, itemProblems, toItem } from './items.js';
import type { TemplateWords } from './template-words.js';

const MAX_TEMPLATE_BYTES = 64_000;
const MAX_ITEMS = 100;
const LEAST_SIDE_MM = 40;
const MAX_SIDE_MM = 320;
/** Problems shown at once. */
const MAX_SHOWN = 10;

/**
 * Reads and checks a template of labels: the README of `templates/labels` documents its form.
 * @param name of the template: the file `<name>.yaml`
 * @throws Error with every problem and its place, for the operator
 */
export function readTemplate(files: OperatorFiles, name: string, words: TemplateWords): LabelTemplate {
  const file = `${name}.yaml`;
  const given = parsed(file, new TextDecoder().decode(files.read(file, MAX_TEMPLATE_BYTES)));
  const { width, height, items } = given;
  if (!isSide(width) || !isSide(height)) return refuse(file, headProblems(given));
  const problems = [...headProblems(given), ...listProblems(items, { words, widthMm: width, heightMm: height })];
  if (problems.length > 0) return refuse(file, problems);
  const read = (items as readonly GivenItem[]).map((item) => toItem(item, files));
  const has = read.some((item) => item.kind === 'barcode' && item.elements.includes(words.needed));
  if (!has) return refuse(file, [`needs a barcode with ${words.needed}`]);
  return { widthMm: width, heightMm: height, items: read };
}

const KEYS = ['width', 'height', 'items'];

function headProblems(given: Readonly<Record<string, unknown>>): readonly string[] {
  const unknown = Object.keys(given).filter((key) => !KEYS.includes(key));
  const wrong = ['width', 'height'].filter((side) => !isSide(given[side]));
  return [
    ...unknown.map((key) => `${key} is not known; known are width, height and items`),
    ...wrong.map((side) => `${side} must be ${LEAST_SIDE_MM} to ${MAX_SIDE_MM} millimetres`),
  ];
}

function listProblems(items: unknown, label: Parameters<typeof itemProblems>[1]): readonly string[] {
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ITEMS)
    return [`items must be a list of 1 to ${MAX_ITEMS}`];
  return items.flatMap((item: unknown, index) =>
    itemProblems(item, label).map((problem) => `items[${index}] ${problem}`),
  );
}

function parsed(file: string, text: string): Readonly<Record<string, unknown>> {
  let given: unknown;
  try {
    given = parse(text);
  } catch (error) {
    return refuse(file, [
      `is no YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
    ]);
  }
  if (isJsonObject(given)) return { ...given };
  return refuse(file, ['must have width, height and items']);
}

function isSide(given: unknown): given is number {
  return typeof given === 'number' && given >= LEAST_SIDE_MM && given <= MAX_SIDE_MM;
}

function refuse(file: string, problems: readonly string[]): never {
  const more = problems.length > MAX_SHOWN ? [`and ${problems.length - MAX_SHOWN} more`] : [];
  throw new Error(`templates/labels/${file}: ${[...problems.slice(0, MAX_SHOWN), ...more].join('; ')}`);
}
