import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { Booking, FoundBooking } from '../../carriers/contract/model.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { type Service, parcels, startService } from '../support/harness.js';

let service: Service;
/** What becomes of a search's result before we see it. */
let bend: (found: FoundBooking) => FoundBooking = (found) => found;
/** After how long the search shows everything. */
let bookingEndsWithinMs = 60_000;

beforeAll(async () => {
  service = await startService({ account: labelsWhenFound });
});
afterAll(() => service.stop());

/** A carrier that gives labels with its answers only: to the booking, and to the search. */
function labelsWhenFound(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  if (adapter.id !== 'pretend') return account;
  const connect: typeof adapter.connect = (config, tools) => {
    const { fetchLabels, ...carrier }: CarrierAccount = adapter.connect(config, tools);
    const find: CarrierAccount['findByReference'] = async (request) => {
      const found = (await carrier.findByReference?.(request)) ?? null;
      if (found === null) return null;
      const booking = { ...found, parcels: [] } satisfies Booking;
      return bend({ ...found, labels: (await fetchLabels?.(booking)) ?? [] });
    };
    return { ...carrier, findByReference: find };
  };
  const traits = {
    ...adapter.traits,
    get bookingEndsWithinMs() {
      return bookingEndsWithinMs;
    },
  };
  return { ...account, adapter: { ...adapter, traits, connect } };
}

function loseTheAnswer(): void {
  service.control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind: 'drop-after' });
}

describe('a booking whose answer was lost, at a carrier that gives labels with its answers only', () => {
  it('gets the labels that come with the search', async () => {
    loseTheAnswer();
    const ending = await service.run(parcels(2), { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 2, consignment: { state: 'closed' } });
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });

  it('gets none where the search still names only some of its parcels when it shows everything: a label could be of another', async () => {
    bend = (found) => ({ ...found, parcels: found.parcels.slice(0, 1) });
    // Soon, instead of a minute.
    bookingEndsWithinMs = 4_000;
    loseTheAnswer();
    const ending = await service.run(parcels(2), { carrierName: 'Pretend' });
    bookingEndsWithinMs = 60_000;
    expect(ending).toMatchObject({ workStatus: 'FAILED', pages: null, consignment: { state: 'incomplete' } });
  });

  it('waits while the search may not show all of its parcels yet, instead of saying that one is not booked', async () => {
    let searches = 0;
    bend = (found) => ((searches += 1) > 2 ? found : { ...found, parcels: found.parcels.slice(0, 1) });
    loseTheAnswer();
    const ending = await service.run(parcels(2), { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 2, consignment: { state: 'closed' } });
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });

  it('waits while the search has the booking without a parcel, instead of saying that none is booked', async () => {
    let searches = 0;
    bend = (found) => ((searches += 1) > 2 ? found : { ...found, parcels: [] });
    loseTheAnswer();
    const ending = await service.run(parcels(2), { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 2, consignment: { state: 'closed' } });
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });
});
