//?{ ts
import type { BookingRequest, BookingWithLabels, Party } from 'waybridge/adapter';
import type { FoundBooking } from 'waybridge/adapter'; //? search
//?}
import { labelsInBase64 } from 'waybridge/adapter'; //? inanswer
import { textAt } from 'waybridge/adapter'; //? !search inanswer
import { neededList, textAt } from 'waybridge/adapter'; //? search
import { bookedParcels, kilograms, listAt, neededAt, plainPostalCode } from 'waybridge/adapter';
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
    ...{ postcode: plainPostalCode(address) ?? '', country: address.countryCode ?? '' },
    ...{ email: contact.email ?? undefined, phone: contact.mobile ?? contact.phone ?? undefined },
  };
}

/** Parcels are matched by `ref`, never by their place. What the answer lacks is an error: a guess would be a wrong label. */
export function fromAcmeBooking(request /*ts: BookingRequest */, json /*ts: unknown */) /*ts: BookingWithLabels */ {
  const rowOf = (ref /*ts: string */) => listAt(json, 'parcels').find((row) => textAt(row, 'ref') === ref); //? inanswer
  // One label that is missing: none is taken, so that all are fetched, or a person is told. //? inanswer
  const found = request.parcels.map(({ id }) => labelsInBase64(textAt(rowOf(id), 'label'))); //? inanswer
  return {
    booking: {
      carrierNumber: neededAt(json, 'number'),
      parcels: bookedParcels(request, parcelsIn(json)),
      labelSource: null,
    },
    labels: found.every((labels) => labels.length > 0) ? found.flat() : [], //? inanswer
    labels: [], //? !inanswer
    answersReference: neededAt(json, 'reference'),
  };
}

//?{ search
export function fromAcmeSearch(json /*ts: unknown */) /*ts: FoundBooking | null */ {
  const open = neededList(json, 'shipments').find((one) => textAt(one, 'state') === 'booked');
  if (open === undefined) return null;
  return { carrierNumber: neededAt(open, 'number'), parcels: parcelsIn(open), labelSource: null };
}

//?}
function parcelsIn(json /*ts: unknown */) {
  return listAt(json, 'parcels').map((row) => ({
    parcelId: neededAt(row, 'ref'),
    trackingNumber: neededAt(row, 'barcode'),
    trackingUrl: null, // TODO where people follow the parcel; null when the carrier does not say
  }));
}
