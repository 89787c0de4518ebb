import { kilograms, listAt, neededAt, neededList, plainPostalCode, textAt } from 'waybridge/adapter';
import { partyFields } from './check.js';

export function toFjordpostBooking(request) {
  return {
    reference: request.reference,
    service: request.service ?? 'parcel',
    from: toParty(request.sender),
    to: toParty(request.recipient),
    parcels: request.parcels.map(({ id, weightGrams }) => ({ ref: id, weightKg: kilograms(weightGrams) })),
  };
}

function toParty(party) {
  const { address, contact } = party;
  const { name, street, city } = partyFields(party);
  return {
    ...{ name: name.sent, street: street.sent, city: city.sent },
    ...{ postcode: plainPostalCode(address) ?? '', country: address.countryCode ?? '' },
    ...{ email: contact.email ?? undefined, phone: contact.mobile ?? contact.phone ?? undefined },
  };
}

/** Parcels are matched by `ref`, never by their place; the labels come with the answer. */
export function fromFjordpostBooking({ parcels }, json) {
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
    labels: each.map(({ label }) => ({ format: 'pdf', bytes: new Uint8Array(Buffer.from(label ?? '', 'base64')) })),
    answersReference: neededAt(json, 'reference'),
  };
}

export function fromFjordpostSearch(json) {
  const open = neededList(json, 'consignments').find((one) => textAt(one, 'state') === 'open');
  if (open === undefined) return null;
  const parcels = parcelsIn(open).map(({ parcel }) => parcel);
  return { carrierNumber: neededAt(open, 'number'), parcels, labelSource: null };
}

/** Each parcel with the label that came with it. */
function parcelsIn(json) {
  return listAt(json, 'parcels').map((row) => {
    const trackingNumber = neededAt(row, 'barcode');
    const trackingUrl = `https://fjordpost.example/track/${trackingNumber}`;
    return { parcel: { parcelId: neededAt(row, 'ref'), trackingNumber, trackingUrl }, label: textAt(row, 'label') };
  });
}

export function numberOf({ carrierNumber }) {
  if (carrierNumber === null) throw new Error('a consignment of Fjordpost always has a number');
  return carrierNumber;
}
