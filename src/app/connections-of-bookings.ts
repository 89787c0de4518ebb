import type { ConfiguredAccount } from '../config/sections/account.js';
import type { ConnectionsOfBookings } from '../consignment/context.js';
import type { OwnHttpPort } from '../transport/http-port.js';

/** First wave: the PATCH of the document and the GET of the shipment run concurrently. */
const FIRST_REQUESTS = 2;
/** Second wave: the shipment's number and the label file, besides one request for each container. */
const REQUESTS_AFTER_BOOKING = 2;
/** The third wave of requests to the IMS: the print request. */
const CHANGES_AT_IMS = 1;
/** The request to the carrier: the booking. */
const CHANGES_AT_CARRIER = 1;

export interface Addresses {
  readonly ims: string;
  readonly accounts: readonly Pick<ConfiguredAccount, 'name' | 'baseUrl' | 'adapter'>[];
}

/** Says which connections a booking needs and when; `src/transport` opens them. */
export function connectionsOfBookings(
  ahead: OwnHttpPort['ahead'],
  { ims, accounts }: Addresses,
): ConnectionsOfBookings {
  const reached = accounts.filter(({ adapter }) => adapter.traits.api !== 'none');
  const carriers = new Map(reached.map(({ name, baseUrl }) => [name, baseUrl]));
  /** The carrier host that each area booked at last. The next booking probably goes there too. */
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
