import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parse } from 'yaml';
import { LANGUAGES } from '../../src/messages/keys.js';
import { bundleFolder } from '../../src/program-files.js';

/** What a start of the service loads first, and what it loads while the database opens. */
const PROGRAMS = ['src/cli/main.ts', 'src/cli/serve.ts', 'src/app/app.ts'];
const SOURCES = ['src', 'carriers'];
/** Packages that take a start up to 0.1 s each: what draws and reads labels, bar codes, progress in a terminal, the drivers of servers. */
const LOADED_WHEN_NEEDED = ['@hyzyla/pdfium', 'bwip-js', 'ioredis', 'ora', 'pdf-lib', 'pg', 'zpl-renderer-js'];
/** `import … from`, `export … from` and `import '…'`, but those of types. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;']*?\sfrom\s+)?'([^']+)'/gm;
/** Uses of the modules that the bundle does not have (`LEFT_OUT` in bin/bundle.js). */
const LEFT_OUT = /\bisPhoneNumber\b|\bgetAdapter\((?!'http'\))|'form-data'/gi;
/** In braces, where every name is a type. */
const TYPES_ONLY = /^import\s+\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?,?)+\s*\}/;

/** @returns each package with the files through which it is loaded */
function packagesOf(program: string): ReadonlyMap<string, string> {
  const packages = new Map<string, string>();
  const seen = new Set([program]);
  const open = [{ file: program, way: program }];
  for (let next = open.shift(); next; next = open.shift()) {
    const { file, way } = next;
    for (const [statement, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (TYPES_ONLY.test(statement)) continue;
      const source = posix.join(dirname(file), path).replace(/\.js$/, '.ts');
      if (!path.startsWith('.')) packages.set(nameOf(path), packages.get(nameOf(path)) ?? way);
      else if (!seen.has(source)) open.push({ file: source, way: `${way} > ${source}` });
      seen.add(source);
    }
  }
  return packages;
}

/** `bwip-js/node`: `bwip-js`. */
function nameOf(path: string): string {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/');
}

describe('a start of the service', () => {
  it.each(PROGRAMS)('loads no large package that it does not need yet: %s', (program) => {
    const loaded = packagesOf(program);
    expect(loaded.size).toBeGreaterThan(0);
    expect(LOADED_WHEN_NEEDED.flatMap((name) => loaded.get(name) ?? [])).toEqual([]);
  });
});

describe('the bundle', () => {
  it.each(SOURCES)('leaves out nothing that %s uses', (folder) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const uses = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(LEFT_OUT) ?? []);
    expect(files.length).toBeGreaterThan(0);
    expect(uses).toEqual([]);
  });

  it.each(LANGUAGES)('has parsed the texts to workers: %s', (language) => {
    const built = readFileSync(`${bundleFolder()}messages.${language}.yaml.json`, 'utf8');
    const { source, content } = JSON.parse(built) as { source: string; content: unknown };
    expect(content).toEqual(parse(source));
  });
});
