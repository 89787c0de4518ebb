import { describe, expect, it } from '@jest/globals';
import type { Booking, BookingWithLabels, CarrierAccount, CarrierAdapter } from '../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { plainTracking } from '../../carriers/toolkit/tracking/plain-tracking.js';
import { API_KEY, type Spoil, outcomeOf, spoiled } from './faulty/spoiled.js';
import { bookingRequest } from './sample-request.js';

const booked = (parcels: Booking['parcels']): BookingWithLabels => ({
  booking: { carrierNumber: 'X1', parcels, labelSource: null },
  labels: [],
});

let firstBooking: Promise<BookingWithLabels> | null = null;
let asked = 0;

function withTraits(traits: Partial<CarrierAdapter['traits']>): CarrierAdapter {
  const adapter = pretend as CarrierAdapter;
  return { ...adapter, traits: { ...adapter.traits, ...traits } };
}

/** What an author may get wrong, and the case that says so. */
const FAULTS: readonly (readonly [string, CarrierAdapter, string])[] = [
  [
    'gives the numbers to the wrong parcels',
    spoiled(({ book }) => ({
      book: async (request) => {
        const { booking, labels } = await book(request);
        const ids = booking.parcels.map(({ parcelId }) => parcelId).toReversed();
        const parcels = booking.parcels.map((one, n) => ({ ...one, parcelId: ids[n] ?? '' }));
        return { booking: { ...booking, parcels: parcels.toReversed() }, labels };
      },
    })),
    'booking: gives each parcel its own number when the answer names them in another order',
  ],
  [
    'states a size that its labels do not have',
    withTraits({ labels: [{ format: 'pdf', widthMm: 102, heightMm: 190 }] }),
    'labels: have pages of a size that the traits state',
  ],
  [
    'states a service that it does not know',
    withTraits({ services: [{ code: 'mailbox', name: 'Mailbox parcel' }] }),
    'beforehand: knows each service that the traits state',
  ],
  [
    'tries again by itself',
    spoiled(({ book }) => ({ book: (request) => book(request).catch(() => book(request)) })),
    'failing: asks once, and has an unknown outcome after status 500',
  ],
  [
    'sends a second changing request',
    spoiled(({ book }) => ({
      book: async (request) => {
        await book({ ...request, reference: `${request.reference}x` });
        return book(request);
      },
    })),
    'booking: sends one changing request for a booking',
  ],
  [
    'swallows an error',
    spoiled(({ book }) => ({
      book: (request) =>
        book(request).catch(() =>
          booked(
            request.parcels.map(({ id }) => ({ kind: 'booked', parcelId: id, trackingNumber: id, trackingUrl: null })),
          ),
        ),
    })),
    'failing: asks once, and has an unknown outcome after status 502 without a body',
  ],
  [
    'takes a lost answer for "nothing was booked"',
    spoiled(({ book }) => ({
      book: (request) => book(request).catch(() => Promise.reject(new CarrierUnavailable('down'))),
    })),
    'failing: asks once, and has an unknown outcome after a connection that is reset',
  ],
  [
    'takes a failed read after the booking for "nothing was booked"',
    spoiled(({ book, findByReference }) => ({
      book: async (request) => {
        const booking = await book(request);
        await findByReference?.(request);
        return booking;
      },
    })),
    'failing: has an unknown outcome when a read after it ends with status 500',
  ],
  [
    'takes a failed read before the booking for an unknown outcome',
    spoiled(({ book, findByReference }) => ({
      book: async (request) => {
        await findByReference?.(request).catch(() => Promise.reject(new OutcomeUnknown('no answer')));
        return book(request);
      },
    })),
    'failing: was certainly not made when a read before it ends with status 500',
  ],
  [
    'takes a refused connection for an unknown outcome',
    spoiled(({ book }) => ({
      book: (request) => book(request).catch(() => Promise.reject(new OutcomeUnknown('no answer'))),
    })),
    'failing: was certainly not made when the connection is refused',
  ],
  [
    'takes a refusal for an unknown outcome',
    spoiled(({ book }) => ({
      book: (request) => book(request).catch(() => Promise.reject(new OutcomeUnknown('no answer'))),
    })),
    'failing: is rejected with problems when the carrier refuses it',
  ],
  [
    'says nothing of why the carrier refused',
    spoiled(({ book }) => ({
      book: (request) =>
        book(request).catch((error: unknown) =>
          Promise.reject(error instanceof CarrierRejected ? new CarrierRejected([]) : error),
        ),
    })),
    'failing: is rejected with problems when the carrier refuses it',
  ],
  [
    'shows the key in an error',
    spoiled(({ book }) => ({
      book: (request) => book(request).catch(() => Promise.reject(new OutcomeUnknown(`with key ${API_KEY}`))),
    })),
    'failing: shows no secret after status 401',
  ],
  [
    'loses a parcel',
    spoiled(({ book }) => ({
      book: async (request) => {
        const { booking, labels } = await book(request);
        return { booking: { ...booking, parcels: booking.parcels.slice(0, 1) }, labels };
      },
    })),
    'booking: books two parcels and returns every parcel in its order',
  ],
  [
    'returns the parcels in another order',
    spoiled(({ book }) => ({
      book: async (request) => {
        const { booking, labels } = await book(request);
        return { booking: { ...booking, parcels: booking.parcels.toReversed() }, labels };
      },
    })),
    'booking: books two parcels and returns every parcel in its order',
  ],
  [
    'cuts the reference',
    spoiled(({ book }) => ({ book: (request) => book({ ...request, reference: request.reference.slice(0, 8) }) })),
    'booking: takes a reference as long as its traits promise',
  ],
  [
    'keeps state between calls',
    spoiled(({ book }) => {
      firstBooking = null;
      return { book: (request) => (firstBooking ??= book(request)) };
    }),
    'booking: keeps nothing from one booking to the next',
  ],
  [
    'changes the request that it is given',
    spoiled(({ book }) => ({ book: (request) => book(Object.assign(request, { reference: 'other' })) })),
    'booking: leaves the request that it is given as it is',
  ],
  [
    'waits without a bound',
    spoiled(
      () => ({}),
      (port) => ({ ...port, send: (request) => port.send({ ...request, timeoutMs: 86_400_000 }) }),
    ),
    'booking: gives every request a deadline',
  ],
  [
    'ignores how long the carrier asks to wait',
    spoiled(({ book }) => ({
      book: (request) => book(request).catch(() => Promise.reject(new CarrierUnavailable('busy'))),
    })),
    'failing: was certainly not made after status 429, and waits as long as the carrier asks',
  ],
  [
    'judges by chance',
    spoiled(() => ({
      check: () => [{ code: (asked += 1) % 2 === 0 ? 'even' : 'odd', text: 'It is so.', parcelId: null }],
    })),
    'beforehand: judges every request, always in the same way, with a code and words for each problem',
  ],
  [
    'objects without words',
    spoiled(() => ({ check: () => [{ code: 'E 17', text: '', parcelId: null }] })),
    'beforehand: judges every request, always in the same way, with a code and words for each problem',
  ],
  [
    'finds bookings of other references',
    spoiled(({ findByReference }) => ({
      findByReference: async (request) =>
        (await findByReference?.({ ...request, reference: `${request.reference}9` })) ?? null,
    })),
    'search: finds none where nothing was booked under this reference',
  ],
  [
    'finds nothing where the carrier did not answer',
    spoiled(({ findByReference }) => ({
      findByReference: (request) => findByReference?.(request).catch(() => null) ?? Promise.resolve(null),
    })),
    'search: can be asked again after status 500',
  ],
  [
    'says cancelled where the carrier did not answer',
    spoiled(({ cancel }) => ({
      cancel: (booking) =>
        cancel?.(booking).catch(() => ({ kind: 'cancelled' })) ?? Promise.resolve({ kind: 'cancelled' }),
    })),
    'cancel: has an unknown outcome after no answer in time',
  ],
  [
    'takes a page for a label',
    spoiled(() => ({ fetchLabels: async () => [{ format: 'pdf', bytes: new TextEncoder().encode('<html>') }] })),
    'labels: can be fetched again after a page with status 200',
  ],
  [
    'gives one label for two parcels',
    spoiled(({ fetchLabels }) => ({
      fetchLabels: async (booking) =>
        (await fetchLabels?.({ ...booking, parcels: booking.parcels.slice(0, 1) }))?.slice(0, 0) ?? [],
    })),
    'labels: are PDFs with a page for each parcel of two parcels',
  ],
  [
    'books to learn a price',
    spoiled(({ quote, book }) => ({
      quote: async (request) => {
        await book(request);
        return quote?.(request) ?? Promise.reject(new CarrierUnavailable('none'));
      },
    })),
    'quote: has a price in a currency and books nothing',
  ],
  [
    'books to learn whether the carrier answers',
    spoiled(({ book }) => ({ probe: async () => void (await book(bookingRequest())) })),
    'probe: is answered by a carrier that answers, books nothing and asks for nothing that could be booked',
  ],
  [
    'reads a time in another zone',
    spoiled(({ track }) => ({
      track: async (numbers) =>
        ((await track?.(numbers)) ?? []).map((event) => ({ ...event, at: hoursLater(event.at, 1) })),
    })),
    'tracking: tells what happened, and at which moment',
  ],
  [
    'knows nothing where the carrier did not answer',
    spoiled(({ track }) => ({ track: (numbers) => track?.(numbers).catch(() => []) ?? Promise.resolve([]) })),
    'tracking: can be asked again after status 500',
  ],
  [
    'tells everything under the first number',
    spoiled(({ track }) => ({
      track: async (numbers) =>
        ((await track?.(numbers)) ?? []).map((event) => ({ ...event, trackingNumber: numbers[0] ?? '' })),
    })),
    'tracking: answers for as many parcels as its traits promise, each under its number',
  ],
  [
    'believes every callback',
    listening((raw, delivery) => {
      const outcome = plainTracking(raw, delivery);
      return outcome.kind === 'refused' ? { kind: 'events', events: [] } : outcome;
    }),
    'callbacks: are refused with a secret that is not ours',
  ],
  [
    'forgets the previous secret',
    listening((raw, { secrets, ...delivery }) =>
      plainTracking(raw, { ...delivery, secrets: { current: secrets.current } }),
    ),
    'callbacks: are believed with the previous secret while it is given',
  ],
];

