import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { askAssembly } from '../../src/labels/process/assembly-child.js';
import { label, pdfOf } from '../labels/pdfs.js';
import { AS_LINKED, linkPackages } from './link-packages.js';

const ENOUGH_MS = 60_000;
const ZPL: LabelTarget = { format: 'zpl', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };

let folder: string;
let child: ChildProcess;

/** As `npm pack` puts it together, unpacked where its dependencies are installed. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-packed-'));
  const said = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(said.toString()) as [{ readonly filename: string }];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
  linkPackages(join(folder, 'package'));
  child = fork(join(folder, 'package/dist/bundle/assembly-process.js'), [], {
    ...{ serialization: 'advanced', execArgv: AS_LINKED, env: {}, cwd: join(folder, 'package') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
  });
});
afterAll(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('converts labels from PDF and from ZPL where the packed program is installed', async () => {
  const drawn = label(await pdfOf({ text: 'label', framed: true }));
  const zpl = label(Buffer.from('^XA^PW900^FO9,9^GB800,1200,9^FS^XZ'));
  const asZpl = await askAssembly(child, { labels: [drawn, zpl], target: ZPL }, ENOUGH_MS);
  expect(asZpl).toMatchObject({ kind: 'assembled', labels: { format: 'zpl', pages: 2, leftAsTheyCame: [] } });
  const onSheet = { ...ZPL, format: 'pdf', widthMm: null, heightMm: null, sheet: 'A4', perSheet: 2 } as const;
  const asPdf = await askAssembly(child, { labels: [drawn, zpl], target: onSheet }, ENOUGH_MS);
  expect(asPdf).toMatchObject({ kind: 'assembled', labels: { format: 'pdf', pages: 1, leftAsTheyCame: [] } });
});
