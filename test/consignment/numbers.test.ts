import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bookedParcels, carriersShipmentNumber, missingContainers } from '../../src/consignment/consignment.js';
import { consignmentReference, partReference } from '../../src/planning/reference.js';
import { delayMs } from '../../src/worker/backoff.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { bookedPart, consignment, part, plan } from '../support/consignments.js';

const shipmentNumbers = fc.stringMatching(/^[A-Z0-9][A-Z0-9.-]{0,40}$/);

describe('the reference of a consignment', () => {
  it.each([
    ['is the shipment number', '10045', [], '10045'],
    ['has a counter when the number is taken', '10045', ['10045'], '10045.2'],
    ['takes the first free counter', '10045', ['10045', '10045.2', '10045.4'], '10045.3'],
    ['is not one that the part of another could have', '10045', ['10045-1'], '10045.2'],
    ['is one line', '10045\r\nBcc: all\u2028\u001b[2J', [], '10045 Bcc: all [2J'],
    ['has a counter when it is taken as one line', '10045\n', ['10045'], '10045.2'],
    ['is never empty', '\u0000\u0007', [], 'shipment'],
    ['may be followed by other words', '10045', ['10045-X', '100456'], '10045'],
  ])('%s', (...[, number, taken, reference]) => {
    expect(consignmentReference(number, new Set(taken))).toBe(reference);
  });

  it('is never one that is taken, and begins with the shipment number', () => {
    fc.assert(
      fc.property(shipmentNumbers, fc.integer({ min: 0, max: 30 }), (number, count) => {
        const taken = new Set<string>();
        for (let n = 0; n < count; n += 1) taken.add(consignmentReference(number, taken));
        expect(taken.size).toBe(count);
        for (const reference of taken) expect(reference.startsWith(number)).toBe(true);
      }),
    );
  });
});

describe('the reference of a part', () => {
  it.each([
    ['is the whole when there is one', '10045', { n: 1, of: 1 }, 35, '10045'],
    ['has its number when there are several', '10045', { n: 2, of: 3 }, 35, '10045-2'],
    ['has its number when an earlier one was booked', '10045', { n: 2, of: 1 }, 35, '10045-2'],
    ['stays whole when it just fits', '1234567890', { n: 1, of: 1 }, 10, '1234567890'],
  ])('%s', (...[, reference, which, longest, expected]) => {
    expect(partReference(reference, which, longest)).toBe(expected);
  });

  it('keeps to the length of the carrier, and no two are the same', () => {
    const references = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9]{1,60}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(references, fc.integer({ min: 12, max: 40 }), fc.integer({ min: 1, max: 20 }), (all, longest, of) => {
        const parts = all.flatMap((reference) =>
          Array.from({ length: of }, (_none, index) => partReference(reference, { n: index + 1, of }, longest)),
        );
        expect(new Set(parts).size).toBe(parts.length);
        expect(Math.max(...parts.map((one) => one.length))).toBeLessThanOrEqual(longest);
      }),
    );
  });

  it('tells two long shipment numbers apart that begin alike', () => {
    const [one, two] = [`${'9'.repeat(40)}1`, `${'9'.repeat(40)}2`];
    const which = { n: 1, of: 1 };
    expect(partReference(one, which, 20)).not.toBe(partReference(two, which, 20));
    expect(partReference(one, which, 20)).toBe(partReference(one, which, 20));
  });
});

describe('the delay before the next try', () => {
  it.each([
    ['begins with half a second at most', 0, null, 1, 500],
    ['is shortened by half at most', 0, null, 0, 250],
    ['doubles', 3, null, 1, 4_000],
    ['ends at half a minute', 40, null, 1, 30_000],
    ['is what the other side asked for', 0, 7_000, 0.5, 7_000],
    ['is not shorter than our own', 40, 7_000, 1, 30_000],
    ['is no longer than a quarter of an hour', 0, 86_400_000, 0.5, 900_000],
  ])('%s', (...[, attempts, asked, random, expected]) => {
    expect(delayMs(attempts, asked, random)).toBe(expected);
  });

  it('is a whole number of milliseconds that nobody waits too long for', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.option(fc.nat()),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, asked, random) => {
          const delay = delayMs(attempts, asked, random);
          expect(Number.isInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(Math.min(asked ?? 0, 900_000));
          expect(delay).toBeLessThanOrEqual(900_000);
        },
      ),
    );
  });
});

describe('the numbers of a shipment', () => {
  const numbered = (n: number, carrierNumber: string | null, trackingNumber: string) =>
    bookedPart(n, {
      booking: {
        carrierNumber,
        parcels: [{ kind: 'booked', parcelId: `box-${n}`, trackingNumber, trackingUrl: null }],
        labelSource: null,
      },
    });
  const long = 'X'.repeat(37);

  it.each([
    ['the number of the only booking', [numbered(1, 'C-1', 'T-1')], 'C-1'],
    ["the first container's when the carrier has none", [numbered(1, null, 'T-1'), numbered(2, null, 'T-2')], 'T-1'],
    [
      "the first container's when there are several bookings",
      [numbered(2, 'C-2', 'T-2'), numbered(1, 'C-1', 'T-1')],
      'T-1',
    ],
    ["the first container's when the carrier's is too long", [numbered(1, long, 'T-1')], 'T-1'],
    ['a cut one when none fits', [numbered(1, long, long)], 'X'.repeat(36)],
    ['none when nothing is booked', [part(1)], null],
  ])('stand for the whole of it with %s', (_case, parts, expected) => {
    expect(carriersShipmentNumber(consignment({ plan: plan(['box-1', 'box-2']), parts }))).toBe(expected);
  });

  it('are never longer than the IMS takes', () => {
    const numbers = fc.option(fc.string({ minLength: 1, maxLength: 60 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(numbers, fc.string({ minLength: 1, maxLength: 60 })), { maxLength: 4 }), (all) => {
        const parts = all.map(([own, tracking], index) => numbered(index + 1, own, tracking));
        const number = carriersShipmentNumber(consignment({ parts }));
        expect(number?.length ?? 0).toBeLessThanOrEqual(36);
      }),
    );
  });

  it('come in the order of the containers, whatever the order of the answers', () => {
    const containers = ['box-3', 'box-1', 'box-2'];
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3]), (booked) => {
        const some = consignment({ plan: plan(containers), parts: booked.map((n) => bookedPart(n)) });
        const ids = bookedParcels(some).map(({ parcelId }) => parcelId);
        expect(ids).toEqual(containers.filter((id) => booked.includes(Number(id.slice(-1)))));
        expect(missingContainers(some)).toEqual(containers.filter((id) => !ids.includes(id)));
      }),
    );
  });

  it('leave out parcels that were refused inside a booking', () => {
    const parcels = [parcel({ id: 'box-1' }), parcel({ id: 'box-2' })];
    const half = bookedPart(1, {
      request: bookingRequest({ parcels }),
      booking: {
        carrierNumber: 'C-1',
        parcels: [
          { kind: 'refused', parcelId: 'box-1', problems: [] },
          { kind: 'booked', parcelId: 'box-2', trackingNumber: 'T-2', trackingUrl: null },
        ],
        labelSource: null,
      },
    });
    expect(missingContainers(consignment({ plan: plan(['box-1', 'box-2']), parts: [half] }))).toEqual(['box-1']);
  });
});
