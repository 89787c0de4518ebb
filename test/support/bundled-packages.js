import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Jest instantiates each module again for each file of tests. The packages below have some thousand modules together; as one
 * module each, a file of tests that loads the service begins in half the time. Their code stays as it is.
 */

/** Large ones, and those that are ECMAScript modules: tests run CommonJS. */
const PACKAGES = [
  ...[
    '@electric-sql/pglite',
    '@opentelemetry/exporter-trace-otlp-http',
    '@seriousme/openapi-schema-validator',
    'any-ascii',
    'axios',
    'bottleneck',
    'class-transformer',
    'class-validator',
    'express',
    'express-rate-limit',
    'fast-check',
    'leven',
    'openid-client',
  ],
  ...['lossless-json', 'ora', 'pdf-lib', 'request-filtering-agent', 'winston', 'yaml'],
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'waybridge-test', 'packages');
const stamp = join(folder, '.bundled');

const bundles = PACKAGES.map((name) => ({ name, file: join(folder, `${name.replace('/', '-')}.cjs`) }));

/** For Jest's `moduleNameMapper`. */
export const bundledPackages = Object.fromEntries(bundles.map(({ name, file }) => [`^${name}$`, file]));

/** Bundles them, unless these versions are bundled already. */
export async function bundlePackages() {
  const wanted = versions();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const { build } = await import('esbuild');
  mkdirSync(folder, { recursive: true });
  rmSync(stamp, { force: true });
  await Promise.all(bundles.map((bundle) => bundleOne(build, bundle)));
  replace(stamp, (aside) => writeFileSync(aside, wanted));
}

/** The lock file of what is installed, and this file. */
function versions() {
  const installed = readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8');
  return `${installed}${readFileSync(fileURLToPath(import.meta.url), 'utf8')}`;
}

async function bundleOne(build, { name, file }) {
  const entry = createRequire(import.meta.url).resolve(name);
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Jest has no import() in CommonJS.
    supported: { 'dynamic-import': false },
    // Beside it lie the files that it reads.
    define: { __filename: JSON.stringify(entry), 'import.meta.url': JSON.stringify(pathToFileURL(entry).href) },
    banner: { js: 'const outerRequire = require;' },
    minifyWhitespace: true,
    legalComments: 'none',
    write: false,
  });
  // Where import() became require(), PGlite has a variable of that name.
  const text = outputFiles[0].text.replaceAll('=>__toESM(require(', '=>__toESM(outerRequire(');
  replace(file, (aside) => writeFileSync(aside, text));
}

/** Another run of the tests may read the file, or write it as well. */
function replace(file, write) {
  const aside = `${file}.${process.pid}`;
  write(aside);
  renameSync(aside, file);
}
