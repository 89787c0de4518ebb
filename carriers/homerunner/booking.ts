import type { BookingRequest, BookingWithLabels, Party, PickupPoint, TrackingEvent } from '../contract/index.js';
import { otherText } from '../toolkit/checks/party-problems.js';
import { neededAt, neededList, numberAt, textAt, valueAt } from '../toolkit/json.js';
import { danishMoment } from '../toolkit/local-time.js';
import { parcelsByPlace } from '../toolkit/parcels/booked-parcels.js';
import { onlyParcel } from '../toolkit/parcels/one-parcel.js';
import { partyTexts } from '../toolkit/party-texts.js';
import { boundedEvents, readEvents } from '../toolkit/tracking/tracking-event.js';
import { sidesInCentimetres } from '../toolkit/units.js';
import type { HomerunnerConfig } from './config.js';
import { FIELDS, productOf } from './services.js';

/** Behind another path than those of shipments. */
export const OF_A_RETURN = 'return';

/** One parcel. HomeRunner wants empty texts, not missing ones. */
export function toHomerunnerShipment(request: BookingRequest, config: HomerunnerConfig) {
  const receiver = toParty(request.recipient);
  return {
    sender: toParty(request.sender),
    receiver: { ...receiver, notify_sms: receiver.phone, notify_email: receiver.email },
    ...sidesInCentimetres(onlyParcel(request)),
    weight: Math.max(1, onlyParcel(request).weightGrams),
    ...productOf(request, config),
    servicepoint_id: request.deliverToPickUpPoint ? (request.pickUpPointId ?? '') : '',
    reference: request.reference,
    ...{ description: '', comment: otherText(FIELDS, 'notes', request.notesOnDelivery).sent },
    label_format: config.labelFormat,
  };
}

/** With the carrier of the parcel that comes back. */
export function toHomerunnerReturn(request: BookingRequest, config: HomerunnerConfig) {
  const product = { carrier_product: 'return', carrier_service: '', servicepoint_id: 0 };
  return { ...toHomerunnerShipment(request, config), ...product };
}

function toParty(party: Party) {
  const { name, attention, street1, street2, city, phone, email } = partyTexts(party, FIELDS);
  const { postalCode, countryCode } = party.address;
  return {
    ...{ name: name.sent, attention: attention.sent, street1: street1.sent, street2: street2.sent },
    ...{
      zip_code: postalCode ?? '',
      city: city.sent,
      country: countryCode ?? '',
      phone: phone.sent,
      email: email.sent,
    },
  };
}

export function fromHomerunnerShipment(request: BookingRequest, json: unknown): BookingWithLabels {
  const number = neededAt(json, 'package_number');
  const parcels = parcelsByPlace(request, { carrierNumber: null, trackingNumbers: [number], pageOf: () => null });
  const isReturn = /\/return\/[^/]+\/label$/.test(textAt(json, '_links', 'label') ?? '');
  const booking = { carrierNumber: null, parcels, labelSource: isReturn ? OF_A_RETURN : null };
  const reference = textAt(json, 'reference');
  return { booking, labels: [], ...(reference === null ? {} : { answersReference: reference }) };
}

/** Times have no zone: HomeRunner is Danish. */
export function fromHomerunnerTracking(
  trackingNumber: string,
  json: unknown,
  codes: HomerunnerConfig['trackingCodes'],
) {
  const known = new Map(Object.entries(codes));
  const fields = { at: 'timestamp', code: 'event', text: 'details', momentOf: danishMoment };
  const statusOf = (code: string | null) => known.get(code ?? '') ?? 'unrecognised';
  const rows = json === null ? [] : neededList(json, 'events');
  const events: readonly TrackingEvent[] = readEvents(
    rows,
    { ...fields, statusOf },
    { trackingNumber, zone: 'assumed' },
  );
  return boundedEvents(events);
}

export function toPickupPoint(point: unknown): PickupPoint {
  const distance = numberAt(point, 'distance');
  const at = (name: string) => textAt(point, 'address', name);
  const hours = Object.entries(Object(valueAt(point, 'opening_hours'))).map(
    ([day, open]) => `${day} ${textAt(open, 'from')}-${textAt(open, 'to')}`,
  );
  return {
    ...{ id: neededAt(point, 'id'), name: neededAt(point, 'name') },
    ...{ street: at('street'), postalCode: at('zip_code'), city: at('city') },
    countryCode: neededAt(point, 'address', 'country_code'),
    distanceM: distance === null ? null : Math.round(distance),
    kind: null,
    openingHours: hours.join(', ') || null,
  };
}
