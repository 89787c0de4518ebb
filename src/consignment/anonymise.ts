import type { Booking, BookingRequest, Party, Problem } from '../../carriers/contract/model.js';
import type { MessageDraft } from '../messages/message.js';
import type { Consignment, Effect, Part } from './consignment.js';

/** Stands where a text was that may have named a person. */
const DELETED = '(deleted)';

/** Values of messages that name shipments, parcels and carriers, and no person. */
const KEPT_VALUES = new Set([
  ...['shipmentNumber', 'shipmentId', 'carrier', 'carrierName', 'carrierNumber', 'account', 'reference', 'key'],
  ...['trackingNumber', 'numbers', 'container', 'containers', 'parcel', 'parcels', 'document', 'minutes', 'count'],
  ...['limit', 'pages', 'rule', 'service', 'status', 'settings'],
]);

const NO_PARTY: Party = {
  address: {
    ...{ name: null, careOf: null, street: null, floorBlockOrSuite: null, district: null, city: null },
    ...{ stateOrProvince: null, postalCode: null, countryCode: null },
  },
  contact: { name: null, email: null, phone: null, mobile: null },
};

/**
 * A consignment at rest without names, addresses, and texts that may quote them. Numbers, references, times, states and
 * what was booked stay. Pure.
 * @param at ISO 8601; the parts say since when their addresses are gone
 */
export function anonymous(consignment: Consignment, at: string): Consignment {
  const { plan } = consignment;
  return {
    ...consignment,
    parts: consignment.parts.map((part) => anonymousPart(part, at)),
    effects: consignment.effects.map(anonymousEffect),
    shortfalls: consignment.shortfalls.map(anonymousMessage),
    plan: plan?.warnings === undefined ? plan : { ...plan, warnings: plan.warnings.map(anonymousMessage) },
  };
}

/** Whether the addresses of a part were deleted. */
export function isAnonymous({ addressesDeletedAt }: Part): boolean {
  return addressesDeletedAt !== undefined;
}

function anonymousPart(part: Part, at: string): Part {
  return {
    ...part,
    addressesDeletedAt: part.addressesDeletedAt ?? at,
    request: anonymousRequest(part.request),
    booking: part.booking && anonymousBooking(part.booking),
    problems: part.problems.map(anonymousProblem),
  };
}

/** The label can be fetched by its source, and the route names the place where the recipient lives. */
function anonymousBooking({ carrierNumber, parcels }: Booking): Booking {
  return { carrierNumber, parcels, labelSource: null };
}

function anonymousRequest(request: BookingRequest): BookingRequest {
  const { sender, recipient, parcels } = request;
  return {
    ...request,
    returnTo: undefined,
    sender: { ...NO_PARTY, address: { ...NO_PARTY.address, countryCode: sender.address.countryCode } },
    recipient: { ...NO_PARTY, address: { ...NO_PARTY.address, countryCode: recipient.address.countryCode } },
    ...{ pickUpPointId: null, notesOnDelivery: null, customersReference: null, sendersReference: null, goods: [] },
    parcels: parcels.map((parcel) => ({ ...parcel, description: null })),
  };
}

function anonymousProblem({ code, parcelId, severity }: Problem): Problem {
  return { code, text: DELETED, parcelId, ...(severity && { severity }) };
}

function anonymousEffect(effect: Effect): Effect {
  const { call, note } = effect;
  const blank = { ...effect, note: note === null ? null : DELETED };
  if (call.kind === 'not-allowed-notice' || call.kind === 'still-booked-notice')
    return { ...blank, call: { ...call, to: anonymousAddressee(call.to) } };
  if (call.kind !== 'message') return blank;
  const { to, message } = call;
  return { ...blank, call: { ...call, to: anonymousAddressee(to), message: anonymousMessage(message) } };
}

function anonymousAddressee({ eventId }: Consignment['addressee']): Consignment['addressee'] {
  return { eventId, userId: null, deviceName: null };
}

function anonymousMessage({ values, ...rest }: MessageDraft): MessageDraft {
  const kept = Object.entries(values).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' || KEPT_VALUES.has(name) ? value : DELETED,
  ]);
  return { ...rest, values: Object.fromEntries(kept) } as MessageDraft;
}
