import type { BookingRequest, TextChange, Problem } from '../../carriers/contract/model.js';
import { missingOnPapers } from '../papers/customs/missing-on-papers.js';
import { toBookingRequest } from '../ims/booking-request/booking-request.js';
import type { LabelForm } from '../../carriers/contract/traits.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import type { ImsShipment } from '../ims/resources.js';
import { inOneLine, partReference } from './reference.js';
import type { Account } from '../accounts/account.js';
import type { Senders } from './sources.js';

/** The input of a shipment's requests. */
export interface Order {
  readonly account: Account;
  readonly shipment: ImsShipment;
  readonly senders: Senders;
  readonly packedItems: readonly JsonObject[] | null;
  readonly service: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** `YYYY-MM-DD`. */
  readonly shipDate: string;
  /** The form of the labels that the carrier is asked for; missing: the adapter chooses it. */
  readonly labelForm?: LabelForm;
}

/** The containers and the reference of the requests. */
export interface Extent {
  readonly containerIds: readonly string[];
  readonly reference: string;
  /** Number of the first part. */
  readonly first: number;
}

export interface Requests {
  /** One request for each part. */
  readonly requests: readonly { readonly n: number; readonly request: BookingRequest }[];
  /** Problems for every carrier. */
  readonly unusable: readonly Problem[];
  /** Problems that this carrier would certainly refuse. */
  readonly refused: readonly Problem[];
  /** Problems that may occur, and do not prevent the booking. */
  readonly warnings: readonly Problem[];
  /** Texts that the carrier gets changed. */
  readonly textChanges: readonly TextChange[];
}

/** The requests for some containers, each with as many as the carrier takes, and their problems; pure. */
export function requestsFor(order: Order, { containerIds, reference, first }: Extent): Requests {
  const { labelForm } = order;
  const { adapter, carrier, customs = {} } = order.account;
  const { maxParcels, maxReferenceLength } = adapter.traits;
  const groups = chunks(containerIds, maxParcels);
  const results = groups.map((ids, index) => {
    const n = first + index;
    const part = partReference(reference, { n, of: groups.length }, maxReferenceLength);
    return { n, result: requestFor(order, part, ids) };
  });
  const unusable = results.flatMap(({ result }) => (result.kind === 'unusable' ? result.problems : []));
  const requests = results.flatMap(({ n, result }) =>
    result.kind === 'request' ? [{ n, request: { ...result.request, ...(labelForm && { labelForm }) } }] : [],
  );
  const each = requests.map(({ request }) => request);
  const found = [
    ...eachOnce(each.flatMap((request) => carrier.check?.(request) ?? [])),
    ...missingOnPapers(adapter.traits, customs, each),
  ];
  return {
    requests,
    unusable,
    refused: found.filter(({ severity }) => severity !== 'warns'),
    warnings: found.filter(({ severity }) => severity === 'warns'),
    textChanges: eachOnce(each.flatMap((request) => carrier.textChanges?.(request) ?? [])),
  };
}

/** The request before packing: it has an invented parcel, and problems about parcels are left out. */
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
    warnings: general(found.warnings),
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
  const { returnAddress: returnTo, customs } = account;
  const ofAccount = { ...(returnTo && { returnTo }), ...(customs && { customsNumbers: { ...customs } }) };
  return toBookingRequest({
    ...{ shipment, ...senders, sender, ofAccount, reference, service, options },
    ...{ shipDate, containerIds, packedItems },
  });
}

/** At least one group, so that a shipment without containers is refused in one place. */
function chunks(ids: readonly string[], size: number): readonly (readonly string[])[] {
  const count = Math.max(1, Math.ceil(ids.length / size));
  return Array.from({ length: count }, (_none, index) => ids.slice(index * size, (index + 1) * size));
}

/** Removes duplicates: a problem of an address is in every part. */
function eachOnce<T>(found: readonly T[]): readonly T[] {
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}
