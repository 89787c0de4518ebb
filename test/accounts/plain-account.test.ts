import { describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { PickupPoint } from '../../carriers/contract/model.js';
import { sampleRequest } from '../../carriers/contract/sample-request.js';
import { plainAccount } from '../../src/accounts/plain-account.js';

const point = (changes: Partial<PickupPoint>): PickupPoint => ({
  ...{ id: '1', name: 'Kiosk', street: 'Torvet 1', postalCode: '2600', city: 'Glostrup', countryCode: 'DK' },
  ...{ distanceM: 12, kind: 'manned', openingHours: null },
  ...changes,
});

function account(points: readonly PickupPoint[]): CarrierAccount {
  return plainAccount({
    book: async () => ({ booking: { carrierNumber: null, parcels: [], labelSource: null }, labels: [] }),
    pickupPoints: async () => points,
  });
}

const near = { countryCode: 'DK', postalCode: '2600', street: null };

describe('pick-up points as a carrier gives them', () => {
  it('are one line each, without marks that turn the text around', async () => {
    const found = await account([
      point({ name: 'Kiosk\u0000\n\u202eevil', openingHours: 'Mon\r\n9-17' }),
    ]).pickupPoints?.({
      near,
      limit: 5,
    });
    expect(found).toEqual([point({ name: 'Kiosk evil', openingHours: 'Mon 9-17' })]);
  });

  it('are no more than were asked for', async () => {
    const many = Array.from({ length: 1_000 }, (_none, index) => point({ id: String(index) }));
    expect(await account(many).pickupPoints?.({ near, limit: 3 })).toEqual(many.slice(0, 3));
    expect(await account(many).pickupPoints?.({ id: '0', countryCode: 'DK' })).toEqual(many.slice(0, 1));
  });

  it.each(['', '7\u0000', ' 7', 'x'.repeat(201)])(
    'are left out where the id cannot be shown as it is: %j',
    async (id) => {
      expect(await account([point({ id }), point({})]).pickupPoints?.({ near, limit: 5 })).toEqual([point({})]);
    },
  );
});

describe('a return label as a carrier answers', () => {
  it('has no link that a person must not open', async () => {
    const parcel = { kind: 'booked', parcelId: '1', trackingNumber: 'R1' } as const;
    const booked = { ...parcel, trackingUrl: 'javascript:alert(1)' };
    const made = plainAccount({
      ...account([]),
      returnLabel: async () => ({
        booking: { carrierNumber: null, parcels: [booked], labelSource: null },
        labels: [],
      }),
    });
    const { booking } = (await made.returnLabel?.(sampleRequest())) ?? {};
    expect(booking?.parcels).toEqual([{ ...parcel, trackingUrl: null }]);
  });
});
