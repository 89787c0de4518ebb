import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { END_STATES } from '../../src/consignment/states.js';
import { MESSAGES } from '../../src/messages/keys.js';
import { type CarrierKind, always, dealt } from '../support/model-carrier.js';
import { MAX_STEPS, ModelContext } from '../support/model-context.js';
import { propertyRuns } from '../support/property-runs.js';

const kind: CarrierKind = {
  search: 'by-reference',
  repeatedBooking: 'books-again',
  visibleAfterMs: 5_000,
  saysVisibleAfterMs: 5_000,
  cancels: 'yes',
  maxParcels: 1,
  numbersInSearch: 'by-parcel',
};

const harmless: Partial<CarrierKind> = { search: 'none', repeatedBooking: 'returns-first' };
const refusing: Partial<CarrierKind> = { search: 'none', repeatedBooking: 'refused' };
const keeping: Partial<CarrierKind> = { maxParcels: 2, cancels: 'no' };

const carrierKinds = fc
  .record({
    search: fc.constantFrom('by-reference' as const, 'none' as const),
    repeatedBooking: fc.constantFrom('returns-first' as const, 'refused' as const, 'books-again' as const),
    visibleAfterMs: fc.constantFrom(0, 5_000, 120_000),
    cancels: fc.constantFrom('yes' as const, 'no' as const),
    maxParcels: fc.constantFrom(1, 2, 99),
    numbersInSearch: fc.constantFrom('by-parcel' as const, 'loose' as const),
  })
  .map((some): CarrierKind => ({ ...some, saysVisibleAfterMs: some.visibleAfterMs }));

const fates = fc.array(fc.nat(1_000), { maxLength: 120 });
const containers = fc.integer({ min: 1, max: 4 });

