import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import type { AssemblyRequest } from '../../src/labels/assembly-process.js';
import { label, pdfOf } from '../labels/pdfs.js';
import { AS_LINKED, linkPackages } from './link-packages.js';

const ZPL: LabelTarget = { format: 'zpl', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };

let folder: string;
let child: ChildProcess;

/** As `npm pack` puts it together, unpacked where its dependencies are installed. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-packed-'));
  const said = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(said.toString()) as [{ readonly filename: string }];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
  linkPackages(join(folder, 'package'));
  child = fork(join(folder, 'package/dist/bundle/assembly-process.js'), [], {
    ...{ serialization: 'advanced', execArgv: AS_LINKED, env: {}, cwd: join(folder, 'package') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  expect(await once(child, 'message')).toMatchObject([{ kind: 'ready' }]);
});
afterAll(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function asked(request: AssemblyRequest): Promise<unknown> {
  const answer = once(child, 'message');
  child.send(request);
  return (await answer)[0];
}

it('converts labels from PDF and from ZPL where the packed program is installed', async () => {
  const drawn = label(await pdfOf({ text: 'label', framed: true }));
  const zpl = label(Buffer.from('^XA^PW900^FO9,9^GB800,1200,9^FS^XZ'));
  const asZpl = await asked({ labels: [drawn, zpl], target: ZPL });
  expect(asZpl).toMatchObject({ kind: 'assembled', labels: { format: 'zpl', pages: 2, leftAsTheyCame: [] } });
  const onSheet = { ...ZPL, format: 'pdf', widthMm: null, heightMm: null, sheet: 'A4', perSheet: 2 } as const;
  const asPdf = await asked({ labels: [drawn, zpl], target: onSheet });
  expect(asPdf).toMatchObject({ kind: 'assembled', labels: { format: 'pdf', pages: 1, leftAsTheyCame: [] } });
});
