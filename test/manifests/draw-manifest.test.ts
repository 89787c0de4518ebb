import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawManifests } from '../../src/manifests/draw-manifest.js';
import type { Manifest } from '../../src/manifests/manifest-document.js';

const words = {
  ...{ title: 'Manifest', sender: 'Sender', date: 'Handed over', document: 'Consignment note' },
  ...{ shipment: 'Shipment', carrierNumber: "Carrier's number", trackingNumber: 'Tracking number', weight: 'Weight' },
  ...{ consignments: 'Shipments', parcels: 'Parcels', driver: "Driver's name", signature: 'Signature' },
  ...{ time: 'Date and time', page: 'Page', withoutWeight: 'Without weight' },
};

function list(count: number, changes: Partial<Manifest> = {}): Manifest {
  return {
    account: 'gls',
    carrierName: 'GLS',
    documentId: '10000077',
    sender: ['Varehuset A/S', 'Lagervej 1', '7100 Vejle', 'DK'],
    handedOverAt: '2026-03-04 16:05',
    consignments: Array.from({ length: count }, (_, n) => ({
      consignmentId: `c-${n}`,
      shipmentNumber: String(10_045 + n),
      carrierNumber: `9990000001T${String(n).padStart(7, '0')}`,
      parcels: [0, 1].map((k) => ({ trackingNumber: String(90_000_000_000 + 2 * n + k), weightGrams: 1_250 })),
    })),
    words,
    ...changes,
  };
}

/** As a reader sees it, page by page. */
function textOf(pdf: Uint8Array): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-list-'));
  try {
    const file = join(folder, 'list.pdf');
    writeFileSync(file, pdf);
    return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).split('\f').slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In points. */
function smallestTextIn(pdf: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-list-'));
  try {
    writeFileSync(join(folder, 'list.pdf'), pdf);
    const args = ['-xml', '-zoom', '1', '-stdout', '-fontfullname', join(folder, 'list.pdf')];
    const xml = execFileSync('pdftohtml', args, { encoding: 'utf8' });
    return Math.min(...[...xml.matchAll(/<fontspec [^>]*size="([\d.]+)"/g)].map(([, size]) => Number(size)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasReader(): boolean {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const reads = hasReader();
/** Skipped without pdftotext, and says so: what is printed is read with it. */
const itReads = reads ? it : it.skip;
if (!reads) process.stderr.write('what stands on manifests: skipped, no pdftotext was found on this machine\n');
const skipped = reads ? '' : ' (skipped: no pdftotext)';

describe('a manifest', () => {
  itReads(`has every parcel once, the totals, a place to sign and numbered pages${skipped}`, async () => {
    const pages = textOf(await drawManifests([list(60)]));
    const text = pages.join('\n');
    for (let n = 0; n < 120; n += 1) expect(text.split(String(90_000_000_000 + n))).toHaveLength(2);
    pages.forEach((page, index) => expect(page).toContain(`Page ${index + 1}/${pages.length}`));
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.at(-1)).toMatch(/Shipments: 60, Parcels: 120\s+150\.000 kg/);
    expect(pages.at(-1)).toMatch(/Driver's name\s+Signature\s+Date and time/);
    for (const word of ['Varehuset A/S', '2026-03-04 16:05', '10000077']) expect(pages[0]).toContain(word);
  });

  itReads(
    `begins each carrier on a page of its own and counts its pages apart, with its name at the number${skipped}`,
    async () => {
      const pages = textOf(await drawManifests([list(1), list(1, { account: 'dao', carrierName: 'DAO' })]));
      expect(pages.map((page) => page.trimEnd().split('\n').at(-1)?.trim())).toEqual([
        'Manifest GLS (gls) · Page 1/1',
        'Manifest DAO (dao) · Page 1/1',
      ]);
      expect(pages[1]).toContain('DAO');
    },
  );

  itReads(
    `sets nothing smaller than can be read: a long number takes several lines, what is longer ends with dots${skipped}`,
    async () => {
      const number = Array.from({ length: 18 }, (_, n) => `${String(n).padStart(2, '0')}-3456789`)
        .join('')
        .slice(0, 120);
      const row = { consignmentId: 'c', shipmentNumber: 'x'.repeat(300), carrierNumber: 'short' };
      const consignments = [{ ...row, parcels: [{ trackingNumber: number, weightGrams: 1 }] }];
      const sender = ['y'.repeat(400)];
      const drawn = await drawManifests([list(1, { consignments, sender })]);
      expect(smallestTextIn(drawn)).toBeGreaterThanOrEqual(5);
      const text = textOf(drawn).join('\n');
      expect(text).toMatch(/x…/);
      expect(text).toMatch(/y…/);
      expect(number.startsWith(/00-3\S+/.exec(text)?.[0] ?? '?')).toBe(true);
      expect(text).toContain(number.slice(-12));
    },
  );

  itReads(`says of how many parcels it does not know the weight${skipped}`, async () => {
    const [first] = list(1).consignments;
    if (!first) throw new Error('there is one');
    const parcels = [
      { trackingNumber: '1', weightGrams: 2_450 },
      { trackingNumber: '2', weightGrams: null },
    ];
    const [page] = textOf(await drawManifests([list(1, { consignments: [{ ...first, parcels }] })]));
    expect(page).toMatch(/Parcels: 2, Without weight: 1\s+> 2\.450 kg/);
  });

  it('is drawn whatever letters there are, and however long a number is', async () => {
    const odd = list(1, { sender: ['Łódź Żółw 仓库 \u0000\n😀', 'x'.repeat(3_000)], carrierName: '名'.repeat(50) });
    await expect(drawManifests([odd, list(0)])).resolves.toBeInstanceOf(Uint8Array);
  });

  it('is the same whenever it is drawn', async () => {
    const [one, two] = [await drawManifests([list(3)]), await drawManifests([list(3)])];
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true);
  });
});
