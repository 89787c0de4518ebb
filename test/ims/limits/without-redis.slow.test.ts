import { beforeAll, describe, expect, it } from '@jest/globals';
import { serverDatabases } from '../../crash/databases.js';
import { describeOnServer } from '../../db/postgres-server.js';
import { sideBySide } from '../../support/side-by-side.js';
import { type Instance, type Together, busiestSecond, letRun, reaches, together, until } from './instances.js';

const LIMIT = 50;

function shareOf({ lines }: Instance): unknown {
  return lines.findLast(({ event }) => event === 'share of the requests to the IMS')?.fields['requestsPerSecond'];
}

type Start = () => Promise<Instance>;

/** @returns the busiest second of all that was sent */
async function busiestIn(play: (all: Together) => Promise<void>): Promise<number> {
  const all = await together();
  try {
    await play(all);
    return busiestSecond(all.journeys());
  } finally {
    await all.close();
  }
}

async function oneDies(all: Together, start: Start): Promise<void> {
  const first = await start();
  first.work();
  await until('it has everything', () => shareOf(first) === LIMIT);
  await letRun(1_500);
  const others = await Promise.all([start(), start()]);
  others.forEach((instance) => instance.work());
  const three = [first, ...others];
  await until('each has its share', () => three.every((each) => shareOf(each) === 16));
  await reaches(all, 48);
  first.kill();
  await until('the others have more', () => others.every((each) => shareOf(each) === 25));
  await reaches(all, LIMIT);
}

async function oneSleeps(all: Together, start: Start): Promise<void> {
  const three = await Promise.all([start(), start(), start()]);
  three.forEach((instance) => instance.work());
  await until('each has its share', () => three.every((each) => shareOf(each) === 16));
  const [sleeper, ...others] = three;
  sleeper?.freeze();
  await until('the others have its share', () => others.every((each) => shareOf(each) === 25));
  await letRun(1_500);
  sleeper?.thaw();
  await until('all have their shares again', () => three.every((each) => shareOf(each) === 16));
  await reaches(all, 48);
}

describe('the busiest second', () => {
  const tooMany = Array.from({ length: LIMIT + 1 }, (_none, n) => ({ sentAt: n * 19, heardAt: n * 19 + 2 }));

  it('has one too many when they were sent and heard of in it', () => {
    expect(busiestSecond(tooMany)).toBe(LIMIT + 1);
  });

  it('has none that was sent before it and heard of late', () => {
    const late = { sentAt: -500, heardAt: 100 };
    expect(busiestSecond([late, ...tooMany.slice(1)])).toBe(LIMIT);
  });
});

describe('an instance without others', () => {
  it('has all of the 50', async () => {
    const busiest = await busiestIn(async (all) => {
      (await all.start({})).work();
      await reaches(all, LIMIT);
    });
    expect(busiest).toBeLessThanOrEqual(LIMIT);
  });
});

describeOnServer('instances on one database', (url) => {
  describe('without a Redis', () => {
    let runs: readonly Promise<number>[];

    beforeAll(async () => {
      const databases = await serverDatabases(url());
      const [one, other] = [await databases.fresh(), await databases.fresh()];
      const playOn =
        (play: typeof oneDies, { environment }: typeof one) =>
        () =>
          busiestIn((all) => play(all, () => all.start({ databaseUrl: environment['DATABASE_URL'] ?? '' })));
      runs = sideBySide([playOn(oneDies, one), playOn(oneSleeps, other)]);
    });

    it('share the 50, begin when the others know, and take over what one that dies had', async () => {
      expect(await runs[0]).toBeLessThanOrEqual(LIMIT);
    });

    it('send nothing after they stood still, before the others know of them again', async () => {
      expect(await runs[1]).toBeLessThanOrEqual(LIMIT);
    });
  });
});
