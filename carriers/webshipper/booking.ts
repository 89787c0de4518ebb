import type { BookingRequest, BookingWithLabels, FoundBooking, Goods, Label, Party } from '../contract/index.js';
import { bookedByPlace, declaredGoods, kilograms, labelsInBase64, listAt, neededAt } from '../toolkit/index.js';
import { neededList, numbersFor, otherText, partyTexts, sentOf, sidesInCentimetres } from '../toolkit/index.js';
import { plainPostalCode, textAt, toldContact, unexpected, valueAt } from '../toolkit/index.js';
import { type WebshipperConfig, numbersIn } from './config.js';
import { FIELDS, productIn } from './services.js';

/** @param more the service, and attributes that it decides */
export function toWebshipperShipment(
  request: BookingRequest,
  config: WebshipperConfig,
  { service, ...more }: { readonly service: string; readonly is_return?: true },
) {
  const { recipient, privateDelivery, returnOf } = request;
  const { shipping_rate_id: rate, carrier_id: carrier } = productIn(service);
  const to = (type: string, id: string | undefined) => id && { data: { type, id } };
  const related = { shipping_rate: to('shipping_rates', rate), carrier: to('carriers', carrier) };
  const relationships = { ...related, original_shipment: to('shipments', returnOf) };
  const lines = declaredGoods(request);
  const attributes = {
    reference: request.reference,
    comment: otherText(FIELDS, 'notes', request.notesOnDelivery).sent || undefined,
    packages: toPackages(request, lines),
    sender_address: { ...toAddress(request.sender), ...(lines && !more.is_return && toNumbers(request, config)) },
    delivery_address: toAddress(recipient, privateDelivery === true),
    return_address: request.returnTo && toAddress(request.returnTo),
    ...{ dutiable: lines === null ? undefined : true, test_mode: config.testMode },
    ...{ ...more, ...toService(request, service) },
  };
  return { data: { type: 'shipments', attributes, relationships } };
}

/** The exporter's numbers that hold at the destination. */
function toNumbers(request: BookingRequest, config: WebshipperConfig) {
  const { vat: vat_no, ...others } = numbersFor({ ...numbersIn(config), ...request.customsNumbers }, request);
  return { vat_no, ...others };
}

/** Nothing of it is sent with a shipping rate. */
function toService(request: BookingRequest, service: string) {
  const { service_code } = productIn(service);
  if (service_code === undefined) return {};
  const { add_ons, service_attributes } = request.options;
  const { mobile: phone, email } = toldContact(request, FIELDS);
  const told = { sms_notification: phone && { phone }, email_notification: email && { email } };
  return { service_code, add_ons, service_attributes, ...told };
}

/** Customs lines are those of the whole shipment, and stand on the first package. */
function toPackages({ parcels, options }: BookingRequest, lines: readonly Goods[] | null) {
  return parcels.map((parcel, place) => {
    const sides = sidesInCentimetres(parcel);
    return {
      ...{ weight: kilograms(parcel.weightGrams), weight_unit: 'kg', dimensions: sides && { ...sides, unit: 'cm' } },
      colli_type: textAt(options, 'colli_type') ?? undefined,
      customs_lines: place === 0 ? lines?.map(toCustomsLine) : undefined,
    };
  });
}

/** The state has a field of its own. @param isPerson a private person, who has no company */
export function toAddress({ address, contact }: Party, isPerson = false) {
  const { stateOrProvince, countryCode } = address;
  const texts = sentOf(partyTexts({ contact, address: { ...address, stateOrProvince: null } }, FIELDS));
  const { company_name, att_contact = company_name } = texts;
  const names = isPerson && att_contact === company_name ? { company_name: undefined, att_contact } : {};
  const place = { zip: plainPostalCode(address) ?? undefined, state: stateOrProvince ?? undefined };
  return { ...texts, ...names, ...place, country_code: countryCode ?? undefined };
}

function toCustomsLine(goods: Goods) {
  return {
    ...{ description: goods.description, quantity: goods.quantity, tarif_number: goods.tariffNumberAtDestination },
    ...{ country_of_origin: goods.countryOfOrigin, unit_price: Number(goods.unitValue), currency: goods.currency },
    ...{ weight: kilograms(goods.unitWeightGrams ?? 0), weight_unit: 'kg' },
  };
}

/** The parcels' numbers come in the order of the packages. @throws Error a package has none, or has none yet */
export function fromWebshipperShipment(request: BookingRequest, shipment: unknown): BookingWithLabels {
  const carrierNumber = neededAt(shipment, 'id');
  const links = listAt(shipment, 'attributes', 'tracking_links');
  const trackingNumbers = links.map((link) => textAt(link, 'number'));
  const pageOf = (number: string) => textAt(links[trackingNumbers.indexOf(number)], 'url');
  const booking = bookedByPlace(request, { carrierNumber, trackingNumbers, pageOf });
  return { booking, labels: [], answersReference: neededAt(shipment, 'attributes', 'reference') };
}

/** A rate may make a return with the booking. @throws Error only that one is there, or ours may be on the next page */
export function fromWebshipperSearch(request: BookingRequest, json: unknown): FoundBooking | null {
  const ours = neededList(json, 'data').filter((each) => textAt(each, 'attributes', 'reference') === request.reference);
  const isReturn = (each: unknown) => valueAt(each, 'attributes', 'is_return') === true;
  const found = ours.find((each) => isReturn(each) === (request.returnOf !== undefined));
  if (ours.length === 0 && !valueAt(json, 'links', 'next')) return null;
  if (found === undefined) throw new Error('more shipments, or a return in place of the booking, and none of ours');
  if (listAt(found, 'attributes', 'tracking_links').length === 0)
    return { carrierNumber: neededAt(found, 'id'), parcels: [], labelSource: null };
  const { booking } = fromWebshipperShipment(request, found);
  return { ...booking, parcels: booking.parcels.flatMap((parcel) => (parcel.kind === 'booked' ? parcel : [])) };
}

/** Reads labels, each in its own format, which Webshipper's settings decide. @throws Error there are none yet */
export function labelsIn(json: unknown): readonly Label[] {
  const labels = neededList(json, 'data').flatMap((label) => {
    const texts = [valueAt(label, 'attributes', 'base64')].flat();
    const format = textAt(label, 'attributes', 'label_format') === 'ZPL' ? 'zpl' : 'pdf';
    return texts.map((text) => {
      const [read] = labelsInBase64(textAt(text));
      if (read === undefined) throw unexpected(label, 'base64');
      return { ...read, format } as const;
    });
  });
  if (labels.length === 0) throw unexpected(json, 'labels');
  return labels;
}
