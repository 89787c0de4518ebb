import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Page {
  readonly page: string;
  readonly text: string;
}

/** Pages whose commands a reader types: all but the pages of decisions, which tell of the past. */
function pages(): readonly Page[] {
  const docs = ['.', 'runbooks'].flatMap((folder) =>
    readdirSync(`docs/${folder}`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  const carriers = readdirSync('carriers', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('README.md'),
  );
  const all = ['README.md', 'CONTRIBUTING.md', 'src/sandbox/README.md']
    .concat(docs.map((name) => `docs/${name}`))
    .concat(carriers.map((name) => `carriers/${name}`));
  return all.map((page) => ({ page, text: readFileSync(page, 'utf8') }));
}

/** A block between fences that says it is for a shell. */
export interface ShellBlock {
  /** Page and line of the first command. */
  readonly at: string;
  readonly script: string;
}

export function shellBlocks(): readonly ShellBlock[] {
  return pages().flatMap(({ page, text }) =>
    [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map((block) => ({
      at: `${page}:${text.slice(0, block.index).split('\n').length + 1}`,
      script: block[1] ?? '',
    })),
  );
}

/** Commands that stand in a sentence: of each page one block with those that no earlier page has. */
export function inlineCommands(): readonly ShellBlock[] {
  const command = /^(npx waybridge [a-z]|node .*bin\/waybridge\.js [a-z]|curl |openssl |echo )/;
  const known = new Set<string>();
  return pages().flatMap(({ page, text }) => {
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
    const commands = [...new Set(spans)].filter((code) => command.test(code) && !known.has(code));
    commands.forEach((code) => known.add(code));
    return commands.length === 0 ? [] : [{ at: page, script: commands.join('\n') }];
  });
}

/** Requests to Waybridge or its sandbox that a page names outside of blocks, as `GET /api/v1/parcels/{trackingNumber}`. */
export interface NamedRequest {
  readonly page: string;
  readonly method: string;
  /** With its placeholders. */
  readonly path: string;
}

export function namedRequests(): readonly NamedRequest[] {
  const known = /^`(GET|POST|PUT|PATCH|DELETE) (\/(?:api|events|callbacks|healthz|readyz|labels|control)\b[^\s`?]*)/;
  return pages().flatMap(({ page, text }) =>
    [...text.matchAll(/`[^`\n]+`/g)].flatMap(([code]) => {
      const [, method, path] = known.exec(code) ?? [];
      return method === undefined || path === undefined ? [] : [{ page, method, path }];
    }),
  );
}

/** `npm run X` and `npx waybridge X`, wherever a page says them. */
export function namedCommands(of: RegExp): readonly { readonly page: string; readonly name: string }[] {
  return pages().flatMap(({ page, text }) => [...text.matchAll(of)].map(([, name = '']) => ({ page, name })));
}
