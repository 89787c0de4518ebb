import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Life, type Lives, openLives } from '../support/lives.js';
import { type Action, CARRIERS, type Carrier, FAULTS, ShipmentStory } from '../support/shipment-story.js';

const STORIES = Number(process.env['STORIES'] ?? 25);
const SEED = process.env['SEED'];

const carrier = fc.constantFrom(...(Object.keys(CARRIERS) as readonly Carrier[]));
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('book' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('book twice', 'no more faults') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('cancel', 'cancel by operator', 'retry', 'resolve', 'give up'),
      which: fc.nat(3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('change carrier' as const), to: carrier }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('fault' as const),
      fault: fc.constantFrom(...(Object.keys(FAULTS) as readonly (keyof typeof FAULTS)[])),
    }),
  },
);

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives();
  life = await lives.begin();
  life.service.listenAgain();
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

/** The variables STORIES and SEED try more of them, or the same ones once more. */
it('whatever people and carriers do, each booking of a shipment is known or told, and none is a second one that nobody asked for', async () => {
  await fc.assert(
    fc.asyncProperty(
      carrier,
      fc.integer({ min: 1, max: 2 }),
      fc.array(action, { minLength: 3, maxLength: 9 }),
      async (carrierName, count, actions) => {
        const story = new ShipmentStory(life, carrierName, count);
        for (const one of actions) await story.act(one);
        await story.comesToRest();
        expect(await story.problems()).toEqual([]);
      },
    ),
    { numRuns: STORIES, endOnFailure: true, ...(SEED !== undefined && { seed: Number(SEED) }) },
  );
});
