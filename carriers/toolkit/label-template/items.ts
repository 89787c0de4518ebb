import {
  type JsonObject,
  type LabelBox,
  type LabelItem,
  type OperatorFiles,
  isJsonObject,
} from '../../contract/index.js';
import { readLogo } from './logo.js';
import type { TemplateWords } from './template-words.js';

/** An item as the template has it, after `itemProblems` found none. */
export interface GivenItem {
  readonly text?: string;
  readonly line?: true;
  readonly logo?: string;
  readonly barcode?: string | readonly string[];
  readonly at: readonly [number, number];
  readonly size: readonly [number, number];
  readonly bold?: boolean;
}

export interface TemplateLabel {
  readonly words: TemplateWords;
  readonly widthMm: number;
  readonly heightMm: number;
}

const KINDS = ['text', 'line', 'logo', 'barcode'] as const;
const MAX_TEXT_CHARACTERS = 500;
const MAX_LINES = 12;
/** Under it a symbol is hard to scan; GS1 asks for 31.75 mm where the label has the room. */
const LEAST_BAR_HEIGHT_MM = 15;
/** 18 digits in 2 dots of a printer with 203 dpi, with the blank space beside them. */
const LEAST_BAR_WIDTH_MM = 45;
/** Under it nobody reads a line. */
const LEAST_LINE_MM = 1.5;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** What is wrong with an item, to be read after its place; empty: nothing. */
export function itemProblems(item: unknown, label: TemplateLabel): readonly string[] {
  if (!isJsonObject(item)) return ['must have keys with values'];
  const kinds = KINDS.filter((kind) => item[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return [`must be one of ${KINDS.join(', ')}`];
  const known = [kind, 'at', 'size', ...(kind === 'text' ? ['bold'] : [])];
  const unknown = Object.keys(item).filter((key) => !known.includes(key));
  return [
    ...unknown.map((key) => `has ${key}, which is not known; known are ${known.join(', ')}`),
    ...(isBoxIn(item, label) ? [] : [`needs at: [x, y] and size: [width, height] in millimetres, within the label`]),
    ...PROBLEMS[kind](item, label),
  ];
}

const PROBLEMS: Readonly<
  Record<(typeof KINDS)[number], (item: JsonObject, label: TemplateLabel) => readonly string[]>
> = {
  text: ({ text, bold, size }, { words }) => [
    ...(typeof text === 'string' && text.length <= MAX_TEXT_CHARACTERS && linesOf(text).length <= MAX_LINES
      ? unknownFields(text, words)
      : [`text must be at most ${MAX_TEXT_CHARACTERS} characters on ${MAX_LINES} lines`]),
    ...(bold === undefined || typeof bold === 'boolean' ? [] : ['bold must be true or false']),
    ...(typeof text === 'string' && isLow(size, linesOf(text).length)
      ? [`is too low for its lines: each needs ${LEAST_LINE_MM} mm`]
      : []),
  ],
  line: ({ line }) => (line === true ? [] : ['line must be true']),
  logo: ({ logo }) => (typeof logo === 'string' && logo !== '' ? [] : ['logo must be the name of a file']),
  barcode: ({ barcode, size }, { words }) => {
    const names = elementsOf(barcode);
    const unknown = names.filter((name) => !words.elements.includes(String(name)));
    const isSmall = isPair(size) && (size[0] < LEAST_BAR_WIDTH_MM || size[1] < LEAST_BAR_HEIGHT_MM);
    return [
      ...(names.length === 0 || unknown.length > 0
        ? [`barcode must name one or more of ${words.elements.join(', ')}, in quotes`]
        : []),
      ...(isSmall ? [`is too small for a barcode: at least ${LEAST_BAR_WIDTH_MM} × ${LEAST_BAR_HEIGHT_MM} mm`] : []),
    ];
  },
};

/** @throws Error the file of a logo is missing, too large, or no picture */
export function toItem(given: GivenItem, files: OperatorFiles): LabelItem {
  const [x, y] = given.at;
  const [width, height] = given.size;
  const box: LabelBox = { x, y, width, height };
  if (given.text !== undefined) return { kind: 'text', lines: linesOf(given.text), box, bold: given.bold ?? false };
  if (given.logo !== undefined) return { kind: 'logo', file: given.logo, image: readLogo(files, given.logo), box };
  if (given.barcode !== undefined) return { kind: 'barcode', elements: elementsOf(given.barcode).map(String), box };
  return { kind: 'line', box };
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n+$/, '').split('\n');
}

function elementsOf(barcode: unknown): readonly unknown[] {
  return Array.isArray(barcode) ? barcode : [barcode];
}

function unknownFields(text: string, { fields }: TemplateWords): readonly string[] {
  const named = Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name);
  const unknown = named.filter((name) => !fields.includes(name));
  return unknown.map((name) => `has {${name}}, which is not known; known are ${fields.join(', ')}`);
}

function isLow(size: unknown, lines: number): boolean {
  return isPair(size) && size[1] < lines * LEAST_LINE_MM;
}

function isPair(given: unknown): given is readonly [number, number] {
  return Array.isArray(given) && given.length === 2 && given.every((each) => typeof each === 'number' && each >= 0);
}

function isBoxIn({ at, size }: JsonObject, { widthMm, heightMm }: TemplateLabel): boolean {
  if (!isPair(at) || !isPair(size)) return false;
  const isVisible = size[0] > 0 || size[1] > 0;
  return isVisible && at[0] + size[0] <= widthMm && at[1] + size[1] <= heightMm;
}
