import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Life, type Lives, openLives } from '../support/lives.js';
import { type Action, CARRIERS, type Carrier, FAULTS, type Fault, ShipmentStory } from '../support/shipment-story.js';

const STORIES = Number(process.env['STORIES'] ?? 12);
const SEED = process.env['SEED'];
const STORY_MS = 30_000;
const LEAST_MS = 600_000;

type Step = readonly [Fault | null, Action];

const carrier = fc.constantFrom(...(Object.keys(CARRIERS) as readonly Carrier[]));
const fault = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  // They leave bookings that lack something, of which most can go wrong.
  { weight: 2, arbitrary: fc.constantFrom('label refused by the IMS', 'no label', 'second parcel refused') },
  { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(FAULTS) as readonly Fault[])) },
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('book' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('book twice', 'no more faults') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom('cancel', 'cancel by operator', 'retry', 'resolve', 'give up'),
      which: fc.nat(3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('change carrier' as const), to: carrier }) },
);
/** A shipment is booked, and then more happens; before each something may break. */
const actions = fc
  .tuple(fault, fc.array(fc.tuple(fault, action), { minLength: 2, maxLength: 7 }))
  .map(
    ([first, more]) => [[first, { does: 'book' }] as const, ...more] as readonly (readonly [Fault | null, Action])[],
  );

/** Each was booked twice, or lost, by some version, or is one of which a person has to be told. */
const KNOWN: [Carrier, number, readonly Step[]][] = [
  [
    'Pretend',
    2,
    [
      ['no label', { does: 'book' }],
      [null, { does: 'change carrier', to: 'GLS' }],
      [null, { does: 'book' }],
      [null, { does: 'cancel', which: 1 }],
    ],
  ],
  [
    'DAO',
    1,
    [
      ['label refused by the IMS', { does: 'book' }],
      [null, { does: 'change carrier', to: 'GLS' }],
      [null, { does: 'book' }],
    ],
  ],
  [
    'Pretend',
    1,
    [
      ['label refused by the IMS', { does: 'book' }],
      [null, { does: 'book' }],
      [null, { does: 'cancel', which: 1 }],
      [null, { does: 'cancel', which: 0 }],
    ],
  ],
  [
    'Pretend',
    1,
    [
      ['search away', { does: 'change carrier', to: 'Pretend' }],
      ['request lost', { does: 'book' }],
      [null, { does: 'give up', which: 0 }],
      [null, { does: 'no more faults' }],
      [null, { does: 'cancel', which: 0 }],
      [null, { does: 'book' }],
      [null, { does: 'retry', which: 0 }],
    ],
  ],
];

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
it(
  'whatever people and carriers do, each booking of a shipment is known or told, and none is a second one that nobody asked for',
  async () => {
    await fc.assert(
      fc.asyncProperty(carrier, fc.integer({ min: 1, max: 2 }), actions, async (carrierName, count, all) => {
        const story = new ShipmentStory(life, carrierName, count);
        for (const [breaks, one] of all) {
          if (breaks !== null) story.breaks(breaks);
          await story.act(one);
        }
        await story.comesToRest();
        expect(await story.problems()).toEqual([]);
      }),
      { numRuns: STORIES, examples: KNOWN, endOnFailure: true, ...(SEED !== undefined && { seed: Number(SEED) }) },
    );
  },
  Math.max(LEAST_MS, STORIES * STORY_MS),
);