function listening(parseCallback: NonNullable<CarrierAdapter['parseCallback']>): CarrierAdapter {
  return { ...(pretend as CarrierAdapter), parseCallback };
}

function hoursLater(at: string, hours: number): string {
  return new Date(Date.parse(at) + hours * 3_600_000).toISOString();
}

describe('the cases of the contract', () => {
  it.each(FAULTS.map(([what, adapter, name]) => [what, name, adapter] as const))(
    'find an adapter that %s: "%s"',
    async (_what, name, adapter) => {
      expect(await outcomeOf(pretend as CarrierAdapter, name)).toBe('passes');
      expect(await outcomeOf(adapter, name)).toBe('fails');
    },
  );
});

const points = ['700001', '700002', '700003'].map((id) => ({
  ...{ id, name: 'Testkiosken', street: null, postalCode: null, city: null, countryCode: 'DK' },
  ...{ distanceM: null, kind: null, openingHours: null },
}));

const pickupPoints: NonNullable<CarrierAccount['pickupPoints']> = async (query) =>
  'near' in query ? points.slice(0, query.limit) : points.filter(({ id }) => id === query.id);

describe('the cases of pick-up points', () => {
  it.each<readonly [string, string, Spoil]>([
    [
      'gives more than were asked for',
      'pick-up points: are at most as many as asked for, each with an id of its own',
      () => ({ pickupPoints: async () => points }),
    ],
    [
      'does not look at the id',
      'pick-up points: are none for an id that no point has',
      () => ({ pickupPoints: async () => points.slice(0, 1) }),
    ],
    [
      'gives ids that its bookings do not take',
      'pick-up points: have ids that a booking takes, as they are',
      ({ book }) => ({ pickupPoints, book: (request) => book({ ...request, pickUpPointId: null }) }),
    ],
    [
      'books to learn of them',
      'pick-up points: are searched for without a change',
      ({ book }) => ({
        pickupPoints: async (query) => {
          await book(bookingRequest());
          return pickupPoints(query);
        },
      }),
    ],
  ])('find an adapter that %s: "%s"', async (_what, name, spoil) => {
    expect(
      await outcomeOf(
        spoiled(() => ({ pickupPoints })),
        name,
      ),
    ).toBe('passes');
    expect(await outcomeOf(spoiled(spoil), name)).toBe('fails');
  });
});
