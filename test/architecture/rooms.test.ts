import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, posix } from 'node:path';

/** Room to what it may import, from the ground up. */
type Table = Readonly<Record<string, readonly string[]>>;

const BESIDE_THE_ROOMS = ['src/log', 'src/program-files'];
const MAX_IN_SRC = 15;
const MAX_IN_CARRIER = 12;
const MAX_LINES_IN_CARRIER = 600;
/** Carriers that may have more lines: no other may. */
const LINES_OF_CARRIER: Readonly<Record<string, number>> = { bring: 1000, postnord: 689, shipmondo: 700, nshift: 700 };
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)'(\.{1,2}\/[^']*)'/gm;

const sources = new Set(
  ['src', 'carriers'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .map((path) => posix.join(root, path)),
  ),
);
/** Each file with those it imports, types included. */
const imports = new Map([...sources].map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))]));

let rooms: Table;

beforeAll(() => {
  // The linter's own modules are not for a test's context.
  const print = "import('./eslint.config.js').then(({ rooms }) => console.log(JSON.stringify(rooms)))";
  rooms = JSON.parse(execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' }));
});

function importsOf(file: string, text: string): readonly string[] {
  const named = [...text.matchAll(IMPORT)].map(([, path = '']) => posix.join(dirname(file), path));
  return named.map((path) => path.replace(/\.js$/, '.ts')).filter((path) => sources.has(path));
}

function roomOf(file: string): string {
  const [root = '', first = ''] = file.split('/');
  if (root === 'carriers')
    return ['contract', 'groups', 'testing', 'toolkit'].includes(first) ? `carriers/${first}` : 'carriers';
  return `${root}/${first.replace(/\.ts$/, '')}`;
}

/** @returns nodes that lead back to themselves */
function inCycles(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const open = new Map([...edges].map(([node, next]) => [node, new Set(next.filter((one) => one !== node))]));
  for (let ends = [...open].filter(([, next]) => next.size === 0); ends.length > 0;) {
    for (const [node] of ends) open.delete(node);
    for (const next of open.values()) for (const [node] of ends) next.delete(node);
    ends = [...open].filter(([, next]) => next.size === 0);
  }
  return [...open.keys()];
}

/** The arrows between rooms as the files have them. */
function arrows(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const room = roomOf(file);
    const into = found.get(room) ?? new Set<string>();
    found.set(room, into);
    for (const target of targets) if (roomOf(target) !== room) into.add(roomOf(target));
  }
  return new Map([...found].map(([room, into]) => [room, [...into]]));
}

function inDocs(): Table {
  const rows = readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| `([^`]+)` +\|[^|]*\|([^|]*)\|$/gm);
  const known = new Set(Object.keys(rooms));
  const full = (name: string) => (name.startsWith('carriers') ? name : `src/${name}`);
  return Object.fromEntries(
    [...rows]
      .filter(([, room = '']) => known.has(room))
      .map(([, room = '', into = '']) => [room, [...into.matchAll(/`([^`]+)`/g)].map(([, name = '']) => full(name))]),
  );
}

describe('the rooms', () => {
  it('stand in docs/architecture.md as the linter enforces them', () => {
    expect(inDocs()).toEqual(rooms);
    expect(Object.keys(inDocs())).toEqual(Object.keys(rooms));
  });

  it('are all in the table, and only log.ts and program-files.ts stand beside them', () => {
    const beside = [...arrows().keys()].filter((room) => room !== 'carriers' && !(room in rooms));
    expect(beside.sort()).toEqual(BESIDE_THE_ROOMS);
  });

  it('have a folder of tests each, those of `carriers` together', () => {
    const folder = (room: string) => (room.startsWith('carriers/') ? 'test/carriers' : room.replace(/^src/, 'test'));
    const hasTests = (path: string) => existsSync(path) && readdirSync(path).some((file) => file.endsWith('.test.ts'));
    expect(Object.keys(rooms).filter((room) => !hasTests(folder(room)))).toEqual([]);
  });

  it('import what the table allows, also types, and use all that it allows', () => {
    const used = [...arrows()].filter(([room]) => room in rooms);
    const listed = used.map(([room, into]) => [room, into.filter((one) => !BESIDE_THE_ROOMS.includes(one)).sort()]);
    const allowed = Object.entries(rooms).map(([room, into]) => [room, [...into].sort()]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(allowed));
  });

  it('import only rooms that stand further down', () => {
    const order = ['carriers', ...Object.keys(rooms)];
    const upwards = Object.entries(rooms).flatMap(([room, into]) =>
      into.filter((one) => order.indexOf(one) > order.indexOf(room)).map((one) => `${room} > ${one}`),
    );
    expect(upwards).toEqual([]);
  });

  it('have no cycles, and neither have files', () => {
    expect(inCycles(arrows())).toEqual([]);
    expect(inCycles(imports)).toEqual([]);
  });

  it('hold as many files in a folder as one can look over', () => {
    const count = new Map<string, number>();
    for (const file of sources) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
    const most = (folder: string) =>
      /^carriers\/(?!contract|groups|testing|toolkit)/.test(folder) ? MAX_IN_CARRIER : MAX_IN_SRC;
    // What scenarios hold is data.
    const full = [...count].filter(([folder, n]) => !folder.startsWith('src/sandbox/scenarios') && n > most(folder));
    expect(full).toEqual([]);
  });
});

describe('a carrier', () => {
  it('imports the contract, the toolkit, the groups and itself', () => {
    const others = [...imports].flatMap(([file, targets]) => {
      const own = /^carriers\/[a-z][a-z0-9-]*\//.exec(file)?.[0];
      if (own === undefined || roomOf(file) !== 'carriers') return [];
      const allowed = [own, 'carriers/contract/', 'carriers/toolkit/', 'carriers/groups/'];
      return targets.filter((target) => !allowed.some((one) => target.startsWith(one))).map((to) => `${file} > ${to}`);
    });
    expect(others).toEqual([]);
  });

  it('has at most 600 lines with its simulator, or at most its own number', () => {
    const lines = new Map<string, number>();
    for (const file of sources) {
      const [, carrier = ''] = file.split('/');
      if (roomOf(file) !== 'carriers' || carrier.endsWith('.ts')) continue;
      const own = readFileSync(file, 'utf8').trimEnd().split('\n').length;
      lines.set(carrier, (lines.get(carrier) ?? 0) + own);
    }
    expect([...lines.keys()]).toEqual(expect.arrayContaining(Object.keys(LINES_OF_CARRIER)));
    const long = [...lines].filter(([carrier, n]) => n > (LINES_OF_CARRIER[carrier] ?? MAX_LINES_IN_CARRIER));
    expect(long).toEqual([]);
  });
});
