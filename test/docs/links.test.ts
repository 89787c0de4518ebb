import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MAX_README_LINES = 200;

const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(page));
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```/gm, '')]));

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...(texts.get(page) ?? '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

it('every link and picture of the pages leads to a file of the repository, and to a heading that it has', () => {
  const broken = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => isBroken(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('docs/operating.md leads from what an operator sees to every runbook', () => {
  const linked = [...(texts.get('docs/operating.md') ?? '').matchAll(/\]\((runbooks\/[\w-]+\.md)\)/g)];
  const runbooks = readdirSync('docs/runbooks').map((file) => `runbooks/${file}`);
  expect([...new Set(linked.map(([, link]) => link))].sort()).toEqual(runbooks.sort());
});

/** Pages that tell of the past may name what is gone. */
const ofNow = [...texts].filter(([page]) => page !== 'CHANGELOG.md' && !page.startsWith('docs/decisions/'));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file));
const FROM_THE_ROOT = /^(src|test|carriers|bin|bench|deploy|docs|templates|\.ci)\/[\w./<>-]+$/;
const A_SOURCE = /^[\w.][\w./-]*\.ts$/;
/** What a reader adds: a carrier of their own, a template of theirs. */
const INVENTED = /acme|NAME/;

/**
 * The files of the repository that a page means. `<id>` stands for any name, `machine/apply.ts` for that path in any folder,
 * and `test/worker/lease-renewal` for the test of that name.
 */
function filesNamed(name: string): readonly string[] {
  const path = name
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replaceAll(/<[\w-]+>/g, '[\\w-]+');
  const start = FROM_THE_ROOT.test(name) ? '^' : '(^|/)';
  const end = name.startsWith('test/') ? '(/|$|(\\.\\w+)?\\.test\\.ts$)' : '(/|$)';
  const named = new RegExp(`${start}${path}${end}`);
  return files.filter((file) => named.test(file));
}

it('every file and folder of the repository that a page names exists, by its whole path', () => {
  const gone = ofNow.flatMap(([page, text]) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => FROM_THE_ROOT.test(name) || A_SOURCE.test(name))
      .filter((name) => !INVENTED.test(name) && filesNamed(name).length === 0)
      .map((name) => `${page}: ${name}`),
  );
  expect(gone).toEqual([]);
});

it('what a page says stands in a file of the sources stands there', () => {
  const claims = ofNow.flatMap(([page, text]) =>
    [...text.matchAll(/`(\w+)` (?:in|of) `([\w./<>-]+\.ts)`/g)].map(([, name = '', file = '']) => ({
      page,
      name,
      file,
    })),
  );
  expect(claims.length).toBeGreaterThan(10);
  const wrong = claims.filter(
    ({ name, file }) => !filesNamed(file).some((one) => new RegExp(`\\b${name}\\b`).test(readFileSync(one, 'utf8'))),
  );
  expect(wrong.map(({ page, name, file }) => `${page}: ${name} in ${file}`)).toEqual([]);
});

it('README.md is short, and leads to every page of docs', () => {
  const readme = texts.get('README.md') ?? '';
  expect(readme.split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  const named = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && !readme.includes(`(${page})`));
  expect(named).toEqual([]);
});
