import { readFileSync } from 'node:fs';

/** The page that builds Fjordpost. */
export const PAGE = readFileSync('docs/writing-an-adapter.md', 'utf8');

/** The lines that the page has its reader type, in their order. */
export const COMMANDS = [...PAGE.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command);

/** The files of the page: each is named in a line of its own before its block. */
export const FILES = [...PAGE.matchAll(/^`([\w.-]+)`:\n\n```(?:js|json)\n([^]*?)^```$/gm)].map(
  ([, name = '', text = '']) => ({ name, text }),
);

/** The settings of "Using it". */
export const SETTINGS = /^## Using it\n\n```yaml\n([^]*?)^```$/m.exec(PAGE)?.[1] ?? '';

/** The keys of the table of `cases`. */
export function caseKeys(): readonly string[] {
  const [, table = ''] = /said under `cases`[^]*?\n\n([^]*?)\n\n/.exec(PAGE) ?? [];
  const [, , ...rows] = table.split('\n');
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key = '']) => key));
}