function twice(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

function doubleBookings(context: ModelContext): readonly string[] {
  const live = context.carrier.live();
  return [
    ...twice(live.map((booking) => booking.reference)).map((reference) => `two bookings for ${reference}`),
    ...twice(live.flatMap((booking) => booking.parcels.map(({ id }) => id))).map((id) => `two bookings of ${id}`),
  ];
}

/** Bookings at the carrier that nobody knows of, or that contradict the end. */
function lostBookings({ carrier, saved }: ModelContext): readonly string[] {
  if (saved.needsOperator) return [];
  const known = saved.parts.filter((part) => part.state === 'booked').map((part) => part.booking?.carrierNumber);
  const lost = carrier.live().filter((booking) => !known.includes(booking.carrierNumber));
  const contradicting = ['refused', 'cancelled', 'skipped'].includes(saved.state) ? carrier.live() : [];
  return [
    ...lost.map((booking) => `${booking.carrierNumber} is lost`),
    ...contradicting.map((booking) => `${booking.carrierNumber} is live, but it is ${saved.state}`),
  ];
}

function unrest({ saved, steps }: ModelContext): readonly string[] {
  if (steps >= MAX_STEPS) return [`still ${saved.state} after ${steps} steps`];
  const ended = END_STATES.includes(saved.state) || saved.needsOperator;
  const wish = saved.cancelRequest !== null && !saved.needsOperator;
  return [
    ...(ended ? [] : [`rests while ${saved.state}`]),
    ...(wish ? ['nobody looked at the wish to cancel it'] : []),
    ...(saved.outcome === null ? [] : [`rests before it is ${saved.outcome}`]),
  ];
}

function silence({ saved, notOurs }: ModelContext): readonly string[] {
  const { run, state } = saved;
  const messages = saved.effects.filter(({ key }) => key.startsWith(`message:${run}:`));
  const asked = messages.some(({ call }) => call.kind === 'message' && call.message.key.startsWith('person-needed'));
  if (saved.needsOperator) return asked ? [] : ['nobody was asked'];
  const mustTell = (state === 'refused' || state === 'incomplete') && !notOurs.has(run);
  const errors = messages.filter(
    ({ key, call }) =>
      key.startsWith(`message:${run}:8:`) && call.kind === 'message' && MESSAGES[call.message.key].type === 'ERROR',
  );
  const failed = saved.effects.some(
    ({ key, call }) => key === `work-status:${run}` && call.kind === 'work-status' && call.status === 'FAILED',
  );
  const internal = errors.every(({ key }) => key.endsWith('internal-error'));
  return [
    ...(mustTell && messages.length === 0 ? [`${state} without a word`] : []),
    ...(errors.length > 0 && !failed && !internal ? ['an ERROR without FAILED'] : []),
  ];
}

function problemsOf(context: ModelContext): readonly string[] {
  const ofTheCarrier = context.misled ? [] : [...doubleBookings(context), ...lostBookings(context)];
  return [...ofTheCarrier, ...unrest(context), ...silence(context), ...unprinted(context), ...context.ims.violations];
}

/** Who is told that no label comes gets a sheet, unless the IMS did not take it. */
function unprinted({ saved, errorSheets }: ModelContext): readonly string[] {
  const { run, effects } = saved;
  const told = effects.filter(
    ({ key, call, note }) => key.startsWith(`message:${run}:8:`) && note === null && isFailure(call),
  );
  const sheet = effects.find(({ key }) => key === `error-sheet:${run}`);
  if (errorSheets === undefined) return sheet ? ['a sheet, though they are switched off'] : [];
  return told.length > 0 && !sheet ? ['a failure without a sheet'] : [];
}

function isFailure(call: ModelContext['saved']['effects'][number]['call']): boolean {
  return (
    call.kind === 'message' && MESSAGES[call.message.key].type === 'ERROR' && call.message.key !== 'internal-error'
  );
}

async function lived(some: CarrierKind, boxes: number, numbers: readonly number[]): Promise<ModelContext> {
  const context = new ModelContext(some, boxes, dealt(numbers));
  if (boxes % 2 === 0) context.errorSheets = { target: null, template: null };
  await context.live();
  return context;
}

describe('a consignment, whatever happens to it', () => {
  it('is never booked twice and never lost, comes to rest, and tells whoever waits', async () => {
    await fc.assert(
      fc.asyncProperty(carrierKinds, containers, fates, async (some, boxes, numbers) => {
        expect(problemsOf(await lived(some, boxes, numbers))).toEqual([]);
      }),
      { numRuns: propertyRuns(2_500) },
    );
  });

  it('would be booked twice if nobody waited until a booking can be found, so this test can fail', async () => {
    const hasty = carrierKinds.map((some): CarrierKind => ({
      ...some,
      search: 'by-reference',
      visibleAfterMs: 120_000,
      saysVisibleAfterMs: 0,
    }));
    const outcome = await fc.check(
      fc.asyncProperty(hasty, containers, fates, async (some, boxes, numbers) => {
        const context = await lived(some, boxes, numbers);
        return context.misled || doubleBookings(context).length === 0;
      }),
      { numRuns: 5_000, endOnFailure: true },
    );
    expect(outcome.failed).toBe(true);
  });

  it.each([
    ['everything goes well', {}, [], 'closed'],
    ['the carrier is down', {}, ['down'], 'refused'],
    ['every request is lost', {}, ['request lost'], 'refused'],
    ['every answer is lost, and it can be asked', {}, ['answer lost'], 'closed'],
    ['every answer is lost, and repeating does no harm', harmless, ['answer lost'], 'in-doubt'],
    ['every answer is lost, and repeating is refused', refusing, ['answer lost'], 'in-doubt'],
    ['every answer is lost, and it books again', { search: 'none' }, ['answer lost'], 'in-doubt'],
    ['every request is lost, and repeating does no harm', harmless, ['request lost'], 'in-doubt'],
    ['neither its booking nor its search answers', {}, ['answer lost', 'search down'], 'in-doubt'],
    ['it refuses our access', {}, ['no access'], 'refused'],
    ['one of two parcels is refused', { maxParcels: 2 }, ['partly'], 'refused'],
    ['one of two parcels is refused and the other cannot be cancelled', keeping, ['partly'], 'incomplete'],
    ['there is never a label', {}, ['no label'], 'incomplete'],
    ['the label never comes', {}, ['no label yet'], 'incomplete'],
    ['the label file is broken', {}, ['broken'], 'incomplete'],
    ['the IMS refuses every write', {}, ['IMS refuses'], 'incomplete'],
    ['the IMS allows no write', {}, ['not allowed'], 'closed'],
    ['we break at every step', {}, ['bug'], 'refused'],
    ['the document is never ours', {}, ['not ours'], 'skipped'],
    [
      'its search does not say which number is whose',
      { maxParcels: 2, numbersInSearch: 'loose' },
      ['answer lost'],
      'incomplete',
    ],
  ] as readonly (readonly [string, Partial<CarrierKind>, readonly string[], string])[])(
    'comes to rest when %s',
    async (...[, changes, troubles, end]) => {
      const context = new ModelContext({ ...kind, ...changes }, 2, always(...troubles));
      await context.live();
      expect(problemsOf(context)).toEqual([]);
      expect(context.saved.state).toBe(end);
    },
  );
});
