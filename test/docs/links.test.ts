import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

it('every file of the sources that a page names exists', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file));
  const whole = /^(src|test|carriers|bin|bench|deploy)\/[\w./-]+$/;
  const exists = (name: string) =>
    whole.test(name)
      ? files.some((file) => file.startsWith(name))
      : !/^[\w/-][\w./-]*\.ts$/.test(name) || files.some((file) => file.endsWith(`/${name}`));
  const gone = [...texts]
    .filter(([page]) => page !== 'CHANGELOG.md' && !page.startsWith('docs/decisions/'))
    .flatMap(([page, text]) =>
      [...text.matchAll(/`([^`\s]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !name.includes('acme') && !exists(name))
        .map((name) => `${page}: ${name}`),
    );
  expect(gone).toEqual([]);
});

it('README.md is short, and leads to every page of docs', () => {
  const readme = texts.get('README.md') ?? '';
  expect(readme.split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  const named = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && !readme.includes(`(${page})`));
  expect(named).toEqual([]);
});
