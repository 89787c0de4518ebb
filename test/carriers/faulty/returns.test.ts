import { describe, expect, it } from '@jest/globals';
import type { BookingWithLabels, CarrierAccount, CarrierAdapter } from '../../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../../carriers/contract/index.js';
import { pretend } from '../../../carriers/pretend/index.js';
import { API_KEY, type Spoil, outcomeOf, spoiled } from './spoiled.js';

type Return = NonNullable<CarrierAccount['returnLabel']>;

/** Spoils returns alone. */
function returning(spoil: (made: Return, account: CarrierAccount) => Return): Spoil {
  return (account) => ({
    returnLabel: spoil(account.returnLabel ?? (() => Promise.reject(new Error('no returns'))), account),
  });
}

const withNumber = ({ booking, ...rest }: BookingWithLabels, trackingNumber: string): BookingWithLabels => ({
  ...rest,
  booking: {
    ...booking,
    parcels: booking.parcels.map((parcel) => (parcel.kind === 'booked' ? { ...parcel, trackingNumber } : parcel)),
  },
});

describe('the cases of returns', () => {
  it.each<readonly [string, string, Spoil]>([
    [
      'books a parcel to the warehouse instead of a return',
      'returns: are booked for the parcel, with a tracking number that the carrier gave',
      returning((_made, { book }) => book),
    ],
    [
      'makes up a tracking number',
      'returns: are booked for the parcel, with a tracking number that the carrier gave',
      returning((made) => async (request) => withNumber(await made(request), 'X1')),
    ],
    [
      'sends the parcel to the customer again',
      'returns: go from the customer to the warehouse',
      returning((made) => (request) => made({ ...request, sender: request.recipient, recipient: request.sender })),
    ],
    [
      'takes a page for a label',
      'returns: have a label of one page that shows their number',
      returning((made) => async (request) => ({
        ...(await made(request)),
        labels: [{ format: 'pdf', bytes: new TextEncoder().encode('<html>') }],
      })),
    ],
    [
      'makes two for one parcel',
      'returns: take one changing request',
      returning((made) => async (request) => {
        await made(request);
        return made(request);
      }),
    ],
    [
      'makes it under another reference',
      'returns: are found by their reference',
      returning((made) => (request) => made({ ...request, reference: `${request.reference}9` })),
    ],
    [
      'takes a lost answer for "nothing was made"',
      'returns: have an unknown outcome after a connection that is reset, and show no secret',
      returning((made) => (request) => made(request).catch(() => Promise.reject(new CarrierUnavailable('down')))),
    ],
    [
      'asks again by itself',
      'returns: have an unknown outcome after status 500, and show no secret',
      returning((made) => (request) => made(request).catch(() => made(request))),
    ],
    [
      'takes a refusal for an unknown outcome',
      'returns: are rejected with problems when the carrier refuses them',
      returning((made) => (request) => made(request).catch(() => Promise.reject(new OutcomeUnknown('no answer')))),
    ],
    [
      'says nothing of why the carrier refused',
      'returns: are rejected with problems when the carrier refuses them',
      returning((made) => (request) => made(request).catch(() => Promise.reject(new CarrierRejected([])))),
    ],
    [
      'takes "too many requests" for an unknown outcome',
      'returns: were certainly not made after status 429',
      returning((made) => (request) => made(request).catch(() => Promise.reject(new OutcomeUnknown('no answer')))),
    ],
    [
      'shows the key in an error',
      'returns: show no secret after status 401',
      returning((made) => (request) => made(request).catch(() => Promise.reject(new Error(`with key ${API_KEY}`)))),
    ],
  ])('find an adapter that %s: "%s"', async (_what, name, spoil) => {
    expect(await outcomeOf(pretend as CarrierAdapter, name)).toBe('passes');
    expect(await outcomeOf(spoiled(spoil), name)).toBe('fails');
  });

  it('find an adapter that waits without a bound: "returns: give every request a deadline"', async () => {
    const patient = spoiled(
      () => ({}),
      (port) => ({ ...port, send: (request) => port.send({ ...request, timeoutMs: 86_400_000 }) }),
    );
    expect(await outcomeOf(patient, 'returns: give every request a deadline')).toBe('fails');
  });
});
