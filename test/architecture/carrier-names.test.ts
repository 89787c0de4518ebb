import { expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { carriers } from '../../carriers/index.js';
import { settingNames } from '../../src/config/account-settings.js';

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

const adapters = carriers.map(({ adapter }) => adapter);
const names = adapters.flatMap(({ id, name }) => [id, name]);
/** Those of fields; shorter ones are words of any program. */
const fields = adapters.flatMap(({ requestFields = {} }) => Object.values(requestFields).flat());
/** Names of settings that the IMS or OAuth has too. */
const OF_OTHERS = ['clientId', 'pickUpPoint', 'tokenUrl', 'vatNumber'];
/** Those of one word, or of several carriers, are words of any program. */
const settings = adapters
  .flatMap(settingNames)
  .filter((name, _place, all) => /[a-z][A-Z]/.test(name) && all.indexOf(name) === all.lastIndexOf(name))
  .filter((name) => !OF_OTHERS.includes(name));
const words = [...names, ...fields.filter(({ length }) => length > 2), ...settings].map(wordsOf);
const NAME = new RegExp(`(?<!\\p{L})(${words.join('|')})(?!\\p{L})`, 'u');

/** A character class of some letters. */
const LETTERS = /\[(\p{L}{2,4})\]/u;

/** A pattern such as `[ck]ode` as `code` and `kode`. */
function spellingsOf(text: string): readonly string[] {
  const [whole, letters] = LETTERS.exec(text) ?? [];
  if (whole === undefined || letters === undefined) return [text];
  return [...letters].flatMap((letter) => spellingsOf(text.replace(whole, letter)));
}

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
  if (!NAME.test(wordsOf(program)) && !LETTERS.test(program)) return [];
  const isException = (words: string) => EXCEPTIONS.some(([place, allowed]) => place.test(file) && allowed.test(words));
  return saidIn(program).flatMap(([line, text]) => {
    const isNamed = spellingsOf(text).some((spelling) => {
      const words = wordsOf(spelling);
      return NAME.test(words) && !isException(words);
    });
    return isNamed ? [`${file}:${line} ${text.slice(0, 60)}`] : [];
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
  'config.customsForm',
  '/^[ck]ode$/',
  '/[Dd]ao/',
])('what the core would name is found in %s', (program) =>
  expect(namedIn('src/planning/decide.ts', program)).toHaveLength(1),
);
