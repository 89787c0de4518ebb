import type { BookingRequest, Loss, Problem } from '../../carriers/contract/model.js';
import { toBookingRequest } from '../ims/booking-request/booking-request.js';
import type { JsonObject } from '../ims/json-fields.js';
import type { ImsShipment } from '../ims/resources.js';
import { inOneLine, partReference } from './reference.js';
import type { Account } from '../accounts/account.js';
import type { Senders } from './sources.js';

/** Everything that goes into the requests for a shipment. */
export interface Order {
  readonly account: Account;
  readonly shipment: ImsShipment;
  readonly senders: Senders;
  readonly packedItems: readonly JsonObject[] | null;
  readonly service: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** `YYYY-MM-DD`. */
  readonly shipDate: string;
}

/** Which containers are booked under which reference. */
export interface Extent {
  readonly containerIds: readonly string[];
  readonly reference: string;
  /** Number of the first part. */
  readonly first: number;
}

export interface Requests {
  /** One a part. */
  readonly requests: readonly { readonly n: number; readonly request: BookingRequest }[];
  /** Why no carrier could book it. */
  readonly unusable: readonly Problem[];
  /** What this carrier would certainly refuse. */
  readonly refused: readonly Problem[];
  /** What may go wrong there, and does not keep it from being booked. */
  readonly doubts: readonly Problem[];
  /** Texts that it gets otherwise than we have them. */
  readonly losses: readonly Loss[];
}

/** The requests for some containers, at most as many in each as the carrier takes, and what is wrong with them; pure. */
export function requestsFor(order: Order, { containerIds, reference, first }: Extent): Requests {
  const { adapter, carrier } = order.account;
  const { maxParcels, maxReferenceLength } = adapter.traits;
  const groups = chunks(containerIds, maxParcels);
  const results = groups.map((ids, index) => {
    const n = first + index;
    const part = partReference(reference, { n, of: groups.length }, maxReferenceLength);
    return { n, result: requestFor(order, part, ids) };
  });
  const unusable = results.flatMap(({ result }) => (result.kind === 'unusable' ? result.problems : []));
  const requests = results.flatMap(({ n, result }) =>
    result.kind === 'request' ? [{ n, request: result.request }] : [],
  );
  const found = eachOnce(requests.flatMap(({ request }) => carrier.check?.(request) ?? []));
  return {
    requests,
    unusable,
    refused: found.filter(({ severity }) => severity !== 'warns'),
    doubts: found.filter(({ severity }) => severity === 'warns'),
    losses: eachOnce(requests.flatMap(({ request }) => carrier.losses?.(request) ?? [])),
  };
}

/** Where nothing is packed, a parcel is made up, and what is said about parcels does not count. */
export function requestsBeforePacking(order: Order): Requests {
  const { shipment } = order;
  const shippingContainers = shipment.shippingContainers.length > 0 ? shipment.shippingContainers : [ASSUMED_CONTAINER];
  const found = requestsFor(
    { ...order, shipment: { ...shipment, shippingContainers } },
    { containerIds: shippingContainers.map(({ id }) => id), reference: inOneLine(shipment.shipmentNumber), first: 1 },
  );
  const general = (problems: readonly Problem[]) => problems.filter(({ parcelId }) => parcelId === null);
  return {
    ...found,
    unusable: general(found.unusable),
    refused: general(found.refused),
    doubts: general(found.doubts),
  };
}

const ASSUMED_CONTAINER = {
  id: 'not-packed-yet',
  trackingNumber: null,
  trackingUrl: null,
  containerTypeName: null,
  weight: null,
  grossWeight: 1,
  netWeight: null,
  tareWeight: null,
  dimensions: null,
  outerVolume: null,
  volume: null,
};

/** One request, of any number of containers. */
export function requestFor(order: Order, reference: string, containerIds: readonly string[]) {
  const { account, shipment, senders, service, options, shipDate, packedItems } = order;
  const { sender = 'seller' } = account.carrier;
  return toBookingRequest({
    ...{ shipment, ...senders, sender, reference, service, options },
    ...{ shipDate, containerIds, packedItems },
  });
}

/** At least one group, so that a shipment without containers is refused by the one place that says why. */
function chunks(ids: readonly string[], size: number): readonly (readonly string[])[] {
  const count = Math.max(1, Math.ceil(ids.length / size));
  return Array.from({ length: count }, (_none, index) => ids.slice(index * size, (index + 1) * size));
}

/** What is wrong with an address is wrong in every part. */
function eachOnce<T>(found: readonly T[]): readonly T[] {
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}
