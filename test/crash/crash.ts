import type { Death, Sabotage } from './child/protocol.js';
import type { Databases } from './databases.js';
import { Stage } from './stage.js';
import { type Story, tellStory } from './story.js';
import { checkFinalState } from './crash-stage.js';

const SETTLES_WITHIN_MS = 180_000;

/** Plays the story with nobody dying. @returns every moment and how often it came */
export async function recordMoments(
  program: string,
  databases: Databases,
  tell: Story = tellStory,
): Promise<ReadonlyMap<string, number>> {
  const stage = await Stage.open({ program, database: await databases.fresh() });
  try {
    await stage.start();
    await tell(stage.sandbox);
    const wrong = checkFinalState(await stage.context(await stage.settle(SETTLES_WITHIN_MS)));
    if (wrong.length > 0) throw new Error(`already without a crash:\n${wrong.join('\n')}`);
    return await stage.service.moments();
  } finally {
    await stage.close();
  }
}

/** After these something lasts that did not before: a row, a request. A death in any other moment finds the world as one of them left it. */
const LASTING = /\| (after|committed|before the commit|sent, answer not read|answer read|answered)$/;

export function isLasting({ moment }: Death): boolean {
  return LASTING.test(moment);
}

/** Every moment at its first and, where it comes again, at its second pass. */
export function deathsAt(moments: ReadonlyMap<string, number>): readonly Death[] {
  return [1, 2].flatMap((pass) =>
    [...moments].filter(([, passes]) => passes >= pass).map(([moment]) => ({ moment, pass })),
  );
}

export interface Row {
  readonly deaths: readonly Death[];
  readonly sabotage?: readonly Sabotage[];
  /** `tellStory` when not given. */
  readonly tell?: Story;
}

export interface Aftermath {
  /** Deaths that were not met: the moment did not come this time. */
  readonly missed: readonly Death[];
  readonly wrong: readonly string[];
  readonly ms: number;
}

/**
 * One death after the other in one world: each life takes up what the last one left behind, hears the whole story anew, and
 * dies where it was ordered. The last one lives, and when everything has come to rest the world is looked at.
 */
export async function dieInARow(program: string, databases: Databases, row: Row): Promise<Aftermath> {
  const { deaths, sabotage = [], tell = tellStory } = row;
  const begin = Date.now();
  const stage = await Stage.open({ program, database: await databases.fresh() });
  const missed: Death[] = [];
  try {
    const stories: Promise<void>[] = [];
    for (const death of deaths) {
      if (!(await liveUntil(stage, { death, sabotage, stories, tell }))) missed.push(death);
    }
    await stage.start({ sabotage });
    if (stories.length === 0) stories.push(tell(stage.sandbox));
    await Promise.all(stories);
    const rows = await stage.settle(SETTLES_WITHIN_MS);
    return { missed, wrong: checkFinalState(await stage.context(rows)), ms: Date.now() - begin };
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return { missed, wrong: [because, stage.output.slice(-3_000)], ms: Date.now() - begin };
  } finally {
    await stage.close();
  }
}

interface Life {
  readonly death: Death;
  readonly sabotage: readonly Sabotage[];
  readonly stories: Promise<void>[];
  readonly tell: Story;
}

/** @returns whether it died as ordered */
async function liveUntil(stage: Stage, { death, sabotage, stories, tell }: Life): Promise<boolean> {
  const { service, listens } = await stage.start({ death, sabotage });
  if (!listens) return true;
  const story = tell(stage.sandbox);
  stories.push(story);
  const quiet = story.then(() => stage.settle(SETTLES_WITHIN_MS, service)).catch(() => null);
  await Promise.race([service.gone, quiet]);
  const died = !service.isAlive;
  await service.end('SIGKILL');
  return died;
}

/** Runs all of it, so many at a time. */
export async function inParallel<One, Result>(
  all: readonly One[],
  atOnce: number,
  work: (one: One) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = all.entries();
  const workOff = async () => {
    for (const [index, one] of waiting) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, workOff));
  return results;
}

/** Neighbours in a row come from far apart, so that one death meets what another kind of death has left. */
export function rowsOf(deaths: readonly Death[], longest: number): readonly (readonly Death[])[] {
  const count = Math.ceil(deaths.length / longest);
  return Array.from({ length: count }, (_none, index) => deaths.filter((_death, place) => place % count === index));
}
