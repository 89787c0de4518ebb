// Makes few files out of the hundreds that were compiled and of what they import: the second step of `npm run build`. A
// third of the time until the service was ready went into finding and reading them one by one (decision 27).
// Tests have other programs bundled in the same way: `node bin/bundle.js FOLDER PROGRAM…`.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = [
  ...['dist/src/cli/main.js', 'dist/src/labels/assembly-process.js', 'dist/src/app/watchdog-thread.js'],
  // Carriers from outside import these; they share the modules of the service.
  ...['dist/src/adapters/adapter.js', 'dist/src/adapters/testing.js'],
];
const [place = 'dist/bundle', ...others] = process.argv.slice(2);
const folder = join(root, place);
/** Defines what CommonJS packages use to find files beside themselves. */
const OWN_PLACE = '__placeOfABundledFile';

const { metafile, warnings } = await build({
  absWorkingDir: root,
  entryPoints: others.length > 0 ? others : PROGRAM,
  outdir: folder,
  entryNames: '[name]',
  bundle: true,
  // Modules that are imported dynamically stay files of their own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // For NODE_OPTIONS=--enable-source-maps, which costs a start 0.2 s.
  sourcemap: true,
  sourcesContent: false,
  // A start reads a third less. Tests find modules by the comments that the bundler writes.
  minifyWhitespace: others.length === 0,
  // An error shows the line in which it was thrown.
  lineLimit: 160,
  define: { __dirname: OWN_PLACE, __filename: OWN_PLACE },
  metafile: true,
  logLevel: 'warning',
  external: [
    // Read files beside themselves.
    ...['@electric-sql/pglite', '@hyzyla/pdfium', 'fs-native-extensions', 'swagger-ui-dist'],
    // Most starts do not need them.
    ...['pdf-lib', 'pg', 'ioredis', 'zpl-renderer-js'],
    // Used where it is installed; here only a tool of ours brings it.
    'supports-color',
  ],
  // For the packages that are not modules of the language.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
});
requireWhole();
removeOld();

/** Ends the build when the bundle needs development packages, or packages that read files beside themselves. */
function requireWhole() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const inputs = Object.keys(metafile.inputs);
  const tools = inputs.filter((path) => packages[/^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]]?.dev);
  const text = (path) => readFileSync(join(root, path), 'utf8');
  const beside = [
    ...Object.keys(metafile.outputs).filter((path) => text(path).includes(OWN_PLACE)),
    ...inputs.filter((path) => path.includes('node_modules/') && text(path).includes('import.meta.url')),
  ];
  const problems = [
    ...warnings.map(({ text }) => text),
    ...tools.map((path) => `${path} is of a package for development only`),
    ...beside.map((path) => `${path} asks where it lies, and what lay beside it does not: make its package external`),
  ];
  if (problems.length === 0) return;
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}

/** Removes files of an earlier build. */
function removeOld() {
  const written = new Set(Object.keys(metafile.outputs).map((path) => join(root, path)));
  for (const file of readdirSync(folder)) if (!written.has(join(folder, file))) rmSync(join(folder, file));
}
