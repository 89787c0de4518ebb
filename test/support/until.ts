import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = { least: 10, most: 60 };
/** For a machine that is busy with much else. */
const PATIENCE_MS = 240_000;

/** Asks again and again until it is so. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, patienceMs = PATIENCE_MS) {
  const begin = Date.now();
  while (!(await isSo())) {
    const waited = Date.now() - begin;
    if (waited > patienceMs) throw new Error(`waited in vain: ${what}`);
    await pause(Math.min(POLL_MS.least + waited / 10, POLL_MS.most));
  }
}
