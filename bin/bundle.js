// Makes few files out of the hundreds that were compiled and of what they import: the second step of `npm run build`. A
// third of the time until the service was ready went into finding and reading them one by one (decision 27).
// Tests have other programs bundled in the same way: `node bin/bundle.js FOLDER PROGRAM…`.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const TEXTS = 'templates/ims/';
const PROGRAM = [
  ...['dist/src/cli/main.js', 'dist/src/labels/assembly-process.js', 'dist/src/app/watchdog-thread.js'],
  // Carriers from outside import these; they share the modules of the service.
  ...['dist/src/adapters/adapter.js', 'dist/src/adapters/testing.js'],
];
const [place = 'dist/bundle', ...others] = process.argv.slice(2);
const folder = join(root, place);
/**
 * Modules that packages import and the program never uses, with what they export: checks of telephone numbers (class-validator),
 * forms and `fetch` (axios). Loading them takes a start 0.1 s of the processor.
 */
const LEFT_OUT = {
  'libphonenumber-js/max/index.cjs': 'exports.parsePhoneNumber = leftOut;',
  'form-data/lib/form_data.js': 'module.exports = leftOut;',
  'axios/lib/adapters/fetch.js': 'export { leftOut as getFetch };',
};
/** Where axios keeps the class of forms, for which Node would load all of `fetch`. */
const FORMS = { module: 'axios/lib/utils.js', text: "typeof G.FormData !== 'undefined' ? G.FormData : undefined" };
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
  plugins: [{ name: 'left-out', setup: leaveOut }],
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
const texts = others.length > 0 ? [] : parsedTexts();
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
    ...notImported().map((path) => `nothing imports ${path}, which is left out: see LEFT_OUT`),
  ];
  if (problems.length === 0) return;
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}

/** Puts a function that says so in place of each module that is left out. */
function leaveOut({ onLoad }) {
  for (const [path, exported] of Object.entries(LEFT_OUT)) {
    const leftOut = `function leftOut() { throw new Error('the bundle has no ${path}: see bin/bundle.js'); }`;
    onLoad({ filter: atEnd(path) }, () => ({ contents: `${leftOut}\n${exported}` }));
  }
  onLoad({ filter: atEnd(FORMS.module) }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(FORMS.text)) throw new Error(`${path} does not have ${FORMS.text}`);
    return { contents: text.replace(FORMS.text, 'undefined') };
  });
}

/** Modules that a new version of a package has no more, so that another one may be in the bundle in their place. */
function notImported() {
  if (others.length > 0) return [];
  const inputs = Object.keys(metafile.inputs);
  return Object.keys(LEFT_OUT).filter((path) => !inputs.some((input) => atEnd(path).test(input)));
}

function atEnd(path) {
  return new RegExp(`\\bnode_modules/${path.replaceAll('.', '\\.')}$`);
}

/** Parses the texts to workers, which takes a start 0.1 s of the processor. @returns the files that it has written */
function parsedTexts() {
  const names = readdirSync(join(root, TEXTS)).filter((name) => name.endsWith('.yaml'));
  return names.map((name) => {
    const source = readFileSync(join(root, TEXTS, name), 'utf8');
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ source, content: parse(source) }));
    return file;
  });
}

/** Removes files of an earlier build. */
function removeOld() {
  const written = new Set([...texts, ...Object.keys(metafile.outputs).map((path) => join(root, path))]);
  for (const file of readdirSync(folder)) if (!written.has(join(folder, file))) rmSync(join(folder, file));
}
