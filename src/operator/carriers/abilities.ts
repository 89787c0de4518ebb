import type { CarrierAdapter } from '../../../carriers/contract/adapter.js';
import type { Account } from '../../accounts/account.js';

/** What a carrier can do, as its adapter says it; what it cannot do decides what needs a person. */
export interface Abilities {
  readonly id: string;
  readonly name: string;
  readonly parcelsInBooking: number;
  /** After this long a booking is certainly found by its reference; `null`: only its portal can tell. */
  readonly foundAfterMs: number | null;
  readonly sameBookingTwice: CarrierAdapter['traits']['repeatedBooking'];
  readonly label: 'fetched' | 'in-the-answer';
  readonly cancels: boolean;
  readonly returnLabels: boolean;
  readonly quotes: boolean;
  readonly checks: boolean;
  /** Tracking numbers in one call, and calls in a day (`null`: any number); `null`: it is not polled. */
  readonly polled: { readonly atOnce: number; readonly perDay: number | null } | null;
  readonly callsBack: boolean;
  readonly closesOut: boolean;
  /** Whether its connection can be tested without a booking. */
  readonly testable: boolean;
}

/** One row for each carrier that has an account, in the order of the configuration. */
export function abilitiesOf(accounts: ReadonlyMap<string, Account>): readonly Abilities[] {
  const byCarrier = new Map<string, Account>();
  for (const account of accounts.values())
    if (!byCarrier.has(account.adapter.id)) byCarrier.set(account.adapter.id, account);
  return [...byCarrier.values()].map(toAbilities);
}

function toAbilities({ adapter, carrier }: Account): Abilities {
  const { id, name, traits, parseCallback } = adapter;
  const { maxParcels, bookingVisibleAfterMs, repeatedBooking, trackAtOnce = 1, trackCallsPerDay = null } = traits;
  return {
    ...{ id, name, parcelsInBooking: maxParcels, sameBookingTwice: repeatedBooking },
    foundAfterMs: carrier.findByReference ? bookingVisibleAfterMs : null,
    label: carrier.fetchLabels ? 'fetched' : 'in-the-answer',
    cancels: carrier.cancel !== undefined,
    returnLabels: carrier.returnLabel !== undefined,
    quotes: carrier.quote !== undefined,
    checks: carrier.check !== undefined,
    polled: carrier.track ? { atOnce: trackAtOnce, perDay: trackCallsPerDay } : null,
    callsBack: parseCallback !== undefined,
    closesOut: carrier.closeOut !== undefined,
    testable: carrier.probe !== undefined,
  };
}
