import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { programFolder } from '../../program-files.js';
import { type NewCarrierAnswers, type CarrierNames, render } from './render.js';

const TEMPLATES = 'templates/new-carrier';
/** Templates whose files stand elsewhere, or only in one of the forms. */
const PACKAGE_ONLY: readonly string[] = ['package.json.tpl', 'carrier.test.js.tpl'];
const CHECKOUT_TEST = 'checkout.test.ts.tpl';
const LIST_BEGINS = 'export const carriers';
const IMPORT = "import { acmeCarrier } from './acme/index.js';";
const LINE =
  "  { adapter: acmeCarrier, simulator: async () => (await import('./acme/simulator.js')).startAcmeSimulator },";
const FORMAT_TIMEOUT_MS = 60_000;

export interface NewCarrier {
  readonly names: CarrierNames;
  readonly answers: NewCarrierAnswers;
}

/** Writes a package of JavaScript. @returns the paths of its files */
export function writePackage(folder: string, { names, answers }: NewCarrier): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return templates()
    .filter((template) => template !== CHECKOUT_TEST)
    .map((template) => {
      const file = join(folder, template.replace(/\.tpl$/, '').replace(/^carrier\./, `${names.id}.`));
      writeFileSync(file, render(textOf(template), names, { ...answers, form: 'package' }));
      return file;
    });
}

/** Whether it is `carriers` of a checkout of Waybridge. */
export function isCarriersFolder(folder: string): boolean {
  const list = listIn(folder);
  return existsSync(list) && readFileSync(list, 'utf8').includes(LIST_BEGINS);
}

/** Writes folders of TypeScript into a checkout's `carriers`, their tests and their lines in the list. @returns the paths of their own files */
export function writeFolders(carriers: string, all: readonly NewCarrier[]): readonly string[] {
  const files = all.flatMap((carrier) => writeFolder(carriers, carrier));
  format(dirname(carriers), [...files, listIn(carriers)]);
  return files;
}

function writeFolder(carriers: string, { names, answers }: NewCarrier): readonly string[] {
  const fill = (template: string) => render(template, names, { ...answers, form: 'folder' });
  const folder = join(carriers, names.id);
  mkdirSync(folder, { recursive: true });
  const imports = importsIn(carriers);
  const files = templates()
    .filter((template) => template !== CHECKOUT_TEST && !PACKAGE_ONLY.includes(template))
    .map((template) => {
      const file = join(folder, template.replace(/\.tpl$/, '').replace(/\.js$/, '.ts'));
      writeFileSync(file, imports(fill(textOf(template))));
      return file;
    });
  const test = testOf(carriers, names.id);
  mkdirSync(dirname(test), { recursive: true });
  writeFileSync(test, fill(textOf(CHECKOUT_TEST)));
  const list = listIn(carriers);
  writeFileSync(list, withCarrier(readFileSync(list, 'utf8'), { imported: fill(IMPORT), line: fill(LINE) }));
  return [...files, test];
}

/** The list of the carriers in a checkout's `carriers`. */
export function listIn(carriers: string): string {
  return join(carriers, 'index.ts');
}

function withCarrier(list: string, { imported, line }: Readonly<Record<'imported' | 'line', string>>): string {
  return `${imported}\n${list}`.replace(/(export const carriers[^;]*)\];/, `$1${line}\n];`);
}

/** The file of a carrier's test, beside the checkout's `carriers`. */
export function testOf(carriers: string, id: string): string {
  return resolve(carriers, '../test/carriers', `${id}.test.ts`);
}

/** Where a package imports `waybridge/adapter`, a folder of the checkout imports the toolkit's files and the contract. */
function importsIn(carriers: string): (text: string) => string {
  const toolkit = ['toolkit', 'toolkit/answers', 'toolkit/checks', 'toolkit/parcels', 'toolkit/tracking'].flatMap(
    (room) =>
      readdirSync(join(carriers, room))
        .filter((file) => file.endsWith('.ts'))
        .map((file) => ({
          module: `../${room}/${file.replace(/\.ts$/, '.js')}`,
          exported: new Set(exportsOf(join(carriers, room, file))),
        })),
  );
  const moduleOf = (name: string) =>
    toolkit.find(({ exported }) => exported.has(name))?.module ?? '../contract/index.js';
  const split = (_line: string, type: string = '', names: string) => {
    const all = names.split(', ');
    return [...new Set(all.map(moduleOf))]
      .map((module) => {
        const own = all.filter((name) => moduleOf(name) === module);
        return `import ${type}{ ${own.join(', ')} } from '${module}';`;
      })
      .join('\n');
  };
  return (text) =>
    text
      .replaceAll("'waybridge/adapter/testing'", "'../toolkit/simulator/index.js'")
      .replace(/^import (type )?\{ (.*) \} from 'waybridge\/adapter';$/gm, split);
}

function exportsOf(file: string): readonly string[] {
  const declared = readFileSync(file, 'utf8').matchAll(
    /^export (?:async )?(?:function|const|class|type|interface) (\w+)/gm,
  );
  return [...declared].map(([, name = '']) => name);
}

/** As the checkout's lint wants it. A checkout without its packages is left to `npm run format`. */
function format(checkout: string, files: readonly string[]): void {
  const prettier = join(checkout, 'node_modules/prettier/bin/prettier.cjs');
  if (!existsSync(prettier)) return;
  execFileSync(process.execPath, [prettier, '--write', '--log-level', 'warn', ...files], {
    cwd: checkout,
    timeout: FORMAT_TIMEOUT_MS,
  });
}

function templates(): readonly string[] {
  return readdirSync(join(programFolder(), TEMPLATES));
}

function textOf(template: string): string {
  return readFileSync(join(programFolder(), TEMPLATES, template), 'utf8');
}
