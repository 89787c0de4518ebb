import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { describeOnServer } from '../db/postgres-server.js';
import { type Instance, type Together, busiestSecond, letRun, reaches, together, until } from './instances.js';

const LIMIT = 50;

// Real seconds pass here, more of them where the machine is busy.
jest.setTimeout(240_000);

function shareOf({ lines }: Instance): unknown {
  return lines.findLast(({ event }) => event === 'share of the requests to the IMS')?.fields['requestsPerSecond'];
}

describe('an instance without others', () => {
  it('has all of the 50', async () => {
    const all = await together();
    try {
      const instance = await all.start({});
      instance.work();
      await reaches(all, LIMIT);
      expect(busiestSecond(all.arrivals())).toBeLessThanOrEqual(LIMIT);
    } finally {
      await all.close();
    }
  });
});

describeOnServer('instances on one database', (databaseUrl) => {
  let all: Together;
  beforeEach(async () => void (all = await together()));
  afterEach(() => all.close());
  const start = () => all.start({ databaseUrl: databaseUrl() });

  /** What stopped before this test is forgotten after a moment. */
  async function startThree(): Promise<readonly Instance[]> {
    const three = await Promise.all([start(), start(), start()]);
    three.forEach((instance) => instance.work());
    await until('each has its share', () => three.every((each) => shareOf(each) === 16), 15_000);
    return three;
  }

  it('share the 50, begin when the others know, and take over what one that dies had', async () => {
    const first = await start();
    first.work();
    await until('it has everything', () => shareOf(first) === LIMIT, 10_000);
    await letRun(1_500);
    const others = await Promise.all([start(), start()]);
    others.forEach((instance) => instance.work());
    const three = [first, ...others];
    await until('each has its share', () => three.every((each) => shareOf(each) === 16), 15_000);
    await reaches(all, 48);
    first.kill();
    const tookMs = await until('the others have more', () => others.every((each) => shareOf(each) === 25), 10_000);
    expect(tookMs).toBeLessThan(10_000);
    await reaches(all, LIMIT);
    expect(busiestSecond(all.arrivals())).toBeLessThanOrEqual(LIMIT);
  });

  it('send nothing after they stood still, before the others know of them again', async () => {
    const three = await startThree();
    const [sleeper, ...others] = three;
    sleeper?.freeze();
    await until('the others have its share', () => others.every((each) => shareOf(each) === 25), 12_000);
    await letRun(1_500);
    sleeper?.thaw();
    await until('all have their shares again', () => three.every((each) => shareOf(each) === 16), 12_000);
    await reaches(all, 48);
    expect(busiestSecond(all.arrivals())).toBeLessThanOrEqual(LIMIT);
  });
});
