import { setTimeout as pause } from 'node:timers/promises';
import type { LastAction } from '../../operator/last-action.js';
import type { AskService } from './ask-service.js';
import { startProgress } from '../progress.js';

/** How long after the last action has begun its result is waited for. */
const ENDS_WITHIN_MS = 10 * 60_000;
const LOOKS_EVERY_MS = 500;
const ANSWERS_WITHIN_MS = 30_000;

/** An action that the service has taken. */
export interface TakenAction {
  readonly id: string;
  /** When it begins, as ISO time; `null`: at once. */
  readonly startsAt: string | null;
}

/** What became of it, as `lastAction` of its consignment says. */
export interface ActionEnd {
  readonly id: string;
  readonly result: LastAction['result'];
  readonly text: string;
}

/** Looks at the consignments one after the other, in the order in which they begin. */
export async function waitForResults(ask: AskService, taken: readonly TakenAction[]): Promise<readonly ActionEnd[]> {
  const progress = startProgress('actions that have ended');
  const beginAt = taken.map(({ startsAt }) => (startsAt === null ? 0 : Date.parse(startsAt)));
  const until = Math.max(Date.now(), ...beginAt) + ENDS_WITHIN_MS;
  const ends: ActionEnd[] = [];
  try {
    for (const { id } of taken) {
      progress.at(ends.length, taken.length);
      ends.push(await endOf(ask, id, until));
    }
  } finally {
    progress.end();
  }
  return ends;
}

async function endOf(ask: AskService, id: string, until: number): Promise<ActionEnd> {
  for (;;) {
    const path = `/consignments/${id}`;
    const answer = await ask({ method: 'GET', path, withinMs: ANSWERS_WITHIN_MS });
    const { lastAction } = answer as { readonly lastAction: LastAction };
    const { result, text } = lastAction;
    if (result !== 'pending' || Date.now() >= until) return { id, result, text };
    await pause(LOOKS_EVERY_MS);
  }
}
