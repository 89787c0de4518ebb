import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A longer table whose cells are sentences cannot be looked over: it becomes sections, or several tables. */
const MAX_ROWS_OF_PROSE = 12;
/** A cell with more words is a sentence; what stands in code font is no word. */
const MAX_WORDS_OF_AN_ENTRY = 8;
/** A cell with more words is a paragraph, also in a list to look names up in. */
const MAX_WORDS_OF_A_MEANING = 30;
/** What a program writes into a page by hand otherwise; pages that are written as a whole follow the same rules as all. */
const GENERATED = /^<!-- figures[^]*?^<!-- end of figures -->$/gm;
const FENCED = /^(```|~~~)[^]*?^\1$/gm;
const TABLE = /^\|.*\|\n\|[ :|-]+\|\n((?:\|.*\|(?:\n|$))*)/gm;

interface Table {
  /** Page and line of the head. */
  readonly at: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function cellsOf(row: string): readonly string[] {
  const inner = row.trim().replace(/^\||\|$/g, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function tablesOf(page: string): readonly Table[] {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, '');
  const text = readFileSync(page, 'utf8').replaceAll(FENCED, blank).replaceAll(GENERATED, blank);
  return [...text.matchAll(TABLE)].map((found) => ({
    at: `${page}:${text.slice(0, found.index).split('\n').length}`,
    head: cellsOf(found[0].split('\n')[0] ?? ''),
    rows: (found[1] ?? '').trimEnd().split('\n').map(cellsOf),
  }));
}

function mostWords({ rows }: Table): number {
  const count = (cell: string) => cell.replaceAll(/`[^`]*`/g, '').match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
  return Math.max(...rows.flat().map(count));
}

/** A list to look something up in: each row is about a name of the program (a setting, a code, a field), or explains a word. */
function isReference({ head, rows }: Table): boolean {
  return head[0] === 'word' || rows.every(([first = '']) => /^(… )?`[^`]+`/.test(first));
}

function isTooLong(table: Table): boolean {
  if (table.rows.length <= MAX_ROWS_OF_PROSE) return false;
  return mostWords(table) > (isReference(table) ? MAX_WORDS_OF_A_MEANING : MAX_WORDS_OF_AN_ENTRY);
}

const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(page));

it(`a table of sentences has at most ${MAX_ROWS_OF_PROSE} rows: what is longer stands in sections`, () => {
  const found = pages.flatMap(tablesOf);
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(isTooLong).map(({ at, rows }) => `${at}: ${rows.length} rows`)).toEqual([]);
});
