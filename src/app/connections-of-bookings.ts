import type { ConnectionsOfBookings } from '../consignment/context.js';
import type { OwnHttpPort } from '../transport/http-port.js';

/** A booking begins with claiming its document and reading its shipment, at the same time. */
const FIRST_REQUESTS = 2;
/** Beside the number of each container: the shipment's number, and the label file. */
const REQUESTS_AFTER_BOOKING = 2;
/** The print. */
const CHANGES_AT_IMS = 1;
/** The booking. */
const CHANGES_AT_CARRIER = 1;

export interface Addresses {
  readonly ims: string;
  readonly accounts: readonly { readonly name: string; readonly baseUrl: string }[];
}

/** Knows when a booking needs which connections; `src/transport` opens them. */
export function connectionsOfBookings(
  ahead: OwnHttpPort['ahead'],
  { ims, accounts }: Addresses,
): ConnectionsOfBookings {
  const carriers = new Map(accounts.map(({ name, baseUrl }) => [name, baseUrl]));
  /** Where each area booked last: it will probably book there again. */
  const lastCarrier = new Map<string, string>();
  const atCarrier = { repeatable: 0, changes: CHANGES_AT_CARRIER };
  return {
    event: (area) => {
      ahead.expect(ims, { repeatable: FIRST_REQUESTS, changes: 0 });
      ahead.keepReady(ims, { repeatable: FIRST_REQUESTS, changes: CHANGES_AT_IMS });
      const carrier = lastCarrier.get(area);
      if (carrier === undefined) return;
      ahead.expect(carrier, atCarrier);
      ahead.keepReady(carrier, atCarrier);
    },
    booking: (area, { account, containers }) => {
      ahead.expect(ims, { repeatable: containers + REQUESTS_AFTER_BOOKING, changes: CHANGES_AT_IMS });
      const carrier = carriers.get(account);
      if (carrier === undefined) return;
      lastCarrier.set(area, carrier);
      ahead.expect(carrier, atCarrier);
    },
  };
}
