import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Exported names that more than one file declares, by the reason why they may. The list only shrinks: a new export gets a
 * name of its own.
 */
const SHARED: readonly (readonly [reason: string, ...names: readonly string[]])[] = [
  ['the other is of the toolkit, which this room may not import', 'bookedParcels'],
];

/** Exported values that no file imports, by the reason why they may be. */
const NOT_IMPORTED: readonly (readonly [reason: string, ...names: readonly string[]])[] = [
  ['authors of adapters import it from the package: docs/writing-an-adapter.md', 'ownCase'],
];

function sourcesIn(root: string): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path));
  // Migrations are never changed.
  return paths.filter((path) => /(?<!\.d)\.ts$/.test(path) && !path.includes('/migrations/'));
}

/** The names that a file declares and exports, without those that it exports of other files. */
function exportedBy(path: string): readonly string[] {
  return [...new Set(exportsOf(path).flatMap(namesOf))];
}

function valuesExportedBy(path: string): readonly string[] {
  const values = exportsOf(path).filter((each) => !ts.isInterfaceDeclaration(each) && !ts.isTypeAliasDeclaration(each));
  return values.flatMap(namesOf);
}

function exportsOf(path: string): readonly ts.Statement[] {
  return ts
    .createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    .statements.filter(isExported);
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

/** Imports and exports of another file's names; or of all it has, where no names stand in braces. */
const IMPORT = /(?:\{([^{}]*)\}\s+from\s+|\bfrom\s+|\bimport\s*\(\s*)'(\.{1,2}\/[^']*)'/g;
const ALL = '*';

/** As `path#name`; all names of a file are `path#*`. */
function importedBy(path: string): readonly string[] {
  return [...readFileSync(path, 'utf8').matchAll(IMPORT)].flatMap(([, names = ALL, from = '']) => {
    const file = join(dirname(path), from).replace(/\.js$/, '.ts');
    const each = names.split(',').map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*$/, ''),
    );
    return each.map((name) => `${file}#${name}`);
  });
}

const ROOTS = ['src', ...['contract', 'groups', 'testing', 'toolkit'].map((room) => `carriers/${room}`)];
const files = new Map<string, readonly string[]>();
for (const path of ROOTS.flatMap(sourcesIn))
  for (const name of exportedBy(path)) files.set(name, [...(files.get(name) ?? []), path]);

const shared = SHARED.flatMap(([, ...names]) => names);

describe('an exported name', () => {
  it('is declared in one file only', () => {
    const several = [...files].filter(([name, paths]) => paths.length > 1 && !shared.includes(name));
    expect(several.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });

  it('leaves the list of shared names when only one file declares it', () => {
    expect(shared.filter((name) => (files.get(name) ?? []).length < 2)).toEqual([]);
  });
});

describe('an exported value', () => {
  const imported = new Set(['src', 'carriers', 'test', 'bench'].flatMap(sourcesIn).flatMap(importedBy));
  const isUnused = (path: string, name: string) => ![name, ALL].some((one) => imported.has(`${path}#${one}`));
  const unused = ROOTS.flatMap(sourcesIn).flatMap((path) =>
    valuesExportedBy(path).flatMap((name) => (isUnused(path, name) ? [{ path, name }] : [])),
  );
  const excepted = NOT_IMPORTED.flatMap(([, ...names]) => names);

  it('is imported by another file', () => {
    const dead = unused.filter(({ name }) => !excepted.includes(name));
    expect(dead.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });

  it('leaves the list of those that no file imports when a file does', () => {
    expect(excepted.filter((name) => !unused.some((each) => each.name === name))).toEqual([]);
  });
});

describe('a file of rows, queries or pages', () => {
  it('says in its name of what, as no other does', () => {
    const named = ROOTS.flatMap(sourcesIn).filter((path) => /(rows|queries|pages)\.ts$/.test(path));
    const count = (name: string) => named.filter((path) => basename(path) === name).length;
    const unclear = named.filter((path) => !basename(path).includes('-') || count(basename(path)) > 1);
    expect(unclear).toEqual([]);
  });
});
