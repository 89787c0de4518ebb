import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

/**
 * Exported names that more than one file declares, by the reason why they may. The list only shrinks: a new export gets a
 * name of its own.
 */
const SHARED: readonly (readonly [reason: string, ...names: readonly string[]])[] = [
  ['the other is of the toolkit, which this room may not import', 'bookedParcels'],
];

function sourcesIn(root: string): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path));
  // Migrations are never changed.
  return paths.filter((path) => /(?<!\.d)\.ts$/.test(path) && !path.includes('/migrations/'));
}

/** The names that a file declares and exports, without those that it exports of other files. */
function exportedBy(path: string): readonly string[] {
  const { statements } = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const names = statements.filter(isExported).flatMap(namesOf);
  return [...new Set(names)];
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

describe('a file of rows, queries or pages', () => {
  it('says in its name of what, as no other does', () => {
    const named = ROOTS.flatMap(sourcesIn).filter((path) => /(rows|queries|pages)\.ts$/.test(path));
    const count = (name: string) => named.filter((path) => basename(path) === name).length;
    const unclear = named.filter((path) => !basename(path).includes('-') || count(basename(path)) > 1);
    expect(unclear).toEqual([]);
  });
});
