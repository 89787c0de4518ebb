import type { CarrierPlugIn } from '../../carriers/contract/index.js';
import { loadAdapters } from '../adapters/load-adapters.js';
import { contractCases } from '../adapters/testing.js';
import { SettingsError } from '../config/environment.js';
import { withTimeout } from '../worker/with-timeout.js';
import { startProgress } from './progress.js';

/** Most time for one case. Each talks to a simulator on this machine; the longest takes a second. */
const CASE_ENDS_WITHIN_MS = 60_000;
const LEFT_BEHIND_MS = 1_000;

/**
 * Runs the cases of the contract on a carrier's adapter, against its own simulator. Exit code 1 when a case fails.
 * @param entry a package name, or a path that begins with `.` or `/`
 * @throws SettingsError it cannot be loaded
 */
export async function checkCarrier(entry: string): Promise<void> {
  const { plugIns, problems } = await loadAdapters([entry], process.cwd(), []);
  const [plugIn] = plugIns;
  if (plugIn === undefined) throw new SettingsError(problems);
  const failed = await runCases(plugIn);
  if (failed > 0) process.exitCode = 1;
  // A timer that the adapter leaves behind must not keep the command alive.
  setTimeout(() => process.exit(), LEFT_BEHIND_MS).unref();
}

async function runCases({ adapter, simulator, cases: options }: CarrierPlugIn): Promise<number> {
  const cases = contractCases(adapter, { ...options, simulator: await simulator() });
  const progress = startProgress(`cases tried on ${adapter.name}`);
  let failed = 0;
  for (const [place, { name, run }] of cases.entries()) {
    progress.at(place, cases.length);
    const problem = await problemOf(run);
    progress.print(problem === null ? `ok      ${name}` : `FAILED  ${name}\n        ${problem}`);
    if (problem !== null) failed += 1;
  }
  progress.end();
  console.log(`${adapter.name} (${adapter.id}): ${cases.length - failed} of ${cases.length} cases passed`);
  return failed;
}

async function problemOf(run: () => Promise<void>): Promise<string | null> {
  try {
    return await withTimeout(
      run().then(() => null),
      CASE_ENDS_WITHIN_MS,
      () => `it did not end within ${CASE_ENDS_WITHIN_MS / 1000} seconds`,
    );
  } catch (error) {
    return indented(inWords(error));
  }
}

/** The tool that makes requests up says in the cause what went wrong with one of them. */
function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}

/** An assertion's message has several lines. */
function indented(message: string): string {
  return message.trim().split('\n').join('\n        ');
}
