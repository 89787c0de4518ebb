// How long the service takes from the start of its process until it is ready, the second time on its embedded database;
// next to it, how long a Node process takes that does nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

export const name = 'start';
export const seconds = 15;

const GOAL_MS = 1_500;

export async function run(frame) {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  frame.atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const sandbox = await frame.sandbox();
  const first = await frame.service(sandbox, { dataDir });
  await first.end();
  const second = await frame.service(sandbox, { dataDir });
  frame.measure('start to ready, second start', {
    ...{ value: second.readyAfterMs, unit: 'ms', goal: { atMost: GOAL_MS } },
    control: [
      { what: 'an empty Node process', value: emptyProcessMs(), unit: 'ms' },
      { what: 'the first start, which makes the database', value: first.readyAfterMs, unit: 'ms' },
    ],
  });
}

function emptyProcessMs() {
  const beganAt = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - beganAt;
}
