import { expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { carriers } from '../../carriers/index.js';

/** Where a carrier may be named, or where what looks like its name is none. */
const EXCEPTIONS: readonly (readonly [file: RegExp, words: RegExp, why: string])[] = [
  [/^src\/cli\//, /./, 'the demo, the sandbox, and the examples of the help: `src/cli` knows the carriers'],
  [/^src\/(config\/rules|http\/api\/(bulk-request|pickup-points))\.ts$/, /\b(bring|gls)\b/, 'examples of accounts'],
  [/^src\/db\/migrations\/.*0023-alerts\.ts$/, /bookings in doubt gls/, 'an example in a comment of SQL'],
  [/./, /^bring( up to date)?$|\bbring the /, 'the verb: a name in the program, without quotes, or in a sentence'],
];

/** `DAOTransport`, `glsDk` and `own-fleet` as `dao transport`, `gls dk` and `own fleet`. */
function wordsOf(text: string): string {
  const parts = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return parts.replace(/[-_]+/g, ' ').toLowerCase();
}

const names = carriers.flatMap(({ adapter }) => [adapter.id, adapter.name]);
/** Those of fields; shorter ones are words of any program. */
const fields = carriers.flatMap(({ adapter: { requestFields = {} } }) => Object.values(requestFields).flat());
const words = [...names, ...fields.filter(({ length }) => length > 2)].map(wordsOf);
const NAME = new RegExp(`(?<!\\p{L})(${words.join('|')})(?!\\p{L})`, 'u');

/** Identifiers, texts and patterns of a program, each with its line: all but its comments. */
function saidIn(program: string): readonly (readonly [line: number, text: string])[] {
  const source = ts.createSourceFile('program.ts', program, ts.ScriptTarget.Latest);
  const said: (readonly [number, string])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isLiteralExpression(node) || isTemplatePart(node))
      said.push([source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, node.getText(source)]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return said;
}

function isTemplatePart(node: ts.Node): node is ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail {
  return ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function namedIn(file: string, program: string): readonly string[] {
  if (!NAME.test(wordsOf(program))) return [];
  return saidIn(program).flatMap(([line, text]) => {
    const words = wordsOf(text);
    const isException = EXCEPTIONS.some(([place, allowed]) => place.test(file) && allowed.test(words));
    return NAME.test(words) && !isException ? [`${file}:${line} ${text.slice(0, 60)}`] : [];
  });
}

it('the core names no carrier, and no field of one: what it has to know of one, the adapter declares', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const sources = files.map((path) => join('src', path));
  expect(sources.flatMap((file) => namedIn(file, readFileSync(file, 'utf8')))).toEqual([]);
});

it.each([
  "carrier === 'bring'",
  "'X-Bring-Client-URL'",
  'daoApi()',
  "{ key: 'GLSTransport' }",
  '`Danske Fragtmænd ${1}`',
  "plain.has('stregkode')",
])('what the core would name is found in %s', (program) =>
  expect(namedIn('src/planning/decide.ts', program)).toHaveLength(1),
);
