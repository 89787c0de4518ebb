import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { buildChild } from './build-child.js';
import type { Death } from './child/protocol.js';
import { inParallel, rowsOf } from './crash.js';
import { type Databases, embeddedDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';

const SETTLES_WITHIN_MS = 180_000;
/** Of a reprint, and of nothing that goes on beside it. */
const OF_A_REPRINT = /printResource|\/attachments|addToJournal/;
const COPIES = 2;
const FEWEST_MOMENTS = 10;
/** As many as the smallest machine has cores. */
const AT_ONCE = 2;
/** Attaches a file of its own, and prints it by two requests. */
const REPRINT = { copies: COPIES, profile: 'small', parcel: 'first', reason: 'the printer jammed' };

let program: string;
let databases: Databases;

beforeAll(async () => {
  program = await buildChild();
  databases = await embeddedDatabases();
});
afterAll(async () => databases?.close());

async function onStage<Result>(play: (stage: Stage) => Promise<Result>): Promise<Result> {
  const stage = await Stage.open({ program, database: await databases.fresh() });
  try {
    await stage.start();
    return await play(stage);
  } finally {
    await stage.close();
  }
}

/** @returns the path of a booked and printed consignment, and its container */
async function booked(stage: Stage): Promise<{ readonly path: string; readonly parcel: string }> {
  const { documentId } = ship(stage.sandbox, sampleShipments.oneParcel, 'Pretend');
  const { consignments } = await stage.settle(SETTLES_WITHIN_MS);
  const one = consignments.find((row) => row.documentId === String(documentId));
  return { path: `/api/v1/consignments/${one?.id}`, parcel: one?.parts[0]?.containers[0] ?? '' };
}

async function ask(stage: Stage, path: string, body?: object) {
  const headers = { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}`, 'content-type': 'application/json' };
  const given = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(stage.liveUrl + path, { headers, ...given }).catch(() => null);
  return answer?.json().catch(() => null) as Promise<{
    readonly history: readonly { readonly what: string; readonly fields: Readonly<Record<string, unknown>> }[];
  } | null>;
}

const inWords = ({ moment, pass }: Death) => `${moment}, pass ${pass}`;

const printsAt = (stage: Stage) => stage.sandbox.control.state().prints.length;

/** Each moment that a reprint passes, with each of its passes since it was requested. */
const momentsOfAReprint = () =>
  onStage(async (stage) => {
    const { path, parcel } = await booked(stage);
    const before = await stage.service.moments();
    await ask(stage, `${path}/reprint`, { ...REPRINT, parcel });
    expect(printsAt(stage)).toBe(1 + COPIES);
    const after = [...(await stage.service.moments())].filter(([moment]) => OF_A_REPRINT.test(moment));
    return after.flatMap(([moment, passes]): readonly Death[] => {
      const earlier = before.get(moment) ?? 0;
      return Array.from({ length: passes - earlier }, (_none, index) => ({ moment, pass: index + 1 }));
    });
  });

/** What is wrong after a death in a reprint, once the service that started next has nothing left to do. */
async function wrongAfter(stage: Stage, death: Death): Promise<readonly string[]> {
  const { path, parcel } = await booked(stage);
  const [before, { service }] = [printsAt(stage), stage];
  await service.dieAt(death);
  await Promise.race([ask(stage, `${path}/reprint`, { ...REPRINT, parcel }), service.gone]);
  await service.gone;
  const prints = printsAt(stage) - before;
  await stage.start();
  await stage.settle(SETTLES_WITHIN_MS);
  const entries = (await ask(stage, path))?.history.filter(({ fields }) => fields['action'] === 'reprint') ?? [];
  const isRequested = entries.some(
    ({ what, fields }) => what.includes('requested') && fields['reason'] === REPRINT.reason,
  );
  return [
    ...(printsAt(stage) - before > prints ? ['the next service printed what the dead one was asked for'] : []),
    ...(prints > COPIES ? [`printed ${prints} times`] : []),
    ...(prints > 0 && !isRequested ? ['printed, and the history does not say who asked for it'] : []),
  ];
}

/** One death after the other, each in a reprint of another booking. */
const wrongAfterEach = (deaths: readonly Death[]) =>
  onStage(async (stage) => {
    const wrong: (readonly [string, readonly string[]])[] = [];
    for (const death of deaths) wrong.push([inWords(death), await wrongAfter(stage, death)]);
    return wrong;
  });

describe('a reprint', () => {
  it('prints each copy at most once, and the history knows of it, wherever the process dies that prints', async () => {
    const deaths = await momentsOfAReprint();
    process.stdout.write(`${deaths.length} moments of a reprint:\n  ${deaths.map(inWords).join('\n  ')}\n`);
    expect(deaths.length).toBeGreaterThan(FEWEST_MOMENTS);
    const rows = rowsOf(deaths, Math.ceil(deaths.length / AT_ONCE));
    const wrong = await inParallel(rows, AT_ONCE, wrongAfterEach);
    expect(wrong.flat()).toEqual(rows.flat().map((death) => [inWords(death), []]));
  });
});
