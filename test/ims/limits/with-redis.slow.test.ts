import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeOnServer } from '../../db/postgres-server.js';
import { type Together, busiestSecond, letRun, reaches, together, until } from './instances.js';
import { describeWithRedis, slowRoad } from './redis-server.js';

const LIMIT = 50;
/** The shares are valid for five seconds. */
const SHARED_WITHIN_MS = 20_000;
const ROUND_TRIP_MS = 300;

describeWithRedis('instances that share a Redis', (redis) => {
  let all: Together;
  beforeEach(async () => void (all = await together()));
  afterEach(() => all.close());

  /** The pool is used when what others took before it could be forgotten. */
  const pooled = async () => letRun(3_300);

  it('send together at most 50 in any sliding second, and nearly as many', async () => {
    const three = await Promise.all([1, 2, 3].map(() => all.start({ redisUrl: redis().url })));
    await pooled();
    three.forEach((instance) => instance.work());
    await reaches(all, LIMIT);
    expect(busiestSecond(all.journeys())).toBeLessThanOrEqual(LIMIT);
  });

  it('let go of the slots of one that dies', async () => {
    const [dies, stays] = [await all.start({ redisUrl: redis().url }), await all.start({ redisUrl: redis().url })];
    await pooled();
    dies.work();
    await until('it has all slots', () => all.arrivals().length >= LIMIT);
    dies.kill();
    stays.work();
    await reaches(all, LIMIT);
    expect(busiestSecond(all.journeys())).toBeLessThanOrEqual(LIMIT);
  });

  it("let a booking of one go before another's work that nobody waits for", async () => {
    const [busy, booking] = [await all.start({ redisUrl: redis().url }), await all.start({ redisUrl: redis().url })];
    await pooled();
    busy.work('background');
    await until('all slots are taken', () => all.arrivals().length >= LIMIT);
    const known = all.arrivals().length;
    await booking.area.loadShipment('2').catch(() => undefined);
    const since = all.sandbox.control.requests({ target: 'ims' }).slice(known);
    const before = since.findIndex(({ path }) => path.endsWith('/shipments/2'));
    expect(before).toBeGreaterThanOrEqual(0);
    // Without the sign that a booking waits it would go on competing with sixty others.
    expect(before).toBeLessThan(2.5 * LIMIT);
  });

  it('wait one round trip for a slot while there are some, however many ask', async () => {
    const road = await slowRoad(redis().url, ROUND_TRIP_MS);
    try {
      const instance = await all.start({ redisUrl: road.url });
      await pooled();
      // It takes some round trips to be connected.
      await letRun(5 * ROUND_TRIP_MS);
      const lastAfterMs: number[] = [];
      // Several times, because a busy machine adds its own.
      for (let round = 0; round < 8; round += 1) {
        const [begin, known] = [Date.now(), all.arrivals().length];
        await Promise.all(Array.from({ length: 8 }, () => instance.area.loadShipment('1').catch(() => undefined)));
        const [first = 0, last = 0] = [all.arrivals()[known], all.arrivals().at(-1)];
        expect(first - begin).toBeGreaterThanOrEqual(ROUND_TRIP_MS - 5);
        lastAfterMs.push(last - begin);
        await letRun(1_500);
      }
      expect(Math.min(...lastAfterMs)).toBeLessThan(2 * ROUND_TRIP_MS - 10);
    } finally {
      road.close();
    }
  });
});

describeWithRedis('instances on one database', (redis) => {
  describeOnServer('with a Redis that goes and comes back', (databaseUrl) => {
    it('keep to their shares meanwhile, and never send more than 50 together', async () => {
      const all = await together();
      try {
        const deps = { databaseUrl: databaseUrl(), redisUrl: redis().url };
        const three = await Promise.all([1, 2, 3].map(() => all.start(deps)));
        three.forEach((instance) => instance.work());
        const says = (redisIs: string, requestsPerSecond: number) => () =>
          three.every(({ lines }) => {
            const last = lines.findLast(({ event }) => event === 'share of the requests to the IMS')?.fields;
            return last?.['redis'] === redisIs && last['requestsPerSecond'] === requestsPerSecond;
          });
        await until('all take from the pool', says('shared', LIMIT));
        await letRun(2_000);
        await redis().kill();
        const tookMs = await until('all have their shares', says('unreachable', 16));
        expect(tookMs).toBeLessThan(SHARED_WITHIN_MS);
        await reaches(all, 48);
        await redis().start();
        await until('all take from the pool again', says('shared', LIMIT));
        await reaches(all, LIMIT);
        expect(busiestSecond(all.journeys())).toBeLessThanOrEqual(LIMIT);
        for (const { lines } of three) {
          expect(lines.filter(({ event }) => event === 'redis unavailable')).toHaveLength(1);
          expect(JSON.stringify(lines)).not.toContain(redis().password);
        }
      } finally {
        await all.close();
      }
    });
  });
});
