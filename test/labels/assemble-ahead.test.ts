import { expect, it } from '@jest/globals';
import type { Label } from '../../carriers/contract/model.js';
import type { AssembledLabels } from '../../src/labels/assemble.js';
import { assemblyAhead } from '../../src/labels/assemble-ahead.js';

const label = (byte: number): Label => ({ format: 'pdf', bytes: new Uint8Array([byte]) });

function counting() {
  const asked: string[] = [];
  const assemble = async (labels: readonly Label[]): Promise<AssembledLabels> => {
    const name = labels.map(({ bytes }) => bytes[0]).join('+');
    asked.push(name);
    if (name.includes('9')) throw new Error('unusable');
    const file = { bytes: new Uint8Array(), format: 'pdf', pagesOfLabels: [], leftAsTheyCame: [] } as const;
    return { ...file, pages: labels.length, sha256: name };
  };
  return { asked, ...assemblyAhead(assemble) };
}

it('assembles labels once that were begun with, whatever object they are in', async () => {
  const { asked, assemble, begin } = counting();
  const labels = [label(1), label(2)];
  begin(labels, null);
  expect(
    await assemble(
      labels.map(({ bytes }) => ({ format: 'pdf', bytes })),
      null,
    ),
  ).toMatchObject({ sha256: '1+2' });
  expect(asked).toEqual(['1+2']);
});

it('assembles them again when they are asked for again', async () => {
  const { asked, assemble, begin } = counting();
  const labels = [label(1)];
  begin(labels, null);
  await assemble(labels, null);
  await assemble(labels, null);
  expect(asked).toEqual(['1', '1']);
});

it.each<readonly [string, (labels: readonly Label[]) => readonly Label[], string]>([
  ['fewer labels', (labels) => labels.slice(0, 1), '1'],
  ['more labels', (labels) => [...labels, label(3)], '1+2+3'],
  ['another order', (labels) => labels.toReversed(), '2+1'],
  ['labels with the same bytes that were read again', () => [label(1), label(2)], '1+2'],
])('does not mistake %s for what was begun with', async (_what, change, expected) => {
  const { asked, assemble, begin } = counting();
  const labels = [label(1), label(2)];
  begin(labels, null);
  expect(await assemble(change(labels), null)).toMatchObject({ sha256: expected });
  expect(asked).toHaveLength(2);
});

it('does not mistake another target for the one that was begun with', async () => {
  const { asked, assemble, begin } = counting();
  const labels = [label(1)];
  const target = { format: 'pdf', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 } as const;
  begin(labels, target);
  await assemble(labels, { ...target });
  begin(labels, null);
  await assemble(labels, target);
  expect(asked).toEqual(['1', '1', '1']);
});

it('tells the failure to the one that waits, and to no one where none does', async () => {
  const { assemble, begin } = counting();
  const labels = [label(9)];
  begin(labels, null);
  await expect(assemble(labels, null)).rejects.toThrow('unusable');
  begin([label(9)], null);
  begin([], null);
  await new Promise((done) => setImmediate(done));
});
