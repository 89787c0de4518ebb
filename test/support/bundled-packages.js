import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Jest instantiates each module again for each file of tests. The packages below have some thousand modules together; as one
 * module each, a file of tests that loads the service begins in half the time. Their code stays as it is.
 */

/** Packages that are ECMAScript modules; the rest is CommonJS, which importers see otherwise. */
const ES_MODULES = ['axios', 'fast-check', 'lossless-json', 'pdf-lib'];
const COMMON_JS = ['bottleneck', 'class-transformer', 'class-validator', 'express', 'winston', 'yaml'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'waybridge-test', 'packages');
const stamp = join(folder, '.bundled');

const bundles = [
  ...ES_MODULES.map((name) => ({ name, format: 'esm', file: join(folder, `${name}.mjs`) })),
  ...COMMON_JS.map((name) => ({ name, format: 'cjs', file: join(folder, `${name}.cjs`) })),
];

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

async function bundleOne(build, { name, format, file }) {
  const requires = `import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);`;
  const { outputFiles } = await build({
    entryPoints: [format === 'esm' ? name : createRequire(import.meta.url).resolve(name)],
    absWorkingDir: root,
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    banner: format === 'esm' ? { js: requires } : {},
    minifyWhitespace: true,
    legalComments: 'none',
    write: false,
  });
  replace(file, (aside) => writeFileSync(aside, outputFiles[0].contents));
}

/** Another run of the tests may read the file, or write it as well. */
function replace(file, write) {
  const aside = `${file}.${process.pid}`;
  write(aside);
  renameSync(aside, file);
}
