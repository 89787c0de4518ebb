//?{ ts
import type { Booking, BookingRequest, BookingWithLabels, Party } from 'waybridge/adapter';
import type { FoundBooking } from 'waybridge/adapter'; //? search
//?}
import { kilograms, listAt, neededAt } from 'waybridge/adapter'; //? !search !inanswer
import { kilograms, listAt, neededAt, textAt } from 'waybridge/adapter'; //? !search inanswer
import { kilograms, listAt, neededAt, neededList, textAt } from 'waybridge/adapter'; //? search
import { partyFields } from './check.js';

// TODO the names of the carrier's request
export function toAcmeBooking(request /*ts: BookingRequest */) {
  return {
    reference: request.reference,
    service: request.service ?? 'standard',
    from: toParty(request.sender),
    to: toParty(request.recipient),
    parcels: request.parcels.map(({ id, weightGrams }) => ({ ref: id, weightKg: kilograms(weightGrams) })),
  };
}

function toParty(party /*ts: Party */) {
  const { address, contact } = party;
  const { name, street, city } = partyFields(party);
  return {
    ...{ name: name.sent, street: street.sent, city: city.sent },
    ...{ postcode: address.postalCode ?? '', country: address.countryCode ?? '' },
    ...{ email: contact.email ?? undefined, phone: contact.mobile ?? contact.phone ?? undefined },
  };
}

/** Parcels are matched by `ref`, never by their place. What the answer lacks is an error: a guess would be a wrong label. */
export function fromAcmeBooking({ parcels } /*ts: BookingRequest */, json /*ts: unknown */) /*ts: BookingWithLabels */ {
  const booked = parcelsIn(json);
  const each = parcels.map(({ id }) => {
    const found = booked.find(({ parcel }) => parcel.parcelId === id);
    if (found === undefined) throw new Error(`the answer has no parcel ${id}`);
    return found;
  });
  return {
    booking: {
      carrierNumber: neededAt(json, 'number'),
      parcels: each.map(({ parcel }) => ({ kind: 'booked', ...parcel })),
      labelSource: null,
    },
    labels: each.map(({ label }) => ({ format: 'pdf', bytes: new Uint8Array(Buffer.from(label ?? '', 'base64')) })), //? inanswer
    labels: [], //? !inanswer
    answersReference: neededAt(json, 'reference'),
  };
}

//?{ search
export function fromAcmeSearch(json /*ts: unknown */) /*ts: FoundBooking | null */ {
  const open = neededList(json, 'shipments').find((one) => textAt(one, 'state') === 'booked');
  if (open === undefined) return null;
  const parcels = parcelsIn(open).map(({ parcel }) => parcel);
  return { carrierNumber: neededAt(open, 'number'), parcels, labelSource: null };
}

//?}
/** Each parcel with the label that came with it. */ //? inanswer
function parcelsIn(json /*ts: unknown */) {
  return listAt(json, 'parcels').map((row) => {
    const trackingNumber = neededAt(row, 'barcode');
    // TODO where people follow the parcel; null when the carrier does not say
    const parcel = { parcelId: neededAt(row, 'ref'), trackingNumber, trackingUrl: null };
    return { parcel, label: textAt(row, 'label') }; //? inanswer
    return { parcel }; //? !inanswer
  });
}

export function numberOf({ carrierNumber } /*ts: Booking */) /*ts: string */ {
  if (carrierNumber === null) throw new Error('a shipment of Acme always has a number');
  return carrierNumber;
}
