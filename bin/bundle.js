// Makes few files out of the hundreds that were compiled and of what they import: `npm run build` does it after the
// compiler. A third of the time until the service was ready went into finding and reading them one by one (decision 27).
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist', 'bundle');

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['dist/src/cli/main.js', 'dist/src/labels/assembly-process.js'],
  outdir: folder,
  entryNames: '[name]',
  bundle: true,
  // What is loaded only by whoever needs it stays so.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // For NODE_OPTIONS=--enable-source-maps, which costs a start 0.2 s.
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
  // Those with files of their own, and those that most starts do not need.
  external: ['@electric-sql/pglite', 'swagger-ui-dist', 'pdf-lib', 'pg', 'ioredis'],
  // For the packages that are not modules of the language.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
});

const written = new Set(Object.keys(metafile.outputs).map((path) => join(root, path)));
for (const file of readdirSync(folder)) if (!written.has(join(folder, file))) rmSync(join(folder, file));
// Says that it was built, and when.
writeFileSync(join(root, 'dist', '.built'), '');
