import { describe, expect, it } from '@jest/globals';
import { pagedRows } from '../../src/ims/calls/paging.js';

interface Row {
  readonly id: string;
}

const rows = (count: number): readonly Row[] => Array.from({ length: count }, (_row, index) => ({ id: `r${index}` }));

/** A list as the IMS keeps it, counting its rows from `base`. */
function list(all: readonly Row[], base: number) {
  const asked: Readonly<Record<string, string>>[] = [];
  const load = async (query: Readonly<Record<string, string>>) => {
    asked.push(query);
    const from = Number(query['firstRow'] ?? base) - base;
    return all.slice(Math.max(0, from), Math.max(0, from) + Number(query['maxNumRows']));
  };
  return { asked, load };
}

async function readAll(load: (query: Readonly<Record<string, string>>) => Promise<readonly Row[]>) {
  const ids: string[] = [];
  for await (const row of pagedRows(load, ({ id }) => id)) ids.push(id(row));
  return ids;
}

const id = (row: Row) => row.id;

describe('reading a list page by page', () => {
  const sizes = [0, 1, 999, 1_000, 1_001, 1_999, 2_500];
  it.each(sizes.flatMap((size) => [0, 1].map((base) => [size, base] as const)))(
    'gives each of %i rows once when rows count from %i',
    async (size, base) => {
      await expect(readAll(list(rows(size), base).load)).resolves.toEqual(rows(size).map(id));
    },
  );

  it('asks for no page after a short one', async () => {
    const { asked, load } = list(rows(999), 0);
    await readAll(load);
    expect(asked).toEqual([{ maxNumRows: '1000' }]);
  });

  it('reads no more pages than it may', async () => {
    const { asked, load } = list(rows(5_000), 0);
    const found: string[] = [];
    for await (const row of pagedRows(load, id, { maxPages: 2 })) found.push(id(row));
    expect([found.length, asked.length]).toEqual([1_999, 2]);
  });

  it.each([0, 1])('goes on where it ended, and leaves nothing out, when rows count from %i', async (base) => {
    const { load } = list(rows(4_500), base);
    const found = new Set<string>();
    let from: number | null = 0;
    for (let stretches = 0; from !== null && stretches < 10; stretches += 1) {
      const stretch = { maxPages: 2, from, onCut: (next: number) => (from = next) };
      from = null;
      for await (const row of pagedRows(load, id, stretch)) found.add(id(row));
    }
    expect([...found]).toEqual(rows(4_500).map(id));
  });

  it('ends when the list gives the same page for ever', async () => {
    await expect(readAll(async () => rows(1_000))).resolves.toHaveLength(1_000);
  });

  it('misses nothing when rows are added in front meanwhile', async () => {
    const before = rows(1_500);
    const added = [{ id: 'new' }, ...before];
    let page = 0;
    const load = async (query: Readonly<Record<string, string>>) => list(page++ === 0 ? before : added, 0).load(query);
    const read = new Set(await readAll(load));
    expect(before.map(id).filter((each) => !read.has(each))).toEqual([]);
  });
});
