import { spawnSync } from 'node:child_process';

/** Without poppler's `pdftotext` nobody can tell what stands on a label. */
export const readsLabels = spawnSync('pdftotext', ['-v']).error === undefined;
if (!readsLabels) process.stderr.write('what stands on labels: skipped, no pdftotext was found on this machine\n');

/** What stands on each page of a PDF; `null` where nobody can tell. */
export function pagesOf(pdf: Buffer): readonly string[] | null {
  if (!readsLabels) return null;
  const { stdout } = spawnSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8', timeout: 10_000 });
  return stdout.split('\f').slice(0, -1);
}
