import type { BookingRequest, BookingWithLabels, Goods, Party } from '../contract/index.js';
import { otherText } from '../toolkit/checks/party-problems.js';
import { declaredGoods, lineTotals } from '../toolkit/customs.js';
import { neededList, textAt, unexpected } from '../toolkit/json.js';
import { bookedByPlace } from '../toolkit/parcels/booked-parcels.js';
import { onlyParcel } from '../toolkit/parcels/one-parcel.js';
import { partyTexts } from '../toolkit/party-texts.js';
import { plainPostalCode } from '../toolkit/preflight.js';
import { withoutDanishCode } from '../toolkit/text.js';
import { type ExplainedCodes, explainedEvents } from '../toolkit/tracking/explained-codes.js';
import { sidesInCentimetres } from '../toolkit/units.js';
import type { HomerunnerConfig } from './config.js';
import { FIELDS, isAlone, isToPoint, productOf } from './services.js';

/** Behind another path than those of shipments. */
export const OF_A_RETURN = 'return';

/** One parcel. HomeRunner wants empty texts, not missing ones. */
export function toHomerunnerShipment(request: BookingRequest, config: HomerunnerConfig) {
  const receiver = toParty(request.recipient);
  const lines = isAlone(request) ? declaredGoods(request) : null;
  return {
    sender: toParty(request.sender),
    receiver: { ...receiver, notify_sms: receiver.phone, notify_email: receiver.email },
    ...sidesInCentimetres(onlyParcel(request)),
    weight: Math.max(1, onlyParcel(request).weightGrams),
    ...productOf(request, config),
    servicepoint_id: isToPoint(request, config) ? (request.pickUpPointId ?? '') : '',
    reference: request.reference,
    ...{ description: '', comment: otherText(FIELDS, 'notes', request.notesOnDelivery).sent },
    label_format: config.labelFormat,
    order_lines: lines?.map(toOrderLine),
  };
}

/** Value and weight are those of all its pieces. */
function toOrderLine(goods: Goods, place: number) {
  const { value: total_price, weightGrams: weight } = lineTotals(goods);
  const about = {
    ...{ description: goods.description, total_price, weight },
    ...{ currency_code: goods.currency, receiver_tariff: goods.tariffNumberAtDestination },
    sender_tariff: goods.tariffNumberAtOrigin ?? goods.tariffNumberAtDestination,
    origin_country: goods.countryOfOrigin,
  };
  return { item_number: `${place + 1}`, qty: goods.quantity, customs: [about] };
}

/** A return, booked with the carrier that brought the parcel. */
export function toHomerunnerReturn(request: BookingRequest, config: HomerunnerConfig) {
  const product = { carrier_product: 'return', carrier_service: '', servicepoint_id: 0 };
  return { ...toHomerunnerShipment(request, config), ...product };
}

/** Danish telephone numbers are written without the code of the country, as the clients do it. */
function toParty(party: Party) {
  const { name, attention, street1, street2, city, phone, email } = partyTexts(party, FIELDS);
  const { countryCode } = party.address;
  return {
    ...{ name: name.sent, attention: attention.sent === name.sent ? '' : attention.sent },
    ...{ street1: street1.sent, street2: street2.sent },
    ...{ zip_code: plainPostalCode(party.address) ?? '', city: city.sent, country: countryCode ?? '' },
    ...{ phone: withoutDanishCode(phone.sent), email: email.sent },
  };
}

/**
 * A short answer names the parcel in its links only.
 * @param order where its label is, if no link says it
 */
export function fromHomerunnerShipment(
  request: BookingRequest,
  json: unknown,
  order: 'shipments' | typeof OF_A_RETURN,
) {
  const link = (name: string) => textAt(json, '_links', name) ?? '';
  const number = textAt(json, 'package_number') ?? /\/shipments\/([^/?]+)$/.exec(link('self'))?.[1];
  if (number === undefined) throw unexpected(json, 'package_number');
  const [, place = order] = /\/(shipments|return)\/[^/]+\/label$/.exec(link('label')) ?? [];
  const labelSource = place === OF_A_RETURN ? OF_A_RETURN : null;
  const booking = bookedByPlace(request, { carrierNumber: null, trackingNumbers: [number], labelSource });
  const reference = textAt(json, 'reference');
  const booked: BookingWithLabels = { booking, labels: [], ...(reference && { answersReference: reference }) };
  return booked;
}

/** @throws Error the answer has no events; `null`: the parcel is not known */
export function fromHomerunnerTracking(trackingNumber: string, json: unknown, codes: ExplainedCodes) {
  const rows = json === null ? [] : neededList(json, 'events');
  return explainedEvents(trackingNumber, rows, { at: 'timestamp', code: 'event', text: 'details', codes });
}
