import { DatabaseUnavailable } from '../db/database.js';
import type { Log } from '../log.js';

/** A step of some work. @returns how much it has done */
export type WorkStep = readonly [name: string, run: () => Promise<number>];

/**
 * Runs steps one after the other. One that fails keeps no other from running, counts as 0 and is logged; all steps that the
 * database was not there for are logged together.
 * @param work its name in the log
 */
export async function runSteps(
  steps: readonly WorkStep[],
  { work, log }: { readonly work: string; readonly log: Log },
): Promise<Readonly<Record<string, number>>> {
  const done: Record<string, number> = {};
  const unavailable: { readonly step: string; readonly error: unknown }[] = [];
  for (const [step, run] of steps) {
    done[step] = await run().catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) unavailable.push({ step, error });
      else log.warn('background step failed', { work, step, error });
      return 0;
    });
  }
  const [first] = unavailable;
  const step = unavailable.map((each) => each.step).join(', ');
  if (first) log.warn('background step failed', { work, step, error: first.error });
  return done;
}
